package mapview

import (
	"math"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/mapview/maptest"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/situation"
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

// The plate of a land whose seas are full stands near it, over land if need be, and not at the end of a long line.
func TestPlateStandsNear(t *testing.T) {
	place := projections.Place{Event: 7, Ordinal: 1, Turn: "Round 1"}
	r := situation.Report{Ordinal: 1, Turn: "Round 1", Raids: []situation.Raided{{Territory: "United Kingdom",
		Victim: "UK", Ordinal: 1, Turn: "Round 1", Damage: 12, Raids: []situation.Raid{
			{Event: 9, Powers: []string{"Germany"}, Zone: "8 Sea Zone", Damage: 12}}}}}
	for _, zone := range []string{"8 Sea Zone", "9 Sea Zone"} {
		r.Submarines = append(r.Submarines, situation.Station{Place: place, Power: "Germany", Zone: zone, Count: 2})
	}
	board := Plot(maptest.TripleA(t, "revised"))
	x := board.Draw(input(r)).Plates[0]
	long := coast.SpotOf(x.At)
	if far := math.Hypot(long.X-float64(x.To.X), long.Y-float64(x.To.Y)); x.W == 0 ||
		far > farPlate*float64(board.Size)/mapLetters {
		t.Errorf("%s stands %.0f away from its land", x.Head, far)
	}
}
