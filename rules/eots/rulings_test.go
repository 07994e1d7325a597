package eots

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

const (
	goodHex  = `"hex":{"id":"3727","port":true,"friendly":true,"in_supply":true}`
	goodHQ   = `"american_hqs":[{"name":"SWPac","activation_range":15,"distance":8}]`
	good     = goodHex + "," + goodHQ
	transfer = `"card":5,"played_as":"cryptographic_intercepts","timing":"offensive_before_combat_phase","die":0,` +
		`"divisions_in_china":6,"sub_base":{"name":"Fife","japanese_hqs_in_sloc_range":1}`
)

func aBase(name string, more string) string {
	return fmt.Sprintf(`{"name":%q,"die":0,"sloc_pv":9,"hqs_in_half_range":[%q]%s}`, name, "near "+name, more)
}

func war(turn int, more string, bases ...string) string {
	return fmt.Sprintf(`{"turn":%d,"year":1944,"japanese_asps":5%s,"sub_bases":[%s]}`, turn, more,
		strings.Join(bases, ","))
}

// refusals name every rule found broken, in order. Each rule that RULES marks so is here, alone and
// with others.
var refusals = []struct{ procedure, request, rules string }{
	{"sub-warfare", war(3, "", aBase("Wilkes", ""), aBase("Lockwood", "")), "EOTS-11.21.B-1 EOTS-11.21.B-8"},
	{"sub-warfare", war(4, "", aBase("Wilkes", "")), "EOTS-11.21.B-8"},
	{"sub-warfare", war(6, "", aBase("Fife", ""), aBase("Lockwood", "")), "EOTS-11.21.B-6 EOTS-11.21.B-8"},
	{"sub-warfare", war(6, "", aBase("lockwood", `,"on_map_at_start_of_reinforcement":false`)),
		"EOTS-11.21.B-6 EOTS-11.21.B-8 EOTS-11.22.A-4"},
	{"sub-warfare", war(7, "", aBase("Fife", ""), aBase("Lockwood (4)", "")), "EOTS-11.21.B-8"},
	{"sub-warfare", war(3, "", aBase("Lockwood (4)", ""), aBase("Lockwood", "")),
		"EOTS-11.21.B-1 EOTS-11.21.B-8 INPUT EOTS-11.21.B-8"},
	{"sub-warfare", war(6, "", aBase("Lockwood (6)", "")), "EOTS-11.21.B-6 EOTS-11.21.B-8"},
	{"sub-warfare", war(6, "", aBase("Fife", `,"on_map_at_start_of_reinforcement":false`)),
		"EOTS-11.22.A-4 EOTS-11.21.B-5"},
	{"sub-warfare", war(4, "", aBase("Lockwood", `,"on_map_at_start_of_reinforcement":false`)),
		"EOTS-11.22.A-4 EOTS-11.21.B-5"},
	{"sub-warfare", war(7, "", aBase("Fife", `,"on_map_at_start_of_reinforcement":false`)), "EOTS-11.22.A-4"},
	{"sub-warfare", war(7, "", aBase("Fife", `,"in_supply":false,"activatable":false`)),
		"EOTS-11.22.A-1 EOTS-11.22.A-2"},
	{"sub-warfare", war(7, "", `{"name":"Fife","die":0,"sloc_pv":1,"hqs_in_half_range":[]}`), "EOTS-11.22.A-3"},
	{"sub-warfare", war(7, "", strings.Replace(aBase("Fife", ""), "near Fife", "X", 1),
		strings.Replace(aBase("Lockwood", ""), "near Lockwood", "X", 1)), "EOTS-11.22.A-3"},
	{"sub-warfare", war(7, "", strings.Replace(aBase("Fife", ""), "near Fife", "X", 1),
		strings.Replace(aBase("Lockwood", ""), "near Lockwood", "x", 1)), "EOTS-11.22.A-3"},
	{"sub-warfare", war(7, "", aBase("Fife", ""), aBase("Fife", "")), "INPUT EOTS-11.22.A-3"},
	{"sub-warfare", war(7, "", aBase("Fife", `,"die":10`)), "INPUT"},
	{"sub-warfare", war(7, `,"options":{"die":"1-10"}`, aBase("Fife", "")), "INPUT"},
	{"sub-warfare", war(7, "", aBase("Fife", `,"choice":"asp"`), aBase("Lockwood", `,"choice":"asp"`)), "EOTS-11.23-4"},
	{"sub-warfare", war(7, "", aBase("Fife", `,"choice":"swm"`), aBase("Lockwood", `,"choice":"swm"`)), "EOTS-11.23-5"},
	{"sub-warfare", strings.Replace(war(7, "", aBase("Fife", `,"choice":"asp","in_supply":false`)), `asps":5`,
		`asps":1`, 1), "EOTS-11.22.A-1 EOTS-11.23-7"},
	{"sub-warfare", strings.Replace(war(7, "", aBase("Fife", `,"choice":"asp"`)), `asps":5`, `asps":0`, 1),
		"EOTS-11.23-7"},
	{"sub-warfare", war(7, `,"swm_reductions":5`, aBase("Fife", `,"choice":"swm"`)), "EOTS-11.23-8"},
	{"sub-warfare", war(7, `,"swm_marker":-9`, aBase("Fife", `,"choice":"swm"`)), "EOTS-11.23-8"},
	{"sub-warfare", war(7, `,"swm_marker":-4,"options":{"swm_timing":"immediate"}`, aBase("Fife", `,"choice":"swm"`),
		aBase("Lockwood", `,"choice":"swm"`)), "EOTS-11.23-5 EOTS-11.23-8"},

	{"sloc-pv", `{"sloc_proximity_range":5,"spaces":[{"hex":"3400","kind":"pusan","distance":1}]}`, "INPUT"},
	{"sloc-pv", `{"sloc_proximity_range":5,"spaces":[{"hex":"3400","kind":"resource","distance":1},{"hex":"3400",` +
		`"kind":"resource","distance":1}]}`, "INPUT"},
	{"sloc-pv", `{"sloc_proximity_range":5,"spaces":[{"hex":"3400","kind":"hq","name":"CF","distance":1},` +
		`{"hex":"3401","kind":"hq","name":"cf","distance":1}]}`, "INPUT"},

	{"sub-base.place", `{"sub_base":"Fife","action":"place","hex":{"id":"3727"}}`,
		"EOTS-11.21.C-SPACE EOTS-11.21.C-SUPPLY EOTS-11.21.C-HQ"},
	{"sub-base.place",
		`{"sub_base":"Fife","action":"place",` + goodHQ +
			`,"hex":{"id":"1","friendly":true,"airfield":true,"in_supply":true,"japanese_zoi":true,` +
			`"holds_sub_base":true}}`, "EOTS-11.21.C-SPACE EOTS-11.21.C-ZOI EOTS-11.21.C-STACK"},
	{"sub-base.place",
		`{"sub_base":"Fife","action":"place",` + goodHex +
			`,"american_hqs":[{"name":"SWPac","activation_range":14,"distance":8}]}`, "EOTS-11.21.C-HQ"},
	{"sub-base.place",
		`{"sub_base":"Fife","action":"place",` + good +
			`,"other_sub_bases":[{"name":"Lockwood","hqs_in_half_range":["SWPac"]}]}`, "EOTS-11.21.C-UNIQUE"},
	{"sub-base.place",
		`{"sub_base":"Fife","action":"place",` + goodHex +
			`,"other_sub_bases":[{"name":"Lockwood","hqs_in_half_range":[]}]}`, "EOTS-11.21.C-HQ EOTS-11.21.C-UNIQUE"},
	{"sub-base.place",
		`{"sub_base":"Fife","action":"place",` + good +
			`,"other_sub_bases":[{"name":"Fife","hqs_in_half_range":["A"]},{"name":"Wilkes",` +
			`"hqs_in_half_range":["B"]}]}`, "INPUT EOTS-11.21.B-1"},
	{"sub-base.place",
		`{"sub_base":"Fife","action":"place",` + goodHex +
			`,"american_hqs":[{"name":"A","activation_range":15,"distance":8},{"name":"A","activation_range":15,` +
			`"distance":9}]}`, "INPUT"},
	{"sub-base.place",
		`{"sub_base":"Fife","action":"place",` + goodHex +
			`,"american_hqs":[{"name":"A","activation_range":15,"distance":8},{"name":"a","activation_range":15,` +
			`"distance":9}]}`, "INPUT"},
	{"sub-base.place",
		`{"sub_base":"wilkes","action":"place",` + good +
			`,"other_sub_bases":[{"name":"Wilkes","hqs_in_half_range":["A"]}]}`, "INPUT"},
	{"sub-base.place", `{"sub_base":"Fife","action":"place"}`, "INPUT"},
	{"sub-base.place", `{"sub_base":"Fife","action":"relocate",` + good + `}`, "EOTS-11.21.C-MOVE EOTS-11.21.C-MOVE"},
	{"sub-base.place", `{"sub_base":"Fife","action":"relocate","during_offensive":true,"activations_spent":3,` + good +
		`}`, "EOTS-11.21.C-MOVE"},
	{"sub-base.place", `{"sub_base":"Fife","action":"emergency","distance_moved":11,` + good + `}`,
		"EOTS-11.21.E-1 EOTS-11.21.E-1"},
	{"sub-base.place", `{"sub_base":"Fife","action":"emergency"}`, "EOTS-11.21.E-1"},
	{"sub-base.place",
		`{"sub_base":"Fife","action":"emergency","emergency_cause":"iai_offensive","distance_moved":10,` + good + `}`,
		"EOTS-11.21.E-3"},
	{"sub-base.place",
		`{"sub_base":"Wilkes","action":"emergency","emergency_cause":"ground_occupation","distance_moved":10,` + good +
			`}`, "EOTS-11.21.E-4 EOTS-11.21.D-7"},
	{"sub-base.place", `{"sub_base":"Fife","action":"to_turn_record_track"}`, "EOTS-11.21.E-1"},
	{"sub-base.place", `{"sub_base":"Fife","action":"to_turn_record_track","emergency_cause":"start_of_1942"}`,
		"EOTS-11.21.E-3"},
	{"sub-base.place", `{"sub_base":"Wilkes","action":"to_turn_record_track","emergency_cause":"ground_occupation"}`,
		"EOTS-11.21.E-4"},

	{"sub-base.replace", `{"turn":3,"location":"map"}`, "EOTS-11.21.B-3"},
	{"sub-base.attack", `{"phase":"air_naval_combat","hits_applied":15}`, "EOTS-11.21.D-1"},
	{"sub-base.attack", `{"phase":"air_naval_combat","hits_applied":1,"unreduced_other_units":2}`,
		"EOTS-11.21.D-1 EOTS-11.21.D-4"},
	{"sub-base.attack", `{"phase":"ground_combat","declared_battle_hex":true,"critical_hit":true}`, "EOTS-11.21.D-1"},

	{"troop-transports", `{` + strings.Replace(transfer, `"card":5`, `"card":6`, 1) + `}`, "EOTS-11.24.A-1"},
	{"troop-transports", `{` + strings.Replace(transfer, "cryptographic_intercepts", "operation_matador", 1) + `}`,
		"EOTS-11.24.A-1"},
	{"troop-transports", `{` + strings.Replace(transfer, "offensive_before_combat_phase", "other", 1) + `}`,
		"EOTS-11.24.A-2"},
	{"troop-transports", `{` + strings.Replace(transfer, `range":1`, `range":0,"relocated_this_card_phase":true`, 1) +
		`}`, "EOTS-11.24.A-3 EOTS-11.24.A-3"},
	{"troop-transports", `{` + strings.Replace(transfer, `"die":0`, `"die":10`, 1) + `}`, "INPUT"},
	{"troop-transports", `{` + transfer + `,"options":{"die":"1-10"}}`, "INPUT"},
}

