package aar

import (
	"slices"
	"testing"
)

// uk is the sea of the source's own examples: an 8-IPC United Kingdom, Eastern Canada at 9, an
// American complex at 10.
func uk(options Options, submarines ...Submarine) RaidInput {
	return RaidInput{
		Victim: UK, Income: 30, Phase: "collect_income", Options: options, Submarines: submarines,
		Complexes: []Complex{
			{"United Kingdom", UK, 8, []string{"6", "7", "8"}},
			{"Eastern Canada", UK, 3, []string{"9"}},
			{"Eastern United States", US, 12, []string{"10"}},
		},
		Links: [][2]string{{"6", "7"}, {"7", "8"}, {"8", "9"}, {"9", "10"}, {"10", "11"}, {"5", "6"}},
	}
}

func pack(n int, zone string) []Submarine {
	var list []Submarine
	for i := range n {
		list = append(list, Submarine{ID: string(rune('a' + i)), Owner: Germany, SeaZone: zone})
	}
	return list
}

// TestRaidExamples are the examples of the text, and the options where it contradicts itself.
func TestRaidExamples(t *testing.T) {
	double := Options{ConvoyRaidCap: "double_ipc_value"}
	var japanese []Submarine
	for _, id := range []string{"w", "x", "y", "z"} {
		japanese = append(japanese, Submarine{ID: id, Owner: Japan, SeaZone: "7"})
	}
	for _, c := range []struct {
		name          string
		in            RaidInput
		damage, after int
	}{
		{"SZ 9: Canada at 1 or the UK at 2, not both", uk(Options{}, pack(1, "9")...), 2, 28},
		{"cumulative tiers: 3, and Canada loses all 3", uk(Options{Tiers: "cumulative"}, pack(1, "9")...), 3, 27},
		{"nine submarines: the cap of 8 (AAR-4-CAP)", uk(Options{}, pack(9, "7")...), 8, 22},
		{"nine submarines: 16 as in the example (AMB-AAR-1)", uk(double, pack(9, "7")...), 16, 14},
		{"nine submarines of both enemies: one cap (AMB-AAR-11)", uk(Options{}, append(pack(5, "7"), japanese...)...),
			8, 22},
		{"three in SZ 9 fill Canada, and one goes for the UK", uk(Options{}, pack(3, "9")...), 4, 26},
		{"two zones away", uk(Options{}, pack(2, "5")...), 2, 28},
		{"submerged in this TURN", uk(Options{}, Submarine{ID: "a", Owner: Germany, SeaZone: "7", Submerged: true}), 0,
			30},
	} {
		got, f := Raid(c.in)
		if f.Refused() || got.Damage != c.damage || got.IncomeAfter != c.after {
			t.Errorf("%s: %d and %d %v, want %d and %d", c.name, got.Damage, got.IncomeAfter, f.Violations, c.damage,
				c.after)
		}
	}
}

// TestOtherTurn: the submarine that raided on the UK's TURN raids an American complex on the
// US's, later in the ROUND (AAR-4-ONE-IC).
func TestOtherTurn(t *testing.T) {
	in := uk(Options{}, pack(1, "9")...)
	in.Victim = US
	if got, f := Raid(in); f.Refused() || got.Damage != 1 || got.Allocation["a"] != "Eastern United States" {
		t.Errorf("%+v, %v", got.RaidOutcome, f.Violations)
	}
}

// TestTotal: what bombers took of the territory in this TURN counts against twice its value, and
// neither more than that nor a cap below it is ever negative (AAR-4-TOTAL).
func TestTotal(t *testing.T) {
	for _, c := range []struct {
		cap           string
		before        int
		damage, limit int
		rule          string
	}{
		{"", 0, 8, 8, "AAR-4-CAP"}, {"", 8, 8, 8, "AAR-4-CAP"}, {"", 9, 7, 16, "AAR-4-TOTAL"},
		{"", 16, 0, 16, "AAR-4-TOTAL"}, {"", 40, 0, 16, "AAR-4-TOTAL"},
		{"double_ipc_value", 1, 15, 16, "AAR-4-TOTAL"}, {"double_ipc_value", 0, 16, 16, "AMB-AAR-1"},
	} {
		in := uk(Options{ConvoyRaidCap: c.cap}, pack(9, "7")...)
		in.DamageThisTurn = map[string]int{"United Kingdom": c.before}
		got, f := Raid(in)
		if f.Refused() || got.Damage != c.damage {
			t.Errorf("%+v: %d %v", c, got.Damage, f.Violations)
		}
		last := got.Raids[len(got.Raids)-1]
		if last.Cap != c.rule || last.Limit != c.limit || last.Damage != 0 {
			t.Errorf("%+v: the last raid is %+v", c, last)
		}
	}
}

