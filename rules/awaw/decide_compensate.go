package awaw

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// compensation is an entry `compensate`.
type compensation struct {
	Card    *int                       `json:"card"` // index of its play
	Factors map[string]map[string]*int `json:"factors"`
	Reason  string                     `json:"reason"`
	Dispute int                        `json:"dispute"`
}

// compensate makes good what cannot be corrected: {compensate: {card: 57, reason: …}} puts a card
// back into the hand, {compensate: {factors: {Atlantic: {submarines: 1}}, reason: …}} restores what
// strategic warfare took. No rule speaks of it, so it cites none.
func (d *decision) compensate() {
	var entry struct {
		Compensate compensation `json:"compensate"`
	}
	if !d.read(&entry) {
		return
	}
	c := entry.Compensate
	p, ok := d.h.Compensation(c.Reason, c.Dispute)
	if !ok {
		return
	}
	if c.Card == nil && len(c.Factors) == 0 {
		d.h.NothingGiven("card: 57")
		return
	}
	if c.Card != nil {
		d.returnCard(*c.Card, p)
	}
	d.restoreFactors(c.Factors, p)
}

// returnCard puts a card back into the hand that it was played from: it is not used any more.
func (d *decision) returnCard(index int, p events.Compensated) {
	const field = "compensate.card"
	x, ok := d.plays.Find(func(x play) bool { return index > 0 && x.index == uint64(index) })
	if !ok {
		d.h.ViolateField(field, rules.Input, "event %d is no play of a card; name the event by which the card was played", index)
		return
	}
	switch {
	case x.card == "" && x.turn.Ordinal == d.turn.Ordinal:
		d.h.ViolateField(field, rules.Input, "the cards of #%d are played in secret; once they are disclosed each has a play of its own, which can be named", index)
	case x.card == "":
		d.h.ViolateField(field, rules.Input, "#%d is a secret play, whose cards have plays of their own; name one of these", index)
	case x.back != 0:
		d.h.ViolateField(field, rules.Input, "the card of #%d is in the hand of %s again already, by #%d", index, x.side.Name(), x.back)
	case !d.sideOf(x.side).holds(x.drawn):
		d.h.ViolateField(field, "AWAW-48.82", "#%d is a play of %s, and the cards of that turn have gone back to the pool; there is no hand to put the card into", index, x.turn.Label)
	default:
		p.What, p.Of, p.Subject, p.By, p.Played = events.CompensatedCard, x.side.Title(), string(x.card), 1, x.index
		d.h.Record(p.Of, &p)
	}
}

// holds reports whether a card, used or not, is one of the hand.
func (s side) holds(drawn events.Ref) bool {
	return slices.ContainsFunc(s.hand, func(h held) bool { return h.drawn == drawn })
}

// giveBack puts a card back into the hand. Factors are not kept here: each entry says how many fight.
func (g game) giveBack(p *events.Compensated, index uint64) game {
	if p.What != events.CompensatedCard {
		return g
	}
	var x play
	sought := func(x play) bool { return x.index == p.Played && x.back == 0 && x.card != "" }
	plays, ok := g.plays.Replace(sought, func(old play) play {
		x, old.back = old, index
		return old
	})
	if !ok {
		return g
	}
	g.plays = plays
	return g.with(x.side, func(s *side) {
		for i := range s.hand {
			if s.hand[i].drawn == x.drawn {
				s.hand[i].used, s.hand[i].in = false, 0
			}
		}
	})
}

// factorKinds are the factors that fight in an SW box.
func factorKinds() []string { return []string{"submarines", "asw"} }

// restoreFactors makes good what was lost in the boxes, each kind as an event of its own.
func (d *decision) restoreFactors(boxes map[string]map[string]*int, p events.Compensated) {
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(boxes)) {
		at := "compensate.factors." + name
		b, ok := d.box(at, name)
		if !ok {
			return
		}
		if len(boxes[name]) == 0 {
			d.h.ViolateField(at, rules.Input, "which factors are restored in %s? Write {%s: {submarines: 1}}", b.Name(), b.Name())
			return
		}
		for _, word := range slices.Sorted(maps.Keys(boxes[name])) {
			p := p
			if !d.restored(at+"."+word, word, boxes[name][word], &p) {
				return
			}
			p.What, p.Of = events.CompensatedFactors, b.Name()
			if told[p.Of+" "+p.Subject] { // GEN-UNIQUE
				d.h.ViolateField(at, rules.Input, "%s in %s are given twice", p.Subject, p.Of)
				return
			}
			told[p.Of+" "+p.Subject] = true
			d.h.Record("", &p)
		}
	}
}

// restored reads how many factors of a kind are restored, or taken if negative.
func (d *decision) restored(at, word string, n *int, p *events.Compensated) bool {
	i := slices.IndexFunc(factorKinds(), func(kind string) bool { return key(kind) == key(word) })
	switch {
	case i < 0:
		d.unknown(at, "kind of factors", word, factorKinds())
		return false
	case n == nil || *n == 0:
		d.h.ViolateField(at, rules.Input, "%s: how many factors are restored? Write a number, less than 0 for factors taken", at)
		return false
	}
	p.Subject = factorKinds()[i]
	p.By = *n
	return d.inRange(at, n)
}
