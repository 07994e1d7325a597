package seatfile

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon/rounds"
	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/events/tree"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/arbiter"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// Rounds says where rounds of public randomness come from, by which the player draws: a URL, a file, or a directory;
// drand's servers for none.
func (s *Seat) Rounds(from string) (err error) {
	s.rounds, err = rounds.Open(from)
	return err
}

// holds learns whether the players of the campaign draw their cards by themselves.
func (s *Seat) holds(ctx context.Context, head tree.Checkpoint) (bool, error) {
	if s.Hands != "" || head.Events == 0 {
		return s.Hands == campaign.Players, nil
	}
	e, _, err := s.event(ctx, 0, head)
	if err != nil {
		return false, err
	}
	var opened events.CampaignOpened
	e.Read(&opened)
	s.Arbiter = opened.Arbiter
	if s.Hands = opened.Hands; s.Hands == "" {
		s.Hands = "host"
	}
	return s.Hands == campaign.Players, s.save()
}

// draw commits to the cards of the player's draws whose round has come, and gives the events that declared them. What
// keeps it from one keeps it from no other: failed says why one cannot be made, and is not tried again; err why one
// could not be now.
func (s *Seat) draw(ctx context.Context, head tree.Checkpoint, asked []api.AskedDraw) (drawn []uint64,
	failed, err error) {
	due := slices.DeleteFunc(asked, func(d api.AskedDraw) bool {
		return time.Now().Before(d.Due) || s.tried[d.Event] || d.Event >= head.Events
	})
	if len(due) == 0 || s.rounds == nil {
		return nil, nil, nil
	}
	if is, err := s.holds(ctx, head); !is || err != nil { // and who may open them
		return nil, nil, err
	}
	t, err := s.fold(ctx, head)
	if err != nil {
		return nil, nil, err
	}
	own, _ := t.Head.SeatNamed(s.Name)
	for _, d := range t.Head.Draws() { // as the player's own copy has them
		at := slices.IndexFunc(due, func(x api.AskedDraw) bool { return x.Event == d.Event })
		if at < 0 || !slices.Contains(own.Sides, d.Side) {
			continue
		}
		no := s.drawOne(ctx, t, d, due[at].Note, head)
		if no != nil && due[at].Note != "" && s.Pending == nil {
			no = s.drawOne(ctx, t, d, "", head) // it may be the note that is refused
		}
		if no == nil {
			drawn = append(drawn, d.Event)
			continue
		}
		switch kind := problem.Of(no).Kind; {
		case s.Pending != nil || kind == problem.Unreachable || kind == problem.Failed || kind == problem.Diverged:
			if err = errors.Join(err, no); s.Pending != nil {
				return drawn, failed, err // it is sent again before anything else
			}
		default:
			s.tried[d.Event] = true
			failed = errors.Join(failed, no)
		}
	}
	return drawn, failed, err
}

// drawOne commits to the cards of a draw. Note, which may be empty, shows that another seat saw it declared in time.
func (s *Seat) drawOne(ctx context.Context, t *campaign.Timeline, d campaign.OpenDraw, note string,
	head tree.Checkpoint) error {
	link, cards, signature, err := s.drawCards(ctx, t, d)
	if err != nil {
		return err
	}
	turn, _ := t.Head.Game.TurnNow()
	hand, facts := []map[string]string{}, map[string]string{}
	for i, card := range cards {
		slot := fmt.Sprintf("%s %d", d.Side, i+1)
		hand, facts[slot] = append(hand, rules.Sealed(slot)), card
	}
	entry := map[string]any{"side": d.Side, "draw": d.Event, "cards": hand, "signature": signature}
	if note != "" {
		entry["note"] = note
	}
	if t.Head.Arbiter != "" {
		entry[events.SlotArbiter] = rules.Sealed(events.SlotArbiter)
	}
	body, err := json.Marshal(map[string]any{"hand": entry})
	if err != nil {
		return err
	}
	e := rules.Command{Seat: s.Name, Verb: "hand", Body: body}
	e.ID = s.name(turn.Label, e, events.Hash{})
	form, err := s.ask(ctx, e, nil)
	if err != nil {
		return err
	}
	c := envelope.Command{Campaign: s.Campaign, Seat: s.Name, ID: form.Command, NotAfter: notAfter(),
		Seen: envelope.Seen{Events: head.Events, Root: head.Root}, Request: form.Request}
	opened, err := c.Seal(rand.Reader, t.Head.Epoch, facts)
	if err != nil {
		return err
	}
	s.Pending = &replay.SignedCommand{} // without the openings of cards, which nobody else gets
	if t.Head.Arbiter != "" {
		more, err := s.sealForArbiter(t.Head, link, opened, &c)
		if err != nil {
			return err
		}
		s.Pending.Openings, opened = more, append(opened, more...)
	}
	s.remembers(c.ID, opened)
	if s.Pending.Envelope, err = c.Sign(s.key); err != nil {
		return err
	}
	if err := s.save(); err != nil {
		return err
	}
	done, err := s.send(ctx)
	if err == nil && done.Problem != nil {
		return done.Problem
	}
	return err
}

