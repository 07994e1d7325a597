package awaw

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// bombingEntry is an entry `strategic bombing`: air combat, the attack on the target, or both, one
// after the other. What air combat costs is not in these rules (AMB-AWAW-5), so the bombers that
// go on to the target are said. Figures left out are taken from the facts reported.
type bombingEntry struct {
	Target        string      `json:"target"`
	Theater       string      `json:"theater"` // needed for none but the unusual
	Attacker      string      `json:"attacker"`
	Defender      string      `json:"defender"`
	AirCombat     *pair       `json:"air combat"` // factors
	Jets          pair        `json:"jets"`
	AirDRM        *pair       `json:"air nationality"`
	Radar         *int        `json:"radar"`
	Bombers       *int        `json:"bombers"` // factors over the target
	Defense       *hexDefense `json:"defense"`
	BomberResults *int        `json:"bomber results"`
	ExcessRange   int         `json:"excess range"`
	AirDefense    *int        `json:"air defense"`
}

// hexDefense is what stands in the target hex, in the words of a turn file.
type hexDefense struct {
	Flak           int `json:"flak"`
	Airbases       int `json:"airbases"`
	Objectives     int `json:"objectives"`
	Anchors        int `json:"anchors"`
	Cities         int `json:"cities"`
	Ports          int `json:"ports"`
	Fortifications int `json:"fortifications"`
	Fortresses     int `json:"fortresses"`
	BeachDefenses  int `json:"beach defenses"`
}

// Results of strategic bombing: over the target, and the air combat on the way there.
const (
	procedureBombing   = "awaw.sw.bombing"
	procedureAirCombat = "awaw.sw.air-combat"
)

// strategicBombing resolves a mission: each combat is declared, thrown and read before the next.
func (d *decision) strategicBombing() {
	var entry struct {
		Bombing bombingEntry `json:"strategic bombing"`
	}
	if !d.read(&entry) {
		return
	}
	e := entry.Bombing
	in, powers, ok := d.bombingInput(e)
	if !ok || !d.add(CheckBombing(in)) || !d.settled("low_roll") || !d.enterPhase(powers[0].player(), "combat", rules.Input) {
		return
	}
	if in.AirCombat != nil && !d.airCombat(e.Target, powers, *in.AirCombat) {
		return
	}
	if in.Bombing != nil {
		d.raidTarget(e.Target, powers, in.Theater, *in.Bombing)
	}
}

func (d *decision) airCombat(target string, powers [2]Power, in AirCombatInput) bool {
	modifiers, found := AirCombatModifiers(in)
	net := Net(modifiers)
	d.h.Add(found)
	d.cite("AWAW-SB-SIGN", "net %+d: added to the attacker's roll, taken from the defender's", net)
	side, against := powers[0].Title(), powers[1].Title()
	const force, air = "bomber force", "defending air"
	dice, ok := d.h.Roll(side, &events.RollDeclared{
		Purpose: "air combat", Subject: target, Modifiers: eventModifiers(modifiers), Net: net,
		Throws: []events.Throw{
			{Name: force, Side: side, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(in.AttackerFactors), Modifier: net},
			{Name: air, Side: against, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(in.DefenderFactors), Modifier: -net},
		},
	})
	if !ok {
		return false
	}
	in.AttackerDice, in.DefenderDice = dice[0], dice[1]
	out, f := FightAirCombat(in, d.rulesOptions())
	d.h.Add(f)
	d.h.Record(side, &events.ResultAdjudicated{
		Procedure: procedureAirCombat, Subject: target, Attacker: side, Defender: against,
		Modifiers: eventModifiers(out.Modifiers), Net: out.NetModifier, Declared: d.h.Declared(),
		Readings: []events.Reading{swReading(force, side, in.AttackerDice, out.AttackerRoll), swReading(air, against, in.DefenderDice, out.DefenderRoll)},
	})
	return true
}

func (d *decision) raidTarget(target string, powers [2]Power, theater Theater, in TargetRaidInput) {
	strength, found := in.Target.Strength()
	d.h.Add(found)
	modifiers, found := RaidModifiers(theater, in)
	net := Net(modifiers)
	d.h.Add(found)
	d.cite("AWAW-SB-SIGN", "net %+d: added to the bombers' roll, taken from the target's", net)
	side, against := powers[0].Title(), powers[1].Title()
	const bombers, flak = "bombers", "flak"
	dice, ok := d.h.Roll(side, &events.RollDeclared{
		Purpose: "strategic bombing", Subject: target, Modifiers: eventModifiers(modifiers), Net: net,
		Throws: []events.Throw{
			{Name: bombers, Side: side, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(in.BomberFactors), Modifier: net},
			{Name: flak, Side: against, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(strength), Modifier: -net},
		},
	})
	if !ok {
		return
	}
	in.BomberDice, in.FlakDice = dice[0], dice[1]
	out, f := RaidTarget(theater, in, d.rulesOptions())
	d.h.Add(f)
	d.h.Record(side, &events.ResultAdjudicated{
		Procedure: procedureBombing, Subject: target, Attacker: side, Defender: against,
		Modifiers: eventModifiers(out.Modifiers), Net: out.NetModifier, Declared: d.h.Declared(),
		Readings: []events.Reading{swReading(bombers, side, in.BomberDice, out.BomberRoll), swReading(flak, against, in.FlakDice, out.FlakRoll)},
		Figures:  []events.Figure{{Name: "defensive strength", Value: out.TargetDefense}},
	})
}

