package course

import (
	"math"
	"math/big"
	"sync"
)

// bands are those that were counted before: a page is drawn often, and a campaign has few kinds of dice.
var bands sync.Map // [2]int64 to [2]int64

// mostCounted is of how many dice the ways are counted: their number has as many digits.
const mostCounted = 10_000

// Band is where the count of one face lies in 19 of 20 campaigns of so many fair dice with so many
// faces: the chance of less, and that of more, is a fortieth at most. It is exact: the ways in which the
// face falls k times are C(dice, k)·(faces−1)^(dice−k), of faces^dice. Of more dice than are counted so, it is
// that of the normal distribution, which differs by one at most.
func Band(dice int64, faces int) (low, high int64) {
	if dice > mostCounted {
		chance := 1 / float64(faces)
		mean, half := float64(dice)*chance, 1.96*math.Sqrt(float64(dice)*chance*(1-chance))
		return int64(math.Ceil(mean - half)), int64(math.Floor(mean + half))
	}
	key := [2]int64{dice, int64(faces)}
	if known, ok := bands.Load(key); ok {
		b := known.([2]int64)
		return b[0], b[1]
	}
	others := big.NewInt(int64(faces) - 1)
	ways := new(big.Int).Exp(others, big.NewInt(dice), nil) // in which it falls k times
	all := new(big.Int).Exp(big.NewInt(int64(faces)), big.NewInt(dice), nil)
	sum, forty := new(big.Int), new(big.Int)
	low = -1
	for k := int64(0); ; k++ {
		sum.Add(sum, ways)
		forty.Mul(sum, big.NewInt(40))
		if low < 0 && forty.Cmp(all) > 0 {
			low = k
		}
		if forty.Sub(forty, all); forty.Cmp(new(big.Int).Mul(all, big.NewInt(38))) >= 0 {
			high = k
			break
		}
		ways.Mul(ways, big.NewInt(dice-k))
		ways.Quo(ways, new(big.Int).Mul(others, big.NewInt(k+1)))
	}
	bands.Store(key, [2]int64{low, high})
	return low, high
}