// chainIn finds the chain of this player that a declaration names, which may be of an earlier key: then the record says
// whose it was.
func (s *Seat) chainIn(t *campaign.Timeline, at events.Source) (*chance.Chain, bool) {
	if chain, own := s.chainOf(s.key); at.Chain == own {
		return chain, true
	}
	return s.chainNamed(at.Chain), slices.Contains(t.Head.ChainsOf(s.Name), at.Chain)
}

// sealForArbiter encrypts what opens a draw to the campaign's arbiter, and commits to that.
func (s *Seat) sealForArbiter(now *campaign.Campaign, link events.Link, cards []events.Opening, c *envelope.Command) (
	[]events.Opening, error) {
	h := arbiter.Hand{Link: link}
	for _, o := range cards {
		h.Cards = append(h.Cards, arbiter.Card{Slot: o.Slot, Salt: o.Salt, Fact: o.Fact})
	}
	text, err := arbiter.Seal(now.Arbiter, h)
	if err != nil {
		return nil, problem.New(problem.Unverified, "the arbiter of the campaign: %v", err)
	}
	return c.Seal(rand.Reader, now.Epoch, map[string]string{events.SlotArbiter: text})
}

// drawCards finds the cards of a draw, by the link of the player's chain that it names, the round, and the pool as it
// stood.
func (s *Seat) drawCards(ctx context.Context, t *campaign.Timeline, d campaign.OpenDraw) (link events.Link,
	cards []string, signature string, err error) {
	e, err := t.Event(d.Event)
	if err != nil {
		return link, nil, "", err
	}
	var p events.DrawDeclared
	read := e.Read(&p)
	chain, own := s.chainIn(t, p.Source)
	if !read || !own || p.Source.Position < 1 || p.Source.Position > chain.Len() {
		return link, nil, "", problem.New(problem.Unverified, "the draw #%d names no link of this seat's chain",
			d.Event)
	}
	before, err := t.At(d.Event)
	if err != nil {
		return link, nil, "", err
	}
	if next, err := before.Hand(e.Side); err != nil || next != p.Source { // by the same link the same cards would come
		return link, nil, "", problem.New(problem.Unverified, "the draw #%d names link %d of %s, which is not the "+
			"next one: no cards were drawn", d.Event, p.Source.Position, p.Source.Chain)
	}
	text, err := s.rounds.Round(ctx, t.Head.Beacon, p.Round)
	if err != nil {
		return link, nil, "", problem.New(problem.Unreachable, "round %d of %s: %v", p.Round, t.Head.Beacon.Name, err)
	}
	link = events.Link{Chain: p.Source.Chain, Position: p.Source.Position, Link: chain.Link(p.Source.Position)}
	at, err := rehear.SampleHand(link.Link, e.Campaign, e.Epoch, &p, text)
	if err != nil {
		return link, nil, "", err
	}
	game, draws := before.Game.(rules.Drawer)
	if !draws {
		return link, nil, "", problem.New(problem.Refused, "this watu knows no hands of %s", t.Head.System.Title)
	}
	cards, ok := game.Drawn(e.Side, at)
	if !ok {
		return link, nil, "", problem.New(problem.Refused, "this file does not know the whole pool of %s, from which "+
			"#%d is drawn: what was added to it was entered elsewhere", e.Side, d.Event)
	}
	return link, cards, hex.EncodeToString(text), nil
}

// Held is a card that a player holds.
type Held struct {
	Side string `json:"side"`
	Card string `json:"card"`
	Used bool   `json:"used,omitempty"` // this turn
	rules.HeldCard
}

// Hand lists the cards that the player holds, and how many draws of his wait for their rounds. Those whose round has
// come are drawn first.
func (s *Seat) Hand(ctx context.Context) (list []Held, waiting int, err error) {
	if _, err := s.Look(ctx); err != nil {
		return nil, 0, err
	}
	err = s.locked(func() error {
		head, err := s.see(ctx)
		if err != nil {
			return err
		}
		t, err := s.fold(ctx, head)
		if err != nil {
			return err
		}
		own, _ := t.Head.SeatNamed(s.Name)
		for _, d := range t.Head.Draws() {
			if slices.Contains(own.Sides, d.Side) {
				waiting++
			}
		}
		list = s.held(t)
		return nil
	})
	return list, waiting, err
}

func (s *Seat) held(t *campaign.Timeline) (list []Held) {
	own, _ := t.Head.SeatNamed(s.Name)
	game, draws := t.Head.Game.(rules.Drawer)
	for _, side := range own.Sides {
		if draws {
			for _, h := range game.Hand(side) {
				list = append(list, Held{side, h.Card, h.Used, h})
			}
		}
	}
	return list
}

