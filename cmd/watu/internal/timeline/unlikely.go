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
