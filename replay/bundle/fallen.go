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
	place, epoch            uint32 // of its declaration, whose index is its place
	behind                  uint8  // how many events on its last throw ends
	doubt, passed, replaces bool
	again                   bool // it is among the other rolls again
}

// fell finds a roll among those that have fallen.
func (c *check) fell(index uint64) (at int, known bool) {
	return slices.BinarySearchFunc(c.fallen, index, func(f fallen, i uint64) int {
		return cmp.Compare(uint64(f.place), i)
	})
}

// mostBetween bounds how many events are read again for a roll.
const mostBetween = 64

// roll gives a roll by the index of its declaration, nil if there is none.
func (c *check) roll(index uint64) *roll {
	if r := c.rolls[index]; r != nil {
		return r
	}
	at, ok := c.fell(index)
	if !ok {
		return nil
	}
	f := &c.fallen[at]
	f.again = true
	place := int(f.place)
	e := c.eventAt(place)
	p, _ := events.PayloadOf(e)
	declared, _ := p.(*events.RollDeclared)
	if declared == nil { // the file is another by now, which is a finding
		declared = &events.RollDeclared{}
	}
	r := newRoll(e, declared, place)
	r.doubt, r.passed, r.replaces, r.last = f.doubt, f.passed, f.replaces, place+int(f.behind)
	for place++; place < r.last; place++ {
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
		len(r.thrown) != len(r.fell) || r.last-r.place > mostBetween || uint64(r.place) != index {
		return
	}
	at, known := c.fell(index)
	if known {
		return
	}
	delete(c.rolls, index)
	c.fallen = slices.Insert(c.fallen, at, fallen{place: uint32(r.place), epoch: uint32(r.at.Epoch),
		behind: uint8(r.last - r.place), doubt: r.doubt, passed: r.passed, replaces: r.replaces})
}

// everyRoll gives the rolls in the order of their declarations; of those that have [fallen] no more than is kept.
func (c *check) everyRoll() iter.Seq[*roll] {
	return func(yield func(*roll) bool) {
		rest := c.fallen
		until := func(index uint64) bool {
			for ; len(rest) > 0 && uint64(rest[0].place) < index; rest = rest[1:] {
				f := rest[0]
				r := &roll{declared: &events.RollDeclared{}, fell: [][]int{nil}, doubt: f.doubt, passed: f.passed,
					replaces: f.replaces, at: events.Event{Index: uint64(f.place), Epoch: uint64(f.epoch)}}
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
