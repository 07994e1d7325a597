package income_test

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
)

// Three rounds with all that the rules of 1940 add, as printed and as JSON.
func TestFacilities(t *testing.T) {
	goldens(t, "facilities", fold(t, recordtest.Facilities(1, 3)))
}

// Each treasury goes by its own name and stands where the campaign's opening has it; a power that has
// two is shown by them alone.
func TestTwoTreasuries(t *testing.T) {
	r := report(t, recordtest.Facilities(1, 1))
	var names []string
	for _, x := range r.Treasuries {
		names = append(names, x.Power)
	}
	want := []string{"Germany", "Japan", "UK Europe", "UK Pacific", "US"}
	if len(names) != len(want) {
		t.Fatalf("treasuries %q", names)
	}
	for i := range want {
		if names[i] != want[i] {
			t.Errorf("treasury %d is %s, want %s", i, names[i], want[i])
		}
	}
	if len(r.Turns) != 3 || r.Turns[1].Power != "UK Europe" || len(r.Turns[1].Disruptions) != 2 ||
		len(r.Turns[2].Disruptions) != 1 {
		t.Errorf("turns: %+v", r.Turns)
	}
}

// TestCorrectedRaiders: raiders of a sea zone stand in their first row, and those of a correction in its first.
func TestCorrectedRaiders(t *testing.T) {
	x := income.Turn{}
	for _, n := range []int{2, 2, 1, 1} {
		x.Disruptions = append(x.Disruptions, income.Disruption{Zone: "SZ 109", Potential: 3 * n,
			Raiders: []events.Raid{{Power: "Germany", Unit: "submarine", Count: n, Each: 3}}})
	}
	table := x.RaidTable()
	for i, want := range []string{"Germany 2 submarines: 6", "", "Germany 1 submarine: 3", ""} {
		if got := table.Rows[i][2].String(); got != want {
			t.Errorf("row %d: %q, want %q", i, got, want)
		}
	}
}

// looted is a campaign in which Japan takes a capital, and the captor is corrected to be another.
func looted(loot int) (*recordtest.Campaign, uint64) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Treasuries: []events.Treasury{{Power: "UK Pacific", IPCs: 17},
		{Power: "Japan", IPCs: 10}, {Power: "Italy", IPCs: 3}}})
	at := c.Add("Japan", &events.TerritoryCaptured{Territory: "India", By: "Japan", LootFrom: "UK Pacific",
		LootTo: "Japan", Loot: loot})
	c.Add("Japan", &events.FacilityBuilt{Power: "Japan", Territory: "Malaya", Facility: "minor_ic", Cost: 12,
		Treasury: loot - 2})
	return c, at
}

// A correction of what a capital yields moves both treasuries, where the first stands.
func TestCorrectedLoot(t *testing.T) {
	c, at := looted(17)
	c.Correct(at, "Japan", &events.TerritoryCaptured{Territory: "India", By: "Japan", LootFrom: "UK Pacific",
		LootTo: "Japan", Loot: 15})
	r := report(t, c)
	if x := treasury(t, r, "UK Pacific"); x.InHand != 2 || x.Loot != -15 || x.Adjusted != 0 {
		t.Errorf("the loser: %+v", x)
	}
	if x := treasury(t, r, "Japan"); x.InHand != 13 || x.Loot != 15 || x.Built != 12 || x.Adjusted != 0 {
		t.Errorf("the captor: %+v", x)
	}
	if x := treasury(t, r, "Italy"); x.InHand != 3 || len(x.Movements) != 1 {
		t.Errorf("a third: %+v", x)
	}
}

// A correction may leave out a treasury that the first entry moved, and bring in another.
func TestCorrectedCaptor(t *testing.T) {
	c, at := looted(17)
	c.Add("Italy", &events.IncomeCollected{Power: "Italy", Base: 10, Net: 10, Treasury: 13})
	c.Correct(at, "Italy", &events.TerritoryCaptured{Territory: "India", By: "Italy", LootFrom: "UK Pacific",
		LootTo: "Italy", Loot: 17})
	r := report(t, c)
	if x := treasury(t, r, "Japan"); x.InHand != 0 || x.Loot != 0 || x.Movements[1].Change != 0 ||
		x.Movements[1].Corrected[0].IPCs != 17 {
		t.Errorf("the captor that was not: %+v", x)
	}
	if x := treasury(t, r, "Italy"); x.InHand != 30 || x.Loot != 17 || x.Adjusted != 0 ||
		x.Movements[1].What != "loot" {
		t.Errorf("the captor: %+v", x)
	}
	if x := treasury(t, r, "UK Pacific"); x.InHand != 0 || x.Loot != -17 {
		t.Errorf("the loser: %+v", x)
	}
	if len(r.Captures) != 2 || r.Captures[0].CorrectedBy != r.Captures[1].Event {
		t.Errorf("captures: %+v", r.Captures)
	}
}

// A correction of research shares the cost anew.
func TestCorrectedResearch(t *testing.T) {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Treasuries: []events.Treasury{{Power: "UK Europe", IPCs: 20},
		{Power: "UK Pacific", IPCs: 10}}})
	at := c.Add("UK", &events.ResearchPaid{Power: "UK", Cost: 5,
		Payments: []events.Payment{{Treasury: "UK Europe", Paid: 5, Left: 15}, {Treasury: "UK Pacific", Left: 10}}})
	c.Correct(at, "UK", &events.ResearchPaid{Power: "UK", Cost: 5,
		Payments: []events.Payment{{Treasury: "UK Europe", Paid: 2, Left: 18}, {Treasury: "UK Pacific", Paid: 3,
			Left: 7}}})
	r := report(t, c)
	want := map[string]income.Treasury{"UK Europe": {Research: 2, InHand: 18}, "UK Pacific": {Research: 3, InHand: 7}}
	for name, w := range want {
		if x := treasury(t, r, name); x.Research != w.Research || x.InHand != w.InHand || x.Adjusted != 0 {
			t.Errorf("%s: %+v", name, x)
		}
	}
}

// TestTotalOfTerritory: what a territory has taken in a turn of the attacker counts whoever held it (AAR-4-TOTAL).
func TestTotalOfTerritory(t *testing.T) {
	r := income.Report{}
	for victim, damage := range []int64{16, 0} {
		r.Attacks = append(r.Attacks, income.Target{Ordinal: 1, Attacker: "Germany", Territory: "UK", Damage: damage,
			Victim: []string{"UK", "US"}[victim], Limit: 16, Attacks: []income.Attack{{Kind: "sbr"}}})
	}
	table := r.AttackTable()
	for i, row := range table.Rows {
		if got := row[len(row)-1].String(); got != "16/16" {
			t.Errorf("row %d: %q", i, got)
		}
	}
}
