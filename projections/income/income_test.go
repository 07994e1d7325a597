package income_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
)

var update = flag.Bool("update", false, "write the files that the views are held against")

func fold(t testing.TB, c *recordtest.Campaign) projections.View {
	t.Helper()
	v, err := projections.Fold(income.Projection(), c.Records(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

func report(t testing.TB, c *recordtest.Campaign) income.Report {
	t.Helper()
	return fold(t, c).Report().(income.Report)
}

// round is a written-out ROUND, with the indexes of its events.
type round struct {
	*recordtest.Campaign
	submarines, sbr, rockets, purchase uint64
	ukRaids                            []uint64
	uk, usRaid, us                     uint64
}

// play writes the ROUND. Germany bombs the United Kingdom to twice its 8 (AAR-4-TOTAL). In the
// TURN of the UK three submarines raid: two the 3 of Eastern Canada, so that one of the second's
// 2 is cut off (AAR-4-CAP), one the United Kingdom, as the TURNS have limits of their own
// (AAR-4-TURNS). The one in SZ 9 raids once in the TURN of the UK and again in that of the US
// (AAR-4-ONE-IC). The one in SZ 7 has submerged: it lies there and raids nobody (AAR-4-SUBMERGED).
func play() round {
	r := round{Campaign: recordtest.Begin(1)}
	r.Add("", &events.CampaignOpened{
		System: "aar", Sides: []string{"Russia", "Germany", "UK", "Japan", "US"},
		Treasuries: []events.Treasury{{Power: "Germany", IPCs: 40}, {Power: "UK", IPCs: 30}, {Power: "US", IPCs: 42}},
	})
	r.Turn(2, "Round 2")
	r.submarines = r.Add("Germany", &events.SubmarinesReported{Power: "Germany", Submarines: []events.Submarine{
		{Name: "7 Sea Zone #1", Zone: "7 Sea Zone"}, {Name: "8 Sea Zone #1", Zone: "8 Sea Zone"},
		{Name: "9 Sea Zone #1", Zone: "9 Sea Zone"}, {Name: "U-47", Zone: "9 Sea Zone"},
	}})
	r.sbr = r.Add("Germany", attack("sbr", 11, 0, 11))
	r.rockets = r.Add("Germany", attack("rockets", 6, 11, 5))
	r.purchase = r.Add("UK", &events.UnitsPurchased{
		Power: "UK", Cost: 11, Units: []events.Unit{{Name: "infantry", Count: 1}, {Name: "destroyer", Count: 1}},
		Treasury: 3,
	})
	for _, x := range []events.ConvoyRaided{
		{Territory: "Eastern Canada", Submarine: "U-47", Zone: "9 Sea Zone", Distance: 1, Reach: 2, Damage: 2,
			Declared: true},
		{Territory: "Eastern Canada", Submarine: "9 Sea Zone #1", Zone: "9 Sea Zone", Distance: 1, Reach: 2, Damage: 1,
			Cap: "AAR-4-CAP", Limit: 3},
		{Territory: "United Kingdom", Submarine: "8 Sea Zone #1", Zone: "8 Sea Zone", Distance: 1, Reach: 2, Damage: 2},
	} {
		x.Victim, x.Owner = "UK", "Germany"
		r.ukRaids = append(r.ukRaids, r.Add("UK", &x))
	}
	r.uk = r.Add("UK", &events.IncomeCollected{Power: "UK", Base: 30, Board: 28, Typed: true, Damage: 5, Net: 25,
		Treasury: 28})
	r.usRaid = r.Add("US", &events.ConvoyRaided{
		Victim: "US", Territory: "Eastern United States", Submarine: "U-47", Owner: "Germany", Zone: "9 Sea Zone",
		Distance: 2, Reach: 1, Damage: 1,
	})
	r.us = r.Add("US", &events.IncomeCollected{Power: "US", Base: 42, Board: 42, Damage: 1, Net: 41, Treasury: 83})
	r.Add("Germany", &events.IncomeCollected{Power: "Germany", Base: 40, Board: 40, Net: 40, Treasury: 80})
	return r
}

func attack(kind string, rolled, before, damage int) *events.EconomicAttackMade {
	return &events.EconomicAttackMade{
		Kind: kind, Attacker: "Germany", Victim: "UK", Territory: "United Kingdom", Rolled: rolled, Before: before,
		Limit: 16, Damage: damage,
	}
}

// The ROUND as it is printed and as JSON: both are read, so both stay as they are.
func TestRound(t *testing.T) {
	goldens(t, "round", fold(t, play().Campaign))
}

// goldens holds a view against testdata/name.txt and name.json.
func goldens(t *testing.T, name string, v projections.View) {
	t.Helper()
	var text strings.Builder
	for _, table := range v.Tables() {
		text.WriteString(table.String() + "\n")
	}
	golden(t, "testdata/"+name+".txt", []byte(text.String()))
	b, err := json.MarshalIndent(v.Report(), "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "testdata/"+name+".json", append(b, '\n'))
}

func golden(t *testing.T, name string, got []byte) {
	t.Helper()
	if *update {
		if err := os.WriteFile(name, got, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Errorf("got\n%s\nwant, as %s has it,\n%s", got, name, want)
	}
}

// AAR-4-ONE-IC: one submarine raids two powers in one ROUND, each in its own TURN, and is counted
// for both; the submerged one is known to lie in its zone, and has no raid.
func TestOneSubmarineTwoPowers(t *testing.T) {
	r := report(t, play().Campaign)
	var victims []string
	for _, turn := range r.Turns {
		for _, x := range turn.Raids {
			if x.Submarine == "U-47" {
				victims = append(victims, turn.Power+" in "+turn.Turn)
			}
			if x.Zone == "7 Sea Zone" {
				t.Errorf("the submerged submarine raids: %+v", x)
			}
		}
	}
	if want := []string{"UK in Round 2", "US in Round 2"}; !reflect.DeepEqual(victims, want) {
		t.Errorf("U-47 raids %q, want %q", victims, want)
	}
	if x := r.Raiders[0]; x.Power != "Germany" || x.Raids != 4 || x.Damage != 6 || len(x.Submarines) != 4 ||
		x.Submarines[0].Zone != "7 Sea Zone" {
		t.Errorf("raiders: %+v", r.Raiders)
	}
}

// Between the raids and the income, a TURN is not collected: the raids show, and nothing is lost.
func TestRaidsBeforeTheIncome(t *testing.T) {
	c := play()
	v := income.Projection().New()
	for _, e := range recordtest.Rows(c.Events[:c.uk]) {
		v.Apply(e, nil)
	}
	r := v.Report().(income.Report)
	if len(r.Turns) != 1 || r.Turns[0].Income != nil || len(r.Turns[0].Raids) != 3 {
		t.Fatalf("turns: %+v", r.Turns)
	}
	if want := (income.Total{Power: "UK", LostToAttacks: 16}); len(r.Totals) != 1 || r.Totals[0] != want {
		t.Errorf("totals: %+v, want %+v", r.Totals, want)
	}
	if got, want := v.Tables()[1].Title, "UK, Round 2: raids 5 so far, income not collected yet"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	last := v.Tables()[0].Plain().Rows[0]
	if want := []string{"Round 2", "UK", "not yet", "", "-5"}; !reflect.DeepEqual(last, want) {
		t.Errorf("%q, want %q", last, want)
	}
}

// AAR-4-FLOOR: what the raids would take beyond the base is damage, and not lost.
func TestFloor(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Round 1")
	c.Add("UK", &events.ConvoyRaided{Victim: "UK", Owner: "Germany", Damage: 5})
	c.Add("UK", &events.IncomeCollected{Power: "UK", Base: 3, Board: 3, Damage: 5, Net: 0, Treasury: 7})
	r := report(t, c)
	if x := r.Totals[0]; x.LostToRaids != 3 || x.Net != 0 || r.Raiders[0].Damage != 5 {
		t.Errorf("%+v, %+v", r.Totals, r.Raiders)
	}
	if got, want := fold(t, c).Tables()[1].Title, "UK, Round 1: base 3 − raids 5 leave 0 (#2)"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Raids whose income was never collected stay in their ROUND.
func TestTurnNeverCollected(t *testing.T) {
	c := recordtest.Begin(1)
	c.Turn(1, "Round 1")
	c.Add("UK", &events.ConvoyRaided{Victim: "UK", Owner: "Germany", Damage: 2})
	c.Turn(2, "Round 2")
	c.Add("UK", &events.IncomeCollected{Power: "UK", Base: 30, Board: 30, Net: 30, Treasury: 30})
	if r := report(t, c); len(r.Turns) != 2 || r.Turns[0].Income != nil || len(r.Turns[1].Raids) != 0 {
		t.Errorf("turns: %+v", r.Turns)
	}
}

// AAR-4-TURNS: each attacker's TURN has a limit of its own.
func TestAttackersApart(t *testing.T) {
	c := play()
	c.Add("Japan", &events.EconomicAttackMade{Kind: "sbr", Attacker: "Japan", Victim: "UK", Territory: "United Kingdom",
		Rolled: 4, Limit: 16, Damage: 4})
	r := report(t, c.Campaign)
	if len(r.Attacks) != 2 || r.Attacks[0].Damage != 16 || r.Attacks[1].Damage != 4 {
		t.Errorf("attacks: %+v", r.Attacks)
	}
}

// What the rules would not let happen, an income collected twice in a TURN, hides nothing.
func TestCollectedTwice(t *testing.T) {
	c := play()
	c.Add("UK", &events.IncomeCollected{Power: "UK", Base: 1, Board: 1, Net: 1, Treasury: 29})
	r := report(t, c.Campaign)
	if len(r.Turns) != 4 || r.Turns[0].Income.Net != 25 || r.Turns[3].Income.Net != 1 || r.Totals[1].Collected != 2 {
		t.Errorf("turns: %+v, totals: %+v", r.Turns, r.Totals)
	}
}

// Of another system's campaign there is nothing to show, and it says so.
func TestNothingCollected(t *testing.T) {
	v := fold(t, recordtest.War(1, 2))
	for _, table := range v.Tables() {
		if !strings.HasSuffix(table.String(), "\nnone yet\n") {
			t.Errorf("a table of nothing:\n%s", table)
		}
	}
	b, err := json.Marshal(v.Report())
	want :=
		`{"version":3,"turns":[],"economic_attacks":[],"facility_damage":[],"repairs":[],"purchases":[],` +
			`"facilities_built":[],` +
			`"research":[],"captures":[],"totals":[],"raiders":[],"convoy_zones":[],"treasuries":[]}`
	if err != nil || string(b) != want {
		t.Errorf("%s, %v, want %s", b, err, want)
	}
}
