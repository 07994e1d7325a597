package bundle

import (
	"cmp"
	"iter"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// fallen is a roll of a chain whose dice have all come. Its declaration and its dice are in the file, and are read
// again where a correction comes back to them: a long campaign has thousands of rolls.
type fallen struct {
	index, epoch            uint64
	place, behind           int // of its declaration, and behind its last throw
	doubt, passed, replaces bool
	again                   bool // it is among the other rolls again
}

// mostBetween bounds how many events are read again for a roll.
const mostBetween = 64

// roll gives a roll by the index of its declaration, nil if there is none.
func (c *check) roll(index uint64) *roll {
	if r := c.rolls[index]; r != nil {
		return r
	}
	at, ok := slices.BinarySearchFunc(c.fallen, index, func(f fallen, i uint64) int { return cmp.Compare(f.index, i) })
	if !ok {
		return nil
	}
	f := &c.fallen[at]
	f.again = true
	e := c.eventAt(f.place)
	p, _ := events.PayloadOf(e)
	declared, _ := p.(*events.RollDeclared)
	if declared == nil { // the file is another by now, which is a finding
		declared = &events.RollDeclared{}
	}
	r := newRoll(e, declared, f.place)
	r.doubt, r.passed, r.replaces, r.last = f.doubt, f.passed, f.replaces, f.behind
	for place := f.place + 1; place < f.behind; place++ {
		e := c.eventAt(place)
		if p, _ := events.PayloadOf(e); p != nil {
			if d, ok := p.(*events.DiceRolled); ok && d.Declared == index {
				r.thrown[e.Index] = len(r.fell)
				r.fell = append(r.fell, d.Dice)
			}
		}
	}
	c.rolls[index] = r
	return r
}

// rest keeps of a roll of a chain no more than who could have chosen its dice, once they have all come.
func (c *check) rest(index uint64) {
	r := c.rolls[index]
	if r == nil || r.declared.Mode != "" || len(r.fell) == 0 || len(r.fell) < len(r.declared.Throws) ||
		len(r.thrown) != len(r.fell) || r.last-r.place > mostBetween {
		return
	}
	at, known := slices.BinarySearchFunc(c.fallen, index, func(f fallen, i uint64) int {
		return cmp.Compare(f.index, i)
	})
	if known {
		return
	}
	delete(c.rolls, index)
	c.fallen = slices.Insert(c.fallen, at, fallen{index: index, epoch: r.at.Epoch, place: r.place, behind: r.last,
		doubt: r.doubt, passed: r.passed, replaces: r.replaces})
}

// everyRoll gives the rolls in the order of their declarations; of those that have [fallen] no more than is kept.
func (c *check) everyRoll() iter.Seq[*roll] {
	return func(yield func(*roll) bool) {
		rest := c.fallen
		until := func(index uint64) bool {
			for ; len(rest) > 0 && rest[0].index < index; rest = rest[1:] {
				f := rest[0]
				r := &roll{declared: &events.RollDeclared{}, fell: [][]int{nil}, doubt: f.doubt, passed: f.passed,
					replaces: f.replaces, at: events.Event{Index: f.index, Epoch: f.epoch}}
				if !f.again && !yield(r) {
					return false
				}
			}
			return true
		}
		for _, index := range slices.Sorted(maps.Keys(c.rolls)) {
			if !until(index) || !yield(c.rolls[index]) {
				return
			}
		}
		until(1 << 63)
	}
}
