package g40

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

// In sea zone 6 lie a carrier, a destroyer, a damaged battleship, a submarine, a transport and a
// Japanese cruiser, in 19 a cruiser; 6 and 7 have the symbol.
func strikesAt(tokens int, strikes, rest string) string {
	return fmt.Sprintf(`{"player":"Japan","tokens":%d,"sea_zones":[
		{"id":"6","kamikaze_symbol":true,"trigger":"amphibious_assault"},
		{"id":"7","kamikaze_symbol":true,"trigger":"none"},
		{"id":"19","kamikaze_symbol":false,"trigger":"attack_on_japanese_units"}],
		"ships":[{"id":"CV","type":"carrier","sea_zone":"6"},{"id":"DD","type":"destroyer","sea_zone":"6"},
		{"id":"BB","type":"battleship","sea_zone":"6","hits_taken":1},{"id":"SS","type":"submarine","sea_zone":"6"},
		{"id":"TT","type":"transport","sea_zone":"6"},{"id":"JC","type":"cruiser","sea_zone":"6","side":"japanese"},
		{"id":"CA","type":"cruiser","sea_zone":"19"},{"id":"D7","type":"destroyer","sea_zone":"7"}],
		"strikes":[%s]%s}`, tokens, strikes, rest)
}

const atCV = `{"sea_zone":"6","target":"CV","roll":2}`

// scrambleAt is a request with bases in Scotland (109, 119) and, inland, inoperative, missing,
// elsewhere. 109 is attacked, 110 assaulted, 119 quiet.
func scrambleAt(scrambles, rest string) string {
	return fmt.Sprintf(
		`{"bases":[{"territory":"Scotland","sea_zones":["109","119"],
			"fighters":4,"tactical_bombers":2,"strategic_bombers":2},
		{"territory":"Inland","coastal_or_island":false,"sea_zones":["109"],"fighters":3},
		{"territory":"Broken","operative":false,"sea_zones":["109"],"fighters":3},
		{"territory":"Field","air_base":false,"sea_zones":["109"],"fighters":3}],
		"sea_zones":[{"id":"109","friendly_units_attacked":true},{"id":"110","amphibious_assault":true},{"id":"119"}],
		"scrambles":[%s]%s}`, scrambles, rest)
}

