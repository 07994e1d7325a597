package aar

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// What carries AA guns.
const (
	aaGun      = "aa gun"
	battleship = "battleship"
)

// flakEntry is an entry {aa fire: {at: SZ 8, attacker: Germany, power: UK, aircraft: {fighter: 2}}}.
type flakEntry struct {
	At       string             `json:"at" is:"space"`
	Attacker string             `json:"attacker" is:"power" doc:"whose TURN it is, and whose aircraft they are"`
	Power    string             `json:"power,omitempty" is:"power" doc:"whose gun it is: in a territory the holder's"`
	By       string             `json:"by,omitempty" is:"gun" doc:"at sea a battleship, on land an AA gun"`
	Aircraft rules.Mapping[int] `json:"aircraft" of:"aircraft" least:"1" most:"50" need:"at what? {fighter: 2}"`
}

// fireFlak throws the dice of an AA gun, of a battleship's too (AAR-6-BB).
func (d *decision) fireFlak(e flakEntry) {
	d.checkFlak(&e)
	for _, m := range e.Aircraft {
		if m.Name != "fighter" && m.Name != "bomber" {
			d.ViolateField(m.At, rules.Input, "AA guns fire at fighters and bombers, not at %s", m.Name)
		}
		if raided := d.raidedBy(e.Attacker, e.At); d.strict() && m.Name == "bomber" && raided > 0 &&
			!d.fired(e.At, e.Attacker) {
			d.ViolateField(m.At, "GEN-CARRY", "%s of %s have dropped their bombs on %s in this TURN, and AA fire "+
				"comes before: dispute the raid, have it ruled void, and enter AA fire first",
				words.Count(raided, "bomber"), e.Attacker, e.At)
		}
	}
	radar := d.hasTech(e.Power, RadarSonar)
	if d.Refused() || radar && !OptionList().Settled(d.Hearing, d.Command, d.Options, optionRadar) ||
		!d.Enter(e.Attacker, phaseCombat, "AAR-6-BB") {
		return
	}
	d.warnOfFlown(e.Attacker, e.Aircraft)
	d.warnOfLay(e.At, e.Attacker, e.Power)
	d.throwFlak(e, d.flakOn(e.Power))
}

// checkFlak fills in what the entry leaves out, and wants a gun of an enemy, the first that fires there.
func (d *decision) checkFlak(e *flakEntry) {
	at := d.At(e.At)
	if e.Power == "" && !at.Water {
		e.Power = d.Controller(at)
	}
	if e.By = gunNamed(e.By); e.By == "" {
		e.By = map[bool]string{true: battleship, false: aaGun}[at.Water]
	}
	switch {
	case e.Power == "":
		d.ViolateField("aa fire.power", rules.Input, "say whose gun fires in %s", e.At)
	case !at.Water && e.Power != d.Controller(at) && enemies(Power(e.Power), Power(e.Attacker)):
		d.Warn("the AA gun in %s is one of %s here, and %s", e.At, e.Power, held(d.Controller(at)))
	case !enemies(Power(e.Power), Power(e.Attacker)):
		d.ViolateField("aa fire.power", rules.Input, "%s is no enemy of %s, and AA guns fire at the enemy's aircraft",
			e.Power, e.Attacker)
	}
	switch {
	case e.By == "battlecruiser":
		d.ViolateField("aa fire.by", "AAR-6-BC", "a battlecruiser has no anti-aircraft guns")
	case e.By != aaGun && !slices.Contains(kinds(), e.By):
		d.ViolateField("aa fire.by", rules.Input, "no unit of these rules is %q: for the gun of a battleship write "+
			"by: battleship, also with its name behind, by: battleship Rodney", e.By)
	case e.By != aaGun && e.By != battleship:
		d.ViolateField("aa fire.by", "AAR-6-BB", "battleships and AA guns fire at aircraft, and %s does not", e.By)
	case at.Water != (e.By == battleship):
		d.ViolateField("aa fire.by", "AAR-6-BB", "at sea the AA gun of a battleship fires, in a territory one that "+
			"stands there: no %s in %s", e.By, e.At)
	}
	d.checkDDayFlak(e)
	if d.carries() && d.calledShots(e.At, e.Attacker) {
		d.ViolateField("aa fire", "AAR-7-SHOTS", "submarines of %s called their shots in %s in this TURN, for nothing "+
			"else attacked there or flew over", e.Attacker, e.At)
	}
	if d.fired(e.At, e.Attacker) {
		d.ViolateField("aa fire", "AAR-6-BB", "an AA gun has fired in %s in this TURN of %s: only one does, however "+
			"many "+
			"there are", e.At, e.Attacker)
	}
}

