package story

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/rules/board"
)

func bundled(t *testing.T, name string) Board {
	t.Helper()
	list, _ := fixtures.Board(name)
	var files []board.File
	for _, f := range list {
		files = append(files, board.File{Name: f.Name, Data: f.Data})
	}
	b, err := board.Read(files...)
	if err != nil {
		t.Fatal(err)
	}
	return BoardOf(b)
}

// TestTaken: what a power took is worth what the board says; what was its own it takes back; of many lands the first is
// named.
func TestTaken(t *testing.T) {
	turn := events.Turn{Ordinal: 2, Label: "Round 2"}
	for _, c := range []struct {
		lands map[string]string // holder by the board's name
		want  []string
	}{
		{map[string]string{"Western Europe": "US"}, []string{"The US takes Western Europe, worth 6 IPCs"}},
		{map[string]string{"United Kingdom": "UK"}, []string{"The UK takes back United Kingdom, worth 8 IPCs"}},
		{map[string]string{"Turkey": "Germany"}, []string{"Germany takes Turkey"}},
		{map[string]string{"Eastern Canada": "Japan", "India": "Japan", "Panama": "Japan", "Caucasus": "Japan"},
			[]string{"Japan takes Caucasus and 3 more territories, worth 11 IPCs"}},
	} {
		r := Record{Sides: []string{"Germany", "UK", "US", "Japan", "Russia"}, Turns: []events.Turn{turn},
			Board: bundled(t, "straits"), Income: &income.Report{}, Situation: &situation.Report{}}
		for _, land := range []string{"Caucasus", "Eastern Canada", "India", "Panama", "Turkey", "United Kingdom",
			"Western Europe"} {
			if by := c.lands[land]; by != "" {
				at := projections.Place{Event: 9, Ordinal: 2, Turn: turn.Label}
				r.Situation.Territories = append(r.Situation.Territories, situation.Holding{Place: at, Territory: land,
					Holder: by})
			}
		}
		s := Tell(r)
		if len(s.Cards) != 1 || English.Text(s.Cards[0].Title) != c.want[0] {
			t.Errorf("%v: %+v", c.lands, s.Cards)
		}
	}
}

// TestTreasuriesStandWithTheirPower: a treasury of its own has its power's alliance, and one of no power has none.
func TestTreasuriesStandWithTheirPower(t *testing.T) {
	b := bundled(t, "two-oceans")
	for holder, want := range map[string]string{"UK Europe": "Allies", "UK Pacific": "Allies", "Japan": "Axis",
		"Neutral": ""} {
		if got := b.allianceOf(holder); got != want {
			t.Errorf("%s is of %q, not %q", holder, got, want)
		}
	}
}
