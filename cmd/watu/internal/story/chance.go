package story

import (
	"fmt"
	"math/big"

	"github.com/watu-ledger/watu/events"
)

// Throw is dice that fell together and stand.
type Throw struct {
	Ordinal uint64 // of the turn
	Event   uint64
	Side    string // who threw them; may be empty
	Throw   events.Throw
	Fell    []int
	Chance  *big.Rat // that a sum falls at least as far from its mean ([ChanceOf])
}

// farthest is the greatest chance of a throw that is news: that of a double one or six.
var farthest = big.NewRat(1, 18)

// rare says which throw of a turn was the unlikeliest, if there was one that is news.
func (r Record) rare(t events.Turn) []candidate {
	var rarest *Throw
	for i := range r.Throws {
		x := &r.Throws[i]
		if x.Ordinal == t.Ordinal && x.Side != "" && x.Chance.Cmp(farthest) <= 0 &&
			(rarest == nil || x.Chance.Cmp(rarest.Chance) < 0) {
			rarest = x
		}
	}
	if rarest == nil {
		return nil
	}
	odds := new(big.Int).Quo(rarest.Chance.Denom(), rarest.Chance.Num())
	if !odds.IsInt64() {
		return nil
	}
	sum := 0
	for _, d := range rarest.Fell {
		sum += d
	}
	return []candidate{tell("rare", Parts{"side": Name(rarest.Side),
		"dice": Verbatim{fmt.Sprintf("%dd%d", rarest.Throw.Dice, rarest.Throw.Sides), rarest.Event},
		"sum":  plain(sum, rarest.Event), "odds": Count{"plain", odds.Int64(), rarest.Event}})}
}

// ChanceOf gives the chance that the sum of a throw's dice falls at least as far from its mean as
// this one did, on either side. It is exact. Nil is a throw that cannot be, or has no dice.
func ChanceOf(t events.Throw, fell []int) *big.Rat {
	low, high := t.Shows()
	if len(fell) != t.Dice || t.Dice < 1 || t.Dice > 1000 || t.Sides < 2 || t.Sides > 256 {
		return nil
	}
	above := 0 // the sum, with each die counted from 0
	for _, d := range fell {
		if d < low || d > high {
			return nil
		}
		above += d - low
	}
	// Sums lie as often so far below the middle as above it.
	below := min(above, t.Dice*(t.Sides-1)-above)
	if 2*below == t.Dice*(t.Sides-1) {
		return big.NewRat(1, 1)
	}
	n := atMost(below, t.Dice, t.Sides)
	all := new(big.Int).Exp(big.NewInt(int64(t.Sides)), big.NewInt(int64(t.Dice)), nil)
	return new(big.Rat).SetFrac(n.Lsh(n, 1), all)
}

// atMost counts the ways in which dice that show 0 to sides-1 come to a sum of no more than that:
// the ways without an upper bound on a die, less those with one die beyond it, and so on.
func atMost(sum, dice, sides int) *big.Int {
	count := new(big.Int)
	for over := 0; over <= dice && sum-over*sides >= 0; over++ {
		ways := new(big.Int).Binomial(int64(dice), int64(over))
		ways.Mul(ways, new(big.Int).Binomial(int64(sum-over*sides+dice), int64(dice)))
		if over%2 == 1 {
			ways.Neg(ways)
		}
		count.Add(count, ways)
	}
	return count
}
