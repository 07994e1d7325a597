package replay_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/chance"
)

// shadow is the cards and points of a campaign, kept by hand from the log and the umpire's
// openings: an oracle that shares no code with the rules.
type shadow struct {
	sides map[string]*hand
	links map[string]uint64 // last position spent on each chain
	turn  string
	fault []string
	plays map[string]int // cards played this turn, by side

	attested bool
	typed    map[uint64]typed // dice that wait to be confirmed, by declaration

	economy *economy // nil for campaigns of other systems than Axis & Allies Revised
	books   *books   // nil for campaigns of other systems than Axis & Allies Global 1940
}

type typed struct {
	by   string
	fell []events.Fallen
}

type hand struct {
	pool     map[string]int
	size     int
	drawn    []dealt
	played   map[uint64]events.Ref // the card of each play of this turn that counts
	points   int
	drew     bool
	produced int // cards added in all
}

type dealt struct {
	ref  events.Ref
	card string
	used bool
}

// shadow follows a campaign from its first event, and notes what cannot be. Where an event takes
// others out, it begins again with what stands: that was held to what it followed from already.
func (c *harness) shadow() *shadow {
	known := c.openings()
	w := &c.watched
	list := c.records(uint64(len(w.all)), ^uint64(0))
	if w.shadow == nil {
		w.shadow = c.newShadow()
	}
	for _, r := range list {
		e, err := events.Decode(r.Bytes)
		if err != nil {
			c.t.Fatal(err)
		}
		if e.Index != uint64(len(w.all)) || e.Previous != w.previous || !bytes.Equal(e.Encode(), r.Bytes) {
			w.wrong("event %d breaks the chain", e.Index)
		}
		w.all, w.previous = append(w.all, e), r.Hash()
		w.commitments(&e, known)
		if w.settles && e.Replaces == 0 {
			w.again(c, w.all[:len(w.all)-1], known)
		}
		if w.settles = e.Replaces != 0 || len(events.Voids(&e)) > 0; !w.settles {
			w.take(&e, known)
		}
	}
	if w.settles {
		w.again(c, w.all, known)
		w.settles = false
	}
	return w.shadow
}

// watched is what a campaign's shadow has seen.
type watched struct {
	*shadow
	all      []events.Event
	previous events.Hash
	settles  bool // the last event took others out
}

// again begins again with what stands.
func (w *watched) again(c *harness, all []events.Event, known map[events.Ref]events.Opening) {
	anew := c.newShadow()
	for _, e := range asRecorded(all) {
		anew.take(&e, known)
	}
	anew.fault, anew.links = w.fault, w.links // a link is spent for good
	w.shadow = anew
}

func (c *harness) newShadow() *shadow {
	s := &shadow{sides: map[string]*hand{}, links: map[string]uint64{}, plays: map[string]int{},
		typed: map[uint64]typed{}}
	if len(c.board) > 0 && c.at().System.Name == "aar" {
		s.economy = newEconomy(c, s.wrong)
	}
	if c.at().System.Name == "g40" {
		s.books = &books{campaign: c, wrong: s.wrong}
	}
	return s
}

func (s *shadow) take(e *events.Event, known map[events.Ref]events.Opening) {
	s.economy.follow(e)
	s.books.follow(e)
	if e.Corrects == 0 {
		s.follow(e, known)
	}
}

func (s *shadow) wrong(format string, args ...any) {
	s.fault = append(s.fault, fmt.Sprintf(format, args...))
}

// commitments holds that every commitment opens to what the umpire keeps beside the log.
func (s *shadow) commitments(e *events.Event, known map[events.Ref]events.Opening) {
	for _, k := range e.Commitments {
		o, ok := known[events.Ref{Index: e.Index, Slot: k.Slot}]
		place := events.Place{Campaign: e.Campaign, Epoch: e.Epoch, Command: e.Command, Slot: k.Slot}
		if !ok || !events.Opens(k.Hash, place, o.Salt, o.Fact) {
			s.wrong("event %d: slot %q does not open", e.Index, k.Slot)
		}
	}
	for _, o := range e.Openings {
		if known[events.Ref{Index: o.Index, Slot: o.Slot}] != o {
			s.wrong("event %d: opens %d %q to something else", e.Index, o.Index, o.Slot)
		}
	}
}

