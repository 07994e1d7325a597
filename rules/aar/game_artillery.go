package aar

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// battery is a power's artillery: what was reported, what happened to it, and what it is now.
type battery struct {
	reported map[string]axisallies.Figure[int] // pieces by territory
	log      rules.List[shift]                 // a correction changes a shift where it stands
	round    int                               // so many of the log were there before this ROUND

	moved  map[string]int // pieces that came to a territory since it was reported, less those that left it
	fired  map[string]int // pieces that fired from a territory in this ROUND
	came   map[string]int // pieces that moved there in this ROUND
	placed map[string]int // pieces that were placed there in this ROUND
	left   map[string]int // pieces that moved away from there in this ROUND
	bought int            // pieces bought and not yet reported anywhere
	buys   bool           // some were bought in this ROUND
	stood  map[string]int // pieces by territory before that
	drawn  map[string]int // pieces by territory before the moves and combats of the TURN, where any were reported
}

// shift is a purchase, a move or a barrage of pieces, by its event.
type shift struct {
	index    uint64
	from, to string // both empty: bought; from alone: fired from there; to alone: placed there
	pieces   int
	number   int // in the log, from 1
	// the highest index up to here: an event that takes another's place has a higher one than those behind it
	latest uint64
}

// since is the event of the last report: what was bought before is among what it names.
func (b battery) since() uint64 {
	last := uint64(0)
	for _, f := range b.reported {
		last = max(last, f.From)
	}
	return last
}

// enter adds a shift to the log.
func (b battery) enter(s shift) battery {
	last, _, _ := b.log.Last()
	s.number, s.latest = last.number+1, max(last.latest, s.index)
	if buys := s.from == "" && s.to == "" && s.pieces > 0; buys && !b.buys {
		b.buys, b.stood = true, b.spread()
	}
	b.log = b.log.Append(s)
	return b.count(s)
}

// count adds a shift to what the log comes to.
func (b battery) count(s shift) battery {
	switch {
	case s.from == "" && s.to == "":
		if s.index > b.since() {
			b.bought += s.pieces
		}
	case s.to == "":
		if s.number > b.round {
			b.fired = rules.Put(b.fired, s.from, b.fired[s.from]+s.pieces)
		}
	case s.from == "": // it counts as bought until it is reported
		b = b.move(s.to, s.index, s.pieces)
		if s.number > b.round {
			b.placed = rules.Put(b.placed, s.to, b.placed[s.to]+s.pieces)
		}
	default:
		if s.number > b.round {
			b.came = rules.Put(b.came, s.to, b.came[s.to]+s.pieces)
			b.left = rules.Put(b.left, s.from, b.left[s.from]+s.pieces)
		}
		b = b.move(s.from, s.index, -s.pieces)
		if s.to != s.from {
			b = b.move(s.to, s.index, s.pieces)
		}
	}
	return b
}

func (b battery) move(territory string, index uint64, pieces int) battery {
	if index >= b.reported[territory].From {
		b.moved = rules.Put(b.moved, territory, b.moved[territory]+pieces)
	}
	return b
}

// recount counts the whole log.
func (b battery) recount() battery {
	b.moved, b.fired, b.came, b.placed, b.left, b.bought = nil, nil, nil, nil, nil, 0
	for _, s := range b.log.Slice() {
		b = b.count(s)
	}
	return b
}

// report takes what an event reports of a territory.
func (b battery) report(territory string, f axisallies.Figure[int]) battery {
	b.reported = rules.Put(b.reported, territory, f)
	if last, _, _ := b.log.Last(); last.latest >= f.From {
		return b.recount()
	}
	b.moved, b.bought = rules.Put(b.moved, territory, 0), 0
	return b
}

// begin begins a ROUND: what fired may move again.
func (b battery) begin() battery {
	last, _, _ := b.log.Last()
	b.round, b.fired, b.came, b.placed, b.left, b.buys = last.number, nil, nil, nil, nil, false
	return b
}

// draw notes what stands where before the moves and combats of a TURN.
func (b battery) draw() battery {
	b.drawn = b.spread()
	return b
}

// spread gives the pieces by territory.
func (b battery) spread() map[string]int {
	there := map[string]int{}
	for territory := range b.territories() {
		there[territory], _ = b.in(territory)
	}
	return there
}

// in counts the pieces in a territory, and those of them that fired in this ROUND.
func (b battery) in(territory string) (pieces, fired int) {
	return max(0, b.reported[territory].Value+b.moved[territory]), b.fired[territory]
}

// unused counts the pieces in a territory that neither fired, moved nor were placed in this ROUND: so many at least,
// and at most, where some that did are lost by a report.
func (b battery) unused(territory string) (least, most int) {
	n, fired := b.in(territory)
	least = max(0, n-fired-b.came[territory]-b.placed[territory])
	return least, max(least, min(n, b.drawn[territory]-fired-b.left[territory]))
}

// withBought reports whether what stands on the board has some of what was bought in this ROUND and not placed: reports
// name more in some territories than have left others without having fired, moved or appeared.
func (b battery) withBought() bool {
	more, left := 0, 0
	for territory, now := range b.spread() {
		before := b.stood[territory] + b.came[territory] - b.left[territory] + b.placed[territory]
		more += max(0, now-before)
		free := before - b.fired[territory] - b.came[territory] - b.placed[territory]
		left += max(0, min(before-now, free))
	}
	return !b.buys || more > left
}

// total counts the pieces of the power, with those bought and not yet reported anywhere
// (AAR-6-ARTY-CAP).
func (b battery) total() int {
	sum := b.bought
	for _, f := range b.reported {
		sum += f.Value
	}
	return sum
}

// territories are those of which anything is known.
func (b battery) territories() map[string]bool {
	all := map[string]bool{}
	for territory := range b.reported {
		all[territory] = true
	}
	for territory := range b.moved {
		all[territory] = true
	}
	return all
}

// pieces counts the artillery in a list of units.
func pieces(units []events.Unit) int { return countOf(units, artillery) }

// countOf counts the units of a kind in a list.
func countOf(units []events.Unit, kind string) int {
	return rules.Sum(units, func(u events.Unit) int { return map[bool]int{true: u.Count}[u.Name == kind] })
}

// shiftOf is what an event does to a power's artillery, false for nothing.
func shiftOf(p events.Payload) (power string, s shift, ok bool) {
	switch p := p.(type) {
	case *events.UnitsPurchased:
		return p.Power, shift{pieces: pieces(p.Units)}, true
	case *events.UnitsMobilized:
		return p.Power, shift{to: p.Space, pieces: pieces(p.Units)}, true
	case *events.UnitsFired:
		return p.Power, shift{from: p.From, pieces: pieces(p.Units)}, true
	case *events.UnitsMoved:
		return p.Power, shift{from: p.From, to: p.To, pieces: pieces(p.Units)}, true
	}
	return "", shift{}, false
}

func applyGuns(guns map[string]battery, index uint64, p events.Payload) map[string]battery {
	switch p := p.(type) {
	case *events.TurnAdvanced:
		next := map[string]battery{}
		for power, b := range guns {
			next[power] = b.begin()
		}
		return next
	case *events.UnitsReported:
		f := axisallies.Figure[int]{Value: pieces(p.Units), From: index}
		return rules.Put(guns, p.Power, guns[p.Power].report(p.Space, f))
	}
	if power, s, ok := shiftOf(p); ok {
		s.index = index
		return rules.Put(guns, power, guns[power].enter(s))
	}
	return guns
}
