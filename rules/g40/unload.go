package g40

import "github.com/watu-ledger/watu/rules"

// UnloadInput asks whether transports may unload for an amphibious assault from a sea zone.
type UnloadInput struct {
	SeaZone    string           `json:"sea_zone"`
	Submarines []EnemySubmarine `json:"enemy_submarines"`
	Warships   int              `json:"own_warships_at_end_of_combat_move"`
	Options    struct{}         `json:"options"`
}

// EnemySubmarine is a submarine in the sea zone.
type EnemySubmarine struct {
	Power string `json:"power"`
	AtWar bool   `json:"at_war"` // with the power that unloads
}

// UnloadOutcome is the leave to unload; without it the request is refused.
type UnloadOutcome struct {
	MayUnload bool `json:"may_unload"`
}

// hostile counts the submarines of powers at war with the one that unloads.
func (in UnloadInput) hostile() int {
	return rules.Count(in.Submarines, func(s EnemySubmarine) bool { return s.AtWar })
}

// Unload rules on transports that unload past enemy submarines (Submarines).
func Unload(in UnloadInput) (UnloadOutcome, rules.Findings) {
	var f rules.Findings
	hostile := in.hostile()
	switch {
	case hostile > 0 && in.Warships == 0:
		f.Violate("G40-SUB-UNLOAD",
			"enemy submarines of powers at war in %s: %d; no own warship was there at the end of the Combat Move, so "+
				"nothing unloads there for an assault",
			zoneTitle(in.SeaZone), hostile)
		return UnloadOutcome{}, f
	case hostile > 0:
		f.Cite("G40-SUB-UNLOAD",
			"enemy submarines of powers at war in %s: %d; own warships there at the end of the Combat Move: %d; "+
				"transports may unload",
			zoneTitle(in.SeaZone), hostile, in.Warships)
		f.Cite("G40-SUB-SNEAK", "the submarines do not shoot at transports that pass")
	case len(in.Submarines) > 0:
		f.Cite("G40-SUB-UNLOAD", "no submarine in %s is of a power at war: transports may unload",
			zoneTitle(in.SeaZone))
	default:
		f.Cite("G40-SUB-UNLOAD", "no enemy submarine in %s: transports may unload", zoneTitle(in.SeaZone))
	}
	return UnloadOutcome{MayUnload: true}, f
}
