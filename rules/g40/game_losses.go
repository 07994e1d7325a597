package g40

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// force is a kind of unit of a power.
type force struct{ power, kind string }

// losses are aircraft that a power lost away from where they were reported, over the territory that they raided or
// attacked. Which space they came from nobody said, so the power has them less, wherever it is.
type losses struct {
	before map[force]int // this TURN
	now    map[force]int // in it

	fell  map[force]bool     // ever
	fresh map[force][]string // spaces that were reported since the last of them fell
}

// endTurn makes those of this TURN earlier ones.
func (l losses) endTurn() losses {
	if len(l.now) == 0 {
		return l
	}
	before := maps.Clone(l.now)
	for f, n := range l.before {
		before[f] += n
	}
	return losses{before: before, fell: l.fell, fresh: l.fresh}
}

// after applies an event to the losses, given what was known of the units of its power in its space. A report of units
// of a kind is made after those that fell, and accounts for them: in an exact edition for as many as it has fewer there.
func (l losses) after(p events.Payload, there []events.Unit, exact bool) losses {
	switch p := p.(type) {
	case *events.UnitsLost:
		for _, u := range p.Units {
			f := force{p.Power, u.Name}
			l.fell = rules.Put(l.fell, f, true)
			if away := u.Count - countOf(there, u.Name); away > 0 {
				l.now = plus(l.now, f, away)
				l.fresh = rules.Put(l.fresh, f, nil)
			}
		}
	case *events.UnitsReported:
		for _, u := range slices.Concat(there, p.Units) {
			f := force{p.Power, u.Name}
			before, now := l.before[f], l.now[f]
			if exact {
				fewer := max(0, countOf(there, u.Name)-countOf(p.Units, u.Name))
				before = min(before, fewer)
				now = min(now, fewer-before)
				if !slices.Contains(l.fresh[f], p.Space) {
					l.fresh = rules.Put(l.fresh, f, append(slices.Clone(l.fresh[f]), p.Space))
				}
			}
			l.before, l.now = plus(l.before, f, -before), plus(l.now, f, -now)
			there = muster(there, []events.Unit{{Name: u.Name, Count: countOf(there, u.Name)}}, -1)
		}
	}
	return l
}

// plus gives a count with some more.
func plus(counts map[force]int, f force, n int) map[force]int {
	if n == 0 {
		return counts
	}
	next := maps.Clone(counts)
	if next == nil {
		next = map[force]int{}
	}
	next[f] += n
	return next
}
