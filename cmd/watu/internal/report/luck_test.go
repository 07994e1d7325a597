package report

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// sums counts, for n dice that show low to high, in how many ways each sum can fall: the whole
// distribution, without a formula for it.
func sums(n, low, high int) map[int]*big.Int {
	ways := map[int]*big.Int{0: big.NewInt(1)}
	for range n {
		next := map[int]*big.Int{}
		for sum, w := range ways {
			for die := low; die <= high; die++ {
				if next[sum+die] == nil {
					next[sum+die] = new(big.Int)
				}
				next[sum+die].Add(next[sum+die], w)
			}
		}
		ways = next
	}
	return ways
}

// The expected sum, the standard deviation and the band are those of every way in which the dice can
// fall, counted one by one.
func TestLuckIsThatOfTheWholeDistribution(t *testing.T) {
	for _, k := range []struct{ n, low, high int }{{5, 1, 6}, {10, 1, 6}, {38, 1, 6}, {7, 0, 9}, {60, 0, 9},
		{20, 1, 12}, {100, 1, 6}} {
		d := Dice{Low: k.low, High: k.high, Dice: int64(k.n)}
		d.expect()
		total, sum, squares, within := new(big.Int), new(big.Int), new(big.Int), new(big.Int)
		for s, w := range sums(k.n, k.low, k.high) {
			total.Add(total, w)
			sum.Add(sum, new(big.Int).Mul(w, big.NewInt(int64(s))))
			squares.Add(squares, new(big.Int).Mul(w, big.NewInt(int64(s*s))))
			if int64(s) >= d.From && int64(s) <= d.To {
				within.Add(within, w)
			}
		}
		mean := new(big.Rat).SetFrac(sum, total)
		if mean.Cmp(big.NewRat(d.Twice, 2)) != 0 {
			t.Errorf("%+v: expected %s, counted %s", k, halves(d.Twice), mean.FloatString(3))
		}
		variance, _ := new(big.Rat).Sub(new(big.Rat).SetFrac(squares, total), new(big.Rat).Mul(mean, mean)).Float64()
		if off := variance - d.Deviates*d.Deviates; off > 0.2 || off < -0.2 { // it is rounded to a hundredth
			t.Errorf("%+v: standard deviation %v, counted variance %v", k, d.Deviates, variance)
		}
		share, _ := new(big.Rat).SetFrac(within, total).Float64()
		if share < 0.92 || share > 0.98 {
			t.Errorf("%+v: the band %d to %d holds %v of all ways", k, d.From, d.To, share)
		}
	}
}

// Dice are counted by side and kind, as they fell, and those that were voided are not.
func TestLuckCountsDice(t *testing.T) {
	c := &played{}
	c.add("", "umpire", "open", 0, &events.CampaignOpened{Name: "war", Sides: []string{"Red", "Blue"}})
	r := rand.New(rand.NewPCG(1, 2))
	want := map[string][2]int64{} // dice and sum
	for i := range 60 {
		throws := []events.Throw{{Name: "gun", Dice: 1 + r.IntN(4), Sides: 6}, {Name: "gun", Dice: 1 + r.IntN(3),
			Sides: 10, FromZero: i%2 == 0}}
		sides := []string{"Blue", "Red"}
		declared := c.add("Blue", "umpire", fmt.Sprint(i), 0, &events.RollDeclared{Purpose: "shot", Throws: throws})
		var rolled []uint64
		for j, throw := range throws {
			low, high := throw.Shows()
			var dice []int
			for range throw.Dice {
				dice = append(dice, low+r.IntN(high-low+1))
			}
			rolled = append(rolled, c.add(sides[j], "umpire", fmt.Sprint(i), 0, &events.DiceRolled{Declared: declared,
				Throw: throw.Name, Dice: dice}))
			if i%7 == 0 {
				continue // to be voided
			}
			key := fmt.Sprintf("%s %d-%d", sides[j], low, high)
			for _, n := range dice {
				want[key] = [2]int64{want[key][0] + 1, want[key][1] + int64(n)}
			}
		}
		if i%7 == 0 {
			c.add("", "umpire", fmt.Sprint("void", i), 0, &events.Voided{Command: fmt.Sprint(i),
				Events: append([]uint64{declared}, rolled...)})
		}
	}
	luck := written(t, c).Luck
	if len(luck.Dice) != len(want) || luck.Left == 0 {
		t.Fatalf("%d rows, %d wanted, %d left out", len(luck.Dice), len(want), luck.Left)
	}
	for _, d := range luck.Dice {
		if got := [2]int64{d.Dice, d.Sum}; got != want[fmt.Sprintf("%s %d-%d", d.Side, d.Low, d.High)] {
			t.Errorf("%+v, %v wanted", d, want[fmt.Sprintf("%s %d-%d", d.Side, d.Low, d.High)])
		}
	}
}