// plays finds the openings of the cards that an answer plays: of each card that it names, one that is not used.
func (s *Seat) plays(ctx context.Context, head tree.Checkpoint, e rules.Command) (list []events.Opening, err error) {
	var body struct {
		Answer map[string]any `json:"answer"`
	}
	if is, err := s.holds(ctx, head); !is || err != nil || e.Verb != campaign.VerbAnswer ||
		json.Unmarshal(e.Body, &body) != nil {
		return nil, err
	}
	t, err := s.fold(ctx, head)
	if err != nil {
		return nil, err
	}
	seat, _ := t.Head.SeatNamed(s.Name)
	if q := t.Head.Open; q == nil || q.Choice == nil || !slices.Contains(seat.Sides, q.Choice.Of) {
		return nil, nil // nobody asks for a card of this player: the host learns of none
	}
	own, err := s.openings(head)
	if err != nil {
		return nil, err
	}
	first, err := t.Event(0)
	if err != nil {
		return nil, err
	}
	hand, cards := s.held(t), cardsOf(first)
	for side, named := range body.Answer {
		options, several := named.([]any)
		if !several {
			options = []any{named}
		}
		for _, option := range options {
			at := slices.IndexFunc(hand, func(h Held) bool {
				return !h.Used && strings.EqualFold(h.Side, side) && h.Card != "" && h.Card == option
			})
			if at >= 0 {
				hand[at].Used = true
				list = append(list, own[hand[at].Drawn])
			} else if slices.Contains(cards, fmt.Sprint(option)) {
				return nil, problem.New(problem.Refused, "%s holds no %v card that can be played now; watu seat "+
					"hand %s lists its cards", side, option, s.path)
			}
		}
	}
	return list, nil
}

// cardsOf names the cards of a campaign, by the event that opened it.
func cardsOf(first *events.Event) (names []string) {
	var opened events.CampaignOpened
	first.Read(&opened)
	for _, pool := range opened.Pools {
		for _, n := range pool.Cards {
			names = append(names, n.Card)
		}
	}
	return names
}

// Declassify discloses, at the end, all that was secret of the seat's sides, and the links by which its player drew.
func (s *Seat) Declassify(ctx context.Context) (list []service.Submitted, err error) {
	err = s.locked(func() error {
		if _, err := s.settle(ctx); err != nil {
			return err
		}
		head, err := s.see(ctx)
		if err != nil {
			return err
		}
		links, own, err := s.used(ctx, head)
		if err != nil {
			return err
		}
		for _, link := range links {
			done, err := s.declassify(ctx, link, own)
			if list = append(list, done); err != nil || done.Problem != nil {
				return err
			}
		}
		return nil
	})
	return list, err
}

// used gives the last used link of each chain of this player, and all that he alone can open.
func (s *Seat) used(ctx context.Context, head tree.Checkpoint) (links []events.Link, own []events.Opening, err error) {
	is, err := s.holds(ctx, head)
	if err != nil {
		return nil, nil, err
	}
	if !is {
		return nil, nil, problem.New(problem.Refused, "the host draws the cards of this campaign, and knows them: the "+
			"umpire discloses them by reveal")
	}
	t, err := s.fold(ctx, head)
	if err != nil {
		return nil, nil, err
	}
	known, err := s.openings(head)
	if err != nil {
		return nil, nil, err
	}
	seat, _ := t.Head.SeatNamed(s.Name)
	for e, err := range events.Decoded(s.record.stored(head.Events)(0, head.Events)) {
		if err != nil {
			return nil, nil, err
		}
		var hand events.CardsDrawn
		if e.Read(&hand) && hand.Signature != "" && slices.Contains(seat.Sides, e.Side) {
			own = append(own, known.Of(e)...)
		}
	}
	for _, used := range t.Head.OwnChains(s.Name) {
		link, chain := events.Link{Chain: used.Chain, Position: used.Position}, s.chainNamed(used.Chain)
		if link.Position > chain.Len() {
			return nil, nil, problem.New(problem.Unverified, "the host's record names link %d of %s, which has %d: "+
				"nothing was disclosed", link.Position, link.Chain, chain.Len())
		}
		if link.Position > 0 {
			link.Link = chain.Link(link.Position)
		}
		links = append(links, link)
	}
	return links, own, nil
}

// declassify signs and sends a link.
func (s *Seat) declassify(ctx context.Context, link events.Link, own []events.Opening) (done service.Submitted,
	err error) {
	head, err := s.see(ctx)
	if err != nil {
		return done, err
	}
	body, err := json.Marshal(map[string]any{campaign.VerbDeclassify: link})
	if err != nil {
		return done, err
	}
	e := rules.Command{Verb: campaign.VerbDeclassify, Body: body}
	c := envelope.Command{Campaign: s.Campaign, Seat: s.Name, ID: s.name("", e, events.Hash{}), NotAfter: notAfter(),
		Seen: envelope.Seen{Events: head.Events, Root: head.Root}}
	if c.Request, err = envelope.NewRequest(e.Verb, e.Body); err != nil {
		return done, err
	}
	s.Pending = &replay.SignedCommand{Discloses: own}
	if s.Pending.Envelope, err = c.Sign(s.key); err == nil {
		err = s.save()
	}
	if err != nil {
		return done, err
	}
	return s.send(ctx)
}
