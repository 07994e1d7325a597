package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// rocketEntry is an entry of rockets.
type rocketEntry struct {
	From     string   `json:"from" is:"territory"`
	At       string   `json:"at" is:"territory"`
	Facility Facility `json:"facility" is:"facility"`
}

// fireRockets: an operative air base makes one attack in the bombing raid step of its owner's TURN
// (G40-TECH-ROCKETS).
func (d *decision) fireRockets(e rocketEntry) {
	from, at := d.At(e.From), d.At(e.At)
	attacker := d.holder(from)
	if !slices.Contains(d.Powers, attacker) {
		d.ViolateField("rockets.from", rules.Input, "no power that plays fires from %s: %s", from.Name,
			heldBy(attacker))
		return
	}
	if attacker == d.Player && d.capturedNow(from.Name) {
		d.forbid("rockets.from", "G40-TECH-ROCKETS", "%s was captured in this TURN; rockets are fired in the bombing "+
			"raid step of Conduct Combat; if it fell before, correct or undo that capture", from.Name)
	} else if attacker == d.Player {
		d.checkStep("rockets", "rockets are fired", "G40-TECH-ROCKETS")
	}
	base, there := d.facility(from, AirBase)
	if d.Refused() || there && !d.settledOperative(base) {
		return
	}
	in := d.rocketsInput(attacker, from, at, e.Facility)
	distances, found := CheckRockets(in)
	if d.hasFired(attacker, from.Name) {
		found.ViolateField("rockets.from", "G40-TECH-ROCKETS",
			"the air base in %s has fired in this TURN: each makes one attack a turn", from.Name)
	}
	if there {
		d.citeOperative("rockets.from", from, base)
	}
	if !d.Check(found) || !d.fight(attacker, "G40-TECH-ROCKETS") {
		return
	}
	d.throwRockets(attacker, in, distances[0], d.holder(at))
}

// checkStep forbids raids and rockets after combat in this TURN: they have a step of Conduct Combat of their own, for
// which the interceptors are decided before any of it begins (G40-SBR-INTERCEPT).
func (d *decision) checkStep(field, what, rule string) {
	if over := d.battles(); len(over) > 0 {
		d.forbid(field, rule, "%s in the bombing raid step of Conduct Combat, and before this entry came %s: undo "+
			"what was entered since, and enter it in its order", what, over[0])
	}
}

// battles names what was resolved of the combat of this TURN beside raids, rockets and kamikaze strikes.
func (c combat) battles() []string {
	var list []string
	for _, p := range noted[*events.TerritoryCaptured](c.deeds) {
		list = append(list, "the capture of "+p.Territory)
	}
	for _, p := range noted[*events.TransportsUnloaded](c.deeds) {
		list = append(list, "the landing on "+p.Onto)
	}
	for _, p := range noted[*events.ResultAdjudicated](c.deeds) {
		if p.Procedure == aaFireProcedure {
			list = append(list, "AA fire over "+p.Subject)
		}
	}
	return list
}

// capturedNow reports whether a territory was captured in this TURN.
func (c combat) capturedNow(territory string) bool {
	return slices.ContainsFunc(noted[*events.TerritoryCaptured](c.deeds),
		func(p *events.TerritoryCaptured) bool { return p.Territory == territory })
}

// throwRockets rolls the die and records the damage.
func (d *decision) throwRockets(attacker string, in RocketsInput, distance int, victim string) {
	a := in.Attacks[0]
	d.Cite("G40-TECH-ROCKETS", "%s is %d spaces from %s, within %d: one die", a.Territory, distance, a.From,
		rocketRange)
	dice, ok := d.Roll(attacker, &events.RollDeclared{
		Purpose: causeRockets, Subject: a.Territory,
		Throws: []events.Throw{{Name: "damage", Side: attacker, Dice: 1, Sides: 6}},
	})
	if !ok {
		return
	}
	in.Attacks[0].Roll = dice[0][0]
	out, found := Rockets(in)
	d.Add(found)
	hit := out.Attacks[0]
	d.Record(attacker, &events.FacilityDamaged{
		Territory: a.Territory, Facility: string(a.Facility), Victim: victim, Attacker: attacker, Cause: causeRockets,
		From: a.From, Distance: distance,
		Rolled: in.Attacks[0].Roll, Before: hit.Damage - hit.Applied, Limit: a.Facility.Limit(), Damage: hit.Applied,
		Declared: d.Declared(),
	})
}

func (g game) hasFired(attacker, base string) bool {
	_, fired := g.fired[base].Find(func(p events.Payload) bool {
		e, ok := p.(*events.FacilityDamaged)
		return ok && e.Attacker == attacker
	})
	return fired
}

// rocketsInput is the request that the rule answers: the whole map, the air base, the target.
func (d *decision) rocketsInput(attacker string, from, at board.Space, kind Facility) RocketsInput {
	in := RocketsInput{Rockets: d.has(attacker, Rocketry), Step: "bombing_raids",
		Attacks: []RocketAttack{{From: from.Name, Territory: at.Name, Facility: kind}}}
	for _, s := range d.Board.Spaces() {
		for _, n := range s.Neighbours {
			if s.Name < n {
				in.Links = append(in.Links, [2]string{s.Name, n})
			}
		}
		if d.neutral(s) {
			in.Neutrals = append(in.Neutrals, s.Name)
		}
	}
	if base, ok := d.facility(from, AirBase); ok {
		in.AirBases = []Base{{from.Name, d.operative(base)}}
	}
	if f, ok := d.facility(at, kind); ok {
		in.Facilities = []Target{{at.Name, kind, d.atWar(attacker, d.holder(at)), f.Damage}}
	}
	return in
}
