package aar

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// RaidInput is a power's Collect Income: its complexes and those of others, the sea, and every
// submarine in it.
type RaidInput struct {
	Victim         Power          `json:"victim"`
	Income         int            `json:"income"`
	Phase          string         `json:"phase"`
	Complexes      []Complex      `json:"industrial_complexes"`
	Links          [][2]string    `json:"sea_zone_links"`
	Submarines     []Submarine    `json:"submarines"`
	Allocation     Allocation     `json:"allocation"`
	DamageThisTurn map[string]int `json:"damage_this_turn"`
	Options        Options        `json:"options"`
}

// Complex is an industrial complex: its territory, and the sea zones that touch it.
type Complex struct {
	Territory string   `json:"territory"`
	Owner     Power    `json:"owner"`
	IPCValue  int      `json:"ipc_value"`
	SeaZones  []string `json:"sea_zones"`
}

// Submarine is one submarine.
type Submarine struct {
	ID        string `json:"id"`
	Owner     Power  `json:"owner"`
	SeaZone   string `json:"sea_zone"`
	Submerged bool   `json:"submerged_this_turn"`
	Raided    bool   `json:"raided_this_turn"`
}

// Allocation is what raiders declare, submarine to territory. In JSON the word "optimal" stands
// for nothing declared.
type Allocation map[string]string

// UnmarshalJSON reads an object, or "optimal".
func (a *Allocation) UnmarshalJSON(text []byte) error {
	var word string
	if json.Unmarshal(text, &word) == nil {
		*a = nil
		return nil
	}
	return json.Unmarshal(text, (*map[string]string)(a))
}

// SingleRaid is the raid of one submarine.
type SingleRaid struct {
	Submarine Submarine
	Territory string
	Distance  int    // in sea zones: 1 next to the complex, 2
	Reach     int    // what a submarine takes at that distance
	Damage    int    // what counts
	Cap       string // rule of the cap that took the rest, empty if none did
	Limit     int    // the figure of that cap
	Declared  bool

	Derivation []events.Citation
}

// RaidOutcome is the damage of the raids, and the income that is left.
type RaidOutcome struct {
	Damage            int               `json:"damage"`
	IncomeAfter       int               `json:"income_after"`
	DamageByTerritory map[string]int    `json:"damage_by_territory"` // of every complex of the victim
	Allocation        map[string]string `json:"allocation"`          // of every submarine that raids
}

// RaidRuling is the outcome, and each raid by itself: by territory in the order of the request,
// declared ones first, the nearer before the farther.
type RaidRuling struct {
	RaidOutcome
	Raids  []SingleRaid
	Income []events.Citation // how the income follows, beside the raids' own derivations
}

// Raid rules on the convoy raids of one Collect Income (rule 4): every enemy submarine in range
// raids, where it was declared to or else where it does the most damage.
func Raid(in RaidInput) (RaidRuling, rules.Findings) {
	r := raiding{RaidInput: in, distance: distances(in.Complexes, in.Links)}
	r.understand()
	if !subject(in.Victim) {
		r.Violate("AAR-4-SUBJECT", "industrial complexes of %s are never raided, only those of UK, US and Japan",
			in.Victim)
	}
	if in.Phase == "other" {
		r.Violate("AAR-4-TIME", "raids come in the Collect Income Phase of %s, in no other", in.Victim)
	}
	if r.checkDeclared(); r.Refused() {
		return RaidRuling{}, r.Findings
	}
	r.ground()
	return r.resolve(), r.Findings
}

// raiding is one ruling under way.
type raiding struct {
	RaidInput
	rules.Findings
	distance []map[string]int // of each complex: sea zones at 1 and 2
}

