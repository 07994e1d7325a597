package g40

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// kamikazeTokens is how many strikes Japan may make in the game.
const kamikazeTokens = 6 // G40-KAM-SIX

// KamikazeInput is every kamikaze strike of one turn.
type KamikazeInput struct {
	Player   string         `json:"player"`
	Tokens   int            `json:"tokens"`
	Timing   string         `json:"timing"` // start_of_conduct_combat or other
	SeaZones []KamikazeZone `json:"sea_zones"`
	Ships    []Ship         `json:"ships"`
	Strikes  []Strike       `json:"strikes"`
	Options  struct{}       `json:"options"`
}

// KamikazeZone is a sea zone and what the Allies do there.
type KamikazeZone struct {
	ID      string `json:"id"`
	Symbol  bool   `json:"kamikaze_symbol"`
	Trigger string `json:"trigger"` // attack_on_japanese_units, amphibious_assault or none
}

// Ship is one ship.
type Ship struct {
	ID        string `json:"id"`
	Type      string `json:"type"`
	SeaZone   string `json:"sea_zone"`
	Side      string `json:"side"` // allied or japanese
	HitsTaken int    `json:"hits_taken"`
}

// Strike is one token spent: its target, and the die that was thrown for it.
type Strike struct {
	SeaZone string `json:"sea_zone"`
	Target  string `json:"target"`
	Roll    int    `json:"roll"`
}

// KamikazeOutcome is what the strikes did.
type KamikazeOutcome struct {
	TokensLeft int          `json:"tokens_left"`
	Ships      []StruckShip `json:"ships"`                 // all of the request, in its order
	Prevented  []string     `json:"bombardment_prevented"` // sea zones, in the order of the request
}

// StruckShip is a ship after the strikes.
type StruckShip struct {
	ID     string `json:"id"`
	Hits   int    `json:"hits"`   // of these strikes, wasted ones among them
	Status string `json:"status"` // untouched, damaged (now or before) or sunk
}

// Kamikaze rules on kamikaze strikes (Kamikaze Strikes).
func Kamikaze(in KamikazeInput) (KamikazeOutcome, rules.Findings) {
	f := KamikazeCheck(in)
	if f.Refused() {
		return KamikazeOutcome{}, f
	}
	in.ground(&f)
	out := KamikazeOutcome{TokensLeft: in.Tokens - len(in.Strikes), Ships: []StruckShip{}, Prevented: []string{}}
	scored := in.strike(&f)
	for i, s := range in.Ships {
		out.Ships = append(out.Ships, s.struck(&f, scored[i]))
	}
	for _, z := range in.SeaZones {
		if n := in.strikesIn(z.ID); n > 0 {
			out.Prevented = append(out.Prevented, z.ID)
			f.Cite("G40-KAM-BOMBARD", "%s: %s, hit or miss: no bombardment supports an assault there", zoneTitle(z.ID),
				counted(n, "strike"))
		}
	}
	return out, f
}

// KamikazeCheck refuses strikes that may not be declared. It does not look at dice.
func KamikazeCheck(in KamikazeInput) rules.Findings {
	var f rules.Findings
	in.understand(&f)
	if !samePower(in.Player, string(Japan)) {
		f.Violate("G40-KAM-WHO", "%s makes no kamikaze strikes, only Japan does", in.Player)
	}
	if len(in.Strikes) > in.Tokens {
		f.Violate("G40-KAM-SIX", "%s declared, but %s left of the %d in the game", counted(len(in.Strikes), "strike"),
			counted(in.Tokens, "token"), kamikazeTokens)
	}
	if in.Timing == "other" {
		f.Violate("G40-KAM-WHEN", "strikes are announced at the beginning of Conduct Combat, at no other time")
	}
	for _, z := range in.SeaZones {
		in.checkZone(&f, z)
	}
	for _, s := range in.Strikes {
		in.checkTarget(&f, s)
	}
	return f
}

// understand refuses names that stand for two things or for nothing (GEN-UNIQUE).
func (in KamikazeInput) understand(f *rules.Findings) {
	zones, ships := map[string]bool{}, map[string]bool{}
	for _, z := range in.SeaZones {
		if zones[z.ID] {
			f.Violate(rules.Input, "two sea zones are called %s", z.ID)
		}
		zones[z.ID] = true
	}
	for _, s := range in.Ships {
		if ships[s.ID] {
			f.Violate(rules.Input, "two ships are called %s", s.ID)
		}
		ships[s.ID] = true
		if s.HitsTaken >= s.endures() {
			f.Violate(rules.Input, "%s, a %s, cannot have taken %s: it would be sunk", s.ID, s.Type,
				counted(s.HitsTaken, "hit"))
		}
	}
	for _, s := range in.Strikes {
		if !zones[s.SeaZone] {
			f.Violate(rules.Input, "a strike is declared in %s, which the request does not describe",
				zoneTitle(s.SeaZone))
		}
		if !ships[s.Target] {
			f.Violate(rules.Input, "a strike is declared on %s, which is no ship of the request", s.Target)
		}
	}
}

