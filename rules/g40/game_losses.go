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
	out   map[force]int      // how many of those that were reported fell at home, where none was reported since
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

// accounted is how many aircraft of a power have fallen in this TURN that a report since leaves out: they were sent,
// and no others are missing.
func (g game) accounted(power, kind string) int {
	fell := 0
	for _, p := range noted[*events.UnitsLost](g.deeds) {
		if rules.Exact(g.Options) && p.Power == power && p.Cause != causeCapture && aircraft(kind) {
			fell += countOf(p.Units, kind)
		}
	}
	return max(0, fell-g.lost.now[force{power, kind}])
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

// noteOut keeps in mind of which forces an event took some that were reported: scrambled, intercepting, struck or lost
// with their territory; a report that names them, or leaves them out, is made after that. It needs the state before.
func (g game) noteOut(was game, p events.Payload) game {
	power, units, fell := "", []events.Unit(nil), true
	switch p := p.(type) {
	case *events.UnitsReported:
		power, units, fell = p.Power, slices.Concat(p.Units, was.unitsOf(p.Power, p.Space)), false
	case *events.UnitsMobilized:
		power, units, fell = p.Power, p.Units, false
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
		n := 0
		if fell {
			n = g.lost.out[f] + max(0, was.stock(f).all-g.stock(f).all)
		}
		if u.Count > 0 && g.lost.out[f] != n {
			g.lost.out = rules.Put(g.lost.out, f, n)
		}
	}
	return g
}

// checkFallen forbids to send more units of a kind than are left, where others that were reported fell in defence. It
// reports whether it did.
func (d *decision) checkFallen(field, power, kind string, n int) bool {
	f := force{power, kind}
	left, fell := d.stock(f).all, d.lost.out[f]
	if n > left && fell > 0 {
		d.forbid(field, "GEN-CARRY", "%s has %s as reported, %d having fallen, and %d %s sent here: report those that "+
			"there are; if none fell, correct or undo that entry", power, noneOr(left, kind), fell, n,
			words.Number(n, "is", "are"))
	}
	return n > left && fell > 0
}

// warnOfGone warns of units of a kind that a power has no more of by a later report, but for those that it had as its
// TURN began: they may have been moved.
func (d *decision) warnOfGone(power, kind string, n int) {
	f := force{power, kind}
	if !rules.Exact(d.Options) || d.stock(f).all > 0 || n <= d.before(d.began).stock(f).all {
		return
	}
	for _, s := range d.Board.Spaces() {
		had := false
		gone := slices.ContainsFunc(d.units[post{power, s.Name}].Slice(), func(x page) bool {
			_, reports := x.payload.(*events.UnitsReported) // what an enemy took with the ground says nothing of others
			before := had
			had = countOf(x.comes.units, kind) > 0
			return before && !had && reports
		})
		if gone {
			d.Warn("%s has no %s any more as reported, and %d %s sent here", power, kind, n,
				words.Number(n, "is", "are"))
			return
		}
	}
}

// survive reports whether the ships of a kind that are reported in Conduct Combat are no more than the power had as its
// Combat Move ended, less what sank: a report before may have taken them out of where they had been.
func (d *decision) survive(power, kind string, all int) bool {
	if !rules.Firm(d.Options) || !warship(kind) || d.Phase != phaseCombat {
		return false
	}
	for _, p := range noted[*events.UnitsLost](d.deeds) {
		if p.Power == power {
			all += countOf(p.Units, kind)
		}
	}
	return all <= d.before(d.moved).stock(force{power, kind}).all
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
		at := p.Space == space
		if p.Cause == causeKamikaze && !c.struckIn(p.Space) { // one of those reported there, struck elsewhere
			at = c.struckIn(space)
		}
		if p.Power == power && at {
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
