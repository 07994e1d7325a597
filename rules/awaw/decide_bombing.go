package awaw

import (
	"cmp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// bombingEntry is an entry `strategic bombing`: air combat, the attack on the target, or both, one
// after the other. What air combat costs is not in these rules (AMB-AWAW-5), so the bombers that
// go on to the target are stated. Figures left out are taken from the facts reported.
type bombingEntry struct {
	Attacker      Power       `json:"attacker" is:"power"`
	Defender      Power       `json:"defender" is:"power"`
	Theater       Theater     `json:"theater,omitempty" is:"theater" doc:"the Pacific for Japan, else Europe"`
	Target        string      `json:"target" offer:"bombing target" need:"name what is bombed: target: Essen"`
	Wave          numeral     `json:"wave" doc:"which one, where several forces fight over a target in a turn"`
	AirCombat     *pair       `json:"air combat" doc:"factors"`
	Jets          counts      `json:"jets"`
	AirDRM        *pair       `json:"air nationality" doc:"the facts of both by default"`
	Radar         *int        `json:"radar" least:"0" doc:"the fact of the defender by default"`
	Bombers       *int        `json:"bombers" least:"-9999" doc:"factors over the target"`
	Defense       *hexDefense `json:"defense" doc:"what stands in the target hex"`
	BomberResults *int        `json:"bomber results" least:"0" doc:"the fact of the attacker by default"`
	ExcessRange   int         `json:"excess range" least:"0"`
	AirDefense    *int        `json:"air defense" least:"0" doc:"the fact of the defender by default"`
}

// hexDefense is a [BombingTarget] in the words of a turn file.
type hexDefense struct {
	FlakFactors    int `json:"flak" least:"0"`
	Airbases       int `json:"airbases" least:"0"`
	Objectives     int `json:"objectives" least:"0"`
	Anchors        int `json:"anchors" least:"0"`
	Cities         int `json:"cities" least:"0"`
	Ports          int `json:"ports" least:"0"`
	Fortifications int `json:"fortifications" least:"0"`
	Fortresses     int `json:"fortresses" least:"0"`
	BeachDefenses  int `json:"beach defenses" least:"0"`
}

// Results of strategic bombing: over the target, and the air combat on the way there.
const (
	procedureBombing   = "awaw.sw.bombing"
	procedureAirCombat = "awaw.sw.air-combat"
)

// strategicBombing resolves a mission: each combat is declared, thrown and read before the next.
func (d *decision) strategicBombing(e bombingEntry) {
	in, powers, ok := d.bombingInput(e)
	if !ok || !d.Add(CheckBombing(in)) || !d.jetsEngaged(e) || !d.placed("strategic bombing", e.Target, "",
		in.Theater, powers) || !d.inMission(e) || !d.settled("low_roll") ||
		!d.enterPhase(powers[0].player(), "combat", rules.Input) {
		return
	}
	if in.AirCombat != nil {
		left, ok := d.airCombat(e, powers, in.Theater, *in.AirCombat)
		if !ok {
			return
		}
		if b := in.Bombing; b != nil && b.BomberFactors > left && d.firm() {
			d.Cite("AWAW-24.62-G", "the air combat left %d factors of the bomber force, and no more are over %s", left,
				e.Target)
			b.BomberFactors = left
		}
	}
	if in.Bombing != nil {
		d.raidTarget(e, powers, in.Theater, *in.Bombing)
	}
}

// airCombat resolves the air combat, and gives what is left of the bomber force.
func (d *decision) airCombat(e bombingEntry, powers [2]Power, theater Theater, in AirCombatInput) (left int, ok bool) {
	modifiers, found := AirCombatModifiers(in)
	net := Net(modifiers)
	d.Add(found)
	d.Cite("AWAW-SB-SIGN", "net %+d: added to the attacker's roll, taken from the defender's", net)
	side, against := powers[0].Title(), powers[1].Title()
	const force, air = "bomber force", "defending air"
	dice, ok := d.Roll(side, &events.RollDeclared{
		Purpose: "air combat", Subject: e.Target, Modifiers: eventModifiers(modifiers), Net: net,
		Throws: []events.Throw{
			{Name: force, Side: side, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(in.AttackerFactors),
				Modifier: net},
			{Name: air, Side: against, Dice: 2, Sides: 6, Table: TableStrategicWarfare,
				Rows: SWRows(in.DefenderFactors), Modifier: -net},
		},
	})
	if !ok {
		return 0, false
	}
	in.AttackerDice, in.DefenderDice = dice[0], dice[1]
	out, f := FightAirCombat(in, d.rulesOptions())
	d.Add(f)
	d.Record(side, &events.ResultAdjudicated{
		Procedure: procedureAirCombat, Subject: e.Target, Attacker: side, Defender: against,
		Modifiers: eventModifiers(out.Modifiers), Net: out.NetModifier, Declared: d.Declared(),
		Figures: append(d.elsewhere(theater, powers), e.wave()...),
		Readings: []events.Reading{swReading(force, side, in.AttackerDice, out.AttackerRoll),
			swReading(air, against, in.DefenderDice, out.DefenderRoll)},
	})
	return d.bombersLeft(in.AttackerFactors, out.DefenderRoll.First), true
}

func (d *decision) raidTarget(e bombingEntry, powers [2]Power, theater Theater, in TargetRaidInput) {
	strength, found := in.Target.Strength()
	d.Add(found)
	modifiers, found := RaidModifiers(theater, in)
	net := Net(modifiers)
	d.Add(found)
	d.Cite("AWAW-SB-SIGN", "net %+d: added to the bombers' roll, taken from the target's", net)
	side, against := powers[0].Title(), powers[1].Title()
	const bombers, flak = "bombers", "flak"
	dice, ok := d.Roll(side, &events.RollDeclared{
		Purpose: "strategic bombing", Subject: e.Target, Modifiers: eventModifiers(modifiers), Net: net,
		Throws: []events.Throw{
			{Name: bombers, Side: side, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(in.BomberFactors),
				Modifier: net},
			{Name: flak, Side: against, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(strength),
				Modifier: -net},
		},
	})
	if !ok {
		return
	}
	in.BomberDice, in.FlakDice = dice[0], dice[1]
	out, f := RaidTarget(theater, in, d.rulesOptions())
	d.Add(f)
	d.Record(side, &events.ResultAdjudicated{
		Procedure: procedureBombing, Subject: e.Target, Attacker: side, Defender: against,
		Modifiers: eventModifiers(out.Modifiers), Net: out.NetModifier, Declared: d.Declared(),
		Readings: []events.Reading{swReading(bombers, side, in.BomberDice, out.BomberRoll),
			swReading(flak, against, in.FlakDice, out.FlakRoll)},
		Figures: slices.Concat([]events.Figure{{Name: figureStrength, Value: out.TargetDefense}},
			d.elsewhere(theater, powers), e.wave()),
	})
}

// wave is the figure that tells a force from others over its target, where it was said.
func (e bombingEntry) wave() []events.Figure {
	if e.Wave == "" {
		return nil
	}
	return []events.Figure{{Name: figureWave, Text: string(e.Wave)}}
}

// bombingInput puts together facts and entry.
func (d *decision) bombingInput(e bombingEntry) (in BombingInput, powers [2]Power, ok bool) {
	attacker, defender := e.Attacker, e.Defender
	powers = [2]Power{attacker, defender}
	if !d.bombingSaid(e) {
		return in, powers, false
	}
	in.Theater = cmp.Or(e.Theater, theaterFor(powers))
	in.Options = d.rulesOptions()
	if e.AirCombat != nil {
		drm := d.pairOf(e.AirDRM, factAirDRM, powers)
		in.AirCombat = &AirCombatInput{
			AttackerFactors: e.AirCombat.Attacker, DefenderFactors: e.AirCombat.Defender, AttackerAirDRM: drm.Attacker,
			DefenderAirDRM: drm.Defender,
			AttackerJets:   e.Jets.Attacker, DefenderJets: e.Jets.Defender,
			DefenderRadar: d.figureOf(e.Radar, factRadar, defender.Title()),
		}
	}
	if e.Bombers != nil {
		in.Bombing = &TargetRaidInput{
			BomberFactors: *e.Bombers, ExcessRange: e.ExcessRange, Target: e.Defense.target(),
			ExcessResults: d.figureOf(e.BomberResults, factBombers, attacker.Title()),
			AirDefense:    d.figureOf(e.AirDefense, factAirDefense, defender.Title()),
		}
	}
	return in, powers, true
}

// jetsEngaged wants the jets to be among the factors that fight (SB-AIR-2).
func (d *decision) jetsEngaged(e bombingEntry) bool {
	if e.AirCombat == nil {
		if e.Jets != (counts{}) {
			d.Warn("jets count in the air combat, and the entry has none")
		}
		return true
	}
	for i, side := range []string{"attacker", "defender"} {
		jets := []int{e.Jets.Attacker, e.Jets.Defender}[i]
		if factors := []int{e.AirCombat.Attacker, e.AirCombat.Defender}[i]; jets > factors && d.exact() {
			d.ViolateField("strategic bombing.jets."+side, "AWAW-SB-AIR-2", "the jets engaged are among the factors "+
				"that fight, and of %d not %d are jets", factors, jets)
		}
	}
	return !d.Refused()
}

// inMission holds a mission to what is recorded of it in this turn: its bombers are those of its air combat, less what
// that cost (24.62-A), and its target has one owner (SB-TGT-3). It warns of a mission that may be entered twice. A wave
// that is named is a mission of its own.
func (d *decision) inMission(e bombingEntry) bool {
	if e.AirCombat != nil && e.Bombers != nil && *e.Bombers > e.AirCombat.Attacker {
		d.forbid("strategic bombing.bombers", "AWAW-24.62-A", "%d factors of bombers are over %s, and %d fight the "+
			"air that meets them: count all that fight, or enter those that nothing meets as a mission of their own",
			*e.Bombers, e.Target, e.AirCombat.Attacker)
	}
	mission := func(sought func(place) bool) (place, bool) {
		return d.places.Find(func(p place) bool { return !p.harbor && p.turn == d.turn.Ordinal && sought(p) })
	}
	own := func(p place) bool { return p.by == e.Attacker.Title() && d.same(p.name, e.Target) }
	before, known := mission(func(p place) bool { return own(p) && e.inWave(p) })
	_, waves := mission(own)
	like, another := mission(func(p place) bool {
		return p.bombed && p.by == e.Attacker.Title() && nearby(p.name, e.Target)
	})
	left := "%d factors of bombers %s %s, and the air combat there left %d (event %d): enter those, and others as a " +
		"wave of their own, wave: second; or correct that combat"
	if !d.eliminates() { // all that fought is known, and not what is left of it
		left = strings.Replace(left, "the air combat there left %d", "%d fought the air combat there", 1)
	}
	switch {
	case !known && waves: // a wave that is named is another mission
	case !known && another && e.Bombers != nil && d.exact():
		d.Warn("%s has bombed %s in %s already (event %d): if %s is that target, it is bombed once more",
			e.Attacker.Name(), like.name, d.turn.Label, like.index, e.Target)
	case known && !before.bombed && e.AirCombat != nil && e.AirCombat.Attacker > before.left && d.exact():
		d.forbid("strategic bombing.air combat", "AWAW-24.62-A", left, e.AirCombat.Attacker, "fight the air over",
			e.Target, before.left, before.index)
	case !known || e.Bombers == nil && !(before.bombed && d.firm()):
	case before.bombed:
		d.Warn("%s has bombed %s in %s already (event %d)", e.Attacker.Name(), e.Target, d.turn.Label, before.index)
	case e.AirCombat == nil && *e.Bombers > before.left:
		d.forbid("strategic bombing.bombers", "AWAW-24.62-A", left, *e.Bombers, "are over", e.Target, before.left,
			before.index)
	}
	d.defendedAsBefore(e, mission)
	owned, bombed := mission(func(p place) bool {
		by, _ := powerNamed(p.by)
		return p.bombed && by.player() == e.Attacker.player() && d.same(p.name, e.Target) && p.of != e.Defender.Title()
	})
	if bombed && e.Bombers != nil && d.firm() {
		d.ViolateField("strategic bombing.defender", "AWAW-SB-TGT-3", "%s was bombed in %s as a target of %s (event "+
			"%d), and has one owner, whose air defense counts: say defender: %s, or correct that mission", e.Target,
			d.turn.Label, owned.of, owned.index, owned.of)
	}
	return !d.Refused()
}

// inWave reports whether an earlier mission over the target is of the same wave; of any, where the entry names none.
func (e bombingEntry) inWave(p place) bool {
	return e.Wave == "" || words.Plain(string(e.Wave)) == words.Plain(p.wave)
}

// defendedAsBefore warns of a target that does not defend as when the same side bombed it before in the turn
// (SB-TGT-4): missions of one combat phase may cost it flak, of which no text says how much, and give it nothing.
func (d *decision) defendedAsBefore(e bombingEntry, mission func(sought func(place) bool) (place, bool)) {
	if e.Defense == nil || !d.firm() {
		return
	}
	before, bombed := mission(func(p place) bool {
		by, _ := powerNamed(p.by)
		return p.bombed && by.player() == e.Attacker.player() && d.same(p.name, e.Target)
	})
	strength, _ := e.Defense.target().Strength()
	if !bombed || strength == before.strength {
		return
	}
	but := ": if one of the two was counted otherwise, correct it"
	if strength < before.strength {
		but = ": if it has lost more than flak by this, one of the two was counted otherwise; correct it"
	}
	d.Warn("%s defended itself with a strength of %d when it was bombed in %s (event %d), and comes to %d here "+
		"(AWAW-SB-TGT-4)"+but, e.Target, before.strength, d.turn.Label, before.index, strength)
}

// bombersLeft is how many factors of a bomber force the air combat left, as far as that is known.
func (g game) bombersLeft(factors, first int) int {
	if !g.eliminates() {
		return factors
	}
	return max(0, factors-first)
}

// bombingSaid wants a whole mission.
func (d *decision) bombingSaid(e bombingEntry) bool {
	switch {
	case e.Attacker == e.Defender:
		d.ViolateField("strategic bombing.defender", rules.Input, "%s does not bomb its own cities", e.Attacker.Title())
	case e.AirCombat == nil && e.Bombers == nil:
		d.ViolateField("strategic bombing", rules.Input,
			"give the factors of the air combat, air combat: {attacker: 6, defender: 4}, or the bombers over the "+
				"target, bombers: 6, or both")
	case (e.Bombers == nil) != (e.Defense == nil):
		d.ViolateField("strategic bombing.defense", rules.Input,
			"bombers and defense go together: bombers: 6, defense: {flak: 2, cities: 1}, or defense: {} where "+
				"nothing defends")
	default:
		return true
	}
	return false
}

// target is the defense as rulings take it; nothing where none is given.
func (s *hexDefense) target() BombingTarget {
	if s == nil {
		return BombingTarget{}
	}
	return BombingTarget(*s)
}
