package g40

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

type citation = events.Citation

// rockets is a request on the chain A to F, N being neutral beside B and C.
func rocketsAt(attacks, rest string) string {
	return fmt.Sprintf(
		`{"links":[["A","B"],["B","N"],["N","D"],["D","E"],["E","F"],["F","G"],["B","C"],["C","X"],["X","Y"],
			["Y","D"]],"neutrals":["N"],
		"air_bases":[{"territory":"A"},{"territory":"B","operative":false},{"territory":"C"}],
		"facilities":[{"territory":"X","facility":"minor_ic","damage":4},{"territory":"D","facility":"air_base"},
		{"territory":"G","facility":"major_ic"},{"territory":"Y","facility":"naval_base","enemy":false}],
		"attacks":[%s]%s}`, attacks, rest)
}

const fromA = `{"from":"A","territory":"X","facility":"minor_ic","roll":4}`

// refusals are requests with every rule that they break, in the order in which it is named.
var refusals = []struct {
	procedure, request string
	rules              []string
}{
	{"convoy-disruption",
		`{"territories":[{"name":"a","ipc_value":1,"convoy_sea_zones":[]},{"name":"a","ipc_value":1,` +
			`"convoy_sea_zones":["1"]}],"raiders":[]}`, []string{"INPUT"}},
	{"convoy-disruption",
		`{"territories":[],"raiders":[{"sea_zone":"1","power":"Germany","unit":"submarine","count":2000000}]}`,
		[]string{"INPUT"}},
	{"convoy-disruption", `{"territories":[],"raiders":[{"sea_zone":"1","power":"Germany","unit":"fighter"}]}`,
		[]string{"INPUT"}},
	{"income", `{"europe":{"territory_income":3,"treasury":4,"spending":5},"pacific":{"territory_income":3,` +
		`"treasury":40}}`, []string{"G40-UK-SEPARATE"}},
	{"income", `{"europe":{"territory_income":3,"treasury":9,"spending":5,"capital_held_by_axis":true},` +
		`"pacific":{"territory_income":3,"spending":1}}`, []string{"G40-UK-HELD", "G40-UK-SEPARATE"}},
	{"income", `{"europe":{"territory_income":9999999},"pacific":{"territory_income":3}}`, []string{"INPUT"}},
	{"research-payment", `{"cost":5,"europe_pays":3,"pacific_pays":1,"europe_treasury":9,"pacific_treasury":9}`,
		[]string{"G40-UK-RD"}},
	{"research-payment", `{"cost":5,"europe_pays":5,"pacific_pays":1,"europe_treasury":9,"pacific_treasury":9}`,
		[]string{"G40-UK-RD"}},
	{"research-payment", `{"cost":5,"europe_pays":5,"europe_treasury":4,"pacific_treasury":9}`,
		[]string{"G40-UK-SEPARATE", "G40-UK-RD"}},
	{"research-payment",
		`{"cost":5,"europe_pays":2,"pacific_pays":3,"europe_treasury":4,"pacific_treasury":9,` +
			`"pacific_capital_held_by_axis":true}`, []string{"G40-UK-HELD"}},
	{"capital-capture", `{"captured":"london","by":"UK","ipcs":3}`, []string{"G40-UK-LOOT"}},
	{"capital-capture", `{"captured":"calcutta","by":"Atlantis","ipcs":3}`, []string{"G40-UK-LOOT"}},
	{"capital-capture", `{"captured":"rome","by":"japanese","ipcs":3}`, []string{"G40-UK-AXIS-CAPITAL"}},
	{"capital-capture", `{"captured":"paris","by":"germany","ipcs":3}`, []string{"INPUT"}},
	{"rockets", rocketsAt(fromA, `,"rockets":false`), []string{"G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(fromA, `,"step":"other"`), []string{"G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(fromA+","+fromA, ``), []string{"G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(`{"from":"B","territory":"X","facility":"minor_ic","roll":4}`, ``),
		[]string{"G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(`{"from":"X","territory":"X","facility":"minor_ic","roll":4}`, ``),
		[]string{"G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(`{"from":"A","territory":"X","facility":"major_ic","roll":4}`, ``),
		[]string{"G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(`{"from":"A","territory":"Y","facility":"naval_base","roll":4}`, ``),
		[]string{"G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(`{"from":"A","territory":"G","facility":"major_ic","roll":4}`, ``),
		[]string{"G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(`{"from":"A","territory":"D","facility":"air_base","roll":4}`, ``),
		[]string{"G40-TECH-ROCKETS-NEUTRAL", "G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(`{"from":"B","territory":"G","facility":"minor_ic","roll":4},{"from":"A","territory":"D",`+
		`"facility":"air_base","roll":1}`, `,"step":"other"`),
		[]string{"G40-TECH-ROCKETS", "G40-TECH-ROCKETS-NEUTRAL", "G40-TECH-ROCKETS"}},
	{"rockets", rocketsAt(`{"from":"A","territory":"X","facility":"minor_ic","roll":7}`, ``), []string{"INPUT"}},
	{"rockets", `{"links":[["A","B"]],"air_bases":[{"territory":"A"},{"territory":"A"}],
		"facilities":[{"territory":"B","facility":"minor_ic"},{"territory":"B","facility":"major_ic"}],
		"attacks":[{"from":"A","territory":"B","facility":"minor_ic","roll":1}]}`, []string{"INPUT", "G40-SBR-ONE"}},
	{"tech", `{"techs":[],"unit":"fighter","question":"cost"}`, []string{"G40-TECH-UNKNOWN"}},
	{"tech", `{"techs":["improved_shipyards"],"unit":"submarine","question":"cost"}`, []string{"G40-TECH-UNKNOWN"}},
	{"tech", `{"techs":["improved_shipyards"],"unit":"cruiser","question":"attack_value"}`,
		[]string{"G40-TECH-UNKNOWN"}},
	{"tech", `{"techs":[],"unit":"tactical_bomber","question":"interceptor_hits_on"}`, []string{"G40-TECH-UNKNOWN"}},
	{"tech", `{"techs":[],"unit":"strategic_bomber","question":"attack_value"}`, []string{"G40-TECH-UNKNOWN"}},
	{"tech", `{"techs":[],"unit":"fighter","question":"may_blitz"}`, []string{"G40-TECH-UNKNOWN"}},
	{"tech", `{"techs":[],"unit":"cruiser","question":"convoy_loss"}`, []string{"G40-TECH-UNKNOWN"}},
	{"tech", `{"techs":["radar"],"unit":"cruiser","question":"cost"}`, []string{"INPUT"}},
	{"industrial-complex", `{"action":"build_major","territory":"France","by":"Germany","original_owner":"France"}`,
		[]string{"G40-IC-MAJOR"}},
	{"industrial-complex",
		`{"action":"build_major","territory":"Scotland","by":"UK","original_owner":"British","controller":"Germany"}`,
		[]string{"G40-IC-MAJOR"}},
	{"industrial-complex",
		`{"action":"upgrade_to_major","territory":"France","by":"Germany","original_owner":"France",` +
			`"complex":"minor","controller":"Germans"}`, []string{"G40-IC-CAPTURED", "G40-IC-MAJOR"}},
	{"industrial-complex", `{"action":"upgrade_to_major","territory":"France","by":"France","original_owner":"France"}`,
		[]string{"INPUT"}},
	{"industrial-complex",
		`{"action":"upgrade_to_major","territory":"France","by":"France","original_owner":"France",` +
			`"controller":"Germany","complex":"minor"}`, []string{"G40-IC-CAPTURED", "G40-IC-MAJOR"}},
	{"industrial-complex",
		`{"action":"build_major","territory":"France","by":"France","original_owner":"France","complex":"major"}`,
		[]string{"INPUT"}},
	{"industrial-complex",
		`{"action":"capture","territory":"France","by":"Germany","original_owner":"France","controller":"germans",` +
			`"complex":"minor"}`, []string{"INPUT"}},
}

func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		r := rulestest.Answer(t, rulestest.Named(t, Procedures(), "g40."+c.procedure), []byte(c.request))
		var named []string
		for _, v := range r.Violations {
			named = append(named, v.Rule)
		}
		if named = slices.Compact(named); r.OK || !slices.Equal(named, c.rules) {
			t.Errorf("%s %s\nwant %v, got %+v", c.procedure, c.request, c.rules, r.Violations)
		}
	}
}

// TestRulings plays the ruling books.
func TestRulings(t *testing.T) { rulestest.Rulings(t, "g40", Procedures()) }

func TestPinned(t *testing.T) { rulestest.Pinned(t, System()) }

// TestUnitSheet holds the printed figures against the inventory's list (6.6), and every other cell
// of the sheet to be a figure that the text gives nowhere.
func TestUnitSheet(t *testing.T) {
	want := map[string]string{
		"AA_gun/cost": "5", "AA_gun/attack": "none", "AA_gun/paired": "none", "AA_gun/defense": "none",
		"AA_gun/move":                     "1",
		"cruiser+improved_shipyards/cost": "9",
		"fighter/attack":                  "3", "fighter+jet_fighters/attack": "4", "fighter/escort": "1",
		"fighter+jet_fighters/escort": "2",
		"fighter/interceptor":         "2", "fighter+jet_fighters/interceptor": "2", "strategic_bomber/escort": "1",
		"tactical_bomber/escort": "1",
		"submarine/attack":       "2", "submarine+super_submarines/attack": "3", "submarine/convoy": "2",
		"submarine+super_submarines/convoy": "3",
		"mechanized_infantry/attack":        "1", "mechanized_infantry/paired": "1",
		"mechanized_infantry/blitz":                               "tank",
		"mechanized_infantry+improved_mechanized_infantry/attack": "1",
		"mechanized_infantry+improved_mechanized_infantry/paired": "2",
		"mechanized_infantry+improved_mechanized_infantry/blitz":  "yes",
	}
	for _, row := range unitTable.Rows {
		for i, column := range unitTable.Columns {
			figure, ok := want[row.Label+"/"+column]
			if !ok {
				figure = "-"
			}
			if row.Cells[i] != figure {
				t.Errorf("%s, %s: %s, want %s", row.Label, column, row.Cells[i], figure)
			}
			delete(want, row.Label+"/"+column)
		}
	}
	if len(want) > 0 {
		t.Errorf("the sheet is without %v", want)
	}
}

// TestFacilitySheet: 20 for a major complex, 6 for any other facility (G40-SBR-CAP); tactical bombers
// raid bases alone (G40-SBR-TAC).
func TestFacilitySheet(t *testing.T) {
	for _, row := range facilityTable.Rows {
		limit, tactical := "6", "yes"
		switch Facility(row.Label) {
		case MajorIC:
			limit, tactical = "20", "no"
		case MinorIC:
			tactical = "no"
		}
		if !slices.Equal(row.Cells, []string{limit, "yes", tactical}) {
			t.Errorf("%s: %v", row.Label, row.Cells)
		}
	}
	if len(facilityTable.Rows) != 4 {
		t.Errorf("%d facilities", len(facilityTable.Rows))
	}
}

// TestConvoySheet: the printed figures are the defaults of their options.
func TestConvoySheet(t *testing.T) {
	for _, row := range convoyTable.Rows {
		option, ok := OptionList().Named(row.Cells[1])
		if !ok || option.Default() != row.Cells[0] {
			t.Errorf("%s: %v", row.Label, row.Cells)
		}
	}
}

func TestPowerNamed(t *testing.T) {
	for name, want := range map[string]Power{
		"united_kingdom": UnitedKingdom, "UK": UnitedKingdom, "British": UnitedKingdom, "Germans": Germany,
		"GERMANY":      Germany,
		"Soviet-Union": SovietUnion, "Russians": SovietUnion, "Anzac": ANZAC, "Americans": UnitedStates,
	} {
		if got, ok := PowerNamed(name); !ok || got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	if _, ok := PowerNamed("Atlantis"); ok || samePower("Atlantis", "UK") || !samePower("Atlantis", "atlantis") ||
		!samePower("UK", "british") {
		t.Error("names are mixed up")
	}
}
