package mapview

import (
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
	"github.com/watu-ledger/watu/fixtures"
)

// No line of a plate crosses that of another, and no plate without a place is drawn, although every complex of the
// board is raided, each of a power of its own.
func TestLinesOfPlatesDoNotCross(t *testing.T) {
	for _, name := range fixtures.Boards() {
		b := maptest.Bundled(t, name)
		r := maptest.Every(b)
		for i := range r.Raids {
			r.Raids[i].Victim = r.Raids[i].Territory
		}
		crowded := Plot(b).Draw(input(r))
		r.Submarines = nil
		p := Plot(b).Draw(input(r))
		if len(p.Plates) < 8 {
			t.Errorf("%s: %d plates", name, len(p.Plates))
		}
		for i, x := range p.Plates {
			for _, y := range p.Plates[:i] {
				if x.W > 0 && y.W > 0 && coast.Cross(coast.SpotOf(x.At), coast.SpotOf(x.To), coast.SpotOf(y.At),
					coast.SpotOf(y.To)) {
					t.Errorf("%s: the lines of %s and %s cross", name, x.Head, y.Head)
				}
			}
		}
		for _, x := range crowded.Plates {
			if x.W > 0 && x.At.X == 0 && x.At.Y == 0 {
				t.Errorf("%s: %s is drawn in the corner", name, x.Head)
			}
		}
	}
}
