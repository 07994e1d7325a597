package awaw

import (
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// BombingInput is a strategic bombing mission: air combat with the defending air, then the
// attack on the target. Either may be left out where it was not fought, or fought before.
type BombingInput struct {
	Theater   Theater          `json:"theater"`
	AirCombat *AirCombatInput  `json:"air_combat"`
	Bombing   *TargetRaidInput `json:"bombing"`
	Options   Options          `json:"options"`
}

// AirCombatInput is the strategic bomber force against the air that meets it. Jets are those
// engaged, among the factors already.
type AirCombatInput struct {
	AttackerFactors int   `json:"attacker_factors"`
	DefenderFactors int   `json:"defender_factors"`
	AttackerDice    []int `json:"attacker_dice"`
	DefenderDice    []int `json:"defender_dice"`
	AttackerAirDRM  int   `json:"attacker_air_nationality_drm"`
	DefenderAirDRM  int   `json:"defender_air_nationality_drm"`
	AttackerJets    int   `json:"attacker_jets"`
	DefenderJets    int   `json:"defender_jets"`
	DefenderRadar   int   `json:"defender_radar_research"` // level
}

// TargetRaidInput is what is left of the bombers against the target.
type TargetRaidInput struct {
	BomberFactors int   `json:"bomber_factors"`
	BomberDice    []int `json:"bomber_dice"`
	FlakDice      []int `json:"flak_dice"`
	// results beyond those that building strategic bombers needs
	ExcessResults int           `json:"excess_bomber_research"`
	ExcessRange   int           `json:"excess_range"`         // hexes
	AirDefense    int           `json:"air_defense_research"` // level
	Target        BombingTarget `json:"target"`
}

// BombingOutcome is the ruling on what was fought.
type BombingOutcome struct {
	AirCombat *AirCombatOutcome  `json:"air_combat,omitempty"`
	Bombing   *TargetRaidOutcome `json:"bombing,omitempty"`
}

// AirCombatOutcome is both rolls of the air combat.
type AirCombatOutcome struct {
	Modifiers    []Modifier `json:"modifiers"`
	NetModifier  int        `json:"net_modifier"`
	AttackerRoll SWReading  `json:"attacker_roll"`
	DefenderRoll SWReading  `json:"defender_roll"`
}

// TargetRaidOutcome is both rolls over the target.
type TargetRaidOutcome struct {
	Modifiers     []Modifier `json:"modifiers"`
	NetModifier   int        `json:"net_modifier"`
	TargetDefense int        `json:"target_defense"` // the target's row
	BomberRoll    SWReading  `json:"bomber_roll"`
	FlakRoll      SWReading  `json:"flak_roll"`
}

// CheckBombing finds what forbids the mission, without looking at dice.
func CheckBombing(in BombingInput) rules.Findings {
	var f rules.Findings
	if a := in.AirCombat; a != nil {
		f.Add(CheckSWFactors("air_combat.attacker_factors", a.AttackerFactors))
		f.Add(CheckSWFactors("air_combat.defender_factors", a.DefenderFactors))
	}
	if b := in.Bombing; b != nil {
		f.Add(CheckSWFactors("bombing.bomber_factors", b.BomberFactors))
	}
	if in.AirCombat == nil && in.Bombing == nil {
		f.Violate(rules.Input, "the request: neither air_combat nor bombing is given, at least one is expected")
	}
	return f
}

// checkBombingDice wants two dice for each roll (24.62-H).
func checkBombingDice(in BombingInput) rules.Findings {
	var f rules.Findings
	if a := in.AirCombat; a != nil {
		f.Add(checkDice("air_combat.attacker_dice", a.AttackerDice, 2, "AWAW-24.62-H"))
		f.Add(checkDice("air_combat.defender_dice", a.DefenderDice, 2, "AWAW-24.62-H"))
	}
	if b := in.Bombing; b != nil {
		f.Add(checkDice("bombing.bomber_dice", b.BomberDice, 2, "AWAW-24.62-H"))
		f.Add(checkDice("bombing.flak_dice", b.FlakDice, 2, "AWAW-24.62-H"))
	}
	return f
}

// Bombing rules on strategic bombing (24.62 and the bombing modifiers).
func Bombing(in BombingInput) (BombingOutcome, rules.Findings) {
	f := CheckBombing(in)
	f.Add(checkBombingDice(in))
	var out BombingOutcome
	if f.Refused() {
		return out, f
	}
	if in.AirCombat != nil {
		combat, found := FightAirCombat(*in.AirCombat, in.Options)
		out.AirCombat = &combat
		f.Add(found)
	}
	if in.Bombing != nil {
		raid, found := RaidTarget(in.Theater, *in.Bombing, in.Options)
		out.Bombing = &raid
		f.Add(found)
	}
	return out, f
}

// FightAirCombat rules on lawful air combat whose dice have fallen.
func FightAirCombat(in AirCombatInput, o Options) (AirCombatOutcome, rules.Findings) {
	modifiers, f := AirCombatModifiers(in)
	out := AirCombatOutcome{Modifiers: modifiers, NetModifier: Net(modifiers)}
	citeOpposite(&f, "air combat", out.NetModifier)
	var attacker, defender rules.Findings
	out.AttackerRoll, attacker = ReadStrategicWarfare(in.AttackerFactors, in.AttackerDice, out.NetModifier, o)
	out.DefenderRoll, defender = ReadStrategicWarfare(in.DefenderFactors, in.DefenderDice, -out.NetModifier, o)
	addFor(&f, "bomber force", attacker)
	addFor(&f, "defending air", defender)
	return out, f
}

// RaidTarget rules on a lawful attack on a target whose dice have fallen.
func RaidTarget(theater Theater, in TargetRaidInput, o Options) (TargetRaidOutcome, rules.Findings) {
	strength, f := in.Target.Strength()
	modifiers, found := RaidModifiers(theater, in)
	f.Add(found)
	out := TargetRaidOutcome{Modifiers: modifiers, NetModifier: Net(modifiers), TargetDefense: strength}
	citeOpposite(&f, "bombing", out.NetModifier)
	var bombers, flak rules.Findings
	out.BomberRoll, bombers = ReadStrategicWarfare(in.BomberFactors, in.BomberDice, out.NetModifier, o)
	out.FlakRoll, flak = ReadStrategicWarfare(strength, in.FlakDice, -out.NetModifier, o)
	addFor(&f, "bombers", bombers)
	addFor(&f, "flak", flak)
	return out, f
}

// citeOpposite cites that one net modifier serves both rolls with opposite signs.
func citeOpposite(f *rules.Findings, what string, net int) {
	f.Cite("AWAW-SB-SIGN", "%s: one net modifier for both rolls, %+d", what, net)
	f.Cite("AWAW-24.62-B", "net %+d: the attacker's roll gets %+d, the defender's %+d", net, net, -net)
}

// AirCombatModifiers lists the modifiers of the air combat that are not zero, seen from the
// attacker, and cites a rule for each.
func AirCombatModifiers(in AirCombatInput) ([]Modifier, rules.Findings) {
	m := modifierList{list: []Modifier{}}
	const drm, jet, radar = "Air Nationality DRM", "jet engaged", "radar research level"
	m.add("AWAW-SB-AIR-1", drm,
		m.bombing(in.AttackerAirDRM, drm, "attacker")+m.bombing(in.DefenderAirDRM, drm, "defender"),
		"attacker %+d, defender %+d", in.AttackerAirDRM, in.DefenderAirDRM)
	m.add("AWAW-SB-AIR-2", "attacking jets", m.bombing(in.AttackerJets, jet, "attacker"), "%s",
		words.Count(in.AttackerJets, "jet"))
	m.add("AWAW-SB-AIR-2", "defending jets", m.bombing(in.DefenderJets, jet, "defender"), "%s engaged",
		words.Count(in.DefenderJets, "jet"))
	m.add("AWAW-SB-AIR-3", "radar research", m.bombing(in.DefenderRadar, radar, "defender"), "defender's level %d",
		in.DefenderRadar)
	return m.list, m.found
}

// RaidModifiers lists the modifiers over the target that are not zero, seen from the attacker,
// and cites a rule for each.
func RaidModifiers(theater Theater, in TargetRaidInput) ([]Modifier, rules.Findings) {
	m := modifierList{list: []Modifier{}}
	m.add("AWAW-SB-TGT-1", "strategic bomber results",
		m.bombing(in.ExcessResults, "bomber result beyond need", "attacker"),
		"%s beyond those that strategic bombers need", words.Count(in.ExcessResults, "result"))
	if in.ExcessRange > 0 {
		step := tables.Figure(&m.found, TableBombingRange, theater.Name(), "hexes")
		m.add("AWAW-SB-TGT-2", "excess range", m.bombing(in.ExcessRange/step, "full step of excess range", "attacker"),
			"%s, one for %d", hexes(in.ExcessRange), step)
	}
	m.add("AWAW-SB-TGT-3", "air defense research", m.bombing(in.AirDefense, "air defense research level", "defender"),
		"defender's level %d", in.AirDefense)
	return m.list, m.found
}

// bombing is what n of a kind are worth by the table of bombing modifiers.
func (m *modifierList) bombing(n int, row, side string) int {
	if n == 0 {
		return 0
	}
	return n * tables.Figure(&m.found, TableBombingModifiers, row, side)
}
