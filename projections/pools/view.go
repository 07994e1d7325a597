// Package pools shows the card pools of a campaign: how many cards each holds, of which types
// as far as the viewer knows, who holds which hand, and what the plays have revealed. A card that the
// umpire gives back in compensation is in the hand again; its play is marked, and does not count.
//
// The public knows how the pools began (AWAW-48.23-A) and that a card was added, not which
// (AWAW-48.241-B); it knows that four cards were drawn, and those that were played. A side
// knows its own cards besides, the umpire all of them: the same fold, given their openings.
// In every view, the cards known and the cards not known make up the size of the pool.
//
// The package judges nothing: that a card may be added, drawn or played was decided when the
// event was recorded.
//
// # From an event to its figure
//
//	CampaignOpened       Pool: size, contents          View.open, in view.go
//	CardAdded            Pool: size; Addition          View.add, in view.go
//	CardsDrawn           Hand                          View.draw, in view.go
//	CardPlayed           Play; Pool: revealed          View.play, in view.go
//	PlayCommitted        Secret                        View.commit, in view.go
//	CardNegated          Play: negated                 View.negate, in view.go
//	CardsReturned        Hand, emptied                 View.giveBack, in view.go
//	Opened               a card or play, disclosed     View.learn, in view.go
//	Compensated          Play: compensated             View.compensate, in view.go
//
// Size, known and unknown are added up by pool.report, in report.go.
package pools

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/projections"
)

// Version is the version of the report; fold that of the fold and of what is saved.
const (
	Version = 1
	fold    = 3
)

// Projection is the pools projection.
func Projection() projections.Projection {
	return projections.Projection{
		Name: "pools", Version: fold,
		New: func() projections.View { return &View{} },
		Types: []events.Type{
			"campaign_opened", "card_added", "cards_drawn", "card_played", "play_committed",
			"card_negated", "cards_returned", "opened", "compensated",
		},
	}
}

// View is the pools of one campaign as one audience sees them. The zero value is the view
// before the first event.
type View struct {
	pools []pool
	plays []play // the latest playsKept, in order

	read payloads
}

// payloads are read into again and again, which spares an allocation for each event.
type payloads struct {
	opened   events.CampaignOpened
	added    events.CardAdded
	drawn    events.CardsDrawn
	played   events.CardPlayed
	secret   events.PlayCommitted
	negated  events.CardNegated
	returned events.CardsReturned
	given    events.Compensated
}

// Apply takes the next event, if it counts.
func (v *View) Apply(e history.Row, known []events.Opening) {
	if !e.Counts() {
		return
	}
	switch e.Type {
	case "campaign_opened":
		v.open(e.Event)
	case "card_added":
		v.add(e.Event)
	case "cards_drawn":
		v.draw(e.Event)
	case "card_played":
		v.play(e.Event)
	case "play_committed":
		v.commit(e.Event)
	case "card_negated":
		v.negate(e.Event)
	case "cards_returned":
		v.giveBack(e.Event)
	case "compensated":
		v.compensate(e)
	case "opened": // its opening says it all
	default:
		return
	}
	for i := range known {
		v.learn(&known[i], false)
	}
	for i := range e.Openings {
		v.learn(&e.Openings[i], true)
	}
}

// pool finds the side's deck, or begins it, with its place.
func (v *View) pool(side, deck string) (*pool, uint64) {
	for i := range v.pools {
		if p := &v.pools[i]; p.side == side && p.deck == deck {
			return p, uint64(i)
		}
	}
	v.pools = append(v.pools, pool{side: side, deck: deck})
	return &v.pools[len(v.pools)-1], uint64(len(v.pools) - 1)
}

func (v *View) open(e *events.Event) {
	v.read.opened = events.CampaignOpened{}
	if !e.Read(&v.read.opened) {
		return
	}
	for _, x := range v.read.opened.Pools {
		p, _ := v.pool(x.Side, x.Deck)
		p.began = nil
		for _, c := range x.Cards {
			p.began = addCount(p.began, c.Card, int64(max(0, c.Count)))
		}
	}
}

// addCount adds to the number of cards of one type; the types stay in the order of their
// first appearance.
func addCount(to []count, card string, number int64) []count {
	for i := range to {
		if to[i].card == card {
			to[i].number += number
			return to
		}
	}
	return append(to, count{card, number})
}

func (v *View) add(e *events.Event) {
	v.read.added = events.CardAdded{}
	if !e.Read(&v.read.added) {
		return
	}
	p, _ := v.pool(e.Side, v.read.added.Deck)
	p.added = append(p.added, addition{event: e.Index, corrects: e.Corrects})
}

