package awaw

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// TestConsulted: what a ruling read in printed tables is noted, cell by cell, and is there.
func TestConsulted(t *testing.T) {
	for _, c := range []struct {
		procedure, request string
		want               [][3]string
	}{
		{"awaw.sw.table", `{"factors":64,"dice":[3,4]}`,
			[][3]string{{TableStrategicWarfare, "30", "7"}, {TableStrategicWarfare, "4", "7"}}},
		{"awaw.sw.table", `{"factors":0,"dice":[3,4]}`, nil},
		{"awaw.sw.submarine",
			`{"box":"atlantic","submarines":"european_axis","submarine_factors":8,"asw_factors":9,` +
				`"submarine_dice":[2,3],"asw_dice":[5,5],"cves":7}`,
			[][3]string{{TableCVEs, "Atlantic", "-1"}, {TableStrategicWarfare, "8", "4"},
				{TableStrategicWarfare, "9", "11"}}},
		{"awaw.sw.bombing",
			`{"theater":"pacific","bombing":{"bomber_factors":3,"bomber_dice":[2,3],"flak_dice":[6,5],` +
				`"excess_range":4,"target":{"cities":1}}}`,
			[][3]string{{TableBombingTargets, "city", "strength"}, {TableBombingRange, "Pacific", "hexes"},
				{TableBombingModifiers, "full step of excess range", "attacker"},
				{TableStrategicWarfare, "3", "6"}, {TableStrategicWarfare, "2", "10"}}},
		{"awaw.harbor-attack",
			`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
				`"target_hex":{"name":"Taranto"},"base":{"location":"on_board","operational_port":true,` +
				`"uninverted":true,"distance":20},"targets":[{"ship":"Littorio","dice":[6,4]}]}`,
			[][3]string{{TableHarborAttack, "Result", "10"}}},
		{"awaw.pearl-harbor.surprise", `{"usjt":33,"carrier_task_forces":[{"name":"TF 8","dice":[6,3]}]}`,
			[][3]string{{TablePearlHarbor, "DRM", "32-33"}, {TablePearlHarbor, "9", "32-33"}}},
		{"awaw.pearl-harbor.level", `{"effective_usjt":41,"die":3,"defending_air":{"aaf":1,"nas":1}}`,
			[][3]string{{TablePearlHarbor, "DRM", "40+"}}},
		{"awaw.codebreaking.draw", `{"faction":"britain","phase":"end_of_research","draw_positions":[1,2,3,4]}`,
			[][3]string{{TableInitialPools, "Britain (U)", "Sub."}, {TableInitialPools, "Britain (U)", "ASW"},
				{TableInitialPools, "Britain (U)", "Tactical"},
				{TableInitialPools, "Britain (U)", "Strategic"}, {TableInitialPools, "Britain (U)", "Wild"},
				{TableInitialPools, "Britain (U)", "Blank"}}},
	} {
		r := rulestest.Answer(t, rulestest.Named(t, Procedures(), c.procedure), []byte(c.request))
		var read [][3]string
		for _, cell := range r.Consulted {
			tables[cell.Table].MustCell(cell.Row, cell.Column)
			read = append(read, [3]string{cell.Table, cell.Row, cell.Column})
		}
		if !r.OK || !slices.Equal(read, c.want) {
			t.Errorf("%s %s\nread %v, want %v (%+v)", c.procedure, c.request, read, c.want, r.Violations)
		}
	}
}

// applied are rules that an accepted request must name in its derivation.
var applied = []struct{ procedure, rule, request string }{
	{"awaw.sw.table", "AWAW-24.62-G", `{"factors":8,"dice":[3,4]}`},
	{"awaw.codebreaking.compare", "AWAW-48.53",
		`{"contest":"naval_nationality","acting":"britain","opposing":"european_axis","acting_cards":["tactical"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.63-A",
		`{"contest":"raiders","acting":"european_axis","opposing":"britain","acting_cards":["strategic","strategic"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.63-D",
		`{"contest":"magic_interception","acting":"united_states","opposing":"japan","acting_cards":["strategic",` +
			`"strategic"],"opposing_cards":[],"task_forces":2}`},
	{"awaw.codebreaking.production", "AWAW-48.15-A",
		`{"faction":"united_states","year":1942,"general_intelligence_breakthroughs":0,"research_points":3,` +
			`"card":"asw"}`},
	{"awaw.pearl-harbor.surprise", "AWAW-51.31-C", `{"usjt":33,"carrier_task_forces":[{"name":"TF 8","dice":[6,3]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-ONE-HEX",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"distance":20},"targets":[{"ship":"Littorio","dice":[6,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-SUB-GROUPS",
		`{"mode":"submarine","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"distance":20},"targets":[{"ship":"Littorio","dice":[6,4]}]}`},
	{"awaw.harbor-attack", "AWAW-HA-CV-REVEAL",
		`{"mode":"carrier","theater":"europe","attacker":"britain","research_result":"6",` +
			`"target_hex":{"name":"Taranto"},"base":{"location":"on_board","operational_port":true,"uninverted":true,` +
			`"fast_carrier":true,"distance":20},"targets":[{"ship":"Littorio","dice":[6,4,1]}]}`},
}

func TestApplied(t *testing.T) {
	for _, c := range applied {
		r := rulestest.Answer(t, rulestest.Named(t, Procedures(), c.procedure), []byte(c.request))
		if !r.OK || !slices.ContainsFunc(r.Derivation, func(s events.Citation) bool { return s.Rule == c.rule }) {
			t.Errorf("%s %s\ndoes not name %s: %+v %+v", c.procedure, c.request, c.rule, r.Derivation, r.Violations)
		}
	}
}
