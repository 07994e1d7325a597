package aar

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// ground says whose complexes and whose submarines count.
func (r *raiding) ground() {
	r.Cite("AAR-4-TIME", "%s collects income: %d", r.Victim, r.Income)
	owned, strangers := 0, 0
	for _, c := range r.Complexes {
		if c.Owner == r.Victim {
			owned++
		}
	}
	for _, s := range r.Submarines {
		if !enemies(s.Owner, r.Victim) {
			strangers++
		}
	}
	r.Cite("AAR-4-OWNED", "industrial complexes of %s: %d of %d", r.Victim, owned, len(r.Complexes))
	r.Cite("AAR-4-ENEMY", "submarines of its enemies: %d of %d", len(r.Submarines)-strangers, len(r.Submarines))
}

// derive says what one submarine takes, and why no more.
func (r *raiding) derive(s SingleRaid) []events.Citation {
	var f rules.Findings
	near := "next to"
	if s.Distance == 2 {
		near = "two sea zones from"
	}
	rule := "AAR-4-RANGE"
	if s.Distance == 1 && r.Options.Tiers == "cumulative" {
		rule = "AMB-AAR-4"
	}
	how := "where the most damage is done"
	if s.Declared {
		how = "as declared"
	}
	f.Cite(rule, "%s of %s in %s is %s %s: it takes %d", s.Submarine.ID, s.Submarine.Owner, s.Submarine.SeaZone, near,
		s.Territory, s.Reach)
	f.Cite("AAR-4-ONE-IC", "it raids %s and no other complex in this TURN, %s", s.Territory, how)
	switch s.Cap {
	case "":
	case "AAR-4-TOTAL":
		f.Cite(s.Cap, "all economic attacks of one TURN take at most %d of %s, and it had taken %d before the raids: "+
			"%d of %d count",
			s.Limit, s.Territory, r.DamageThisTurn[s.Territory], s.Damage, s.Reach)
	default:
		f.Cite(s.Cap, "raids take at most %d of %s: %d of %d count", s.Limit, s.Territory, s.Damage, s.Reach)
	}
	return f.Derivation
}

// idle names the enemy submarines that submerged or have raided, and counts those too far away.
func (r *raiding) idle(given []int) {
	far := 0
	for n, s := range r.Submarines {
		switch {
		case given[n] >= 0 || !enemies(s.Owner, r.Victim):
		case s.Submerged:
			r.Cite("AAR-4-SUBMERGED", "%s submerged in this TURN's Conduct Combat and does no economic damage", s.ID)
		case s.Raided:
			r.Cite("AAR-4-ONE-IC", "%s has raided in this TURN already", s.ID)
		default:
			far++
		}
	}
	if far > 0 {
		r.Cite("AAR-4-RANGE", "enemy submarines with no complex of %s within two sea zones: %d", r.Victim, far)
	}
}

// income is what is left after the raids.
func (r *raiding) income(damage int) int {
	after := r.Income - damage
	if after < 0 && r.Options.IncomeFloor != "none" {
		r.Cite("AAR-4-FLOOR", "%d less %d would be below 0: %s collects 0", r.Income, damage, r.Victim)
		return 0
	}
	rule := "AAR-4-RANGE"
	if after < 0 {
		rule = "AMB-AAR-5"
	}
	r.Cite(rule, "raids take %d of %d: %s collects %d", damage, r.Income, r.Victim, after)
	return after
}