func (v *View) draw(e *events.Event) {
	v.read.drawn = events.CardsDrawn{}
	if !e.Read(&v.read.drawn) {
		return
	}
	p, _ := v.pool(e.Side, v.read.drawn.Deck)
	p.hand.event, p.hand.cards = e.Index, p.hand.cards[:0]
	for _, c := range events.Cards(e) {
		p.hand.cards = append(p.hand.cards, card{slot: c.Slot})
	}
	p.hand.drawn = int64(max(v.read.drawn.Count, len(p.hand.cards)))
}

func (v *View) play(e *events.Event) {
	v.read.played = events.CardPlayed{}
	if !e.Read(&v.read.played) {
		return
	}
	played := &v.read.played
	p, place := v.pool(e.Side, played.Deck)
	x := play{
		event: e.Index, ordinal: e.Turn.Ordinal, turn: e.Turn.Label, pool: place,
		card: played.Card, as: played.As, corrects: e.Corrects,
	}
	p.revealed = addCount(p.revealed, x.card, 1)
	if c := p.hand.find(played.Drawn); c != nil {
		c.card, c.disclosed = played.Card, true
		c.played, c.play, c.negated = true, e.Index, false
	}
	if len(v.plays) == playsKept {
		v.plays = v.plays[1:] // append moves the rest now and then, not each time
	}
	v.plays = append(v.plays, x)
}

// compensate puts the card of a play back into the hand: the play stays listed, and is not counted.
func (v *View) compensate(e history.Row) {
	v.read.given = events.Compensated{}
	given := &v.read.given
	if !e.Read(given) || given.What != events.CompensatedCard {
		return
	}
	for i := range v.plays {
		x := &v.plays[i]
		if x.event != given.Played || x.back != 0 {
			continue
		}
		x.back = e.Original // a correction gives another reason
		p := &v.pools[x.pool]
		p.revealed = addCount(p.revealed, x.card, -1)
		if c := p.hand.played(x.event); c != nil {
			c.played, c.play, c.negated = false, 0, false
		}
	}
}

func (v *View) commit(e *events.Event) {
	v.read.secret = events.PlayCommitted{}
	if !e.Read(&v.read.secret) {
		return
	}
	p, _ := v.pool(e.Side, v.read.secret.Deck)
	p.secret = append(p.secret, secret{event: e.Index})
}

func (v *View) negate(e *events.Event) {
	v.read.negated = events.CardNegated{}
	if !e.Read(&v.read.negated) {
		return
	}
	index := v.read.negated.Played
	for i := range v.plays {
		if v.plays[i].event == index {
			v.plays[i].negated, v.plays[i].negatedBy = true, v.read.negated.By
		}
	}
	for i := range v.pools {
		if c := v.pools[i].hand.played(index); c != nil {
			c.negated = true
		}
	}
}

// giveBack empties a hand: played or not, every card goes back to the pool (AWAW-48.82).
func (v *View) giveBack(e *events.Event) {
	v.read.returned = events.CardsReturned{}
	if !e.Read(&v.read.returned) {
		return
	}
	p, _ := v.pool(e.Side, v.read.returned.Deck)
	p.hand = hand{cards: p.hand.cards[:0]}
	p.secret = nil
}

// learn takes in a committed fact: what the viewer knows, or what the log has disclosed.
func (v *View) learn(o *events.Opening, disclosed bool) {
	for i := range v.pools {
		p := &v.pools[i]
		if c := p.hand.find(events.Ref{Index: o.Index, Slot: o.Slot}); c != nil {
			c.card, c.disclosed = o.Fact, c.disclosed || disclosed
			return
		}
		if o.Slot == "card" {
			for j := range p.added {
				if a := &p.added[j]; a.event == o.Index {
					a.card, a.disclosed = o.Fact, a.disclosed || disclosed
				}
			}
		}
		for j := range p.secret { // a play commits to its cards, and to nothing else
			if s := &p.secret[j]; s.event == o.Index {
				s.cards, s.disclosed = cardsOf(o.Fact), s.disclosed || disclosed
			}
		}
	}
}

// cardsOf reads the fact of a secret play, a JSON list of cards, which may be empty.
func cardsOf(fact string) string {
	var list []string
	if json.Unmarshal([]byte(fact), &list) != nil {
		return fact
	}
	if len(list) == 0 {
		return "none"
	}
	return strings.Join(list, ", ")
}

// find gives the card that was drawn in the slot of the event, nil if it is not held.
func (h *hand) find(drawn events.Ref) *card {
	if len(h.cards) == 0 || h.event != drawn.Index {
		return nil
	}
	i := slices.IndexFunc(h.cards, func(c card) bool { return c.slot == drawn.Slot })
	if i < 0 {
		return nil
	}
	return &h.cards[i]
}

// played gives the card that was played by the event, nil if none.
func (h *hand) played(event uint64) *card {
	i := slices.IndexFunc(h.cards, func(c card) bool { return c.played && c.play == event })
	if i < 0 {
		return nil
	}
	return &h.cards[i]
}
