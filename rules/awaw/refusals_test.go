package awaw

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// refusal is an illegal request. The rule must be among those that the ruling names.
type refusal struct{ procedure, rule, request string }

// cardRefusals are those of draws, plays and production of cards; [attackRefusals] those of attacks.
var cardRefusals = []refusal{
	{"awaw.codebreaking.draw", "AWAW-48.21-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3]}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4,5]}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[]}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,3]}`},
	{"awaw.codebreaking.draw", "INPUT",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,3]}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,9]}`},
	{"awaw.codebreaking.draw", "INPUT",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,9]}`},
	{"awaw.codebreaking.draw", "INPUT",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[0,1,2,3]}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],` +
			`"already_drawn_this_turn":true}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B",
		`{"faction":"european_axis","phase":"declaration_of_war","draw_positions":[1,2,3,4]}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B2",
		`{"faction":"japan","phase":"end_of_research","draw_positions":[1,2,3,4]}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B2",
		`{"faction":"united_states","phase":"end_of_research","draw_positions":[1,2,3,4]}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B2",
		`{"faction":"japan","phase":"end_of_research","draw_positions":[1,2,3,4],"japan_us_at_war":true,` +
			`"already_drawn_this_turn":true}`},
	{"awaw.codebreaking.draw", "AWAW-48.21-B",
		`{"faction":"japan","phase":"end_of_research","draw_positions":[1,2,3,4],"japan_us_at_war":true,` +
			`"already_drawn_this_turn":true}`},
	{"awaw.codebreaking.draw", "AWAW-48.23-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":1,"strategic":1,"blank":5,"asw":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-A",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":1,"strategic":1,"blank":5,"asw":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.23-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":1,"strategic":1,"blank":5,"wild":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-C",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":1,"strategic":1,"blank":5,"wild":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.22-E",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":1,"strategic":1,"blank":5,"wild":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.23-C",
		`{"faction":"britain","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"asw":1,"tactical":1,` +
			`"strategic":1,"blank":5,"submarine":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-B",
		`{"faction":"britain","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"asw":1,"tactical":1,` +
			`"strategic":1,"blank":5,"submarine":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.22-A",
		`{"faction":"britain","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"asw":1,"tactical":1,` +
			`"strategic":1,"blank":5,"submarine":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.22-B",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":1,"strategic":1,"blank":5,"asw":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.22-E",
		`{"faction":"united_states","phase":"end_of_research","draw_positions":[1,2,3,4],"japan_us_at_war":true,` +
			`"pool":{"submarine":1,"asw":1,"tactical":1,"strategic":1,"wild":2,"blank":3}}`},
	{"awaw.codebreaking.draw", "AWAW-48.23-D",
		`{"faction":"japan","phase":"end_of_research","draw_positions":[1,2,3,4],"japan_us_at_war":true,` +
			`"pool":{"submarine":1,"tactical":1,"blank":6,"wild":1}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-C",
		`{"faction":"united_states","phase":"end_of_research","draw_positions":[1,2,3,4],"japan_us_at_war":true,` +
			`"pool":{"submarine":1,"asw":1,"tactical":1,"strategic":1,"wild":2,"blank":3}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-C",
		`{"faction":"united_states","phase":"end_of_research","draw_positions":[1,2,3,4],"japan_us_at_war":true,` +
			`"pool":{"submarine":1,"asw":1,"tactical":1,"strategic":1,"wild":0,"blank":3}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-D",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":4,"strategic":1,"blank":5}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-D",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":1,"strategic":1,"blank":6}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-D",
		`{"faction":"united_states","phase":"end_of_research","draw_positions":[1,2,3,4],"japan_us_at_war":true,` +
			`"pool":{"submarine":1,"asw":1,"tactical":1,"strategic":1,"wild":1,"blank":4}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-E",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{"submarine":1,` +
			`"tactical":1,"strategic":1,"blank":4}}`},
	{"awaw.codebreaking.draw", "AWAW-48.242-E",
		`{"faction":"european_axis","phase":"end_of_research","draw_positions":[1,2,3,4],"pool":{}}`},
	{"awaw.codebreaking.production", "AWAW-48.11-B",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":2,"card":"asw"}`},
	{"awaw.codebreaking.production", "AWAW-48.11-B",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":1,"research_points":1,"card":"asw"}`},
	{"awaw.codebreaking.production", "AWAW-48.11-B",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":5,"research_points":0,"card":"asw"}`},
	{"awaw.codebreaking.production", "AWAW-48.11-C",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"asw",` +
			`"results_this_year":1}`},
	{"awaw.codebreaking.production", "AWAW-48.21-C",
		`{"faction":"britain","year":1939,"general_intelligence_breakthroughs":0,"research_points":3,"card":"asw"}`},
	{"awaw.codebreaking.production", "AWAW-48.15-B",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"asw",` +
			`"other_project_triggered_this_turn":true}`},
	{"awaw.codebreaking.production", "AWAW-48.15-B",
		`{"faction":"united_states","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,` +
			`"card":"asw","other_project_triggered_this_turn":true}`},
	{"awaw.codebreaking.production", "AWAW-48.242-A",
		`{"faction":"european_axis","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,` +
			`"card":"asw"}`},
	{"awaw.codebreaking.production", "AWAW-48.23-B",
		`{"faction":"european_axis","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,` +
			`"card":"asw"}`},
	{"awaw.codebreaking.production", "AWAW-48.242-B",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,` +
			`"card":"submarine"}`},
	{"awaw.codebreaking.production", "AWAW-48.242-C",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"wild"}`},
	{"awaw.codebreaking.production", "AWAW-48.242-C",
		`{"faction":"united_states","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,` +
			`"card":"wild"}`},
	{"awaw.codebreaking.production", "AWAW-48.242-C",
		`{"faction":"japan","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"wild"}`},
	{"awaw.codebreaking.production", "AWAW-48.23-D",
		`{"faction":"japan","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"wild"}`},
	{"awaw.codebreaking.production", "AWAW-48.242-D",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"blank"}`},
	{"awaw.codebreaking.production", "AWAW-48.242-D",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"asw",` +
			`"pool":{"asw":3,"tactical":1,"strategic":1,"blank":5}}`},
	{"awaw.codebreaking.production", "AWAW-48.242-E",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"asw",` +
			`"pool":{"asw":1,"tactical":0,"strategic":1,"blank":5}}`},
	{"awaw.codebreaking.production", "INPUT",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"asw",` +
			`"options":{"blank":"allowed"}}`},
	{"awaw.codebreaking.production", "INPUT",
		`{"faction":"britain","year":1947,"general_intelligence_breakthroughs":0,"research_points":3,"card":"asw"}`},
	{"awaw.codebreaking.production", "INPUT",
		`{"faction":"britain","year":1941,"general_intelligence_breakthroughs":0,"research_points":3,"card":"asw",` +
			`"pool":{"asw":-1,"tactical":1,"strategic":1,"blank":5}}`},
	{"awaw.codebreaking.compare", "AWAW-48.13-B",
		`{"contest":"search","acting":"european_axis","opposing":"united_states","acting_cards":["tactical"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.14-B",
		`{"contest":"search","acting":"japan","opposing":"britain","acting_cards":["tactical"],"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.15-C",
		`{"contest":"search","acting":"japan","opposing":"britain","acting_cards":[],"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.21-A",
		`{"contest":"search","acting":"european_axis","opposing":"japan","acting_cards":[],"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "INPUT",
		`{"contest":"search","acting":"european_axis","opposing":"european_axis","acting_cards":[],
			"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.13-C",
		`{"contest":"harbor_attack","acting":"britain","opposing":"european_axis","acting_cards":["tactical"],` +
			`"opposing_cards":[],"russian_naval_operation":true}`},
	{"awaw.codebreaking.compare", "AWAW-48.14-C",
		`{"contest":"search","acting":"japan","opposing":"united_states","acting_cards":["tactical"],` +
			`"opposing_cards":[],"russian_naval_operation":true}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-A",
		`{"contest":"submarine_warfare","acting":"european_axis","opposing":"britain","acting_cards":["submarine"],` +
			`"opposing_cards":["submarine"]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-A",
		`{"contest":"search","acting":"japan","opposing":"united_states","acting_cards":["submarine"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-A",
		`{"contest":"onboard_submarine","acting":"britain","opposing":"european_axis","acting_cards":["submarine"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-A",
		`{"contest":"submarine_warfare","acting":"britain","opposing":"european_axis","acting_cards":[],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-SW-BOX",
		`{"contest":"submarine_warfare","acting":"britain","opposing":"european_axis","acting_cards":[],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-B",
		`{"contest":"submarine_warfare","acting":"european_axis","opposing":"britain","acting_cards":["asw"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-B",
		`{"contest":"onboard_submarine","acting":"united_states","opposing":"japan","acting_cards":["asw"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.23-B",
		`{"contest":"submarine_warfare","acting":"european_axis","opposing":"britain","acting_cards":["asw"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-C",
		`{"contest":"submarine_warfare","acting":"european_axis","opposing":"britain","acting_cards":["tactical"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-C",
		`{"contest":"raiders","acting":"european_axis","opposing":"britain","acting_cards":[],` +
			`"opposing_cards":["tactical"]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-D",
		`{"contest":"search","acting":"european_axis","opposing":"britain","acting_cards":["strategic"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-E",
		`{"contest":"search","acting":"japan","opposing":"united_states","acting_cards":["wild"],"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-E",
		`{"contest":"search","acting":"united_states","opposing":"japan","acting_cards":["wild","wild"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.242-C",
		`{"contest":"search","acting":"united_states","opposing":"japan","acting_cards":["wild","wild"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.23-C",
		`{"contest":"search","acting":"britain","opposing":"european_axis","acting_cards":["wild"],
			"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-F",
		`{"contest":"search","acting":"united_states","opposing":"japan","acting_cards":["blank"],
			"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.22-F",
		`{"contest":"interception","acting":"european_axis","opposing":"britain","acting_cards":[],` +
			`"opposing_cards":["blank"]}`},
	{"awaw.codebreaking.compare", "AWAW-48.21-B",
		`{"contest":"search","acting":"european_axis","opposing":"britain","acting_cards":["tactical","tactical",` +
			`"tactical","tactical","tactical"],"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.21-B",
		`{"contest":"search","acting":"united_states","opposing":"japan","acting_cards":["tactical"],` +
			`"opposing_cards":[],"acting_hand":["tactical","tactical","blank","blank","blank"]}`},
	{"awaw.codebreaking.compare", "AWAW-48.242-D",
		`{"contest":"search","acting":"european_axis","opposing":"britain","acting_cards":["tactical","tactical",` +
			`"tactical","tactical"],"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.81",
		`{"contest":"search","acting":"european_axis","opposing":"britain","acting_cards":["tactical","tactical"],` +
			`"opposing_cards":[],"acting_hand":["tactical","blank"]}`},
	{"awaw.codebreaking.compare", "AWAW-48.81",
		`{"contest":"search","acting":"european_axis","opposing":"britain","acting_cards":[],` +
			`"opposing_cards":["tactical"],"opposing_hand":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.81",
		`{"contest":"search","acting":"united_states","opposing":"japan","acting_cards":["wild"],"opposing_cards":[],` +
			`"acting_hand":["tactical"]}`},
	{"awaw.codebreaking.compare", "AWAW-48.61-C",
		`{"contest":"magic_interception","acting":"japan","opposing":"united_states","acting_cards":["strategic"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.61-C",
		`{"contest":"magic_interception","acting":"britain","opposing":"european_axis","acting_cards":["strategic"],` +
			`"opposing_cards":[]}`},
	{"awaw.codebreaking.compare", "AWAW-48.61-C2",
		`{"contest":"magic_interception","acting":"united_states","opposing":"japan","acting_cards":["strategic"],` +
			`"opposing_cards":[],"task_forces":2}`},
	{"awaw.codebreaking.compare", "AWAW-48.61-C2",
		`{"contest":"magic_interception","acting":"united_states","opposing":"japan","acting_cards":["strategic",` +
			`"wild"],"opposing_cards":["strategic"],"task_forces":2}`},
	{"awaw.codebreaking.compare", "AWAW-48.61-C2",
		`{"contest":"magic_interception","acting":"united_states","opposing":"japan","acting_cards":[],` +
			`"opposing_cards":[],"task_forces":1}`},
	{"awaw.codebreaking.compare", "INPUT",
		`{"contest":"search","acting":"united_states","opposing":"japan","acting_cards":[],"opposing_cards":[],` +
			`"task_forces":1}`},
	{"awaw.codebreaking.compare", "AWAW-48.62",
		`{"contest":"interception","acting":"united_states","opposing":"japan","acting_cards":[],"opposing_cards":[],` +
			`"first_round_after_magic_interception":true}`},
	{"awaw.codebreaking.compare", "AWAW-48.13-B",
		`{"contest":"raiders","acting":"european_axis","opposing":"britain","acting_cards":["strategic"],` +
			`"opposing_cards":[],"box":"pacific"}`},
	{"awaw.codebreaking.compare", "AWAW-48.14-B",
		`{"contest":"raiders","acting":"japan","opposing":"united_states","acting_cards":["strategic"],` +
			`"opposing_cards":[],"box":"atlantic"}`},
	{"awaw.codebreaking.compare", "AWAW-48.62",
		`{"contest":"search","acting":"japan","opposing":"united_states","acting_cards":[],"opposing_cards":[],` +
			`"first_round_after_magic_interception":true}`},
	{"awaw.codebreaking.compare", "INPUT",
		`{"contest":"submarine_warfare","acting":"european_axis","opposing":"britain","acting_cards":[],` +
			`"opposing_cards":[],"options":{"campaign_scope":"per_box"}}`},
	{"awaw.codebreaking.compare", "INPUT",
		`{"contest":"submarine_warfare","acting":"european_axis","opposing":"britain","acting_cards":[],` +
			`"opposing_cards":[],"box":"atlantic"}`},
	{"awaw.codebreaking.compare", "INPUT",
		`{"contest":"search","acting":"united_states","opposing":"japan","acting_cards":[],"opposing_cards":[],` +
			`"box":"pacific"}`},
	{"awaw.codebreaking.compare", "AWAW-SW-BOX",
		`{"contest":"submarine_warfare","acting":"european_axis","opposing":"britain","acting_cards":[],` +
			`"opposing_cards":[],"box":"pacific","options":{"campaign_scope":"per_box"}}`},
	{"awaw.codebreaking.compare", "INPUT",
		`{"contest":"fishing","acting":"united_states","opposing":"japan","acting_cards":[],"opposing_cards":[]}`},
}

func TestRefusals(t *testing.T) {
	for _, c := range slices.Concat(cardRefusals, attackRefusals) {
		r := rulestest.Answer(t, rulestest.Named(t, Procedures(), c.procedure), []byte(c.request))
		if r.OK || !slices.ContainsFunc(r.Violations, func(v rules.Violation) bool { return v.Rule == c.rule }) {
			t.Errorf("%s %s\nwant %s, got %+v", c.procedure, c.request, c.rule, r.Violations)
		}
	}
}

// TestSeventhType: what is none of the six types of card is played into no contest.
func TestSeventhType(t *testing.T) {
	_, f := Compare(CompareInput{Contest: SearchContest, Acting: Britain, Opposing: EuropeanAxis,
		ActingCards: []Card{"radar"}})
	if len(f.Violations) == 0 || f.Violations[0].Rule != "AWAW-48.22" {
		t.Errorf("violations %v", f.Violations)
	}
}
