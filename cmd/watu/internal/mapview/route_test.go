package mapview

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
)

// The shortest way by sea is the first in the order of the board, and a space has its neighbours.
func TestSea(t *testing.T) {
	m := Plot(maptest.Bundled(t, "straits"))
	for _, want := range [][]string{{"SZ 35", "SZ 55", "Western United States"}, {"SZ 8", "United Kingdom"},
		{"SZ 7", "SZ 12", "SZ 13", "Turkey"}} {
		from, to := want[0], want[len(want)-1]
		if got := m.Sea(fileName(m, from), fileName(m, to)); !slices.Equal(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
	if got := m.Sea("8 Sea Zone", "Atlantis"); got != nil {
		t.Errorf("%q", got)
	}
	beside, complex := m.About("Japan")
	if !complex || !slices.Equal(beside, []Beside{{"60 Sea Zone", "SZ 60"}}) {
		t.Errorf("%v, %v", beside, complex)
	}
}

func fileName(m *Board, called string) string {
	for name, c := range m.Names {
		if c == called {
			return name
		}
	}
	return ""
}
