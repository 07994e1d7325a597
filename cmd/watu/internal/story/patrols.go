package story

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/strategic"
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

// toll is what submarines have cost Japan up to a turn, and how often it drove a base away.
type toll struct {
	cards, asps, driven int64
}

func (p patrols) toll(to uint64) (all toll) {
	for _, x := range p.Strategic.CardsDrawn {
		if x.Ordinal <= to && x.Counts() {
			all.cards += cutOf(x)
		}
	}
	for _, x := range p.Strategic.Spent {
		if x.Ordinal <= to && x.Counts() && x.On == "asp" {
			all.asps++
		}
	}
	for _, x := range p.Strategic.Postings {
		if x.Ordinal <= to && x.Counts() && x.What == "displaced" {
			all.driven++
		}
	}
	return all
}

// cutOf is what submarines took of a draw: no more than was cut of it.
func cutOf(x strategic.CardsDrawn) int64 { return int64(max(0, min(x.Submarines, x.Base-x.Draw))) }

// deck says who stands better after the turn. No rule names a leader: submarines cost Japan something or nothing.
func (p patrols) deck(t events.Turn) *Sentence {
	all := p.toll(t.Ordinal)
	if all == (toll{}) && len(p.Strategic.CardsDrawn)+len(p.Strategic.Warfare) == 0 {
		return nil
	}
	with := Parts{"cards": Count{"card", all.cards, 0}, "asps": Count{"asp", all.asps, 0},
		"driven": Count{"times", all.driven, 0}}
	if all.cards+all.asps == 0 {
		return &Sentence{"toll-none", with}
	}
	if all.driven == 0 {
		return &Sentence{"toll", with}
	}
	return &Sentence{"toll-driven", with}
}

// caveat says that no count of victory is kept.
func (p patrols) caveat() Sentence { return Sentence{Key: "caveat-patrols"} }

// cost says what is left to Japan after a cut or a success; else that submarines cost nothing, and what they cost last.
func (p patrols) cost(t events.Turn, title Sentence) *Sentence {
	if title.Key == "cut" {
		for _, x := range p.Strategic.CardsDrawn {
			if x.Ordinal == t.Ordinal && x.Counts() && x.Submarines > 0 {
				with := Parts{"side": Name(x.Side), "draw": Count{"card", int64(x.Draw), x.Event}}
				return p.leaving(t, with, "drew")
			}
		}
	}
	if s := p.leaving(t, Parts{}, ""); s != nil {
		if title.Key == "cost-asp" { // which says that one was lost
			left := s.With["left"].(Count)
			return &Sentence{"asps-now", Parts{"left": Count{"asp", left.N, left.Event}}}
		}
		return s
	}
	was := p.toll(t.Ordinal)
	if now := p.toll(before(t.Ordinal)); was.cards > now.cards {
		return &Sentence{"cards-lost", Parts{"n": Count{"card", was.cards - now.cards, 0}}}
	}
	for i := len(p.Strategic.CardsDrawn) - 1; i >= 0; i-- {
		if x := p.Strategic.CardsDrawn[i]; x.Ordinal < t.Ordinal && x.Counts() && cutOf(x) > 0 {
			return &Sentence{"cost-none-since", Parts{"n": Count{"plain", cutOf(x), x.Event},
				"base": Count{"card", int64(x.Base), x.Event}, "turn": Name(x.Turn)}}
		}
	}
	return &Sentence{Key: "cost-none"}
}

// before is the ordinal of the turn before; 0 has none.
func before(ordinal uint64) uint64 { return max(ordinal, 1) - 1 }

// leaving adds to a sentence what the last success of a turn left; nil where there was none and nothing is to be added.
func (p patrols) leaving(t events.Turn, with Parts, key string) *Sentence {
	taken, last := int64(0), -1
	for i, x := range p.Strategic.Spent {
		if x.Ordinal == t.Ordinal && x.Counts() && x.On == "asp" {
			taken, last = taken+1, i
		}
	}
	switch {
	case last < 0 && key == "":
		return nil
	case last < 0:
		return &Sentence{key, with}
	case key == "":
		key = "lost"
	}
	x := p.Strategic.Spent[last]
	with["asps"], with["left"] = Count{"asp", taken, 0}, Count{"plain", int64(x.Shipping), x.Event}
	return &Sentence{key + "-asps", with}
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
	for _, x := range p.Strategic.CardsDrawn {
		if x.Event == japan.Figure.Event && x.Event != 0 {
			japan.Of = &Sentence{"drawn-in", Parts{"base": plain(x.Base, x.Event), "turn": Name(x.Turn)}}
		}
	}
	return Score{Of: "score-patrols", Groups: []Group{{Sides: []Side{allies, japan}}}}
}
