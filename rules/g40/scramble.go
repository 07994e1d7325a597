package g40

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// scrambleLimit is how many aircraft an air base scrambles in a turn.
const scrambleLimit = 3 // G40-SCR-THREE

// ScrambleInput is every scramble of one turn.
type ScrambleInput struct {
	Timing    string         `json:"timing"` // end_of_combat_move or other
	Bases     []ScrambleBase `json:"bases"`
	SeaZones  []AttackedZone `json:"sea_zones"`
	Scrambles []Scrambling   `json:"scrambles"`
	Options   struct{}       `json:"options"`
}

// ScrambleBase is a territory that aircraft may scramble from, and the defending aircraft in it.
type ScrambleBase struct {
	Territory        string   `json:"territory"`
	AirBase          bool     `json:"air_base"`
	Operative        bool     `json:"operative"`
	Coastal          bool     `json:"coastal_or_island"`
	SeaZones         []string `json:"sea_zones"` // adjacent ones
	Fighters         int      `json:"fighters"`
	TacticalBombers  int      `json:"tactical_bombers"`
	StrategicBombers int      `json:"strategic_bombers"`
}

// AttackedZone is a sea zone and what the attacker does there.
type AttackedZone struct {
	ID       string `json:"id"`
	Attacked bool   `json:"friendly_units_attacked"`
	Assault  bool   `json:"amphibious_assault"` // made from there, on any territory
}

// Scrambling is the aircraft of one base that go to one sea zone.
type Scrambling struct {
	From             string `json:"from"`
	SeaZone          string `json:"sea_zone"`
	Fighters         int    `json:"fighters"`
	TacticalBombers  int    `json:"tactical_bombers"`
	StrategicBombers int    `json:"strategic_bombers"`
}

// ScrambleOutcome counts the aircraft that scramble; what none go to, or come from, is left out.
type ScrambleOutcome struct {
	BySeaZone map[string]int `json:"by_sea_zone"`
	ByBase    map[string]int `json:"by_base"`
}

// Scramble rules on the scrambles of one turn (Scramble).
func Scramble(in ScrambleInput) (ScrambleOutcome, rules.Findings) {
	f := scrambleCheck(in)
	if f.Refused() {
		return ScrambleOutcome{}, f
	}
	out := ScrambleOutcome{BySeaZone: map[string]int{}, ByBase: map[string]int{}}
	f.Cite("G40-SCR-TIME",
		"at the end of the Combat Move, after all attacks are declared: the attacker changes nothing any more")
	for _, b := range in.Bases {
		n := in.from(b.Territory).aircraft()
		if n == 0 {
			continue
		}
		out.ByBase[b.Territory] = n
		f.Cite("G40-SCR-BASE", "%s is a coastal territory or an island with an operative air base", b.Territory)
		f.Cite("G40-SCR-THREE", "%d of at most %d scramble from %s", n, scrambleLimit, b.Territory)
	}
	for _, s := range in.Scrambles {
		n := s.aircraft()
		if n == 0 {
			continue
		}
		out.BySeaZone[s.SeaZone] += n
		f.Cite("G40-SCR-TYPE", "%s from %s",
			listed(countedOrNone(s.Fighters, "fighter"), countedOrNone(s.TacticalBombers, "tactical bomber")), s.From)
		f.Cite("G40-SCR-ZONE", "%s is adjacent to %s", zoneTitle(s.SeaZone), s.From)
		f.Cite("G40-SCR-WHY", "%s: %s", zoneTitle(s.SeaZone), in.zone(s.SeaZone).why())
	}
	if len(out.ByBase) > 0 {
		f.Cite("G40-SCR-FIGHT", "they defend there, may not retreat, and fight nowhere else in this turn")
	}
	return out, f
}

// aircraft counts those that may scramble at all.
func (s Scrambling) aircraft() int { return s.Fighters + s.TacticalBombers }

// from adds up what leaves a base.
func (in ScrambleInput) from(territory string) Scrambling {
	total := Scrambling{From: territory}
	for _, s := range in.Scrambles {
		if s.From == territory {
			total.Fighters += s.Fighters
			total.TacticalBombers += s.TacticalBombers
			total.StrategicBombers += s.StrategicBombers
		}
	}
	return total
}

// zone gives a sea zone; one that the request does not describe is not attacked.
func (in ScrambleInput) zone(id string) AttackedZone {
	i := slices.IndexFunc(in.SeaZones, func(z AttackedZone) bool { return z.ID == id })
	if i < 0 {
		return AttackedZone{ID: id}
	}
	return in.SeaZones[i]
}

