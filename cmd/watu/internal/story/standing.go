package story

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
)

// score is the income that each power or treasury collected last, by alliances, the one that leads first.
func (e *economy) score() Score {
	var sides []Side
	for i := range e.collected {
		c := &e.collected[i]
		sideOf(&sides, c.power).put(c.ordinal, ipcs(int64(c.Net), c.Event))
	}
	for i := range sides {
		for _, t := range e.Income.Treasuries {
			if t.Power == sides[i].Name {
				sides[i].Extra, sides[i].Made = held(t, sides[i].Figure.Event)
			}
		}
		sides[i].Of = e.robbed(sides[i])
		if lost := e.capitalLost(sides[i]); lost != nil {
			sides[i].Of, sides[i].Change = lost, nil // it cannot be as it was
		}
	}
	for _, t := range e.Income.Turns {
		if t.Income != nil && t.Income.VoidedBy != 0 && !slices.ContainsFunc(sides, of(t.Power)) {
			sides = append(sides, Side{Name: t.Power, Figure: ipcs(0, t.Income.Event),
				Of: &Sentence{"of-void", Parts{"turn": Name(t.Turn)}}})
		}
	}
	slices.SortStableFunc(sides, func(a, b Side) int { return e.rank(a.Name) - e.rank(b.Name) })
	groups := lead(e.groups(sides))
	for _, g := range groups {
		for _, s := range g.Sides {
			if s.Of != nil && s.Of.Key == "of-capital" && g.Name != "" {
				s.Of.Key, s.Of.With["total"] = "of-capital-among", g.Total
			}
		}
	}
	slices.SortStableFunc(groups, func(a, b Group) int { return cmp.Compare(b.Lead, a.Lead) })
	score := Score{Of: "score-income", Groups: groups}
	if first, last := between(e.latest(math.MaxUint64)); last != "" {
		score.Sum = &Sentence{"last-incomes", Parts{"first": first, "last": last}}
	}
	return score
}

// latest is the income that each power collected last up to the end of a turn.
func (e *economy) latest(to uint64) map[string]*collected {
	last := map[string]*collected{}
	for i := range e.collected {
		if c := &e.collected[i]; c.ordinal <= to {
			last[c.power] = c
		}
	}
	return last
}

// between are the turns of the oldest and the newest of some incomes; empty where all are of one turn.
func between(incomes map[string]*collected) (first, last Name) {
	earlier := func(a, b *collected) int { return cmp.Compare(a.ordinal, b.ordinal) }
	all := slices.SortedFunc(maps.Values(incomes), earlier)
	if len(all) == 0 || all[0].ordinal == all[len(all)-1].ordinal {
		return "", ""
	}
	return Name(all[0].turn), Name(all[len(all)-1].turn)
}

// robbed says what raids and bombs took in the turn of the last income; nil where they took nothing.
func (e *economy) robbed(s Side) *Sentence {
	i := slices.IndexFunc(e.collected, func(c collected) bool { return c.Event == s.Figure.Event })
	c := &e.collected[i]
	l := slices.IndexFunc(e.losses, func(l loss) bool { return l.ordinal == c.ordinal && l.victim == c.power })
	if l < 0 {
		return nil
	}
	lost := &e.losses[l]
	with := Parts{"base": plain(c.due(), c.Event), "boats": plain(int(lost.boats), lost.event),
		"bombs": plain(int(lost.bombs), lost.event)}
	switch {
	case lost.boats > 0 && lost.bombs > 0:
		return &Sentence{"of-robbed", with}
	case lost.boats > 0:
		return &Sentence{"of-raided", with}
	case lost.bombs > 0:
		return &Sentence{"of-bombed", with}
	}
	return nil
}

// capitalLost says when a side lost its capital, where it has collected nothing since and the capital was not taken
// back.
func (e *economy) capitalLost(s Side) *Sentence {
	for i := range slices.Backward(e.Income.Captures) {
		x := &e.Income.Captures[i]
		if !x.Counts() || x.Capital != s.Name {
			continue
		}
		again := func(y income.Capture) bool { return y.Counts() && y.Territory == x.Territory }
		if x.Event < s.Figure.Event || slices.ContainsFunc(e.Income.Captures[i+1:], again) {
			return nil
		}
		return &Sentence{"of-capital", Parts{"turn": Name(x.Turn)}}
	}
	return nil
}

