package aar

import (
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// Step is what is done about D-Day.
type Step string

// The steps.
const (
	Declare Step = "declare"
	Assault Step = "attack"
	CallOff Step = "call_off"
)

// DDayInput is one step of D-Day (rule 5), and what came before it.
type DDayInput struct {
	Step         Step       `json:"step"`
	TurnOf       Power      `json:"turn_of"`
	AtStart      bool       `json:"at_start_of_turn"`
	Declared     bool       `json:"declared_before"`
	CarriedOut   bool       `json:"carried_out_before"`
	FranceAllied bool       `json:"france_ever_allied"`
	Target       string     `json:"target"` // empty for France
	SZ7          SZ7        `json:"sea_zone_7_at_start_of_us_turn"`
	Units        []DDayUnit `json:"units"`
	Agreed       bool       `json:"casualties_agreed"`
	AAGun        bool       `json:"defending_aa_gun"`
	Options      Options    `json:"options"`

	seaSpared bool // AA fire over France leaves aircraft out that fight in SZ 7
}

// SZ7 is what lay in SZ 7 when the US TURN began.
type SZ7 struct {
	Enemy    int `json:"enemy_units"`
	Friendly int `json:"friendly_units"`
}

// DDayUnit is a unit and its part in D-Day.
type DDayUnit struct {
	ID      string   `json:"id"`
	Power   Power    `json:"power"`
	Type    UnitType `json:"type"`
	Role    Role     `json:"role"`
	From    string   `json:"from"`   // territory or sea zone it attacks from, empty where nobody stated it
	Battle  string   `json:"battle"` // France, or the sea zone of a sea combat; empty as the role has it
	Used    bool     `json:"used_on_uk_turn"`
	New     bool     `json:"newly_purchased"`
	Loaded  bool     `json:"loaded"`
	InReach bool     `json:"enough_movement"`
}

// Role is a unit's part.
type Role string

// The roles. A unit with none stays where it stands.
const (
	Amphibious Role = "amphibious"
	Overland   Role = "overland"
	ByAir      Role = "air"
	SeaCombat  Role = "sea_combat"
	Bombard    Role = "bombard"
	NoRole     Role = "none"
)

// DDayOutcome is what follows from the step.
type DDayOutcome struct {
	Declared    bool          `json:"declared"`
	AttackPower Power         `json:"attack_power,omitempty"`
	Bombarding  []string      `json:"bombarding,omitzero"`            // of an attack, empty where nothing bombards
	Casualties  string        `json:"casualties_chosen_by,omitempty"` // "uk_and_us" or "defender"
	AADice      map[Power]int `json:"aa_dice,omitempty"`              // rolled apart for each power
}

// DDay rules on a step of D-Day.
func DDay(in DDayInput) (DDayOutcome, rules.Findings) {
	var f rules.Findings
	switch in.Step {
	case Declare:
		in.declare(&f)
		return DDayOutcome{Declared: true}, f
	case CallOff:
		f.Violate("AAR-5-NO-CALL-OFF", "D-Day may not be called off once it is declared")
		if !in.Declared {
			f.Violate("AAR-5-UNDECLARED", "D-Day was not declared, so there is nothing to call off")
		}
		return DDayOutcome{}, f
	}
	if in.checkAssault(&f); f.Refused() {
		return DDayOutcome{}, f
	}
	out := in.assault(&f)
	out.Casualties = in.casualties(&f)
	return out, f
}

func (in DDayInput) declare(f *rules.Findings) {
	if in.TurnOf != UK || !in.AtStart {
		f.Violate("AAR-5-DECLARE", "D-Day is declared by the UK at the start of its own turn, at no other time")
	}
	if in.Declared || in.CarriedOut {
		f.Violate("AAR-5-ONCE", "D-Day has been declared in this game, and there is one only")
	}
	in.checkTarget(f)
	f.Cite("AAR-5-DECLARE", "the UK declares D-Day at the start of its turn")
	f.Cite("AAR-5-ONCE", "for the first and only time in the game")
	f.Cite("AAR-5-TARGET", "its target is France")
	f.Cite("AAR-5-FRANCE", "France was never in Allied hands")
	f.Cite("AAR-5-UK-TURN", "on this turn the UK moves and fights with the units that it does not mean for D-Day")
	f.Cite("AAR-5-US-TURN", "the attack comes on the US turn that follows")
	f.Cite("AAR-5-NO-CALL-OFF", "it may not be called off")
}

// checkTarget wants France, that was never in Allied hands.
func (in DDayInput) checkTarget(f *rules.Findings) {
	if in.Target != "" && !isFrance(in.Target) {
		f.Violate("AAR-5-TARGET", "D-Day goes to France, not to %s", in.Target)
	}
	if in.FranceAllied {
		f.Violate("AAR-5-FRANCE", "France has been in Allied hands, so there is no D-Day any more")
	}
}

func (in DDayInput) checkAssault(f *rules.Findings) {
	if in.TurnOf != US {
		f.Violate("AAR-5-US-TURN", "D-Day is carried out on the US turn, not on that of %s", in.TurnOf)
	}
	if !in.Declared {
		f.Violate("AAR-5-UNDECLARED", "the UK has not declared D-Day on its turn before")
	}
	if in.CarriedOut {
		f.Violate("AAR-5-ONCE", "D-Day has been carried out in this game, and there is one only")
	}
	in.checkTarget(f)
	seen, taking := map[string]bool{}, 0
	for _, u := range in.Units {
		if seen[u.ID] { // GEN-UNIQUE
			f.Violate(rules.Input, "two units are called %s", u.ID)
		}
		seen[u.ID] = true
		if u.partOf() {
			taking++
		}
		in.checkUnit(f, u)
	}
	if taking == 0 {
		f.Violate("AAR-5-NO-CALL-OFF", "nobody takes part, which would call D-Day off")
	}
}

// assault says how the attack goes on.
func (in DDayInput) assault(f *rules.Findings) DDayOutcome {
	f.Cite("AAR-5-US-TURN", "the attack comes on the US turn after the UK declared it")
	f.Cite("AAR-5-COMMAND", "the US player moves and fights with the UK units that take part")
	out := DDayOutcome{Declared: true, AttackPower: US, Bombarding: []string{}, AADice: map[Power]int{UK: 0, US: 0}}
	for _, u := range in.Units {
		in.citeUnit(f, u)
		switch {
		case !u.partOf():
		case u.Role == Bombard:
			out.Bombarding = append(out.Bombarding, u.ID)
		case in.AAGun && in.firedAt(u):
			out.AADice[u.Power]++
		}
	}
	f.Cite("AAR-5-LIFT", "transports of either power carry land units of both")
	if in.AAGun {
		f.Cite("AAR-5-AA", "AA fire is rolled apart: dice against the UK %d, against the US %d", out.AADice[UK],
			out.AADice[US])
	} else {
		f.Cite("AAR-5-AA", "no AA gun defends")
	}
	f.Cite("AAR-5-TECH", "technologies and National Advantages serve the units of the power that has them")
	return out
}

// firedAt reports whether the AA gun in France fires at a unit (AAR-5-AA).
func (in DDayInput) firedAt(u DDayUnit) bool {
	return u.partOf() && u.Role == ByAir && !(in.seaSpared && u.atSea())
}

// casualties says who picks them.
func (in DDayInput) casualties(f *rules.Findings) string {
	if in.Agreed {
		f.Cite("AAR-5-CASUALTIES", "UK and US agree on their casualties")
		return "uk_and_us"
	}
	f.Cite("AAR-5-CASUALTIES", "UK and US do not agree on their casualties, so the defender picks them")
	return "defender"
}

// isFrance recognises the target by its name.
func isFrance(name string) bool { return strings.EqualFold(strings.TrimSpace(name), "France") }

// isSZ7 recognises the sea zone by its name, in the ways that a table writes it: "SZ 7", "Sea Zone 7",
// "7 Sea Zone", "7".
func isSZ7(name string) bool {
	bare := strings.NewReplacer("sea zone", "", "seazone", "", "sz", "").Replace(strings.ToLower(name))
	return strings.Trim(bare, " _-") == "7"
}

// isBesideFrance recognises the territories from which land forces may attack overland (AAR-5-OVERLAND).
func isBesideFrance(name string) bool {
	switch strings.ToLower(strings.Join(strings.Fields(name), " ")) {
	case "germany", "italy", "nw europe", "northwest europe", "north west europe", "northwestern europe",
		"north-west europe":
		return true
	}
	return false
}