func (z AttackedZone) why() string {
	switch {
	case z.Attacked && z.Assault:
		return "friendly units are attacked there, and an amphibious assault is made from there"
	case z.Assault:
		return "an amphibious assault is made from there"
	}
	return "friendly units are attacked there"
}

func scrambleCheck(in ScrambleInput) rules.Findings {
	var f rules.Findings
	in.understand(&f)
	if in.Timing == "other" {
		f.Violate("G40-SCR-TIME", "aircraft scramble at the end of the Combat Move, at no other time")
	}
	for _, b := range in.Bases {
		if total := in.from(b.Territory); total.aircraft()+total.StrategicBombers > 0 {
			in.checkBase(&f, b, total)
		}
	}
	for _, s := range in.Scrambles {
		if s.aircraft()+s.StrategicBombers > 0 {
			in.checkScramble(&f, s)
		}
	}
	return f
}

// understand refuses names that stand for two things or for nothing (GEN-UNIQUE).
func (in ScrambleInput) understand(f *rules.Findings) {
	bases, zones := map[string]bool{}, map[string]bool{}
	for _, b := range in.Bases {
		if bases[b.Territory] {
			f.Violate(rules.Input, "two bases are in %s", b.Territory)
		}
		bases[b.Territory] = true
		beside := map[string]bool{}
		for _, z := range b.SeaZones {
			if beside[z] {
				f.Violate(rules.Input, "%s is named twice beside %s", zoneTitle(z), b.Territory)
			}
			beside[z] = true
		}
	}
	for _, z := range in.SeaZones {
		if zones[z.ID] {
			f.Violate(rules.Input, "two sea zones are called %s", z.ID)
		}
		zones[z.ID] = true
	}
	for _, s := range in.Scrambles {
		if !bases[s.From] {
			f.Violate(rules.Input, "aircraft are to scramble from %s, which is no base of the request", s.From)
		}
		if !zones[s.SeaZone] {
			f.Violate(rules.Input, "aircraft are to scramble to %s, which the request does not describe",
				zoneTitle(s.SeaZone))
		}
	}
}

// checkBase wants an operative air base by the sea, at most three aircraft, and those there.
func (in ScrambleInput) checkBase(f *rules.Findings, b ScrambleBase, total Scrambling) {
	if !b.AirBase {
		f.Violate("G40-SCR-BASE", "%s has no air base", b.Territory)
	} else if !b.Operative {
		f.Violate("G40-SCR-BASE", "the air base in %s is not operative", b.Territory)
	}
	if !b.Coastal {
		f.Violate("G40-SCR-BASE", "%s is neither an island nor a coastal territory", b.Territory)
	}
	if n := total.aircraft(); n > scrambleLimit {
		f.Violate("G40-SCR-THREE",
			"%d aircraft are to scramble from %s: an air base scrambles at most %d, to all its sea zones together", n,
			b.Territory, scrambleLimit)
	}
	if total.Fighters > b.Fighters || total.TacticalBombers > b.TacticalBombers {
		f.Violate(rules.Input, "to scramble from %s: %s and %s, of %d and %d there", b.Territory,
			counted(total.Fighters, fighter), counted(total.TacticalBombers, tacticalBomber), b.Fighters,
			b.TacticalBombers)
		f.Violate("G40-SCR-BASE", "only aircraft that are in %s scramble from its air base", b.Territory)
	}
}

// checkScramble wants the right aircraft, a sea zone beside the base, and something to defend.
func (in ScrambleInput) checkScramble(f *rules.Findings, s Scrambling) {
	if s.StrategicBombers > 0 {
		f.Violate("G40-SCR-TYPE", "%s from %s: only fighters and tactical bombers scramble",
			counted(s.StrategicBombers, "strategic bomber"), s.From)
	}
	i := slices.IndexFunc(in.Bases, func(b ScrambleBase) bool { return b.Territory == s.From })
	if i < 0 {
		f.Violate("G40-SCR-BASE", "no air base is known in %s", s.From)
	} else if !slices.Contains(in.Bases[i].SeaZones, s.SeaZone) {
		f.Violate("G40-SCR-ZONE", "%s is not adjacent to %s", zoneTitle(s.SeaZone), s.From)
	}
	if z := in.zone(s.SeaZone); !z.Attacked && !z.Assault {
		f.Violate("G40-SCR-WHY", "in %s no friendly unit is attacked, and no amphibious assault is made from there",
			zoneTitle(s.SeaZone))
	}
}
