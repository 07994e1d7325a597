package aar

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// battery is a power's artillery: what was reported, and what happened to it since. Figures follow
// from the whole, so that a correction changes what comes after it.
type battery struct {
	reported map[string]axisallies.Figure[int] // pieces by territory
	log      []shift
}

// shift is a purchase, a move or a barrage of pieces, by its event.
type shift struct {
	index    uint64
	from, to string // both empty: bought; from alone: fired from there
	pieces   int
	round    bool // in this ROUND
}

// since is the event of the last report: what was bought before is among what it names.
func (b battery) since() uint64 {
	last := uint64(0)
	for _, f := range b.reported {
		last = max(last, f.From)
	}
	return last
}

// in counts the pieces in a territory, and those of them that fired in this ROUND.
func (b battery) in(territory string) (pieces, fired int) {
	pieces = b.reported[territory].Value
	for _, s := range b.log {
		switch {
		case s.to == "" && s.from == territory && s.round:
			fired += s.pieces
		case s.to == "" || s.index < b.reported[territory].From:
		case s.from == territory:
			pieces -= s.pieces
		case s.to == territory:
			pieces += s.pieces
		}
	}
	return max(0, pieces), fired
}

// total counts the pieces of the power, with those bought and not yet reported anywhere
// (AAR-6-ARTY-CAP).
func (b battery) total() int {
	sum := 0
	for _, f := range b.reported {
		sum += f.Value
	}
	for _, s := range b.log {
		if s.from == "" && s.to == "" && s.index > b.since() {
			sum += s.pieces
		}
	}
	return sum
}

// pieces reads the artillery out of a list of units.
func pieces(units []events.Unit) int {
	n := 0
	for _, u := range units {
		if u.Name == artillery {
			n += u.Count
		}
	}
	return n
}

// shiftOf is what an event does to a power's artillery, false for nothing.
func shiftOf(p events.Payload) (power string, s shift, ok bool) {
	switch p := p.(type) {
	case *events.UnitsPurchased:
		return p.Power, shift{pieces: pieces(p.Units)}, true
	case *events.UnitsFired:
		return p.Power, shift{from: p.From, pieces: pieces(p.Units)}, true
	case *events.UnitsMoved:
		return p.Power, shift{from: p.From, to: p.To, pieces: pieces(p.Units)}, true
	}
	return "", shift{}, false
}

func applyGuns(guns map[string]battery, index uint64, p events.Payload) map[string]battery {
	switch p := p.(type) {
	case *events.TurnAdvanced: // what fired may move again
		next := map[string]battery{}
		for power, b := range guns {
			b.log = slices.Clone(b.log)
			for i := range b.log {
				b.log[i].round = false
			}
			next[power] = b
		}
		return next
	case *events.UnitsReported:
		b := guns[p.Power]
		b.reported = axisallies.With(b.reported, p.Space, axisallies.Figure[int]{Value: pieces(p.Units), From: index})
		return axisallies.With(guns, p.Power, b)
	}
	if power, s, ok := shiftOf(p); ok {
		b := guns[power]
		s.index, s.round = index, true
		b.log = append(slices.Clone(b.log), s)
		return axisallies.With(guns, power, b)
	}
	return guns
}

func amendGuns(guns map[string]battery, index uint64, p events.Payload) map[string]battery {
	if p, ok := p.(*events.UnitsReported); ok {
		if guns[p.Power].reported[p.Space].From == index {
			return applyGuns(guns, index, p)
		}
		return guns
	}
	if power, s, ok := shiftOf(p); ok {
		b := guns[power]
		b.log = slices.Clone(b.log)
		for i, old := range b.log {
			if old.index == index {
				s.index, s.round = index, old.round
				b.log[i] = s
			}
		}
		return axisallies.With(guns, power, b)
	}
	return guns
}
