package story

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// patrols tells the submarine warfare of Empire of the Sun.
type patrols struct{ Record }

// turn gives what may be said of a turn, in the order of its weight.
func (p patrols) turn(t events.Turn) (list []candidate) {
	for _, more := range [][]candidate{
		p.cut(t), p.spent(t), p.displaced(t), p.rare(t), p.threw(t), p.played(t), p.placed(t),
	} {
		list = append(list, more...)
	}
	return list
}

// cut says what submarines took of a draw of cards.
func (p patrols) cut(t events.Turn) (list []candidate) {
	for _, x := range p.Strategic.CardsDrawn {
		if x.Ordinal != t.Ordinal || !x.Counts() {
			continue
		}
		with := Parts{"side": Name(x.Side), "n": Count{"plain", int64(x.Base - x.Draw), x.Event},
			"base": Count{"card", int64(x.Base), x.Event}}
		switch {
		case x.Submarines > 0:
			list = append(list, say("cut", with))
		case x.Draw == x.Base:
			list = append(list, tell("uncut", with))
		}
	}
	return list
}

// spent says what a success cost.
func (p patrols) spent(t events.Turn) (list []candidate) {
	for _, x := range p.Strategic.Spent {
		if x.Ordinal != t.Ordinal || !x.Counts() {
			continue
		}
		switch with := (Parts{"base": Name(x.Base), "left": Count{"plain", int64(x.Shipping), x.Event},
			"swm": Verbatim{words.Modifier(x.Modifier), x.Event}}); x.On {
		case "asp":
			list = append(list, say("cost-asp", with))
		case "swm":
			list = append(list, say("swm", with))
		}
	}
	return list
}

// displaced says which base was driven away.
func (p patrols) displaced(t events.Turn) (list []candidate) {
	for _, x := range p.Strategic.Postings {
		if x.Ordinal == t.Ordinal && x.Counts() && x.What == "displaced" {
			list = append(list, say("driven", Parts{"base": Name(x.Base), "hex": Verbatim{x.Hex, x.Event}}))
		}
	}
	return list
}

// threw says what each base threw.
func (p patrols) threw(t events.Turn) (list []candidate) {
	for _, x := range p.Strategic.Warfare {
		for _, r := range x.Readings {
			if x.Ordinal != t.Ordinal || !x.Counts() || len(r.Dice) == 0 {
				continue
			}
			key := "base-failed"
			if r.Result == "success" {
				key = "base-succeeded"
			}
			list = append(list, tell(key, Parts{"base": Name(x.Subject), "d": Count{"plain", int64(r.Total), x.Event},
				"m": Verbatim{words.Modifier(r.Modified - r.Total), x.Event}}))
		}
	}
	return list
}

// played says which cards were played.
func (p patrols) played(t events.Turn) (list []candidate) {
	for _, x := range p.Strategic.CardsPlayed {
		if x.Ordinal == t.Ordinal && x.Counts() {
			list = append(list, tell("played", Parts{"side": Name(x.Side), "card": Verbatim{x.As, x.Event}}))
		}
	}
	return list
}

// placed says which bases came.
func (p patrols) placed(t events.Turn) (list []candidate) {
	for _, x := range p.Strategic.Postings {
		if x.Ordinal == t.Ordinal && x.Counts() && x.What == "placed" {
			key := "placed"
			if x.From != "" {
				key = "moved"
			}
			list = append(list, tell(key, Parts{"base": Name(x.Base), "hex": Verbatim{x.Hex, x.Event}}))
		}
	}
	return list
}

// deck says what is left of Japan's shipping and where the marker stands after the turn.
func (p patrols) deck(t events.Turn) *Sentence {
	for i := len(p.Strategic.Spent) - 1; i >= 0; i-- {
		if x := p.Strategic.Spent[i]; x.Ordinal <= t.Ordinal && x.Counts() {
			return &Sentence{"shipping", Parts{"n": Count{"asp", int64(x.Shipping), x.Event},
				"swm": Verbatim{words.Modifier(x.Modifier), x.Event}}}
		}
	}
	return nil
}

// score is how many bases are on the map, and how many cards the other side drew.
func (p patrols) score() Score {
	allies := Side{Name: "Allies", Figure: Count{Of: "base"}}
	for _, b := range p.Strategic.Bases {
		if b.Hex != "" {
			allies.Figure.N, allies.Figure.Event = allies.Figure.N+1, b.Event
		}
	}
	japan := Side{Name: "Japan", Figure: Count{Of: "card"}}
	for _, x := range p.Strategic.CardsDrawn {
		if !x.Counts() || x.Side != japan.Name {
			continue
		}
		japan.put(x.Ordinal, Count{"card", int64(x.Draw), x.Event})
	}
	for _, f := range p.Strategic.Figures {
		switch f.Name {
		case "SWM":
			allies.Extra = &Sentence{"swm-is", Parts{"swm": Verbatim{words.Modifier(f.Value), f.Event}}}
		case "Japanese ASPs":
			japan.Extra = &Sentence{"asps-left", Parts{"n": Count{"asp", f.Value, f.Event}}}
		}
	}
	return Score{Of: "score-patrols", Groups: []Group{{Sides: []Side{allies, japan}}}}
}
