package aar

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// Tech is a technology that bears on detection.
type Tech string

// The technologies.
const (
	LongRangeAircraft Tech = "long_range_aircraft"
	RadarSonar        Tech = "radar_sonar"
	SuperDestroyers   Tech = "super_destroyers"
	ImprovedShipyards Tech = "improved_shipyards"
)

// DetectionInput is one battle in a sea zone: destroyers with a roll for each, and the submarines
// that they may find.
type DetectionInput struct {
	Cycle          int              `json:"cycle"`
	Destroyers     []Destroyers     `json:"destroyers"`
	Air            []Power          `json:"air"` // powers with a fighter or bomber of theirs in the sea zone
	Techs          map[Power][]Tech `json:"techs"`
	Submarines     []SubmarineGroup `json:"submarines"`
	Attacking      bool             `json:"submarines_attacking"`
	OtherAttackers bool             `json:"other_attackers_present"`
	Options        Options          `json:"options"`
}

// Destroyers are the destroyers of one nation. They roll apart from those of others
// (AAR-7-NATIONS).
type Destroyers struct {
	Power Power `json:"power"`
	Rolls []int `json:"rolls"` // one for each
}

// SubmarineGroup are submarines of one owner, all of them super submarines or none.
type SubmarineGroup struct {
	Power Power `json:"power"`
	Count int   `json:"count"`
	Super bool  `json:"super"`
}

// DetectionOutcome says of each group what becomes of it.
type DetectionOutcome struct {
	Groups []DetectedGroup `json:"groups"`
}

// DetectedGroup is a group after the rolls.
type DetectedGroup struct {
	SubmarineGroup
	Detected     bool          `json:"detected"`
	Values       map[Power]int `json:"values"` // DD-to-detect, by the destroyers' power
	HitsRemoved  bool          `json:"opening_fire_hits_removed"`
	MaySubmerge  bool          `json:"may_submerge_after_opening_fire"`
	MayCallShots bool          `json:"may_call_shots"`
}

// CheckDetection finds what forbids the rolls, without looking at them.
func CheckDetection(in DetectionInput) rules.Findings {
	var f rules.Findings
	if in.Cycle > 1 {
		f.ViolateField("cycle", "AAR-7-ROLL",
			"destroyers roll in the first cycle, before Opening Fire; this is cycle %d", in.Cycle)
	}
	for _, d := range in.Destroyers { // one side's, against the other's
		against := func(s SubmarineGroup) bool { return enemies(d.Power, s.Power) }
		if i := slices.IndexFunc(in.Submarines, func(s SubmarineGroup) bool { return !against(s) }); i >= 0 {
			f.ViolateField("destroyers", "AAR-7-OPPOSING",
				"submarines of %s are no enemies of %s, and its destroyers roll against enemies only",
				in.Submarines[i].Power, d.Power)
		} else if len(in.Submarines) == 0 {
			f.ViolateField("destroyers", "AAR-7-OPPOSING",
				"no submarine here is an enemy of %s, and its destroyers roll against enemies only", d.Power)
		}
	}
	for _, power := range slices.Sorted(maps.Keys(in.Techs)) {
		if !slices.Contains(powers(), power) {
			f.ViolateField("techs", rules.Input, "techs are given by power, and there is no power %q", power)
		}
	}
	return f
}

// Detect rules on SUB Detection (rule 7): the value of each group of submarines as each nation's
// destroyers see it, who is detected, and what those may do who are not.
func Detect(in DetectionInput) (DetectionOutcome, rules.Findings) {
	f := CheckDetection(in)
	if f.Refused() {
		return DetectionOutcome{}, f
	}
	f.Cite("AAR-7-START", "all submarines begin the combat undetected")
	if len(in.Destroyers) > 0 {
		f.Cite("AAR-7-ROLL", "each destroyer rolls once, in the first cycle before Opening Fire")
		f.Cite("AAR-7-OPPOSING", "its roll is held against the submarines of the enemy")
	}
	if len(in.Destroyers) > 1 {
		f.Cite("AAR-7-NATIONS", "the destroyers of each nation roll by themselves, against values of their own")
	}
	out := DetectionOutcome{Groups: []DetectedGroup{}}
	for _, s := range in.Submarines {
		out.Groups = append(out.Groups, in.hunt(&f, s))
	}
	for i := range out.Groups {
		in.advantages(&f, &out.Groups[i],
			slices.ContainsFunc(out.Groups, func(g DetectedGroup) bool { return g.Detected }))
	}
	return out, f
}

// hunt holds every roll against a group's value as that destroyer sees it.
func (in DetectionInput) hunt(f *rules.Findings, s SubmarineGroup) DetectedGroup {
	g := DetectedGroup{SubmarineGroup: s, Values: map[Power]int{}}
	for _, d := range in.Destroyers {
		value := DetectionValue(f, in, d.Power, s)
		g.Values[d.Power] = value
		if slices.ContainsFunc(d.Rolls, func(roll int) bool { return roll <= value }) {
			g.Detected = true
			f.Cite("AAR-7-TEST", "%s of %s: a roll of %d is at most %d: detected", s.name(), s.Power,
				slices.Min(d.Rolls), value)
		} else if len(d.Rolls) > 0 {
			f.Cite("AAR-7-TEST", "%s of %s: the lowest roll of %s is %d, above %d", s.name(), s.Power, d.Power,
				slices.Min(d.Rolls), value)
		}
	}
	if !in.hunted() {
		f.Cite("AAR-7-DD-ONLY", "no enemy destroyer hunts the %s of %s, and nothing else detects", s.name(), s.Power)
	}
	return g
}

// hunted reports whether any destroyer rolled.
func (in DetectionInput) hunted() bool {
	return slices.ContainsFunc(in.Destroyers, func(d Destroyers) bool { return len(d.Rolls) > 0 })
}

// advantages says what a group's state gives it in the first cycle.
func (in DetectionInput) advantages(f *rules.Findings, g *DetectedGroup, anyDetected bool) {
	if g.Detected {
		f.Cite("AAR-7-DETECTED", "%s of %s: detected, so enemy destroyers take away what submarines can do", g.name(),
			g.Power)
		return
	}
	g.HitsRemoved, g.MaySubmerge = true, true
	f.Cite("AAR-7-OPENING", "%s of %s: undetected, so what they hit in Opening Fire is gone when it ends", g.name(),
		g.Power)
	f.Cite("AAR-7-SUBMERGE", "%s of %s may submerge right after Opening Fire, and count as detected if they do not",
		g.name(), g.Power)
	switch {
	case !in.Attacking:
		f.Cite("AAR-7-SHOTS", "%s of %s do not attack, so they call no shots", g.name(), g.Power)
	case in.OtherAttackers:
		f.Cite("AAR-7-SHOTS", "other units attack, fly over or sail through the sea zone, so no shots are called")
	default:
		g.MayCallShots = true
		if anyDetected {
			f.Cite("AMB-AAR-12", "detected submarines of the same attack are no other units")
		}
		f.Cite("AAR-7-SHOTS", "%s of %s attack alone and may call their shots", g.name(), g.Power)
		f.Cite("AAR-7-TRANSPORT", "but not to sink escorted transports")
	}
}

func (s SubmarineGroup) name() string {
	if s.Super {
		return "super submarines"
	}
	return "submarines"
}
