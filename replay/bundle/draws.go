package bundle

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/rules/chance"
)

// draw is a declared draw.
type draw struct {
	declared *events.DrawDeclared
	drawn    bool
	hand     uint64      // index of the event that commits to the cards
	policy   tree.Policy // of a player: who may cosign that it was declared
}

// drawDeclared takes a declaration of a draw.
func (c *check) drawDeclared(e *events.Event, p *events.DrawDeclared) {
	if of := c.draws[e.Corrects]; of != nil && c.corrects(e) && p.Source == of.declared.Source {
		c.restated(p.Source)
		return
	}
	c.draws[e.Index] = &draw{declared: p}
	if p.Round != 0 {
		c.draws[e.Index].policy = c.cosigners(e.Side)
	}
	c.spend(e, p.Source, c.chainOfDraws(e, p), "payload.source")
	if p.Count < 0 || p.PoolSize < p.Count || p.PoolSize > chance.MaxSides {
		c.wrong(e, CheckDraws, "payload.count", p.Count, nil, "so many cards cannot be drawn of %d", p.PoolSize)
	}
}

// drawn checks the end of a draw: as many commitments as cards were declared.
func (c *check) drawn(e *events.Event, p *events.CardsDrawn) {
	c.count(CheckDraws)
	d := c.draws[p.Declared]
	switch {
	case d == nil:
		c.wrong(e, CheckDraws, "payload.declared", p.Declared, nil, "no draw was declared there")
		return
	case c.corrects(e):
		return
	case d.drawn && c.history.Head().Stands(d.hand):
		c.wrong(e, CheckDraws, "payload.declared", p.Declared, nil, "that draw was made already")
	case p.Deck != d.declared.Deck:
		c.wrong(e, CheckDraws, "payload.deck", p.Deck, d.declared.Deck, "another deck was declared in #%d", p.Declared)
	case p.Count != d.declared.Count:
		c.wrong(e, CheckDraws, "payload.count", p.Count, d.declared.Count,
			"another number of cards was declared in #%d", p.Declared)
	case len(events.Cards(e)) != p.Count:
		c.wrong(e, CheckDraws, "commitments", len(events.Cards(e)), p.Count,
			"each card drawn is committed, and nothing else")
	}
	d.hand = e.Index
	if d.drawn = true; d.declared.Round == 0 && p.Signature != "" {
		c.wrong(e, CheckDraws, "payload.signature", p.Signature, nil, "no round decides the cards")
	} else if d.declared.Round == 0 && p.Note != "" {
		c.wrong(e, CheckDraws, "payload.note", nil, nil, "no round decides the cards")
	} else if d.declared.Round != 0 {
		c.drawnByPlayer(e, p, d)
	}
}
