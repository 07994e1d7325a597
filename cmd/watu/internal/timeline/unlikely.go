package timeline

import (
	"math/big"

	"github.com/watu-ledger/watu/events"
)

// Unlikely is how far a throw fell from what was to be expected.
type Unlikely struct {
	Throw  string  `json:"throw"`
	Dice   int     `json:"dice"`
	Sides  int     `json:"sides"`
	Sum    int     `json:"sum"`
	Mean   float64 `json:"mean"`   // of the sum
	Chance float64 `json:"chance"` // that a sum falls at least that far from its mean, 0 to 1
}

// farAt is the greatest chance of a throw that counts as far from expectation, where nobody says
// otherwise.
const farAt = "0.05"

// chanceOf gives the chance that the sum of a throw's dice falls at least as far from its mean as
// this one did, on either side. It is exact. Nil is a throw that cannot be, or has no dice.
func chanceOf(t events.Throw, fell []int) *big.Rat {
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

// unlikely describes a throw that fell, with its chance.
func unlikely(t events.Throw, fell []int, chance *big.Rat) *Unlikely {
	low, high := t.Shows()
	out := &Unlikely{Throw: t.Name, Dice: t.Dice, Sides: t.Sides, Mean: float64(t.Dice*(low+high)) / 2}
	for _, d := range fell {
		out.Sum += d
	}
	out.Chance, _ = chance.Float64()
	return out
}
