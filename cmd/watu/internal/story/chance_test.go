package story

import (
	"math/big"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// The chance of a throw is counted over every way in which its dice can fall.
func TestChanceByCounting(t *testing.T) {
	for _, throw := range []events.Throw{
		{Dice: 1, Sides: 6}, {Dice: 2, Sides: 6}, {Dice: 3, Sides: 6}, {Dice: 5, Sides: 6},
		{Dice: 1, Sides: 10, FromZero: true},
		{Dice: 3, Sides: 10, FromZero: true}, {Dice: 4, Sides: 2}, {Dice: 2, Sides: 12}, {Dice: 3, Sides: 5},
		{Dice: 4, Sides: 8},
	} {
		low, high := throw.Shows()
		mean2 := throw.Dice * (low + high)
		far := func(fell []int) int { return max(2*total(fell)-mean2, mean2-2*total(fell)) }
		ways := waysOf(throw)
		for _, fell := range ways {
			as := int64(0)
			for _, other := range ways {
				if far(other) >= far(fell) {
					as++
				}
			}
			if want, got := big.NewRat(as, int64(len(ways))), ChanceOf(throw, fell); got == nil || want.Cmp(got) != 0 {
				t.Fatalf("%+v fell %v: chance %v, counted %v", throw, fell, got, want)
			}
			if len(ways) > 2000 && fell[1] > low { // enough: the sum is that of others
				break
			}
		}
	}
	for _, bad := range [][]int{nil, {7}, {0}, {1, 1}} {
		if got := ChanceOf(events.Throw{Dice: 1, Sides: 6}, bad); got != nil {
			t.Errorf("%v cannot fall, and its chance is %v", bad, got)
		}
	}
}

// Many dice are no trouble: a thousand that all show the least have one chance, and its mirror.
func TestChanceOfManyDice(t *testing.T) {
	fell := make([]int, 1000)
	all := new(big.Int).Exp(big.NewInt(256), big.NewInt(1000), nil)
	want := new(big.Rat).SetFrac(big.NewInt(2), all)
	if got := ChanceOf(events.Throw{Dice: 1000, Sides: 256, FromZero: true}, fell); got.Cmp(want) != 0 {
		t.Errorf("chance %v", got.FloatString(10))
	}
}

func total(fell []int) (sum int) {
	for _, d := range fell {
		sum += d
	}
	return sum
}

// waysOf lists every way in which a throw can fall.
func waysOf(throw events.Throw) [][]int {
	low, high := throw.Shows()
	ways := [][]int{{}}
	for range throw.Dice {
		var more [][]int
		for _, w := range ways {
			for face := low; face <= high; face++ {
				more = append(more, append(w[:len(w):len(w)], face))
			}
		}
		ways = more
	}
	return ways
}
