package awaw

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// compensation is an entry of what is made good.
type compensation struct {
	Card    *int                               `json:"card" doc:"the event by which it was played"`
	Factors rules.Mapping[rules.Mapping[*int]] `json:"factors" of:"SW box*,kind of factors" least:"-9999"`
	Reason  string                             `json:"reason" doc:"for the players"`
	Dispute int                                `json:"dispute" doc:"the event that opened the dispute that it settles"`
}

// compensate makes good what cannot be corrected: {compensate: {card: 57, reason: …}} puts a card
// back into the hand, {compensate: {factors: {Atlantic: {submarines: 1}}, reason: …}} restores what
// strategic warfare took. No rule speaks of it, so it cites none.
func (d *decision) compensate(c compensation) {
	p, ok := d.Compensation(c.Reason, c.Dispute)
	if !ok {
		return
	}
	if c.Card == nil && len(c.Factors) == 0 {
		d.NothingGiven("card: 57")
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
		d.ViolateField(field, rules.Input, "event %d is no play of a card; name the event by which the card was played",
			index)
		return
	}
	switch {
	case x.card == "" && x.turn.Ordinal == d.turn.Ordinal:
		d.ViolateField(field, rules.Input,
			"the cards of #%d are played in secret; once they are disclosed each has a play of its own, which can "+
				"be named", index)
	case x.card == "":
		d.ViolateField(field, rules.Input,
			"#%d is a secret play; name the play of one of its cards", index)
	case x.back != 0:
		d.ViolateField(field, rules.Input, "the card of #%d is in the hand of %s again already, by #%d", index,
			x.side.Name(), x.back)
	case !d.sideOf(x.side).holds(x.drawn):
		d.ViolateField(field, "AWAW-48.82",
			"#%d is a play of %s, and the cards of that turn have gone back to the pool; there is no hand to put the "+
				"card into", index, x.turn.Label)
	default:
		p.What, p.Of, p.Subject, p.By, p.Played = events.CompensatedCard, x.side.Title(), string(x.card), 1, x.index
		d.Record(p.Of, &p)
	}
}

// holds reports whether a card, used or not, is one of the hand.
func (s side) holds(drawn events.Ref) bool {
	return slices.ContainsFunc(s.hand, func(h held) bool { return h.drawn == drawn })
}

// giveBack puts a card back into the hand, or factors into an SW box.
func (g game) giveBack(p *events.Compensated, index uint64) game {
	switch p.What {
	case events.CompensatedFactors:
		return g.makeGood(p)
	case events.CompensatedCard:
	default:
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
func (d *decision) restoreFactors(boxes rules.Mapping[rules.Mapping[*int]], p events.Compensated) {
	reported := map[string]bool{}
	for _, m := range boxes {
		b := Box(m.Name)
		if len(m.Value) == 0 {
			d.ViolateField(m.At, rules.Input, "which factors are restored in %s? Write {%s: {submarines: 1}}", b.Name(),
				b.Name())
			return
		}
		for _, n := range m.Value {
			if n.Value == nil || *n.Value == 0 {
				d.ViolateField(n.At, rules.Input,
					"%s: how many factors are restored? Write a number, less than 0 for factors taken", n.At)
				return
			}
			p := p
			p.What, p.Of, p.Subject, p.By = events.CompensatedFactors, b.Name(), n.Name, *n.Value
			if reported[p.Of+" "+p.Subject] { // GEN-UNIQUE
				d.ViolateField(m.At, rules.Input, "%s in %s are given twice", p.Subject, p.Of)
				return
			}
			reported[p.Of+" "+p.Subject] = true
			d.warnOfMore(b, n.Name, p.By)
			d.Record("", &p)
		}
	}
}

func factorsNamed(name string) (string, bool) {
	return rules.Find(factorKinds(), func(kind string) bool { return words.Plain(kind) == words.Plain(name) })
}
