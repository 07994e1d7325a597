package mapview

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
)

// The shortest way by sea is the first in the order of the board, and a space has its neighbours.
func TestSea(t *testing.T) {
	m := Plot(maptest.Bundled(t, "straits"))
	for _, want := range [][]string{{"35 Sea Zone", "55 Sea Zone", "Western United States"},
		{"8 Sea Zone", "United Kingdom"},
		{"7 Sea Zone", "12 Sea Zone", "13 Sea Zone", "Turkey"}} {
		from, to := want[0], want[len(want)-1]
		if got := m.Sea(from, to); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := m.Sea("8 Sea Zone", "Atlantis"); got != nil {
		t.Errorf("%q", got)
	}
	beside, complex := m.About("Japan")
	if !complex || !slices.Equal(beside, []string{"60 Sea Zone"}) {
		t.Errorf("%v, %v", beside, complex)
	}
}