// TestUnits: the scenario table's names of the two Lockwoods will do in their time.
func TestUnits(t *testing.T) {
	for _, request := range []string{war(5, "", aBase("Lockwood (4)", "")),
		war(9, "", aBase("Lockwood (6)", ""), aBase("fife", ""))} {
		if r := rulestest.Answer(t, rulestest.Named(t, Procedures(), "eots.sub-warfare"), []byte(request)); !r.OK {
			t.Errorf("%s: %v", request, r.Violations)
		}
	}
}

func TestRefusals(t *testing.T) {
	for _, c := range refusals {
		r := rulestest.Answer(t, rulestest.Named(t, Procedures(), "eots."+c.procedure), []byte(c.request))
		var broken []string
		for _, v := range r.Violations {
			broken = append(broken, v.Rule)
		}
		if got := strings.Join(broken, " "); got != c.rules {
			t.Errorf("%s %s\nbreaks %q, want %q", c.procedure, c.request, got, c.rules)
		}
	}
}

// TestOwnHQs: an assignment is found exactly where trying every one finds it.
func TestOwnHQs(t *testing.T) {
	names := rapid.SliceOfNDistinct(rapid.SampledFrom([]string{"A", "B", "C", "D"}), 0, 4, rapid.ID)
	rapid.Check(t, func(t *rapid.T) {
		near := rapid.SliceOfN(names, 0, 4).Draw(t, "near")
		own, ok := OwnHQs(near)
		if want := everyAssignment(near, nil); ok != want {
			t.Fatalf("%v: %v, want %v", near, ok, want)
		}
		for i, hq := range own {
			if hq != "" && (!slices.Contains(near[i], hq) || slices.Index(own, hq) != i) || ok && hq == "" {
				t.Fatalf("%v: %v", near, own)
			}
		}
	})
}