// combatRefusals are requests with every rule that they break, in the order in which it is named.
var combatRefusals = []struct {
	procedure, request string
	rules              []string
}{
	{"aa-fire", `{"aa_guns":1,"air_units":5,"dice":[1,2]}`, []string{"G40-AA-DICE"}},
	{"aa-fire", `{"aa_guns":1,"air_units":2,"dice":[1,2,3]}`, []string{"G40-AA-DICE"}},
	{"aa-fire", `{"aa_guns":0,"air_units":2,"dice":[3]}`, []string{"G40-AA-DICE"}},
	{"aa-fire", `{"aa_guns":1,"air_units":1,"dice":[3],"round":2}`, []string{"G40-AA-ONCE"}},
	{"aa-fire", `{"aa_guns":1,"air_units":1,"dice":[3],"mission":"bombing_raid"}`, []string{"G40-AA-RAID"}},
	{"aa-fire", `{"aa_guns":1,"air_units":1,"dice":[3],"defending_combat_units":false}`,
		[]string{"G40-AA-DICE", "G40-AA-ALONE"}},
	{"aa-fire", `{"aa_guns":1,"air_units":1,"dice":[],"defending_combat_units":false,"options":{"lone_guns":"fire"}}`,
		[]string{"G40-AA-DICE"}},
	{"aa-fire", `{"aa_guns":2,"air_units":9,"dice":[3],"round":3,"mission":"bombing_raid"}`,
		[]string{"G40-AA-RAID", "G40-AA-ONCE", "G40-AA-DICE"}},
	{"aa-fire", `{"aa_guns":1,"air_units":1,"dice":[7]}`, []string{"INPUT"}},
	{"aa-fire", `{"aa_guns":1,"air_units":1,"dice":[3],"round":0}`, []string{"INPUT"}},

	{"sbr", `{"tactical_bombers":1,"targets":[{"facility":"major_ic","tactical_bombers":1,"aa_dice":[2],` +
		`"damage_dice":[3]}]}`, []string{"G40-SBR-TAC"}},
	{"sbr", `{"strategic_bombers":1,"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[2],` +
		`"damage_dice":[3]},{"facility":"air_base","aa_dice":[],"damage_dice":[]}]}`, []string{"INPUT", "G40-SBR-ONE"}},
	{"sbr", `{"strategic_bombers":1,"targets":[{"facility":"major_ic","strategic_bombers":1,"aa_dice":[2],` +
		`"damage_dice":[3]},{"facility":"minor_ic","aa_dice":[],"damage_dice":[]}]}`, []string{"INPUT", "G40-SBR-ONE"}},
	{"sbr", `{"escorts":2,"targets":[]}`, []string{"G40-SBR-ESCORT"}},
	{"sbr", `{"strategic_bombers":1,"air_battle":{"bomber_dice":[1],"escort_dice":[],"interceptor_dice":[]},` +
		`"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[2],"damage_dice":[3]}]}`,
		[]string{"G40-SBR-BATTLE"}},
	{"sbr", `{"strategic_bombers":1,"interceptors":1,"targets":[{"facility":"air_base","strategic_bombers":1,` +
		`"aa_dice":[2],"damage_dice":[3]}]}`, []string{"G40-SBR-DICE", "G40-SBR-BATTLE"}},
	{"sbr", `{"strategic_bombers":1,"interceptors":1,"air_battle":{"bomber_dice":[1],"escort_dice":[],` +
		`"interceptor_dice":[3]},"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[2],` +
		`"damage_dice":[3]}]}`, []string{"G40-SBR-DICE"}},
	{"sbr", `{"strategic_bombers":1,"interceptors":1,"air_battle":{"bomber_dice":[1],"escort_dice":[],` +
		`"interceptor_dice":[]},"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[2],` +
		`"damage_dice":[3]}],"options":{"air_battle":"simultaneous"}}`, []string{"G40-SBR-DICE"}},
	{"sbr", `{"strategic_bombers":2,"interceptors":1,"air_battle":{"bomber_dice":[3,3],"escort_dice":[],` +
		`"interceptor_dice":[2]},"targets":[{"facility":"air_base","strategic_bombers":2,"aa_dice":[2,2],` +
		`"damage_dice":[3,4]}]}`, []string{"G40-SBR-CASUALTIES"}},
	{"sbr", `{"strategic_bombers":2,"interceptors":1,"air_battle":{"bomber_dice":[3,3],"escort_dice":[],` +
		`"interceptor_dice":[2],"losses":{"tactical_bombers":1}},"targets":[{"facility":"air_base",` +
		`"strategic_bombers":2,"aa_dice":[2,2],"damage_dice":[3,4]}]}`,
		[]string{"G40-SBR-CASUALTIES", "G40-SBR-ASSIGN"}},
	{"sbr", `{"strategic_bombers":2,"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[2],` +
		`"damage_dice":[3]}]}`, []string{"G40-SBR-ASSIGN"}},
	{"sbr", `{"strategic_bombers":1,"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[2],` +
		`"damage_dice":[3]},{"facility":"minor_ic","strategic_bombers":1,"aa_dice":[2],"damage_dice":[3]}]}`,
		[]string{"G40-SBR-ASSIGN"}},
	{"sbr", `{"strategic_bombers":1,"targets":[]}`, []string{"G40-SBR-ASSIGN"}},
	{"sbr", `{"strategic_bombers":1,"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[2,2],` +
		`"damage_dice":[3]}]}`, []string{"G40-SBR-DICE"}},
	{"sbr", `{"strategic_bombers":1,"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[1],` +
		`"aa_losses":{"strategic_bombers":1},"damage_dice":[3]}]}`, []string{"G40-SBR-DICE"}},
	{"sbr", `{"strategic_bombers":1,"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[1],` +
		`"damage_dice":[]}]}`, []string{"G40-SBR-CASUALTIES"}},
	{"sbr", `{"strategic_bombers":1,"targets":[{"facility":"air_base","strategic_bombers":1,"aa_dice":[2],` +
		`"aa_losses":{"strategic_bombers":1},"damage_dice":[4]}]}`, []string{"G40-SBR-CASUALTIES"}},
	{"sbr", `{"strategic_bombers":1,"targets":[{"facility":"harbour","strategic_bombers":1,"aa_dice":[2],` +
		`"damage_dice":[4]}]}`, []string{"INPUT"}},
	{"sbr", `{"escorts":1,"tactical_bombers":0,"air_battle":{"bomber_dice":[2],"escort_dice":[],` +
		`"interceptor_dice":[]},"targets":[{"facility":"minor_ic","tactical_bombers":1,"aa_dice":[],` +
		`"damage_dice":[2]}]}`,
		[]string{"G40-SBR-TAC", "G40-SBR-ESCORT", "G40-SBR-BATTLE", "G40-SBR-DICE", "G40-SBR-ASSIGN", "G40-SBR-DICE"}},

	{"kamikaze", strikesAt(0, atCV, ``), []string{"G40-KAM-SIX"}},
	{"kamikaze", strikesAt(1, atCV+","+atCV, ``), []string{"G40-KAM-SIX"}},
	{"kamikaze", strikesAt(7, atCV, ``), []string{"INPUT"}},
	{"kamikaze", strikesAt(6, ``, ``), []string{"INPUT"}},
	{"kamikaze", strikesAt(6, atCV, `,"timing":"other"`), []string{"G40-KAM-WHEN"}},
	{"kamikaze", strikesAt(6, `{"sea_zone":"7","target":"D7","roll":2}`, ``), []string{"G40-KAM-WHEN"}},
	{"kamikaze", strikesAt(6, `{"sea_zone":"19","target":"CA","roll":2}`, ``), []string{"G40-KAM-ZONE"}},
	{"kamikaze", strikesAt(6, `{"sea_zone":"6","target":"SS","roll":2}`, ``), []string{"G40-KAM-TARGET"}},
	{"kamikaze", strikesAt(6, `{"sea_zone":"6","target":"TT","roll":6}`, ``), []string{"G40-KAM-TARGET"}},
	{"kamikaze", strikesAt(6, `{"sea_zone":"6","target":"JC","roll":6}`, ``), []string{"G40-KAM-TARGET"}},
	{"kamikaze", strikesAt(6, `{"sea_zone":"6","target":"D7","roll":6}`, ``), []string{"G40-KAM-TARGET"}},
	{"kamikaze", strikesAt(6, `{"sea_zone":"6","target":"XX","roll":6}`, ``), []string{"INPUT", "G40-KAM-TARGET"}},
	{"kamikaze", strikesAt(6, `{"sea_zone":"99","target":"CV","roll":6}`, ``),
		[]string{"INPUT", "G40-KAM-ZONE", "G40-KAM-TARGET"}},
	{"kamikaze", `{"player":"Germany","tokens":6,"sea_zones":[{"id":"6","kamikaze_symbol":true,` +
		`"trigger":"amphibious_assault"}],"ships":[{"id":"CV","type":"carrier","sea_zone":"6"}],"strikes":[` + atCV +
		`]}`, []string{"G40-KAM-WHO"}},
	{"kamikaze", `{"player":"Germany","tokens":0,"timing":"other","sea_zones":[{"id":"6","kamikaze_symbol":false,` +
		`"trigger":"none"}],"ships":[{"id":"CV","type":"transport","sea_zone":"6"}],"strikes":[` + atCV + `]}`,
		[]string{"G40-KAM-WHO", "G40-KAM-SIX", "G40-KAM-WHEN", "G40-KAM-ZONE", "G40-KAM-WHEN", "G40-KAM-TARGET"}},
	{"kamikaze", `{"player":"Japan","tokens":6,"sea_zones":[{"id":"6","kamikaze_symbol":true,
		"trigger":"amphibious_assault"},{"id":"6","kamikaze_symbol":true,"trigger":"amphibious_assault"}],
		"ships":[{"id":"CV","type":"carrier","sea_zone":"6"},{"id":"CV","type":"cruiser","sea_zone":"6"}],"strikes":[` +
		atCV + `]}`, []string{"INPUT"}},
	{"kamikaze", `{"player":"Japan","tokens":6,"sea_zones":[{"id":"6","kamikaze_symbol":true,
		"trigger":"amphibious_assault"}],
		"ships":[{"id":"CV","type":"cruiser","sea_zone":"6","hits_taken":1}],"strikes":[` + atCV + `]}`,
		[]string{"INPUT"}},

	{"scramble", scrambleAt(`{"from":"Scotland","sea_zone":"109","fighters":2,"tactical_bombers":2}`, ``),
		[]string{"G40-SCR-THREE"}},
	{"scramble", scrambleAt(`{"from":"Scotland","sea_zone":"109","fighters":2},{"from":"Scotland","sea_zone":"109",`+
		`"tactical_bombers":2}`, ``), []string{"G40-SCR-THREE"}},
	{"scramble", scrambleAt(`{"from":"Scotland","sea_zone":"109","strategic_bombers":1}`, ``),
		[]string{"G40-SCR-TYPE"}},
	{"scramble", scrambleAt(`{"from":"Scotland","sea_zone":"110","fighters":1}`, ``), []string{"G40-SCR-ZONE"}},
	{"scramble", scrambleAt(`{"from":"Scotland","sea_zone":"119","fighters":1}`, ``), []string{"G40-SCR-WHY"}},
	{"scramble", scrambleAt(`{"from":"Scotland","sea_zone":"1","fighters":1}`, ``),
		[]string{"INPUT", "G40-SCR-ZONE", "G40-SCR-WHY"}},
	{"scramble", scrambleAt(`{"from":"Inland","sea_zone":"109","fighters":1}`, ``), []string{"G40-SCR-BASE"}},
	{"scramble", scrambleAt(`{"from":"Broken","sea_zone":"109","fighters":1}`, ``), []string{"G40-SCR-BASE"}},
	{"scramble", scrambleAt(`{"from":"Field","sea_zone":"109","fighters":1}`, ``), []string{"G40-SCR-BASE"}},
	{"scramble", scrambleAt(`{"from":"Nowhere","sea_zone":"109","fighters":1}`, ``), []string{"INPUT", "G40-SCR-BASE"}},
	{"scramble", scrambleAt(`{"from":"Scotland","sea_zone":"109","tactical_bombers":3}`, ``),
		[]string{"INPUT", "G40-SCR-BASE"}},
	{"scramble", scrambleAt(`{"from":"Scotland","sea_zone":"109","fighters":1}`, `,"timing":"other"`),
		[]string{"G40-SCR-TIME"}},
	{"scramble", scrambleAt(`{"from":"Inland","sea_zone":"119","fighters":3},{"from":"Inland","sea_zone":"119",`+
		`"strategic_bombers":1}`, `,"timing":"other"`),
		[]string{"G40-SCR-TIME", "G40-SCR-BASE", "G40-SCR-ZONE", "G40-SCR-WHY", "G40-SCR-TYPE", "G40-SCR-ZONE",
			"G40-SCR-WHY"}},
	{"scramble", `{"bases":[{"territory":"A","sea_zones":["1","1"],"fighters":1},{"territory":"A","sea_zones":[],` +
		`"fighters":1}],"sea_zones":[{"id":"1"},{"id":"1"}],"scrambles":[]}`, []string{"INPUT"}},

	{"scramble-landing",
		`{"origin":"A","origin_captured":true,"air_units":1,"landing_spaces":[{"space":"B","distance":1,` +
			`"kind":"friendly_territory"},{"space":"B","distance":2,"kind":"friendly_territory"}]}`, []string{"INPUT"}},
	{"scramble-landing",
		`{"origin":"A","origin_captured":true,"air_units":1,"landing_spaces":[{"space":"B","distance":1,` +
			`"kind":"friendly_carrier"}]}`, []string{"INPUT"}},
	{"scramble-landing",
		`{"origin":"A","origin_captured":true,"air_units":1,"landing_spaces":[{"space":"A","distance":0,` +
			`"kind":"friendly_territory"}]}`, []string{"INPUT"}},
	{"scramble-landing", `{"origin":"A","origin_captured":true,"air_units":-1}`, []string{"INPUT"}},

	{"amphibious-unload",
		`{"sea_zone":"5","enemy_submarines":[{"power":"Japan","at_war":false},{"power":"Germany"}],` +
			`"own_warships_at_end_of_combat_move":0}`, []string{"G40-SUB-UNLOAD"}},
	{"amphibious-unload", `{"sea_zone":"","enemy_submarines":[],"own_warships_at_end_of_combat_move":0}`,
		[]string{"INPUT"}},
}

func TestCombatRefusals(t *testing.T) {
	for _, c := range combatRefusals {
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

// TestAADice holds the number of dice against the shots counted one by one: each gun three times,
// at an air unit that has not been fired at (G40-AA-DICE).
func TestAADice(t *testing.T) {
	for guns := range 6 {
		for planes := range 20 {
			shots := 0
			for range guns {
				for range 3 {
					if shots < planes {
						shots++
					}
				}
			}
			in := AAFireInput{AAGuns: guns, AirUnits: planes, Dice: make([]int, shots), Round: 1, CombatUnits: true}
			for i := range in.Dice {
				in.Dice[i] = 1
			}
			out, f := AAFire(in)
			if f.Refused() || out.Hits != shots || out.AirUnitsLeft != planes-shots {
				t.Errorf("%d guns, %d planes: %+v %v", guns, planes, out, f.Violations)
			}
		}
	}
}
