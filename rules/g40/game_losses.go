package g40

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
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
	out   map[force]bool     // the last that was reported fell at home, and none was reported or mobilized since
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
	return losses{before: before, fell: l.fell, fresh: l.fresh, out: l.out}
}

// after applies an event to the losses, given what was known of the units of its power in its space. A report of units
// of a kind is made after those that fell, and accounts for them: in an exact edition, which has a stock, for as many
// as it has fewer there.
func (l losses) after(p events.Payload, there []events.Unit, stock func(force) stock) losses {
	switch p := p.(type) {
	case *events.UnitsLost:
		for _, u := range p.Units {
			f := force{p.Power, u.Name}
			away := max(0, u.Count-countOf(there, u.Name))
			if stock != nil {
				l, away = l.settled(f, stock(f), away)
			}
			l.now = plus(l.now, f, away)
		}
	case *events.UnitsReported:
		for _, u := range slices.Concat(there, p.Units) {
			f := force{p.Power, u.Name}
			before, now := l.before[f], l.now[f]
			if stock != nil {
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

// stock is how many of a force are reported, and how many of them since the last fell.
type stock struct{ all, fresh int }

// stock counts a force on the board.
func (g game) stock(f force) stock {
	var s stock
	for _, space := range g.Board.Spaces() {
		n := countOf(g.unitsOf(f.power, space.Name), f.kind)
		s.all += n
		if slices.Contains(g.lost.fresh[f], space.Name) {
			s.fresh += n
		}
	}
	return s
}

// settled makes earlier losses no more than the reports before them had, and gives how many of those that fall away
// from home the reports have too: of a force that was never reported nothing is known.
func (l losses) settled(f force, s stock, away int) (losses, int) {
	before := min(l.before[f], s.all-s.fresh)
	now := min(l.now[f], s.all-s.fresh-before)
	l.before, l.now = plus(l.before, f, before-l.before[f]), plus(l.now, f, now-l.now[f])
	if s.all > 0 {
		l.fell = rules.Put(l.fell, f, true)
	}
	if away > 0 {
		l.fresh = rules.Put(l.fresh, f, nil)
	}
	return l, min(away, s.all-before-now)
}

// noteOut keeps in mind the forces of which an event took the last that was reported: scrambled, intercepting, struck
// or lost with its territory. It needs the state before.
func (g game) noteOut(was game, p events.Payload) game {
	power, units, out := "", []events.Unit(nil), true
	switch p := p.(type) {
	case *events.UnitsReported:
		power, units, out = p.Power, p.Units, false
	case *events.UnitsMobilized:
		power, units, out = p.Power, p.Units, false
	case *events.UnitsLost:
		power, units = p.Power, p.Units
	case *events.AircraftLanded:
		power, units = p.Power, muster(p.Fallen, p.Gone, 1)
	}
	if g.Board == nil || !rules.Exact(g.Options) {
		return g
	}
	for _, u := range units {
		f := force{power, u.Name}
		switch {
		case u.Count == 0 || g.lost.out[f] == out:
		case !out || was.stock(f).all > 0 && g.stock(f).all == 0:
			g.lost.out = rules.Put(g.lost.out, f, out)
		}
	}
	return g
}

// warnOfOut warns where units are sent of which the last that was reported fell in defence.
func (d *decision) warnOfOut(power, kind string, n int) {
	if n > 0 && d.lost.out[force{power, kind}] {
		d.Warn("%s has %s as reported, the last of them having fallen, and %d %s sent here: report those that there "+
			"are, or undo this entry (GEN-CARRY)", power, noneOr(0, kind), n, words.Number(n, "is", "are"))
	}
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

// lostIn is how many units of a kind a power lost in a space in this TURN, aircraft that left it and did not return
// among them.
func (c combat) lostIn(power, space, kind string) int {
	n := 0
	for _, p := range noted[*events.UnitsLost](c.deeds) {
		if p.Power == power && p.Space == space {
			n += countOf(p.Units, kind)
		}
	}
	for _, p := range noted[*events.AircraftLanded](c.deeds) {
		if p.Power == power && p.From == space {
			n += countOf(p.Fallen, kind) + countOf(p.Gone, kind)
		}
	}
	return n
}