// bombingInput puts together facts and entry.
func (d *decision) bombingInput(e bombingEntry) (in BombingInput, powers [2]Power, ok bool) {
	attacker, ok := d.power("strategic bombing.attacker", e.Attacker)
	if !ok {
		return in, powers, false
	}
	defender, ok := d.power("strategic bombing.defender", e.Defender)
	if !ok {
		return in, powers, false
	}
	powers = [2]Power{attacker, defender}
	if in.Theater, ok = d.bombingTheater(e, powers); !ok || !d.bombingSaid(e, powers) || !d.bombingFigures(e) {
		return in, powers, false
	}
	in.Options = d.rulesOptions()
	if e.AirCombat != nil {
		drm := d.pairOf(e.AirDRM, factAirDRM, powers)
		in.AirCombat = &AirCombatInput{
			AttackerFactors: e.AirCombat.Attacker, DefenderFactors: e.AirCombat.Defender, AttackerAirDRM: drm.Attacker, DefenderAirDRM: drm.Defender,
			AttackerJets: e.Jets.Attacker, DefenderJets: e.Jets.Defender, DefenderRadar: or(e.Radar, d.fact(factRadar, defender.Title())),
		}
	}
	if e.Bombers != nil {
		in.Bombing = &TargetRaidInput{
			BomberFactors: *e.Bombers, ExcessRange: e.ExcessRange, Target: e.Defense.target(),
			ExcessResults: or(e.BomberResults, d.fact(factBombers, attacker.Title())),
			AirDefense:    or(e.AirDefense, d.fact(factAirDefense, defender.Title())),
		}
	}
	return in, powers, true
}

// bombingTheater is the theater given, else the Pacific where Japan is concerned.
func (d *decision) bombingTheater(e bombingEntry, powers [2]Power) (Theater, bool) {
	switch theater := Theater(key(e.Theater)); {
	case theater == TheaterEurope || theater == TheaterPacific:
		return theater, true
	case e.Theater != "":
		d.unknown("strategic bombing.theater", "theater", e.Theater, []string{"Europe", "Pacific"})
		return "", false
	case powers[0] == PowerJapan || powers[1] == PowerJapan:
		return TheaterPacific, true
	}
	return TheaterEurope, true
}

// bombingSaid wants a whole mission.
func (d *decision) bombingSaid(e bombingEntry, powers [2]Power) bool {
	switch {
	case e.Target == "":
		d.h.ViolateField("strategic bombing.target", rules.Input, "name what is bombed: target: Essen")
	case powers[0] == powers[1]:
		d.h.ViolateField("strategic bombing.defender", rules.Input, "%s does not bomb its own cities", powers[0].Title())
	case e.AirCombat == nil && e.Bombers == nil:
		d.h.ViolateField("strategic bombing", rules.Input, "give the factors of the air combat, air combat: {attacker: 6, defender: 4}, or the bombers over the target, bombers: 6, or both")
	case (e.Bombers == nil) != (e.Defense == nil):
		d.h.ViolateField("strategic bombing.defense", rules.Input, "bombers and defense go together: bombers: 6, defense: {flak: 2, cities: 1}, or defense: {} where nothing defends")
	default:
		return true
	}
	return false
}

// bombingFigures refuses figures that mean nothing; negative factors are for 24.62-F.
func (d *decision) bombingFigures(e bombingEntry) bool {
	ok := true
	for _, n := range []*int{&e.Jets.Attacker, &e.Jets.Defender, e.Radar, e.BomberResults, &e.ExcessRange, e.AirDefense} {
		ok = ok && d.noneBelow("strategic bombing", n)
	}
	for _, p := range e.Defense.target().parts() {
		ok = ok && d.noneBelow("strategic bombing.defense", &p.count)
	}
	for _, p := range []*pair{e.AirCombat, e.AirDRM} {
		if p != nil {
			ok = ok && d.inRange("strategic bombing", &p.Attacker) && d.inRange("strategic bombing", &p.Defender)
		}
	}
	return ok && d.inRange("strategic bombing.bombers", e.Bombers)
}

// noneBelow reports whether a number given counts something.
func (d *decision) noneBelow(field string, n *int) bool {
	if n != nil && *n < 0 {
		d.h.ViolateField(field, rules.Input, "%s: %d is given; counts, levels and hexes are 0 or more", field, *n)
		return false
	}
	return d.inRange(field, n)
}

// target is the defense as rulings take it; nothing where none is given.
func (s *hexDefense) target() BombingTarget {
	if s == nil {
		return BombingTarget{}
	}
	return BombingTarget{
		FlakFactors: s.Flak, Airbases: s.Airbases, Objectives: s.Objectives, Anchors: s.Anchors, Cities: s.Cities,
		Ports: s.Ports, Fortifications: s.Fortifications, Fortresses: s.Fortresses, BeachDefenses: s.BeachDefenses,
	}
}