// checkZone wants the symbol, and what lets Japan strike, in a sea zone where strikes are declared.
func (in KamikazeInput) checkZone(f *rules.Findings, z KamikazeZone) {
	if in.strikesIn(z.ID) == 0 {
		return
	}
	if !z.Symbol {
		f.Violate("G40-KAM-ZONE", "%s has no kamikaze symbol", zoneTitle(z.ID))
	}
	if z.Trigger == "none" {
		f.Violate("G40-KAM-WHEN", "in %s the Allies neither attack Japanese units nor make an amphibious assault",
			zoneTitle(z.ID))
	}
}

// checkTarget wants an enemy surface warship in the sea zone of the strike.
func (in KamikazeInput) checkTarget(f *rules.Findings, strike Strike) {
	if !slices.ContainsFunc(in.SeaZones, func(z KamikazeZone) bool { return z.ID == strike.SeaZone }) {
		f.Violate("G40-KAM-ZONE", "%s is not known to have the kamikaze symbol", zoneTitle(strike.SeaZone))
	}
	i := in.ship(strike.Target)
	if i < 0 {
		f.Violate("G40-KAM-TARGET", "no enemy surface warship %s is known", strike.Target)
		return
	}
	s := in.Ships[i]
	if s.Type == "submarine" || s.Type == "transport" {
		f.Violate("G40-KAM-TARGET", "%s is a %s: a strike needs a surface warship", s.ID, s.Type)
	}
	if s.Side == "japanese" {
		f.Violate("G40-KAM-TARGET", "%s is Japanese: a strike needs an enemy", s.ID)
	}
	if s.SeaZone != strike.SeaZone {
		f.Violate("G40-KAM-TARGET", "%s is in %s, not in %s", s.ID, zoneTitle(s.SeaZone), zoneTitle(strike.SeaZone))
	}
}

func (in KamikazeInput) ship(id string) int {
	return slices.IndexFunc(in.Ships, func(s Ship) bool { return s.ID == id })
}

func (in KamikazeInput) strikesIn(zone string) int {
	return rules.Count(in.Strikes, func(s Strike) bool { return s.SeaZone == zone })
}

// capital reports whether the ship takes two hits (AMB-G40-6).
func (s Ship) capital() bool { return s.Type == "battleship" || s.Type == "carrier" }

// endures is how many hits sink the ship.
func (s Ship) endures() int {
	if s.capital() {
		return 2
	}
	return 1
}

// ground says why the strikes may be made.
func (in KamikazeInput) ground(f *rules.Findings) {
	f.Cite("G40-KAM-WHO", "Japan strikes")
	f.Cite("G40-KAM-WHEN", "announced at the beginning of Conduct Combat, before any combat")
	for _, z := range in.SeaZones {
		if in.strikesIn(z.ID) == 0 {
			continue
		}
		f.Cite("G40-KAM-ZONE", "%s has the kamikaze symbol", zoneTitle(z.ID))
		why := "the Allies attack Japanese units there"
		if z.Trigger == "amphibious_assault" {
			why = "an amphibious assault is made from there"
		}
		f.Cite("G40-KAM-WHEN", "%s: %s", zoneTitle(z.ID), why)
	}
	f.Cite("G40-KAM-DECLARE", "%s, each with its sea zone and its ship, declared before any die",
		counted(len(in.Strikes), "strike"))
	f.Cite("G40-KAM-SIX", "each spends a token, whatever happens: %d of %d are left", in.Tokens-len(in.Strikes),
		in.Tokens)
}

// strike counts the hits on each ship.
func (in KamikazeInput) strike(f *rules.Findings) []int {
	most := hitsOn(f, fireKamikaze)
	scored := make([]int, len(in.Ships))
	for _, s := range in.Strikes {
		i := in.ship(s.Target)
		f.Cite("G40-KAM-TARGET", "%s is an enemy surface warship, a %s, in %s", s.Target, in.Ships[i].Type,
			zoneTitle(s.SeaZone))
		if s.Roll <= most {
			scored[i]++
			f.Cite("G40-KAM-HIT", "a die of %d hits %s, %d or less does", s.Roll, s.Target, most)
			continue
		}
		f.Cite("G40-KAM-HIT", "a die of %d misses %s, %d or less hits", s.Roll, s.Target, most)
	}
	return scored
}

// struck says what becomes of a ship that takes some hits.
func (s Ship) struck(f *rules.Findings, scored int) StruckShip {
	out := StruckShip{ID: s.ID, Hits: scored, Status: "untouched"}
	taken := s.HitsTaken + scored
	switch {
	case taken >= s.endures():
		out.Status = "sunk"
	case taken > 0:
		out.Status = "damaged"
	}
	if scored == 0 {
		return out
	}
	if s.capital() {
		f.Cite("AMB-G40-6", "%s, a %s, is a capital ship and takes two hits", s.ID, s.Type)
	}
	f.Cite("G40-KAM-SUNK", "%s has taken %s, %d sink it: %s", s.ID, counted(taken, "hit"), s.endures(), out.fate())
	if wasted := taken - s.endures(); wasted > 0 {
		f.Cite("G40-KAM-DECLARE", "%s on %s wasted: what was declared is not switched", counted(wasted, "hit"), s.ID)
	}
	return out
}

func (s StruckShip) fate() string {
	if s.Status == "sunk" {
		return "it is removed before the battle"
	}
	return "it is damaged and fights on"
}
