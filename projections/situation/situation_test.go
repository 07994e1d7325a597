package situation_test

import (
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/situation"
)

var update = flag.Bool("update", false, "write the files that the views are held against")

func fold(t testing.TB, c *recordtest.Campaign) projections.View {
	t.Helper()
	v, err := projections.Fold(situation.Projection(), c.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func report(t testing.TB, c *recordtest.Campaign) situation.Report {
	t.Helper()
	return fold(t, c).Report().(situation.Report)
}

// begin opens a campaign in its first ROUND.
func begin() *recordtest.Campaign {
	c := recordtest.Begin(1)
	c.Add("", &events.CampaignOpened{Sides: []string{"Russia", "Germany", "UK", "Japan", "US"}})
	c.Turn(1, "Round 1")
	return c
}

func control(territory string, names ...string) *events.FactReported {
	return &events.FactReported{Fact: "control", Subject: territory, Names: names}
}

func boats(power string, zones ...string) *events.SubmarinesReported {
	p := &events.SubmarinesReported{Power: power}
	for i, zone := range zones {
		p.Submarines = append(p.Submarines, events.Submarine{Name: power + " " + string(rune('A'+i)), Zone: zone})
	}
	return p
}

func raid(territory, zone string, damage int) *events.ConvoyRaided {
	return &events.ConvoyRaided{Victim: "UK", Territory: territory, Owner: "Germany", Submarine: "Germany A",
		Zone: zone, Damage: damage}
}

func holders(r situation.Report) map[string]string {
	list := map[string]string{}
	for _, h := range r.Territories {
		list[h.Territory] = h.Holder
	}
	return list
}

// stations counts the submarines by power and zone.
func stations(r situation.Report) map[string]int {
	list := map[string]int{}
	for _, s := range r.Submarines {
		list[s.Power+" in "+s.Zone] = s.Count
	}
	return list
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%s:\ngot  %+v\nwant %+v", what, got, want)
	}
}

// What is reported and what is captured both say who holds a territory: whichever comes last.
func TestWhoHolds(t *testing.T) {
	c := begin()
	c.Add("US", control("France", "US"))
	c.Add("", control("Spain"))
	at := c.Add("Germany", &events.TerritoryCaptured{Territory: "France", By: "Germany", From: "US", Holder: "Germany"})
	freed := c.Add("US", &events.TerritoryCaptured{Territory: "Malaya", By: "US", From: "Japan", Holder: "UK"})
	c.Add("", &events.FactReported{Fact: "control", Subject: "Sweden", Names: []string{"Germany"}, Secret: true})
	r := report(t, c)
	same(t, "holders", holders(r), map[string]string{"France": "Germany", "Spain": "", "Malaya": "UK"})
	same(t, "France", r.Territories[0].Event, at)
	same(t, "Malaya", r.Territories[2], situation.Holding{
		Place: projections.Place{Event: freed, Ordinal: 1, Turn: "Round 1"}, Territory: "Malaya", Holder: "UK",
		Captor: "US", Captured: "Japan",
	})
}

// A correction stands where the first stood: what came after it counts on. It may name another
// territory; the first then has who had it before.
func TestCorrectedHolder(t *testing.T) {
	c := begin()
	c.Add("Germany", control("France", "Germany"))
	wrong := c.Add("US", control("France", "US"))
	other := c.Add("UK", control("Norway", "UK"))
	c.Turn(2, "Round 2")
	c.Add("Russia", control("Norway", "Russia"))
	first := c.Correct(wrong, "US", control("Brittany", "US"))
	c.Correct(other, "UK", control("Norway", "US"))
	r := report(t, c)
	same(t, "holders", holders(r), map[string]string{"France": "Germany", "Brittany": "US", "Norway": "Russia"})
	for _, h := range r.Territories {
		if h.Territory == "Brittany" && (h.Event != first || h.Corrects != wrong || h.Ordinal != 1) {
			t.Errorf("%+v", h)
		}
	}
	for _, of := range []uint64{wrong, first} {
		d := *c
		again := d.Correct(of, "US", control("France", "UK"))
		r := report(t, &d)
		same(t, "corrected again", holders(r), map[string]string{"France": "UK", "Norway": "Russia"})
		same(t, "the event", r.Territories[0].Event, again)
	}
}

// A report of a power's submarines replaces the one before, wherever they lay.
func TestSubmarinesReported(t *testing.T) {
	c := begin()
	old := c.Add("Germany", boats("Germany", "8 Sea Zone", "8 Sea Zone", "9 Sea Zone"))
	c.Add("Japan", boats("Japan", "60 Sea Zone"))
	same(t, "first", stations(report(t, c)), map[string]int{"Germany in 8 Sea Zone": 2, "Germany in 9 Sea Zone": 1,
		"Japan in 60 Sea Zone": 1})
	c.Add("Germany", boats("Germany", "6 Sea Zone"))
	c.Correct(old, "Germany", boats("Germany", "7 Sea Zone"))
	same(t, "then", stations(report(t, c)), map[string]int{"Germany in 6 Sea Zone": 1, "Japan in 60 Sea Zone": 1})
	same(t, "in the order of the opening", report(t, c).Submarines[0].Power, "Germany")
	c.Add("Germany", boats("Germany"))
	same(t, "none left", stations(report(t, c)), map[string]int{"Japan in 60 Sea Zone": 1})
}

// What was found or dived is said of the game turn that is on, and of no other.
func TestHunted(t *testing.T) {
	c := begin()
	c.Add("Germany", boats("Germany", "8 Sea Zone", "8 Sea Zone"))
	hunt := c.Add("UK", &events.SubmarinesHunted{Zone: "8 Sea Zone", Attacker: "UK", Groups: []events.HuntedGroup{
		{Power: "Germany", Submarines: []string{"Germany A"}, Detected: true},
		{Power: "Germany", Submarines: []string{"Germany B"}},
	}})
	dive := c.Add("Germany", &events.SubmarinesSubmerged{Power: "Germany", Zone: "8 Sea Zone", Turn: "UK",
		Submarines: []string{"Germany B"}})
	same(t, "hunted", report(t, c).Submarines[0].Submarines, []situation.Submarine{{Name: "Germany A", Detected: hunt},
		{Name: "Germany B", Submerged: dive}})
	stated := c.Add("US", &events.FactReported{Fact: "submerged", Subject: "US", Names: []string{"Germany A"}})
	same(t, "reported", report(t, c).Submarines[0].Submarines[0].Submerged, stated)
	c.Turn(2, "Round 2")
	same(t, "later", report(t, c).Submarines[0].Submarines, []situation.Submarine{{Name: "Germany A"},
		{Name: "Germany B"}})
}

// Where units are counted by kind, submarines are placed and lost with the others.
func TestSubmarinesCounted(t *testing.T) {
	c := begin()
	unit := func(name string, n int) []events.Unit { return []events.Unit{{Name: name, Count: n}} }
	c.Add("Germany", &events.UnitsReported{Power: "Germany", Space: "109 Sea Zone", Units: append(unit("submarine", 3),
		unit("cruiser", 1)...)})
	c.Add("Germany", &events.UnitsMobilized{Power: "Germany", Space: "109 Sea Zone", Units: unit("submarine", 2)})
	lost := c.Add("Germany", &events.UnitsLost{Power: "Germany", Space: "109 Sea Zone", Units: unit("submarine", 1)})
	c.Add("Germany", &events.UnitsLost{Power: "Germany", Space: "109 Sea Zone", Units: unit("cruiser", 1)})
	c.Add("Italy", &events.UnitsReported{Power: "Italy", Space: "95 Sea Zone", Units: unit("cruiser", 1)})
	r := report(t, c)
	same(t, "counted", stations(r), map[string]int{"Germany in 109 Sea Zone": 4})
	same(t, "the event", r.Submarines[0].Event, lost)
	c.Correct(lost, "Germany", &events.UnitsLost{Power: "Germany", Space: "109 Sea Zone", Units: unit("submarine", 9)})
	same(t, "all lost", stations(report(t, c)), map[string]int{})
	c.Add("Germany", &events.UnitsReported{Power: "Germany", Space: "109 Sea Zone", Units: unit("submarine", 1)})
	same(t, "reported anew", stations(report(t, c)), map[string]int{"Germany in 109 Sea Zone": 1})
}

// Of each territory the raids of the last game turn that has some are shown. One that was overlooked
// belongs to the game turn of what it corrects.
func TestRaids(t *testing.T) {
	c := begin()
	c.Add("UK", raid("United Kingdom", "8 Sea Zone", 2))
	c.Add("UK", raid("Eastern Canada", "9 Sea Zone", 1))
	collected := c.Add("UK", &events.IncomeCollected{Power: "UK"})
	c.Turn(2, "Round 2")
	second := c.Add("UK", raid("United Kingdom", "7 Sea Zone", 1))
	both := c.Add("UK", &events.ConvoyDisrupted{Victim: "UK", Territory: "United Kingdom", Zone: "9 Sea Zone",
		Damage: 3, Raiders: []events.Raid{
			{Power: "Germany", Unit: "submarine", Count: 1}, {Power: "Germany", Unit: "cruiser", Count: 1},
			{Power: "Italy", Unit: "cruiser", Count: 1},
		}})
	c.Correct(collected, "UK", raid("United Kingdom", "8 Sea Zone", 2))
	overlooked := c.Correct(collected, "UK", raid("Eastern Canada", "9 Sea Zone", 2))
	want := []situation.Raided{
		{Territory: "United Kingdom", Victim: "UK", Ordinal: 2, Turn: "Round 2", Damage: 4, Raids: []situation.Raid{
			{Event: second, Powers: []string{"Germany"}, Submarine: "Germany A", Zone: "7 Sea Zone", Damage: 1},
			{Event: both, Powers: []string{"Germany", "Italy"}, Zone: "9 Sea Zone", Damage: 3},
		}},
		{Territory: "Eastern Canada", Victim: "UK", Ordinal: 1, Turn: "Round 1", Damage: 3, Raids: []situation.Raid{
			{Event: 3, Powers: []string{"Germany"}, Submarine: "Germany A", Zone: "9 Sea Zone", Damage: 1},
			{Event: overlooked, Powers: []string{"Germany"}, Submarine: "Germany A", Zone: "9 Sea Zone", Damage: 2,
				Corrects: collected},
		}},
	}
	same(t, "raids", report(t, c).Raids, want)
	c.Correct(second, "UK", raid("United Kingdom", "7 Sea Zone", 0))
	same(t, "corrected", report(t, c).Raids[0].Damage, int64(3))
}

// Damage to facilities stands until it is repaired; an upgrade takes it along.
func TestFacilities(t *testing.T) {
	c := begin()
	c.Add("", &events.FacilitiesReported{Territory: "Malta",
		Facilities: []events.Facility{{Kind: "air_base", Damage: 2}, {Kind: "minor_ic"}}})
	hit := c.Add("Germany", &events.FacilityDamaged{Territory: "Malta", Facility: "minor_ic", Victim: "UK",
		Attacker: "Germany", Cause: "rockets", From: "Sicily", Before: 1, Damage: 3, Limit: 6})
	c.Add("UK", &events.FacilitiesRepaired{Power: "UK",
		Repairs: []events.Repair{{Territory: "Malta", Facility: "air_base", Damage: 2}}})
	r := report(t, c)
	same(t, "damage", r.Facilities,
		[]situation.Facility{{Place: projections.Place{Event: hit, Ordinal: 1, Turn: "Round 1"}, Territory: "Malta",
			Facility: "minor_ic", Damage: 4, Limit: 6}})
	same(t, "attacks", r.Bombings[0].Attacks, []situation.Attack{{Event: hit, Kind: "rockets", Power: "Germany",
		Facility: "minor_ic", From: "Sicily", Damage: 3}})
	c.Add("UK", &events.FacilityBuilt{Power: "UK", Territory: "Malta", Facility: "major_ic", Was: "minor_ic"})
	same(t, "upgraded", report(t, c).Facilities[0].Facility, "major_ic")
	c.Add("Germany", &events.TerritoryCaptured{Territory: "Malta", By: "Germany", Holder: "Germany", Was: "major_ic",
		Complex: "minor_ic"})
	same(t, "captured", report(t, c).Facilities[0].Facility, "minor_ic")
}

func TestOperations(t *testing.T) {
	c := begin()
	declared := c.Add("UK", &events.OperationDeclared{Operation: "D-Day", By: "UK", Target: "France"})
	same(t, "declared", report(t, c).Operations[0].Carried, uint64(0))
	carried := c.Add("US", &events.OperationCarriedOut{Operation: "D-Day", By: "US", Target: "France"})
	same(t, "carried out", report(t, c).Operations, []situation.Operation{
		{Place: projections.Place{Event: declared, Ordinal: 1, Turn: "Round 1"}, Operation: "D-Day", By: "UK",
			Target: "France", Carried: carried},
	})
}

// What was voided is not there, and what takes its place stands where it was.
func TestVoided(t *testing.T) {
	c := begin()
	c.Add("Germany", control("France", "Germany"))
	wrong := c.Add("US", control("France", "US"))
	sunk := c.Add("Germany", boats("Germany", "8 Sea Zone"))
	c.Add("", &events.Voided{Events: []uint64{wrong, sunk}, Reason: "not yet"})
	r := report(t, c)
	same(t, "holders", holders(r), map[string]string{"France": "Germany"})
	same(t, "submarines", len(r.Submarines), 0)
}

// At every index, the view that is saved and loaded is the view.
func TestSavedAndLoaded(t *testing.T) {
	c := recordtest.Facilities(3, 4)
	v := situation.Projection().New()
	for i, e := range recordtest.Rows(c.Events) {
		v.Apply(e, nil)
		again := situation.Projection().New()
		if err := again.Load(v.Save()); err != nil {
			t.Fatalf("after event %d: %v", i, err)
		}
		same(t, "loaded", again.Report(), v.Report())
	}
	if situation.Projection().New().Load([]byte{9, 9}) == nil {
		t.Error("loads what nobody saved")
	}
}

// The situation as it is printed.
func TestTables(t *testing.T) {
	c := begin()
	c.Add("Germany", boats("Germany", "8 Sea Zone", "8 Sea Zone", "9 Sea Zone"))
	c.Add("Germany", &events.TerritoryCaptured{Territory: "France", By: "Germany", From: "UK", Holder: "Germany"})
	c.Add("", control("Spain"))
	c.Add("Germany", &events.EconomicAttackMade{Kind: "sbr", Attacker: "Germany", Victim: "UK",
		Territory: "United Kingdom", Rolled: 9, Limit: 8, Damage: 8})
	c.Add("Germany", &events.FacilityDamaged{Territory: "Malta", Facility: "air_base", Victim: "UK",
		Attacker: "Germany", Cause: "bombing raid", Damage: 3, Limit: 6})
	c.Add("UK", &events.SubmarinesHunted{Zone: "8 Sea Zone", Attacker: "UK",
		Groups: []events.HuntedGroup{{Power: "Germany", Submarines: []string{"Germany A"}, Detected: true}}})
	c.Add("Germany", &events.SubmarinesSubmerged{Power: "Germany", Zone: "8 Sea Zone", Turn: "UK",
		Submarines: []string{"Germany B"}})
	c.Add("UK", raid("United Kingdom", "8 Sea Zone", 2))
	c.Add("UK", raid("United Kingdom", "9 Sea Zone", 1))
	c.Add("UK", &events.OperationDeclared{Operation: "D-Day", By: "UK", Target: "France"})
	var text strings.Builder
	for _, table := range fold(t, c).Tables() {
		text.WriteString(table.String() + "\n")
	}
	const golden = "testdata/round.txt"
	if *update {
		if err := os.WriteFile(golden, []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("got\n%s\nwant, as %s has it,\n%s", text.String(), golden, want)
	}
}

// TestReducedComplex: a major complex that falls becomes a minor one, which has 6 damage at most; a base keeps its own.
func TestReducedComplex(t *testing.T) {
	c := begin()
	for kind, limit := range map[string]int{"major_ic": 20, "air_base": 6} {
		c.Add("Germany", &events.FacilityDamaged{Territory: "UK", Facility: kind, Victim: "UK", Attacker: "Germany",
			Damage: limit / 2, Limit: limit})
	}
	c.Add("Germany", &events.TerritoryCaptured{Territory: "UK", By: "Germany", From: "UK", Holder: "Germany",
		Was: "major_ic", Complex: "minor_ic"})
	got := map[string]int64{}
	for _, f := range report(t, c).Facilities {
		got[f.Facility] = f.Damage
	}
	same(t, "damage", got, map[string]int64{"minor_ic": 6, "air_base": 3})
}