func (s *shadow) side(name string) *hand {
	if s.sides[name] == nil {
		s.sides[name] = &hand{pool: map[string]int{}}
	}
	return s.sides[name]
}

func (s *shadow) follow(e *events.Event, known map[events.Ref]events.Opening) {
	reported := func(slot string) string { return known[events.Ref{Index: e.Index, Slot: slot}].Fact }
	figure := func(slot string) int { n, _ := strconv.Atoi(reported(slot)); return n }
	payload, _ := events.PayloadOf(e)
	s.throw(e, payload)
	switch p := payload.(type) {
	case *events.CampaignOpened:
		for _, pool := range p.Pools {
			for _, k := range pool.Cards {
				s.side(pool.Side).pool[k.Card] = k.Count
				s.side(pool.Side).size += k.Count
			}
		}
	case *events.EpochBegun:
		s.links = map[string]uint64{}
	case *events.TurnAdvanced:
		s.newTurn(p)
	case *events.ResearchAllocated:
		s.side(e.Side).points += figure("points")
	case *events.ResultProduced:
		s.side(e.Side).points -= figure("cost")
	case *events.CardAdded:
		h := s.side(e.Side)
		h.pool[reported("card")]++
		h.size, h.produced = h.size+1, h.produced+1
		if h.size != p.PoolSize {
			s.wrong("event %d: the pool has %d cards, not %d", e.Index, h.size, p.PoolSize)
		}
	case *events.DrawDeclared:
		s.spend(e, p.Source)
	case *events.RollDeclared:
		for _, l := range p.Sources {
			s.spend(e, l)
		}
	case *events.CardsDrawn:
		s.draw(e, known)
	case *events.CardPlayed:
		s.play(e, p)
	case *events.CardsReturned:
		if h := s.side(e.Side); len(h.drawn) != p.Count {
			s.wrong("event %d: %d cards return of %d", e.Index, p.Count, len(h.drawn))
		}
		s.side(e.Side).drawn, s.side(e.Side).played = nil, nil
	case *events.Compensated:
		s.giveBack(e, p)
	case *events.ContestSettled:
		if p.Modifier < -1 || p.Modifier > 1 {
			s.wrong("event %d: a modifier of %d", e.Index, p.Modifier)
		}
	}
	for name, h := range s.sides {
		if h.points < 0 {
			s.wrong("event %d: %s has %d RPs", e.Index, name, h.points)
		}
	}
}

// throw holds that dice are of the campaign's kind, and that what one seat typed counts as another
// confirmed it, and before no other ruling.
func (s *shadow) throw(e *events.Event, payload events.Payload) {
	switch p := payload.(type) {
	case *events.CampaignOpened:
		s.attested = p.Dice == "attested"
	case *events.RollDeclared:
		if s.attested != (p.Mode == "attested") || s.attested != (len(p.Sources) == 0) {
			s.wrong("event %d: mode %q, %d sources", e.Index, p.Mode, len(p.Sources))
		}
	case *events.DiceTyped:
		s.typed[p.Declared] = typed{e.Seat, p.Fell}
	case *events.DiceDenied:
		if s.typed[p.Declared].by == e.Seat || len(s.typed[p.Declared].fell) == 0 {
			s.wrong("event %d: %s denies what nobody else typed", e.Index, e.Seat)
		}
		delete(s.typed, p.Declared)
	case *events.DiceRolled:
		t := s.typed[p.Declared]
		if !s.attested && p.Typed == "" && p.Confirmed == "" && len(p.Links) == 1 {
			return
		}
		if !s.attested || len(p.Links) > 0 || p.Typed != t.by || p.Confirmed != e.Seat || p.Confirmed == t.by ||
			len(t.fell) == 0 ||
			t.fell[0].Throw != p.Throw || !slices.Equal(t.fell[0].Dice, p.Dice) {
			s.wrong("event %d: %+v by %s, of %+v", e.Index, p, e.Seat, t)
			return
		}
		if s.typed[p.Declared] = (typed{t.by, t.fell[1:]}); len(t.fell) == 1 {
			delete(s.typed, p.Declared)
		}
	case *events.ResultAdjudicated, *events.TurnAdvanced, *events.ContestOpened:
		if len(s.typed) > 0 {
			s.wrong("event %d: play goes on before the dice are confirmed", e.Index)
		}
	}
}

