package bundle

import (
	"encoding/hex"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/rules/chance"
)

// byPlayers is who draws cards, where each player does so by himself.
const byPlayers = "players"

// chainOfDraws is the chain that decides the draws of a side: the host's, or its player's own.
func (c *check) chainOfDraws(e *events.Event, p *events.DrawDeclared) string {
	if own := c.opened.Hands == byPlayers; own != (p.Round != 0) {
		c.wrong(e, CheckDraws, "payload.round", p.Round, nil, "the campaign was opened with other hands")
	}
	if p.Round == 0 {
		return chance.Draws(e.Side)
	}
	if c.rounds == nil {
		c.wrong(e, CheckDraws, "payload.round", p.Round, nil, "the campaign has no beacon")
	} else if e.Recorded.Unix() >= c.beacon.Time(p.Round) {
		c.wrong(e, CheckDraws, "payload.round", p.Round, nil, "the round had come when it was named")
	}
	key, keyed := c.signers.keys[c.signers.seats[e.Side]]
	if !keyed {
		return "of a player with a key"
	}
	return envelope.ChainName(key.Fingerprint())
}

// drawnByPlayer checks what a player's cards come with: the signature of the round that the draw named. What he alone
// knows is due in no file.
func (c *check) drawnByPlayer(e *events.Event, p *events.CardsDrawn, d *draw) {
	signature, err := hex.DecodeString(p.Signature)
	if err == nil && c.rounds != nil {
		err = c.rounds.Verify(d.declared.Round, signature)
	}
	if err != nil {
		c.wrong(e, CheckDraws, "payload.signature", p.Signature, nil, "%v", err)
	} else if c.rounds != nil {
		c.signers.come = max(c.signers.come, c.beacon.Time(d.declared.Round))
	}
	if p.Note == "" {
		c.unable(1, "cards that players drew, and nobody else saw declared",
			"player and host together could have named a round that had come")
	} else if c.rounds != nil {
		c.seen(e, p.Note, d.policy, p.Declared, d.declared.Round)
	}
	if named, sealed := c.opened.Arbiter != "", len(events.Cards(e)) < len(e.Commitments); named != sealed {
		c.wrong(e, CheckDraws, "commitments", sealed, named, "the campaign's arbiter opens hands, where it names one")
	}
	behind := false // the disclosure of its link
	for _, k := range e.Commitments {
		if s := c.seals[events.Ref{Index: e.Index, Slot: k.Slot}]; s != nil {
			s.own = true
			on := c.own[d.declared.Source.Chain]
			behind = behind || !s.opened && on != nil && d.declared.Source.Position <= on.disclosed
		}
	}
	if behind {
		c.unable(1, "hands that players entered behind the disclosure of their link", "they have not opened them")
	}
}

// declassified checks the link by which a player disclosed his draws.
func (c *check) declassified(e *events.Event, payload events.Payload) {
	p, discloses := payload.(*events.Declassified)
	if !discloses {
		return
	}
	c.count(CheckDrawLinks)
	on := c.own[p.Link.Chain]
	switch {
	case p.Seat != e.Seat:
		c.wrong(e, CheckDrawLinks, "payload.seat", p.Seat, e.Seat, "a player discloses his own hands")
	case on == nil || on.seat != p.Seat:
		c.wrong(e, CheckDrawLinks, "payload.link.chain", p.Link.Chain, nil, "no anchor of that chain was stated")
	case p.Link.Position != on.used:
		c.wrong(e, CheckDrawLinks, "payload.link.position", p.Link.Position, on.used,
			"the last used link discloses all")
	case on.used > 0 && !c.anchored(e.Epoch, p.Link):
		c.wrong(e, CheckDrawLinks, "payload.link.link", p.Link.Link, nil, "link %d of %s does not lead to its anchor",
			p.Link.Position, p.Link.Chain)
	default:
		on.disclosed = p.Link.Position
	}
	for ref, s := range c.seals {
		if s.own && !s.opened && ref.Slot != events.SlotArbiter && c.signers.seats[c.sides.of(ref.Index)] == p.Seat {
			c.wrong(e, CheckDrawLinks, "openings", nil, nil, "%q of #%d is not opened, and its player disclosed all",
				ref.Slot, ref.Index)
			return
		}
	}
}

// undisclosed lists the draws that only their players can repeat.
func (c *check) undisclosed() {
	sealed, taken := 0, 0
	if c.opened.Hands != byPlayers {
		return
	}
	for index, d := range c.draws {
		if v := c.history.Head(); d.declared.Round != 0 && len(v.Sources(history.Voids, index)) > 0 ||
			d.hand != 0 && len(v.Sources(history.Voids, d.hand)) > 0 {
			taken++
		}
	}
	c.unable(taken, "draws of players that were taken out of the campaign",
		"who did so could know their cards: others may count in their place")
	for _, on := range c.own {
		sealed += int(on.used - min(on.used, on.disclosed))
	}
	c.unable(sealed, "draws of players", "they have not disclosed by which links they drew")
}
