package aar

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// Modifier is one entry of a list of modifiers, with the rule that gives it.
type Modifier struct {
	Name  string
	Value int
	Rule  string
}

// DetectionModifiers are what changes the value of a group of submarines for the destroyers of a
// power. They are known before the dice.
func DetectionModifiers(in DetectionInput, destroyers Power, s SubmarineGroup) []Modifier {
	has := func(p Power, t Tech) bool { return slices.Contains(in.Techs[p], t) }
	var list []Modifier
	add := func(when bool, name string, value int, rule string) {
		if when {
			list = append(list, Modifier{name, value, rule})
		}
	}
	// AAR-7-MOD-AIR, AAR-7-MOD-LRA: aircraft of the destroyers' own nation, however many.
	air := slices.Contains(in.Air, destroyers)
	add(air && !has(destroyers, LongRangeAircraft), "aircraft of "+string(destroyers), 1, "AAR-7-MOD-AIR")
	add(air && has(destroyers, LongRangeAircraft), "long-range aircraft of "+string(destroyers), 2, "AAR-7-MOD-LRA")
	add(has(destroyers, RadarSonar), "Radar/Sonar of "+string(destroyers), 1, "AAR-7-MOD-RADAR")
	if in.Options.SuperDestroyers == "opposing_subs" {
		add(has(destroyers, SuperDestroyers), "Super Destroyers of "+string(destroyers), 1, "AMB-AAR-7")
	} else { // AAR-7-MOD-SUPER: as printed, they make one's own super submarines easier to find
		add(s.Super && has(s.Power, SuperDestroyers), "Super Destroyers of "+string(s.Power), 1, "AAR-7-MOD-SUPER")
	}
	add(has(s.Power, ImprovedShipyards), "Improved Shipyards of "+string(s.Power), -1, "AAR-7-MOD-YARD")
	return list
}

// DetectionValue is the DD-to-detect value of a group as the destroyers of a power see it. It is not
// held to what a die can show (AMB-AAR-9).
func DetectionValue(f *rules.Findings, in DetectionInput, destroyers Power, s SubmarineGroup) int {
	value := in.Options.baseline()
	f.Cite("AAR-7-BASE", "%s of %s for destroyers of %s: %d", s.name(), s.Power, destroyers, value)
	if value != 3 {
		f.Cite("AMB-AAR-2", "the baseline is %d here, not 3", value)
	}
	for _, m := range DetectionModifiers(in, destroyers, s) {
		value += m.Value
		f.Cite(m.Rule, "%s: %+d, so %d", m.Name, m.Value, value)
		if m.Rule == "AMB-AAR-7" {
			f.Cite("AAR-7-MOD-SUPER", "Super Destroyers are read as raising the value of enemy submarines")
		}
	}
	if value < 1 || value > 5 {
		f.Cite("AMB-AAR-9", "a value of %d is met by %s", value,
			map[bool]string{true: "no roll", false: "every roll"}[value < 1])
	}
	return value
}
