package awaw

import (
	"strconv"

	"github.com/watu-ledger/watu/rules"
)

// SurpriseLevelInput is the Japanese surprise die of the first strike on Pearl Harbor.
type SurpriseLevelInput struct {
	EffectiveUSJT  int     `json:"effective_usjt"` // after Magic cards
	Die            int     `json:"die"`
	OtherModifiers int     `json:"other_modifiers"`
	DefendingAir   Air     `json:"defending_air"`
	Options        Options `json:"options"`
}

// Air counts army and naval air: AAF and NAS.
type Air struct {
	AAF int `json:"aaf" least:"0"`
	NAS int `json:"nas" least:"0"`
}

// SurprisedFactors is surprised air in naval factors: one an AAF, one for three NAS; NAS
// that make no whole factor are left over.
type SurprisedFactors struct {
	AAF         int `json:"aaf"`
	NAS         int `json:"nas"`
	NASLeftOver int `json:"nas_left_over"`
}

// SurpriseLevelOutcome is the level, its row of the table, and what follows.
type SurpriseLevelOutcome struct {
	DRM                           int              `json:"drm"`
	Level                         int              `json:"level"`
	Row                           string           `json:"row"` // "none", "4", "5", "6" or "7+"
	Engaging                      Air              `json:"engaging"`
	Surprised                     Air              `json:"surprised"`
	SurprisedNavalFactors         SurprisedFactors `json:"surprised_naval_factors"`
	AmericanAirDefenseRoll        bool             `json:"american_air_defense_roll"`
	AmericanAirDefenseLevelChange int              `json:"american_air_defense_level_change"`
	JapaneseAttackDRM             int              `json:"japanese_attack_drm"`
	DamageTriggersCriticalHit     bool             `json:"damage_triggers_critical_hit"`
}

// SurpriseLevel rules on the level of surprise in the first strike (51.31).
func SurpriseLevel(in SurpriseLevelInput) (SurpriseLevelOutcome, rules.Findings) {
	f := checkDice("die", []int{in.Die}, 1, rules.Input)
	if f.Refused() {
		return SurpriseLevelOutcome{}, f
	}
	column, drm := PearlHarborColumn(in.EffectiveUSJT)
	level := in.Die + drm + in.OtherModifiers
	out := SurpriseLevelOutcome{
		DRM:                           drm,
		Level:                         level,
		Row:                           SurpriseRow(level, in.Options),
		AmericanAirDefenseRoll:        true,
		AmericanAirDefenseLevelChange: -1,
		JapaneseAttackDRM:             1,
	}
	f.Consult(TablePearlHarbor, pearlDRMRow, column)
	f.Cite("AWAW-51.31-E", "USJT %d, column %s: %+d on the surprise die", in.EffectiveUSJT, column, drm)
	f.Cite("AWAW-51.31-E", "die %d %+d, other modifiers %+d: level %d", in.Die, drm, in.OtherModifiers, level)
	out.Engaging = out.engage(&f, in)
	out.Surprised = Air{AAF: in.DefendingAir.AAF - out.Engaging.AAF, NAS: in.DefendingAir.NAS - out.Engaging.NAS}
	out.SurprisedNavalFactors = SurprisedFactors{ // AMB-AWAW-15, -13
		AAF:         out.Surprised.AAF,
		NAS:         out.Surprised.NAS / 3,
		NASLeftOver: out.Surprised.NAS % 3,
	}
	if out.Surprised != (Air{}) {
		f.Cite("AWAW-51.31-G",
			"%d AAF and %d NAS surprised on the ground are attacked as %d and %d naval factors, apart (%d NAS "+
				"left over)",
			out.Surprised.AAF, out.Surprised.NAS, out.Surprised.AAF, out.SurprisedNavalFactors.NAS,
			out.SurprisedNavalFactors.NASLeftOver)
	}
	f.Cite("AWAW-51.31-F",
		"the American air defense dice level is one lower; Japanese air attacks on ships and surprised air get +1")
	return out, f
}

// SurpriseRow is the row of the surprise levels: "4", "5", "6", "7+", and for 3 or less
// "none" or "4" (AMB-AWAW-10).
func SurpriseRow(level int, o Options) string {
	switch {
	case level >= 7:
		return "7+"
	case level >= 4:
		return strconv.Itoa(level)
	case o.Below4 == "as_4":
		return "4"
	}
	return "none"
}

// engage gives the air that meets the attackers; AAF and NAS are rounded each for itself
// (AMB-AWAW-12).
func (out *SurpriseLevelOutcome) engage(f *rules.Findings, in SurpriseLevelInput) Air {
	air := in.DefendingAir
	switch out.Row {
	case "4":
		if out.Level < 4 {
			f.Cite("AWAW-51.31-8", "level %d counts as 4 (below_4: as_4)", out.Level)
		}
		engaging := Air{AAF: ceilDiv(2*air.AAF, 3), NAS: ceilDiv(2*air.NAS, 3)}
		f.Cite("AWAW-51.31-4", "two-thirds rounded up engage: %d of %d AAF, %d of %d NAS", engaging.AAF, air.AAF,
			engaging.NAS, air.NAS)
		return engaging
	case "5":
		engaging := Air{AAF: ceilDiv(air.AAF, 3), NAS: ceilDiv(air.NAS, 3)}
		f.Cite("AWAW-51.31-5", "one-third rounded up engages: %d of %d AAF, %d of %d NAS", engaging.AAF, air.AAF,
			engaging.NAS, air.NAS)
		return engaging
	case "6":
		f.Cite("AWAW-51.31-6", "all defending air is surprised")
		return Air{}
	case "7+":
		out.AmericanAirDefenseRoll, out.DamageTriggersCriticalHit = false, true
		f.Cite("AWAW-51.31-7", "no air defense roll; damage to a named ship triggers a critical hit roll")
		if in.Options.Level7 == "row_alone" {
			f.Cite("AWAW-51.31-7", "defending air engages as usual (level_7: row_alone)")
			return air
		}
		f.Cite("AWAW-51.31-6", "level 7 and more brings level 6 too: all defending air is surprised")
		return Air{}
	}
	f.Cite("AWAW-51.31-8", "level %d is below the rows: all defending air engages", out.Level)
	return air
}

func ceilDiv(n, by int) int { return (n + by - 1) / by }