// TestFloor: income stops at 0, or goes below where the house lets it (AAR-4-FLOOR).
func TestFloor(t *testing.T) {
	for floor, want := range map[string]int{"": 0, "zero": 0, "none": -6} {
		in := uk(Options{IncomeFloor: floor}, pack(4, "7")...)
		in.Income = 2
		if got, _ := Raid(in); got.IncomeAfter != want || got.Damage != 8 {
			t.Errorf("floor %q: %d", floor, got.IncomeAfter)
		}
	}
}

// TestDeclared: a declared raid stands though it wastes IPCs, and the others take the most that
// they can beside it.
func TestDeclared(t *testing.T) {
	in := uk(Options{}, pack(3, "9")...)
	in.Allocation = Allocation{"a": "Eastern Canada", "b": "Eastern Canada"}
	got, f := Raid(in)
	if f.Refused() || got.Damage != 4 || got.Allocation["c"] != "United Kingdom" {
		t.Fatalf("%+v, %v", got.RaidOutcome, f.Violations)
	}
	second := got.Raids[slices.IndexFunc(got.Raids, func(r SingleRaid) bool { return r.Submarine.ID == "b" })]
	if second.Damage != 1 || second.Reach != 2 || second.Cap != "AAR-4-CAP" || second.Limit != 3 || !second.Declared ||
		second.Distance != 1 {
		t.Errorf("the second raid on Canada is %+v", second)
	}
}

// TestRaidsAddUp: the single raids come to the outcome, and each says why.
func TestRaidsAddUp(t *testing.T) {
	got, f := Raid(uk(Options{Tiers: "cumulative"},
		append(pack(5, "8"), Submarine{ID: "x", Owner: Japan, SeaZone: "9"})...))
	sum := map[string]int{"United Kingdom": 0, "Eastern Canada": 0}
	for _, r := range got.Raids {
		sum[r.Territory] += r.Damage
		if len(r.Derivation) == 0 || (r.Damage < r.Reach) != (r.Cap != "") {
			t.Errorf("raid %+v", r)
		}
	}
	for territory, damage := range got.DamageByTerritory {
		if sum[territory] != damage {
			t.Errorf("%s: raids come to %d, the outcome says %d", territory, sum[territory], damage)
		}
	}
	if len(f.Derivation) < len(got.Raids) || len(got.Income) == 0 || len(got.Raids) != 6 {
		t.Errorf("%d steps, %d raids", len(f.Derivation), len(got.Raids))
	}
}

// TestEconomicCap holds economic attacks of one TURN to twice the value, raids to their own cap.
func TestEconomicCap(t *testing.T) {
	raid := func(n int) Attack { return Attack{ConvoyRaid, n} }
	for _, c := range []struct {
		cap     string
		value   int
		attacks []Attack
		applied []int
	}{
		{"", 8, []Attack{{SBR, 10}, {Rockets, 9}}, []int{10, 6}},
		{"", 8, []Attack{raid(16)}, []int{8}},
		{"double_ipc_value", 8, []Attack{raid(20)}, []int{16}},
		{"", 8, []Attack{raid(5), raid(5), {SBR, 20}}, []int{5, 3, 8}},
		{"", 8, []Attack{{SBR, 12}, raid(8)}, []int{12, 4}},
		{"", 8, []Attack{{SBR, 40}, {Rockets, 1}, raid(1)}, []int{16, 0, 0}},
		{"double_ipc_value", 3, []Attack{raid(4), {Rockets, 4}, raid(4)}, []int{4, 2, 0}},
		{"", 0, []Attack{{SBR, 4}}, []int{0}},
	} {
		out, f := EconomicCap(CapInput{Territory: "here", IPCValue: c.value, Attacks: c.attacks,
			Options: Options{ConvoyRaidCap: c.cap}})
		sum := 0
		for _, n := range c.applied {
			sum += n
		}
		if f.Refused() || !slices.Equal(out.Applied, c.applied) || out.Total != sum || out.Limit != 2*c.value ||
			len(f.Derivation) == 0 {
			t.Errorf("%+v: %+v %v", c, out, f.Violations)
		}
	}
}

// Bombers may have hit a territory without a complex: that takes no room from any (AAR-4-TOTAL).
func TestDamageElsewhere(t *testing.T) {
	in := RaidInput{
		Victim: UK, Income: 30, DamageThisTurn: map[string]int{"India": 3},
		Complexes:  []Complex{{Territory: "United Kingdom", Owner: UK, IPCValue: 8, SeaZones: []string{"8"}}},
		Submarines: []Submarine{{ID: "U1", Owner: Germany, SeaZone: "8"}},
	}
	out, f := Raid(in)
	if f.Refused() || out.Damage != 2 || out.IncomeAfter != 28 {
		t.Errorf("%+v, %v", out.RaidOutcome, f.Violations)
	}
}
