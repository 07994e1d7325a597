package story

import (
	"slices"

	"github.com/watu-ledger/watu/events"
)

// What a turn cost is said under its title, in the words of whoever paid.

// cost says what the title's event took, and what is left; else whose income fell most in the turn and why, or what
// raids and bombs took of whom.
func (e *economy) cost(t events.Turn, title Sentence) *Sentence {
	switch title.Key {
	case "cost", "cost-of", "cost-most", "cost-of-most":
		return e.paid(e.worst(t))
	case "looted":
		return e.plundered(t)
	case "takes-from":
		return e.ceded(t, title)
	}
	was, is := e.fallen(t)
	if is != nil && title.Key != "fell" {
		s := e.changed(was, is)
		return &s
	}
	if list := e.boats(t); len(list) > 0 {
		return &list[0].Sentence
	}
	if list := e.bombed(t); len(list) > 0 {
		return &list[0].Sentence
	}
	if captured[title.Key] || is != nil && len(e.captors(was, is)) > 0 {
		return nil
	}
	if list := e.taken(t); len(list) > 0 {
		return &list[0].Sentence
	}
	return &Sentence{Key: "cost-nothing"}
}

// captured are the titles by which something was taken, whatever the incomes say of it yet.
var captured = map[string]bool{"takes": true, "takes-from": true, "takes-for-nothing": true, "retakes": true,
	"retakes-for-nothing": true, "landed": true, "bombs": true}

// paid says of what raids and bombs were taken.
func (e *economy) paid(l *loss) *Sentence {
	if l == nil {
		return nil
	}
	with := Parts{"victim": Name(l.victim), "boats": plain(int(l.boats), l.event),
		"bombs": plain(int(l.bombs), l.event)}
	c := e.incomeOf(l)
	if c == nil {
		if l.boats > 0 && l.bombs > 0 {
			return &Sentence{"both", with}
		}
		return nil
	}
	with["base"], with["net"] = ipcs(int64(c.due()), c.Event), plain(c.Net, c.Event)
	switch {
	case l.boats > 0 && l.bombs > 0:
		return &Sentence{"both-of", with}
	case l.boats > 0:
		return &Sentence{"left-of", with}
	}
	return &Sentence{"bombs-beside", with}
}

// due is what would have been collected without raids.
func (c *collected) due() int { return c.Base + c.Bonus }

// taken is what raids took of it.
func (c *collected) taken() int { return c.due() - c.Net }

// incomeOf is the income of the turn in which a power lost something; nil where it collected none.
func (e *economy) incomeOf(l *loss) *collected {
	i := slices.IndexFunc(e.collected, func(c collected) bool { return c.ordinal == l.ordinal && c.power == l.victim })
	if i < 0 {
		return nil
	}
	return &e.collected[i]
}

// plundered says whose treasury was taken with his capital.
func (e *economy) plundered(t events.Turn) *Sentence {
	for _, x := range e.Income.Captures {
		if x.Ordinal == t.Ordinal && x.Counts() && x.Loot > 0 {
			return &Sentence{"plundered", Parts{"from": Name(x.LootFrom), "n": ipcs(int64(x.Loot), x.Event)}}
		}
	}
	return nil
}

// ceded says what the land was worth to the power that held it, and what that power has left.
func (e *economy) ceded(t events.Turn, title Sentence) *Sentence {
	from := title.With["from"].(Name)
	if was, is := e.fallen(t); is != nil && is.power == string(from) {
		s := e.changed(was, is)
		return &s
	}
	with := Parts{"from": from, "n": title.With["worth"]}
	for _, x := range e.Income.Treasuries {
		if n := len(x.Movements); x.Power == string(from) && n > 0 && t.Ordinal == e.Turns[len(e.Turns)-1].Ordinal {
			with["left"] = ipcs(x.InHand, x.Movements[n-1].Event)
			return &Sentence{"land-lost-left", with}
		}
	}
	return &Sentence{"land-lost", with}
}

// fallen is whose income fell most in a turn, with what he collected before.
func (e *economy) fallen(t events.Turn) (was, is *collected) {
	last := map[string]*collected{}
	for i := range e.collected {
		c := &e.collected[i]
		if c.ordinal > t.Ordinal {
			break
		}
		if before := last[c.power]; before != nil && c.ordinal == t.Ordinal && c.Net < before.Net &&
			(is == nil || before.Net-c.Net > was.Net-is.Net) {
			was, is = before, c
		}
		last[c.power] = c
	}
	return was, is
}

// changed says how an income went from one turn to another, and what lies between: more or less land, bonuses, raids.
func (e *economy) changed(was, is *collected) Sentence {
	key := "fell"
	if is.Net > was.Net {
		key = "rose"
	}
	var why List
	add := func(n int, more, less string) {
		switch {
		case n > 0:
			why = append(why, Sentence{more, Parts{"n": plain(n, is.Event)}})
		case n < 0:
			why = append(why, Sentence{less, Parts{"n": plain(-n, is.Event)}})
		}
	}
	add(is.Base-was.Base, "land-more", "land-less")
	if is.Base < was.Base {
		why = append(why, e.captors(was, is)...)
	}
	add(is.Bonus-was.Bonus, "bonus-more", "bonus-less")
	add(is.taken()-was.taken(), "raids-more", "raids-less")
	return Sentence{key, Parts{"side": Name(is.power), "a": ipcs(int64(was.Net), was.Event), "turn": Name(was.turn),
		"b": plain(is.Net, is.Event), "why": why}}
}

// captors say who took land of a power between two of its incomes.
func (e *economy) captors(was, is *collected) (list List) {
	var all []taking
	for _, x := range e.Income.Captures {
		if x.Counts() && x.From == is.power && x.Event > was.first && x.Event < is.first {
			all = e.take(all, x.By, x.From, x.Territory, x.Event)
		}
	}
	for _, x := range all {
		list = append(list, Sentence{"land-captured", Parts{"side": Name(x.by), "lands": x.lands}})
	}
	return list
}