// distances measures from each complex: zones that touch it are at 1, zones that touch those at
// 2 (AAR-4-RANGE). Canals are ignored: zones that are joined touch, whoever holds the land (AMB-AAR-10).
func distances(complexes []Complex, links [][2]string) []map[string]int {
	touching := map[string][]string{}
	for _, l := range links {
		touching[l[0]] = append(touching[l[0]], l[1])
		touching[l[1]] = append(touching[l[1]], l[0])
	}
	var list []map[string]int
	for _, c := range complexes {
		d := map[string]int{}
		for _, z := range c.SeaZones {
			d[z] = 1
		}
		for _, z := range c.SeaZones {
			for _, next := range touching[z] {
				if d[next] == 0 {
					d[next] = 2
				}
			}
		}
		list = append(list, d)
	}
	return list
}

// understand refuses names that stand for two things, and names of nothing (GEN-UNIQUE).
func (r *raiding) understand() {
	territories, boats := map[string]bool{}, map[string]bool{}
	for _, c := range r.Complexes {
		if territories[c.Territory] {
			r.Violate(rules.Input, "two industrial complexes stand in %s: a territory holds one", c.Territory)
		}
		territories[c.Territory] = true
		zones := map[string]bool{}
		for _, z := range c.SeaZones {
			if zones[z] {
				r.Violate(rules.Input, "sea zone %s is named twice beside %s", z, c.Territory)
			}
			zones[z] = true
		}
	}
	for _, s := range r.Submarines {
		if boats[s.ID] {
			r.Violate(rules.Input, "two submarines are called %s", s.ID)
		}
		boats[s.ID] = true
	}
	for _, id := range slices.Sorted(maps.Keys(r.Allocation)) {
		if !boats[id] {
			r.Violate(rules.Input, "the allocation names %s, which is no submarine of the request", id)
		}
		if !territories[r.Allocation[id]] {
			r.Violate(rules.Input, "%s is to raid %s, where no industrial complex stands", id, r.Allocation[id])
		}
	}
}

// complexIn gives the number of the complex in a territory, -1 if there is none.
func (r *raiding) complexIn(territory string) int {
	return slices.IndexFunc(r.Complexes, func(c Complex) bool { return c.Territory == territory })
}

// checkDeclared refuses raids that were declared and cannot be made. It looks at each end of a
// raid for itself, so that one fault does not hide another (GEN-ALL).
func (r *raiding) checkDeclared() {
	for _, id := range slices.Sorted(maps.Keys(r.Allocation)) {
		territory := r.Allocation[id]
		i := r.complexIn(territory)
		r.checkTarget(territory, i)
		boat := slices.IndexFunc(r.Submarines, func(s Submarine) bool { return s.ID == id })
		if boat < 0 {
			continue
		}
		s := r.Submarines[boat]
		r.checkRaider(s)
		if i >= 0 && r.distance[i][s.SeaZone] == 0 {
			r.Violate("AAR-4-RANGE", "%s in %s is more than two sea zones from %s", s.ID, s.SeaZone, territory)
		}
	}
}

// checkTarget wants a complex of the power that collects.
func (r *raiding) checkTarget(territory string, i int) {
	if i < 0 {
		r.Violate("AAR-4-OWNED", "%s owns no industrial complex in %s", r.Victim, territory)
		return
	}
	owner := r.Complexes[i].Owner
	if owner == r.Victim {
		return
	}
	r.Violate("AAR-4-OWNED", "the complex in %s belongs to %s, and %s collects", territory, owner, r.Victim)
	if !subject(owner) {
		r.Violate("AAR-4-SUBJECT", "the complex in %s belongs to %s, whose complexes are never raided", territory,
			owner)
	}
}

// checkRaider wants an enemy that stayed up and has not raided in this TURN.
func (r *raiding) checkRaider(s Submarine) {
	if !enemies(s.Owner, r.Victim) {
		r.Violate("AAR-4-ENEMY", "%s of %s is no enemy of %s", s.ID, s.Owner, r.Victim)
	}
	if s.Submerged {
		r.Violate("AAR-4-SUBMERGED", "%s submerged in this TURN's Conduct Combat, so it does no economic damage", s.ID)
	}
	if s.Raided {
		r.Violate("AAR-4-ONE-IC", "%s has raided an industrial complex in this TURN", s.ID)
	}
}