// gunNamed gives an AA gun for the shorter names that tables have for what fires.
func gunNamed(by string) string {
	if slices.Contains([]string{"aa", "flak", "antiaircraft", "antiaircraftgun"}, rules.Bare(by)) {
		return aaGun
	}
	return by
}

// checkDDayFlak leaves the AA gun in France to D-Day, once it is due and, from edition 4 on, in all of its TURN.
func (d *decision) checkDDayFlak(e *flakEntry) {
	france, err := d.Board.Territory("France")
	switch {
	case err != nil || e.At != france.Name || e.Attacker != string(US) || !d.ddayRound():
	case d.carriedAt == 0 && !d.wasAllied(france):
		d.ViolateField("aa fire", "AAR-5-AA", "D-Day is due, in which AA fire is rolled against each nation: d-day: "+
			"{aa gun: 1, "+
			"units: …}")
	case d.exact() && d.carriedAt != 0 && !d.fired(e.At, e.Attacker):
		d.ViolateField("aa fire", "AAR-5-AA", "AA fire of this TURN is rolled in D-Day, against each nation: undo "+
			"it, event %d, and enter it with aa gun: 1", d.carriedAt)
	}
}

// flakOn is what the AA guns of a power hit on, which is 1 without Radar. Radar serves its owner alone (AAR-5-TECH,
// AMB-AAR-15).
func (g game) flakOn(power string) int {
	if g.hasTech(power, RadarSonar) && g.reading(optionRadar) == "2" {
		return 2
	}
	return 1
}

// throwFlak throws a die for each aircraft, apart for each kind, and takes what is hit.
func (d *decision) throwFlak(e flakEntry, hitsOn int) {
	roll := &events.RollDeclared{Purpose: fmt.Sprintf("AA fire, which hits at %d", hitsOn), Subject: e.At}
	for _, m := range e.Aircraft {
		roll.Throws = append(roll.Throws,
			events.Throw{Name: "AA fire at " + m.Name + "s", Side: e.Power, Dice: m.Value, Sides: 6})
	}
	dice, ok := d.Roll(e.Power, roll)
	if !ok {
		return
	}
	d.Cite("AAR-6-BB", "one AA gun fires in %s in this TURN of %s: %s of %s", e.At, e.Attacker, e.By, e.Power)
	if d.hasTech(e.Power, RadarSonar) {
		d.Cite("AMB-AAR-15", "%s has Radar: its AA guns hit on %d or less", e.Power, hitsOn)
	}
	p := &events.ResultAdjudicated{Procedure: flakProcedure, Subject: e.At, Attacker: e.Attacker, Defender: e.Power,
		Declared: d.Declared()}
	lost := &events.UnitsLost{Power: e.Attacker, Space: e.At, Cause: "AA fire"}
	for i, m := range e.Aircraft {
		hit := rules.Count(dice[i], func(die int) bool { return die <= hitsOn })
		p.Figures = append(p.Figures, flakFigures(m.Name, m.Value, hit)...)
		if hit > 0 {
			lost.Units = append(lost.Units, events.Unit{Name: m.Name, Count: hit})
		}
	}
	d.Record(e.Power, p)
	if len(lost.Units) > 0 {
		d.Cite("AAR-6-BB", "of the aircraft of %s are gone what the gun hit", e.Attacker)
		d.Record(e.Attacker, lost)
	}
}