func (s *shadow) newTurn(p *events.TurnAdvanced) {
	s.turn, s.plays = p.Label, map[string]int{}
	for name, h := range s.sides {
		if len(h.drawn) > 0 {
			s.wrong("%s: %s keeps its cards", p.Label, name)
		}
		h.drew = false
	}
}

// spend holds that no link decides twice, and none is passed over.
func (s *shadow) spend(e *events.Event, l events.Source) {
	if l.Position != s.links[l.Chain]+1 {
		s.wrong("event %d: link %d of %s after %d", e.Index, l.Position, l.Chain, s.links[l.Chain])
	}
	if strings.HasPrefix(l.Chain, "draws/") && l.Chain != chance.Draws(e.Side) {
		s.wrong("event %d: %s draws from %s", e.Index, e.Side, l.Chain)
	}
	s.links[l.Chain] = l.Position
}

func (s *shadow) draw(e *events.Event, known map[events.Ref]events.Opening) {
	h := s.side(e.Side)
	if h.drew || len(h.drawn) > 0 || len(e.Commitments) != 4 {
		s.wrong("event %d: %s draws again, or not four", e.Index, e.Side)
	}
	h.drew = true
	left := maps.Clone(h.pool)
	for _, k := range e.Commitments {
		ref := events.Ref{Index: e.Index, Slot: k.Slot}
		card := known[ref].Fact
		if left[card]--; left[card] < 0 {
			s.wrong("event %d: %s draws a %s that its pool does not have", e.Index, e.Side, card)
		}
		h.drawn = append(h.drawn, dealt{ref: ref, card: card})
	}
}

func (s *shadow) play(e *events.Event, p *events.CardPlayed) {
	s.plays[e.Side]++
	if s.plays[e.Side] > 4 {
		s.wrong("event %d: the fifth card of %s in %s", e.Index, e.Side, s.turn)
	}
	if len(e.Openings) != 1 || e.Openings[0].Fact != p.Card || e.Openings[0].Index != p.Drawn.Index ||
		e.Openings[0].Slot != p.Drawn.Slot {
		s.wrong("event %d: the play does not open the card drawn", e.Index)
	}
	h := s.side(e.Side)
	i := slices.IndexFunc(h.drawn, func(d dealt) bool { return d.ref == p.Drawn })
	if i < 0 || h.drawn[i].used || h.drawn[i].card != p.Card {
		s.wrong("event %d: %s plays a %s that it does not hold", e.Index, e.Side, p.Card)
		return
	}
	h.drawn[i].used = true
	if h.played == nil {
		h.played = map[uint64]events.Ref{}
	}
	h.played[e.Index] = p.Drawn
}

// giveBack holds that a card goes back to the hand that it was played from this turn, and once.
func (s *shadow) giveBack(e *events.Event, p *events.Compensated) {
	if p.What != "card" {
		return
	}
	h := s.side(e.Side)
	ref, counts := h.played[p.Played]
	switch i := slices.IndexFunc(h.drawn, func(d dealt) bool { return d.ref == ref }); {
	case !counts || i < 0 || !h.drawn[i].used || h.drawn[i].card != p.Subject || p.Of != e.Side:
		s.wrong("event %d: %s is given back a %s that it has not played, or has again already", e.Index, e.Side,
			p.Subject)
	default:
		h.drawn[i].used = false
		delete(h.played, p.Played)
		s.plays[e.Side]--
	}
}

// check fails the test for what the shadow found wrong.
func (s *shadow) check(t testing.TB) {
	t.Helper()
	for name, h := range s.sides {
		sum := 0
		for _, n := range h.pool {
			sum += n
		}
		if sum != h.size || h.size != 8+h.produced {
			s.wrong("the pool of %s has %d cards, %d by type, %d added", name, h.size, sum, h.produced)
		}
	}
	s.economy.check()
	s.books.check()
	for _, f := range s.fault {
		t.Error(f)
	}
}

// hold tells a side's cards: those used are in brackets.
func (s *shadow) hold(side string) string {
	var cards []string
	for _, d := range s.side(side).drawn {
		if d.used {
			cards = append(cards, "("+d.card+")")
			continue
		}
		cards = append(cards, d.card)
	}
	return strings.Join(cards, ", ")
}

// unused gives the cards that a side may still play.
func (s *shadow) unused(side string) []string {
	list := []string{}
	for _, d := range s.side(side).drawn {
		if !d.used {
			list = append(list, d.card)
		}
	}
	return list
}
