package seatfile

import (
	"context"
	"encoding/json"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// Given is the link of the player's chain that he gave last, and the declaration of the roll for which he did.
type Given struct {
	events.Source
	For events.Hash `json:"for"` // hash of the event
}

// contest gives the link that a roll awaits, and the event that declares it; 0 for none. The declaration is in the
// checkpoint that this seat holds and has cosigned, so no other roll can be put in its place; and no link is given for
// two.
func (s *Seat) contest(ctx context.Context, head tree.Checkpoint, asked *api.AskedLink) (uint64, error) {
	if asked == nil || asked.Seat != s.Name || asked.Event >= head.Events || s.tried[asked.Event] {
		return 0, nil
	}
	e, hash, err := s.event(ctx, asked.Event, head)
	if err != nil {
		return 0, err
	}
	link, err := s.linkFor(ctx, &e, hash, head)
	if err != nil {
		return 0, err
	}
	body, err := json.Marshal(map[string]any{campaign.VerbLink: link})
	if err != nil {
		return 0, err
	}
	entry := rules.Command{Seat: s.Name, Verb: campaign.VerbLink, Body: body}
	c := envelope.Command{Campaign: s.Campaign, Seat: s.Name, ID: s.name("", entry, hash), Question: hash,
		NotAfter: notAfter(), Seen: envelope.Seen{Events: head.Events, Root: head.Root}}
	if c.Request, err = envelope.NewRequest(entry.Verb, entry.Body); err != nil {
		return 0, err
	}
	s.Pending = &replay.SignedCommand{}
	if s.Pending.Envelope, err = c.Sign(s.key); err == nil {
		err = s.save()
	}
	if err != nil {
		return 0, err
	}
	done, err := s.send(ctx)
	if done.Problem != nil {
		s.tried[asked.Event] = true
		return 0, done.Problem
	}
	return asked.Event, err
}

// linkFor finds the link that a declaration names, and notes that it is given for that alone.
func (s *Seat) linkFor(ctx context.Context, e *events.Event, hash events.Hash, head tree.Checkpoint) (link events.Link,
	err error) {
	var p events.RollDeclared
	if !e.Read(&p) || p.Mode != campaign.Contested || len(p.Sources) != 2 {
		return link, problem.New(problem.Unverified, "#%d declares no contested roll: no link was given", e.Index)
	}
	at := p.Sources[1]
	t, err := s.fold(ctx, head)
	if err != nil {
		return link, err
	}
	chain, own := s.chainIn(t, at)
	if !own || at.Position < 1 || at.Position > chain.Len() {
		return link, problem.New(problem.Unverified, "the roll #%d names link %d of %s, and no chain of this seat has "+
			"that: no link was given", e.Index, at.Position, at.Chain)
	}
	if err := due(t, e, at); err != nil {
		return link, err
	}
	if g := s.Given; g != nil && g.Chain == at.Chain && at.Position <= g.Position &&
		(at.Position != g.Position || hash != g.For) {
		return link, problem.New(problem.Unverified, "the roll #%d names link %d, and this seat gave link %d for "+
			"another: whoever knows it would know the dice. No link was given", e.Index, at.Position, g.Position)
	}
	s.Given = &Given{at, hash}
	return events.Link{Chain: at.Chain, Position: at.Position, Link: chain.Link(at.Position)}, nil
}

// due refuses a link that is not due by the record before the declaration. Whoever has a link has those before it: it
// would open the cards that the player drew with the same chain, and one behind the next tells rolls to come.
func due(t *campaign.Timeline, e *events.Event, at events.Source) error {
	if t.Head.Dice != campaign.Contested || t.Head.Hands == campaign.Players {
		return problem.New(problem.Unverified, "the roll #%d asks for a link, and the dice of this campaign are not "+
			"contested: no link was given", e.Index)
	}
	before, err := t.At(e.Index)
	if err != nil {
		return err
	}
	if next, err := before.Contest(e.Side); err != nil || next != at {
		return problem.New(problem.Unverified, "the roll #%d names link %d of %s, which is not the next one: no link "+
			"was given", e.Index, at.Position, at.Chain)
	}
	return nil
}