// targets lists where a submarine may raid: the nearest first, then in the order of the request.
func (r *raiding) targets(s Submarine) []target {
	var list []target
	if !enemies(s.Owner, r.Victim) || s.Submerged || s.Raided {
		return nil
	}
	for i, c := range r.Complexes {
		if d := r.distance[i][s.SeaZone]; d > 0 && c.Owner == r.Victim {
			list = append(list, target{i, r.Options.reach(d)})
		}
	}
	slices.SortStableFunc(list, func(a, b target) int { return cmp.Compare(b.ipcs, a.ipcs) })
	return list
}

// room is what raids may still take of a complex, those of all enemies together (AMB-AAR-11), and
// the rule that says so.
func (r *raiding) room(c Complex) (ipcs int, rule string, limit int) {
	raids, left := r.Options.raidCap(c.IPCValue), max(0, 2*c.IPCValue-r.DamageThisTurn[c.Territory])
	if left < raids {
		return left, "AAR-4-TOTAL", 2 * c.IPCValue // with what it had taken before
	}
	return raids, r.Options.capRule(), raids // AAR-4-CAP; with double_ipc_value AMB-AAR-1
}

// resolve sends every submarine somewhere and counts what it takes.
func (r *raiding) resolve() RaidRuling {
	var rooms []int
	for _, c := range r.Complexes {
		ipcs, _, _ := r.room(c)
		rooms = append(rooms, ipcs)
	}
	given := r.send(rooms)
	out := RaidRuling{RaidOutcome: RaidOutcome{DamageByTerritory: map[string]int{}, Allocation: map[string]string{}}}
	for i := range r.Complexes {
		damage := 0
		for _, raid := range r.raidsOn(i, given) {
			raid.Damage = min(raid.Reach, rooms[i]-damage)
			if raid.Damage < raid.Reach {
				_, raid.Cap, raid.Limit = r.room(r.Complexes[i])
			}
			damage += raid.Damage
			raid.Derivation = r.derive(raid)
			out.Raids = append(out.Raids, raid)
			out.Allocation[raid.Submarine.ID] = raid.Territory
			r.Derivation = append(r.Derivation, raid.Derivation...)
		}
		if r.Complexes[i].Owner == r.Victim {
			out.DamageByTerritory[r.Complexes[i].Territory] = damage
		}
		out.Damage += damage
	}
	before := len(r.Derivation)
	r.idle(given)
	out.IncomeAfter = r.income(out.Damage)
	out.Income = r.Derivation[before:]
	return out
}

// send gives each submarine its complex, -1 for none: declared ones as declared, the others
// where all together take the most beside them (AAR-4-ONE-IC).
func (r *raiding) send(rooms []int) []int {
	left := slices.Clone(rooms)
	given, free := make([]int, len(r.Submarines)), make([][]target, len(r.Submarines))
	for n, s := range r.Submarines {
		given[n] = -1
		territory, declared := r.Allocation[s.ID]
		if !declared {
			free[n] = r.targets(s)
			continue
		}
		given[n] = r.complexIn(territory)
		left[given[n]] = max(0, left[given[n]]-r.Options.reach(r.distance[given[n]][s.SeaZone]))
	}
	for n, c := range allocate(free, left) {
		if c >= 0 {
			given[n] = c
		}
	}
	return given
}

// raidsOn lists the raids on one complex.
func (r *raiding) raidsOn(complex int, given []int) []SingleRaid {
	var list []SingleRaid
	for n, s := range r.Submarines {
		if given[n] != complex {
			continue
		}
		d := r.distance[complex][s.SeaZone]
		_, declared := r.Allocation[s.ID]
		list = append(list, SingleRaid{
			Submarine: s, Territory: r.Complexes[complex].Territory, Distance: d, Reach: r.Options.reach(d),
			Declared: declared,
		})
	}
	slices.SortStableFunc(list, func(a, b SingleRaid) int {
		if a.Declared != b.Declared {
			return map[bool]int{true: -1, false: 1}[a.Declared]
		}
		return cmp.Compare(a.Distance, b.Distance)
	})
	return list
}
