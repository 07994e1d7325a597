package aar

import (
	"fmt"
	"testing"
)

// TestPrices holds the price list against an oracle of its own: cost, attack, defense, bombardment
// and fighters carried, -1 for none.
func TestPrices(t *testing.T) {
	oracle := map[string][5]int{
		"industrial complex": {12, -1, -1, -1, -1}, "battlecruiser": {14, 4, 4, 4, -1}, "destroyer": {8, 2, 2, -1, -1},
		"bomber":  {14, -1, -1, -1, -1},
		"carrier": {14, 0, 3, -1, 2}, "escort carrier": {8, 0, 1, -1, 1}, "battleship": {20, -1, -1, -1, -1},
	}
	if len(pricesTable.Rows) != len(oracle) {
		t.Errorf("%d rows", len(pricesTable.Rows))
	}
	for unit, figures := range oracle {
		for i, column := range []string{"cost", "attack", "defense", "bombard", "fighters"} {
			want := fmt.Sprint(figures[i])
			if figures[i] < 0 {
				want = "-"
			}
			if got := pricesTable.MustCell(unit, column); got != want {
				t.Errorf("%s, %s: %s, want %s", unit, column, got, want)
			}
		}
	}
}