func everyAssignment(near [][]string, taken []string) bool {
	if len(near) == 0 {
		return true
	}
	return slices.ContainsFunc(near[0], func(hq string) bool {
		return !slices.Contains(taken, hq) && everyAssignment(near[1:], append(slices.Clone(taken), hq))
	})
}

// TestFifths holds the SLOC PV against the quotient in tenths.
func TestFifths(t *testing.T) {
	for count := range 60 {
		in := SLOCPVInput{Range: 10}
		for i := range count {
			in.Spaces = append(in.Spaces, SLOCSpace{Hex: fmt.Sprint(2000 + i), Kind: HomeIslandPort, Distance: i % 11})
		}
		want := 0
		for ; (want+1)*10-5 <= count*2; want++ { // up from want to want+1 at half past
		}
		if out, _ := SLOCPV(in); out.Count != count || out.SLOCPV != want {
			t.Errorf("%d spaces: %+v, want %d", count, out, want)
		}
	}
}

// TestDraw: never more than the base draw, never cut below four.
func TestDraw(t *testing.T) {
	for n := range 8 * 3 * 5 {
		in := CardDrawInput{BaseDraw: n % 8, Successful: n / 8 % 3, B29Reduction: n / 24}
		want := in.BaseDraw
		for cut := 0; cut < in.Successful+in.B29Reduction && want > 4; cut++ {
			want--
		}
		if out, _ := CardDraw(in); out.Draw != want || out.ReductionApplied != in.BaseDraw-want {
			t.Errorf("%+v: %+v, want %d", in, out, want)
		}
	}
}

