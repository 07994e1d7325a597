package eots

import "github.com/watu-ledger/watu/rules"

// hitsToDisplace is how many hits a Sub Base takes before it does anything (EOTS-11.21.D-3).
const hitsToDisplace = 15

// CombatPhase is the combat in which a Sub Base is attacked.
type CombatPhase string

// The two combats.
const (
	AirNavalCombat CombatPhase = "air_naval_combat"
	GroundCombat   CombatPhase = "ground_combat"
)

// AttackInput is what happens to a Sub Base in combat. Unreduced counts the other air and naval
// units in the combat that are not reduced yet.
type AttackInput struct {
	Phase       CombatPhase `json:"phase"`
	BattleHex   bool        `json:"declared_battle_hex"`
	Hits        int         `json:"hits_applied"`
	Unreduced   int         `json:"unreduced_other_units"`
	CriticalHit bool        `json:"critical_hit"`
	Occupied    bool        `json:"occupied_by_japanese_ground_unit"`
	Options     Options     `json:"options"`
}

// AttackOutcome says whether the base leaves the map, and where to.
type AttackOutcome struct {
	Displaced          bool    `json:"displaced"`
	To                 *string `json:"to"`      // "turn_record_track", or nil
	Returns            *string `json:"returns"` // "next_reinforcement_phase", or nil
	EmergencyNavalMove bool    `json:"emergency_naval_move"`
}

// AttackSubBase rules on a Japanese attack on a Sub Base (11.21.D).
func AttackSubBase(in AttackInput) (AttackOutcome, rules.Findings) {
	var f rules.Findings
	in.check(&f)
	if f.Refused() {
		return AttackOutcome{}, f
	}
	if in.Phase == GroundCombat {
		return in.ground(&f), f
	}
	return in.airNaval(&f), f
}

func (in AttackInput) check(f *rules.Findings) {
	if in.Phase == GroundCombat && in.Occupied {
		return // EOTS-11.21.D-7 alone decides: hits stated here are those of the combat before
	}
	switch {
	case in.Phase == GroundCombat && (in.Hits > 0 || in.CriticalHit):
		f.ViolateField("phase", "EOTS-11.21.D-1", "a Sub Base takes hits in Air-Naval Combat, not in ground combat")
	case in.Phase == AirNavalCombat && !in.BattleHex:
		f.ViolateField("declared_battle_hex", "EOTS-11.21.D-1",
			"a Sub Base may be attacked only in a declared Battle Hex")
	}
	if in.Hits > 0 && in.Unreduced > 0 && !in.CriticalHit { // EOTS-11.21.D-5: that one need not wait
		f.ViolateField("unreduced_other_units", "EOTS-11.21.D-4",
			"all other air and naval units in the combat are reduced before a Sub Base takes hits: %d are not",
			in.Unreduced)
	}
}

func (in AttackInput) airNaval(f *rules.Findings) AttackOutcome {
	f.Cite("EOTS-11.21.D-1", "the base is in a declared Battle Hex and may be attacked in Air-Naval Combat")
	f.Cite("EOTS-11.21.D-2", "it adds no factors to the combat")
	switch {
	case in.CriticalHit:
		f.Cite("EOTS-11.21.D-5", "the base is the target of a Critical Hit")
		f.Cite("AMB-EOTS-7",
			"so other units need not be reduced first (%d are not); the %d hits are needed all the same", in.Unreduced,
			hitsToDisplace)
	case in.Hits == 0:
		f.Cite("EOTS-11.21.D-4", "Japan applies no hits to the base, as it may")
	default:
		f.Cite("EOTS-11.21.D-4", "every other air and naval unit in the combat is reduced")
	}
	f.Cite("EOTS-11.21.D-3", "%d of %d hits", in.Hits, hitsToDisplace)
	if in.Occupied {
		f.Cite("EOTS-11.21.D-7", "occupation counts at the end of ground combat, not yet")
	}
	if in.Hits < hitsToDisplace {
		return AttackOutcome{}
	}
	f.Cite("EOTS-11.21.D-6",
		"the base is displaced to the Turn Record Track and returns in the next Reinforcement Phase")
	return displaced()
}

func (in AttackInput) ground(f *rules.Findings) AttackOutcome {
	if !in.Occupied {
		f.Cite("EOTS-11.21.D-7", "no Japanese ground unit occupies the base at the end of ground combat: it stays")
		return AttackOutcome{}
	}
	f.Cite("EOTS-11.21.D-7",
		"a Japanese ground unit occupies the base: to the Turn Record Track without an Emergency Naval Move, back in "+
			"the next Reinforcement Phase")
	return displaced()
}

func displaced() AttackOutcome {
	to, returns := string(OnTrack), "next_reinforcement_phase"
	return AttackOutcome{Displaced: true, To: &to, Returns: &returns}
}