// held says what is in a treasury, and how it comes of the last income: what was there before, and what came or went
// since.
func held(t income.Treasury, last uint64) (is, made *Sentence) {
	is = &Sentence{"in-hand", Parts{"n": Count{"plain", t.InHand, 0}}}
	for _, m := range t.Movements {
		if m.Event != last || m.What != "income" {
			continue
		}
		with := Parts{"before": Count{"plain", m.InHand - m.Change, m.Event}, "net": Count{"plain", m.Change, m.Event}}
		switch since := t.InHand - m.InHand; {
		case since > 0:
			with["since"] = Count{"plain", since, 0}
			return is, &Sentence{"made-more", with}
		case since < 0:
			with["since"] = Count{"plain", -since, 0}
			return is, &Sentence{"made-less", with}
		}
		return is, &Sentence{"made", with}
	}
	return is, nil
}

// caveat says what an income is good for.
func (e *economy) caveat() Sentence { return Sentence{Key: "caveat-income"} }

// rank is the place of a power in the order of the opening; a treasury of its own stands behind.
func (e *economy) rank(power string) int {
	if i := slices.Index(e.Sides, power); i >= 0 {
		return i
	}
	return len(e.Sides)
}

// of finds the side of a name.
func of(name string) func(Side) bool { return func(s Side) bool { return s.Name == name } }

func sideOf(sides *[]Side, name string) *Side {
	i := slices.IndexFunc(*sides, of(name))
	if i < 0 {
		i, *sides = len(*sides), append(*sides, Side{Name: name})
	}
	return &(*sides)[i]
}

// groups puts sides with their alliances, in the order of the board's file; those of none stand together.
func (e *economy) groups(sides []Side) (groups []Group) {
	for _, name := range append(e.Board.playing(e.Sides), "") {
		g := Group{Name: name, Total: Count{Of: "ipc"}}
		for _, s := range sides {
			if e.Board.allianceOf(s.Name) == name {
				g.Sides, g.Total.N = append(g.Sides, s), g.Total.N+s.Figure.N
			}
		}
		if len(g.Sides) > 0 {
			groups = append(groups, g)
		}
	}
	return groups
}

// deck says which alliance collects more, or which power where there are no two: each power as it collected last up to
// the end of the turn. It says so where those are incomes of different turns.
func (e *economy) deck(t events.Turn) *Sentence {
	names := e.Board.playing(e.Sides)
	last, sum := e.latest(t.Ordinal), map[string]int64{}
	if len(last) == 0 {
		return nil
	}
	for power, c := range last {
		if len(names) != 2 {
			sum[power] = int64(c.Net)
			continue
		}
		sum[e.Board.allianceOf(power)] += int64(c.Net)
	}
	if len(names) != 2 {
		names = slices.Sorted(maps.Keys(sum))
		slices.SortStableFunc(names, func(a, b string) int { return cmp.Compare(sum[b], sum[a]) })
	}
	if len(names) < 2 {
		return nil
	}
	for _, name := range names {
		if _, collects := sum[name]; !collects {
			return &Sentence{"early", Parts{"b": Name(name)}}
		}
	}
	a, b := names[0], names[1]
	if sum[b] > sum[a] {
		a, b = b, a
	}
	key := "ahead"
	if sum[a] == sum[b] {
		key = "level"
	}
	how := Sentence{key, Parts{"a": Name(a), "b": Name(b), "m": Count{"plain", sum[a], 0}, "n": ipcs(sum[b], 0)}}
	if first, last := between(last); last != "" {
		how = Sentence{"income-between", Parts{"how": how, "first": first, "last": last}}
	}
	if rest := e.waiting(t, last); len(rest) > 0 {
		return &Sentence{"income-so-far", Parts{"how": how, "rest": rest}}
	}
	return &how
}

// waiting are the powers of the alliances that have collected nothing yet at the end of a turn: the sums of the
// alliances are without them. Who has lost his capital collects nothing.
func (e *economy) waiting(t events.Turn, last map[string]*collected) (rest List) {
	for _, power := range e.Sides {
		collects := slices.ContainsFunc(slices.Collect(maps.Keys(last)), treasuryOf(power))
		lost := slices.ContainsFunc(e.Income.Captures, func(x income.Capture) bool {
			return x.Counts() && x.Ordinal <= t.Ordinal && x.Capital == power
		})
		if !collects && !lost && e.Board.allianceOf(power) != "" {
			rest = append(rest, Name(power))
		}
	}
	return rest
}
