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
	type joining struct {
		*entry
		join func()
	}
	var entries []joining
	for i := range v.raids {
		entries = append(entries, joining{&v.raids[i].entry, func() { l.raid(&v.raids[i]) }})
	}
	for i := range v.disruptions {
		entries = append(entries, joining{&v.disruptions[i].entry, func() { l.disrupt(&v.disruptions[i]) }})
	}
	for i := range v.incomes {
		entries = append(entries, joining{&v.incomes[i].entry, func() { l.collect(&v.incomes[i]) }})
	}
	slices.SortStableFunc(entries, func(a, b joining) int { return inOrderRecorded(a.entry, b.entry) })
	for _, void := range []bool{false, true} { // what is void has no part in telling the TURNS apart
		for _, e := range entries {
			if void == (e.VoidedBy != 0) {
				e.join()
			}
		}
	}
	return l.turns
}

// turn finds the TURN of an entry: that of what it corrects, else the power's own that is not
// collected yet. A TURN begins with the first entry in it.
func (l *turnList) turn(x *entry, power string) *Turn {
	i, found := l.of[x.Corrects]
	whose := own{x.Ordinal, power}
	switch {
	case x.VoidedBy != 0:
		i, found = l.last(whose)
	case x.Corrects == 0 || !found:
		i, found = l.uncollected(whose)
	}
	if !found {
		i = len(l.turns)
		l.own[whose] = append(l.own[whose], i)
		l.turns = append(l.turns, Turn{Ordinal: x.Ordinal, Turn: x.Turn, Power: power, Corrected: []Income{},
			Raids: []Raid{}, Disruptions: []Disruption{}})
	}
	l.of[x.Event] = i
	return &l.turns[i]
}

// last finds the power's last TURN in the ROUND.
func (l *turnList) last(whose own) (int, bool) {
	if list := l.own[whose]; len(list) > 0 {
		return list[len(list)-1], true
	}
	return 0, false
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
		Event: x.Event, Submarine: x.Submarine, Owner: x.Owner, Zone: x.Zone, Distance: x.Distance,
		Territory: x.Territory, Reach: x.Reach, Damage: x.Damage, Declared: x.Declared,
		Fate: x.Fate,
	}
	if x.Cap != "" {
		out.Cap = &Cap{x.Cap, x.Limit}
	}
	t := l.turn(&x.entry, x.Victim)
	t.Raids = append(t.Raids, out)
}

func (l *turnList) disrupt(x *disruption) {
	t := l.turn(&x.entry, x.Victim)
	t.Disruptions = append(t.Disruptions, Disruption{
		Event: x.Event, Zone: x.Zone, Raiders: append([]events.Raid{}, x.Raiders...), Potential: x.Potential,
		Territory: x.Territory, Worth: x.Worth, Damage: x.Damage, Fate: x.Fate,
	})
}

func (l *turnList) collect(x *income) {
	t := l.turn(&x.entry, x.Power)
	is := &Income{
		Event: x.Event, Base: x.Base, Board: x.Board, Typed: x.Typed, Bonus: x.Bonus, Damage: x.Damage, Net: x.Net,
		Treasury: x.Treasury, Fate: x.Fate,
	}
	if x.VoidedBy != 0 {
		t.Corrected = append(t.Corrected, *is)
		return
	}
	if t.Income != nil {
		t.Corrected = append(t.Corrected, *t.Income)
	}
	t.Income = is
}
