package timeline

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// Units are where they were reported last, and come and go since. Where none were reported nobody knows how many there
// are, so none are counted.
func TestGarrisons(t *testing.T) {
	unit := func(name string, n int) []events.Unit { return []events.Unit{{Name: name, Count: n}} }
	var g garrisons
	for i, p := range []events.Payload{
		&events.UnitsReported{Power: "UK", Space: "Malta", Units: unit("infantry", 2)},
		&events.UnitsReported{Power: "UK", Space: "Malta", Units: append(unit("infantry", 5), unit("fighter", 3)...)},
		&events.UnitsLost{Power: "UK", Space: "Malta", Units: unit("infantry", 9)},
		&events.UnitsMobilized{Power: "UK", Space: "Malta", Units: unit("tank", 1)},
		&events.UnitsMobilized{Power: "UK", Space: "Egypt", Units: unit("tank", 1)},
		&events.UnitsReported{Power: "UK", Space: "Gibraltar"},
		&events.AircraftLanded{Power: "UK", From: "Malta", Fallen: unit("fighter", 1),
			Diverted: []events.Landing{{Space: "Gibraltar", Units: unit("fighter", 1)}}},
		&events.UnitsReported{Power: "France", Space: "France", Units: unit("infantry", 1)},
		&events.TerritoryCaptured{Territory: "France", By: "Germany", From: "France"},
		&events.UnitsMoved{Power: "UK", From: "Malta", To: "Gibraltar", Units: unit("tank", 1)},
	} {
		g.enter(uint64(i), p)
	}
	want := map[string][]events.Unit{"Malta": unit("fighter", 1),
		"Gibraltar": append(unit("fighter", 1), unit("tank", 1)...)}
	for _, x := range g {
		if !slices.Equal(x.Units, want[x.Space]) {
			t.Errorf("%s: %v, want %v", x.Space, x.Units, want[x.Space])
		}
		delete(want, x.Space)
	}
	if len(want) > 0 || g[0].Event != 9 {
		t.Errorf("%+v, without %v", g, want)
	}
	row := unitTable(g).Rows[1]
	if len(row) != 4 || row[1].String() != "Gibraltar" || row[2].String() != "1 fighter, 1 tank" {
		t.Errorf("the row of Gibraltar is %v", row)
	}
}
