package g40

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// force is a kind of unit of a power.
type force struct{ power, kind string }

// losses are aircraft that a power lost away from where they were reported, over the territory that they raided or
// attacked. Which space they came from nobody said, so the power has them less, wherever it is.
type losses struct {
	before map[force]int // this TURN
	now    map[force]int // in it
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
	return losses{before: before}
}

// after applies an event to the losses, given what was known of the units of its power in its space. A report of units
// of a kind is made after those that fell, and accounts for them.
func (l losses) after(p events.Payload, there []events.Unit) losses {
	switch p := p.(type) {
	case *events.UnitsLost:
		for _, u := range p.Units {
			if away := u.Count - countOf(there, u.Name); away > 0 {
				l.now = plus(l.now, force{p.Power, u.Name}, away)
			}
		}
	case *events.UnitsReported:
		for _, u := range slices.Concat(there, p.Units) {
			f := force{p.Power, u.Name}
			l.before, l.now = plus(l.before, f, -l.before[f]), plus(l.now, f, -l.now[f])
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
