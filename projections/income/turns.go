package income

import (
	"slices"

	"github.com/watu-ledger/watu/events"
)

// turnList puts raids, disruptions and incomes, in the order of the record, into the TURNS that they
// belong to: the raids come before the income of their TURN, corrections join what they correct.
type turnList struct {
	turns []Turn
	of    map[uint64]int // the turn of a raid or an income, by its event
	own   map[own][]int  // the turns of a power in a ROUND, in order
}

// own is whose TURN it is, and in which ROUND.
type own struct {
	ordinal uint64
	power   string
}

func (v *View) turns() []Turn {
	l := turnList{turns: []Turn{}, of: map[uint64]int{}, own: map[own][]int{}}
	type entry struct {
		*place
		join func()
	}
	var entries []entry
	for i := range v.raids {
		entries = append(entries, entry{&v.raids[i].place, func() { l.raid(&v.raids[i]) }})
	}
	for i := range v.disruptions {
		entries = append(entries, entry{&v.disruptions[i].place, func() { l.disrupt(&v.disruptions[i]) }})
	}
	for i := range v.incomes {
		entries = append(entries, entry{&v.incomes[i].place, func() { l.collect(&v.incomes[i]) }})
	}
	slices.SortStableFunc(entries, func(a, b entry) int { return inOrderTaken(a.place, b.place) })
	for _, e := range entries {
		e.join()
	}
	return l.turns
}

// turn finds the TURN of an entry: that of what it corrects, else the power's own that is not
// collected yet. A TURN begins with the first entry in it.
func (l *turnList) turn(p *place, power string) *Turn {
	i, found := l.of[p.corrects]
	whose := own{p.ordinal, power}
	if p.corrects == 0 || !found {
		i, found = l.uncollected(whose)
	}
	if !found {
		i = len(l.turns)
		l.own[whose] = append(l.own[whose], i)
		l.turns = append(l.turns, Turn{Ordinal: p.ordinal, Turn: p.turn, Power: power, Corrected: []Income{}, Raids: []Raid{}, Disruptions: []Disruption{}})
	}
	l.of[p.event] = i
	return &l.turns[i]
}

// uncollected finds the power's last TURN in the ROUND that is not collected yet.
func (l *turnList) uncollected(whose own) (int, bool) {
	for _, i := range slices.Backward(l.own[whose]) {
		if l.turns[i].Income == nil {
			return i, true
		}
	}
	return 0, false
}

func (l *turnList) raid(x *raid) {
	out := Raid{
		Event: x.event, Submarine: x.Submarine, Owner: x.Owner, Zone: x.Zone, Distance: x.Distance,
		Territory: x.Territory, Reach: x.Reach, Damage: x.Damage, Declared: x.Declared,
		Corrects: x.corrects, CorrectedBy: x.corrected,
	}
	if x.Cap != "" {
		out.Cap = &Cap{x.Cap, x.Limit}
	}
	t := l.turn(&x.place, x.Victim)
	t.Raids = append(t.Raids, out)
}

func (l *turnList) disrupt(x *disruption) {
	t := l.turn(&x.place, x.Victim)
	t.Disruptions = append(t.Disruptions, Disruption{
		Event: x.event, Zone: x.Zone, Raiders: append([]events.Raid{}, x.Raiders...), Potential: x.Potential,
		Territory: x.Territory, Worth: x.Worth, Damage: x.Damage, Corrects: x.corrects, CorrectedBy: x.corrected,
	})
}

func (l *turnList) collect(x *income) {
	t := l.turn(&x.place, x.Power)
	if t.Income != nil {
		t.Corrected = append(t.Corrected, *t.Income)
	}
	t.Income = &Income{
		Event: x.event, Base: x.Base, Board: x.Board, Typed: x.Typed, Bonus: x.Bonus, Damage: x.Damage, Net: x.Net,
		Treasury: x.Treasury, Corrects: x.corrects, CorrectedBy: x.corrected,
	}
}