// TestWarfare holds whole segments of two bases against the equation and the limits.
func TestWarfare(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := SubWarfareInput{Turn: 8, JapaneseASPs: rapid.IntRange(0, 3).Draw(t, "asps")}
		swm := rapid.IntRange(-5, 6).Draw(t, "swm")
		in.Year, in.Marker = 1944, &swm
		in.Options.SWMTiming = rapid.SampledFrom([]string{"segment_start", "immediate"}).Draw(t, "timing")
		asps, marker, legal, successes := in.JapaneseASPs, swm, true, 0
		took := map[string]bool{}
		for _, name := range []string{Fife, Lockwood} {
			b := SubBaseRoll{Name: name, Die: rapid.IntRange(0, 9).Draw(t, "die"),
				SLOCPV: rapid.IntRange(0, 5).Draw(t, "pv"), InSupply: true, Activatable: true, HQs: []string{name},
				OnMap: true}
			b.Choice = rapid.SampledFrom([]string{"asp", "swm", "none"}).Draw(t, "choice")
			in.SubBases = append(in.SubBases, b)
			now := swm
			if in.Options.SWMTiming == "immediate" {
				now = marker
			}
			if b.Die+now > b.SLOCPV {
				continue
			}
			successes++
			switch b.Choice {
			case "asp":
				asps--
				legal = legal && asps > 0 && !took["asp"]
			case "swm":
				marker--
				legal = legal && marker >= -5 && !took["swm"]
			}
			took[b.Choice] = true
		}
		out, f := SubWarfare(in)
		if f.Refused() == legal {
			t.Fatalf("%+v: %v", in, f.Violations)
		}
		if legal && (out.JapaneseASPs != asps || out.SWMAfter != marker || out.CardReduction != successes ||
			out.ASPsLost != in.JapaneseASPs-asps) {
			b, _ := json.Marshal(out)
			t.Fatalf("%+v: %s", in, b)
		}
	})
}
