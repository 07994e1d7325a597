package g40

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

const (
	throwBombers      = "bombers"
	throwEscorts      = "escorts"
	throwInterceptors = "interceptors"
	escort            = "escort"
)

// airBattle fights the one round: the attackers fire, interceptors hit are gone, those left fire,
// the attacker chooses what he loses. By option both fire at once (AMB-G40-3).
func (d *decision) airBattle(r *raid) bool {
	if r.in.Interceptors == 0 {
		return true
	}
	b := &AirBattle{BomberDice: []int{}, EscortDice: []int{}, InterceptorDice: []int{}}
	r.in.AirBattle = b
	throws := []events.Throw{diceOf(throwBombers, r.attacker, r.in.attackers().bombers()),
		diceOf(throwEscorts, r.attacker, r.in.Escorts)}
	if r.in.Options.simultaneous() {
		throws = append(throws, diceOf(throwInterceptors, r.defender, r.in.Interceptors))
	}
	d.Cite("G40-SBR-BATTLE", "interceptors come: one round over %s before the raid", r.at.Name)
	dice, ok := d.throw(r.attacker, "air battle", r.at.Name, throws)
	if !ok {
		return false
	}
	b.BomberDice, b.EscortDice, b.InterceptorDice = dice[throwBombers], dice[throwEscorts], dice[throwInterceptors]
	var scratch rules.Findings
	lost := r.in.shotDown(&scratch)
	if !d.loseInterceptors(r, lost) {
		return false
	}
	if left := r.in.Interceptors - lost; !r.in.Options.simultaneous() {
		d.Cite("G40-SBR-RETURN", "only the interceptors that are left fire: %d", left)
		if dice, ok = d.throw(r.defender, "air battle: interceptors", r.at.Name,
			[]events.Throw{diceOf(throwInterceptors, r.defender, left)}); !ok {
			return false
		}
		b.InterceptorDice = dice[throwInterceptors]
	}
	due := min(hits(b.InterceptorDice, r.in.Options.InterceptorHitsOn), r.in.attackers().all())
	return d.loseAttackers(r, due)
}

// throw rolls what has dice at all, and gives the dice by the name of the throw; one without dice
// has none.
func (d *decision) throw(side, purpose, subject string, throws []events.Throw) (map[string][]int, bool) {
	dice := map[string][]int{}
	var with []events.Throw
	for _, t := range throws {
		dice[t.Name] = []int{}
		if t.Dice > 0 {
			with = append(with, t)
		}
	}
	if len(with) == 0 {
		return dice, true
	}
	fell, ok := d.Roll(side, &events.RollDeclared{Purpose: purpose, Subject: subject, Throws: with})
	if !ok {
		return nil, false
	}
	for i, t := range with {
		dice[t.Name] = fell[i]
	}
	return dice, true
}

// loseInterceptors removes the interceptors that were hit; where they are of several powers the
// holder of the territory says whose.
func (d *decision) loseInterceptors(r *raid, n int) bool {
	lost, ok := d.choose(r.defender, "whose interceptors over "+r.at.Name+" are lost?", "G40-SBR-FIRE", r.interceptors,
		n)
	if !ok {
		return false
	}
	for _, u := range lost {
		d.Cite("G40-SBR-FIRE", "interceptors of %s that are removed at once: %d", u.Name, u.Count)
		d.lose(u.Name, r.at.Name, causeAirBattle, "", events.Unit{Name: fighter, Count: u.Count})
	}
	return true
}

// loseAttackers has the attacker choose his losses in the air battle, and what the bombers that are
// left bomb (G40-SBR-RETURN, G40-SBR-ASSIGN).
func (d *decision) loseAttackers(r *raid, due int) bool {
	flying := []events.Unit{{Name: strategicBomber, Count: r.in.Strategic},
		{Name: tacticalBomber, Count: r.in.Tactical}, {Name: escort, Count: r.in.Escorts}}
	lost, ok := d.choose(r.attacker, "which aircraft does "+r.attacker+" lose in the air battle over "+r.at.Name+"?",
		"G40-SBR-RETURN", flying, due)
	if !ok {
		return false
	}
	losses := Attackers{countOf(lost, strategicBomber), countOf(lost, tacticalBomber), countOf(lost, escort)}
	r.in.AirBattle.Losses = losses
	by, verb := d.chooser(r.attacker, flying, due)
	if due > 0 {
		d.Cite("G40-SBR-RETURN", "%s %s %s", r.attacker, verb, losses)
	}
	d.lose(r.attacker, r.at.Name, causeAirBattle, by, losses.units()...)
	return d.divide(r, strategicBomber, losses.Strategic, func(t *RaidTarget) *int { return &t.Strategic }) &&
		d.divide(r, tacticalBomber, losses.Tactical, func(t *RaidTarget) *int { return &t.Tactical })
}

// divide sends the bombers of a kind that are left against the targets again, if some fell: the
// attacker splits them as he wishes.
func (d *decision) divide(r *raid, bomber string, lost int, of func(*RaidTarget) *int) bool {
	var open []events.Unit
	sent := 0
	for i := range r.in.Targets {
		t := &r.in.Targets[i]
		sent += *of(t)
		if bomber == strategicBomber || facilityTable.MustCell(string(t.Facility), "tactical") == "yes" {
			open = append(open, events.Unit{Name: t.Facility.title(), Count: mostAircraft})
		}
	}
	left := sent - lost
	if lost == 0 {
		return true
	}
	bombed, ok := d.choose(r.attacker,
		fmt.Sprintf("%s are left over %s: which facilities do they bomb?", counted(left, bomber), r.at.Name),
		"G40-SBR-ASSIGN", open, left)
	for i := range r.in.Targets {
		t := &r.in.Targets[i]
		*of(t) = countOf(bombed, t.Facility.title())
	}
	return ok
}

// units are the aircraft as units; escorts are fighters.
func (a Attackers) units() []events.Unit {
	return []events.Unit{{Name: fighter, Count: a.Escorts}, {Name: tacticalBomber, Count: a.Tactical},
		{Name: strategicBomber, Count: a.Strategic}}
}

// facilityFire throws a die of each facility against each bomber that bombs it (G40-SBR-AA).
func (d *decision) facilityFire(r *raid) bool {
	var throws []events.Throw
	for _, t := range r.in.Targets {
		throws = append(throws, diceOf(t.Facility.title(), r.defender, t.assigned().bombers()))
		if n := t.assigned().bombers(); n > 0 {
			d.Cite("G40-SBR-AA", "the %s throws a die for each bomber that bombs it: %d", t.Facility.title(), n)
		}
	}
	dice, ok := d.throw(r.defender, "antiaircraft fire of facilities", r.at.Name, throws)
	if !ok {
		return false
	}
	for i := range r.in.Targets {
		t := &r.in.Targets[i]
		t.AADice = dice[t.Facility.title()]
		var scratch rules.Findings
		due := min(hits(t.AADice, hitsOn(&scratch, fireFacility)), t.assigned().bombers())
		bombers := []events.Unit{{Name: strategicBomber, Count: t.Strategic}, {Name: tacticalBomber, Count: t.Tactical}}
		lost, ok := d.choose(r.attacker, "which bombers does "+r.attacker+" lose to the fire of the "+
			t.Facility.title()+" in "+r.at.Name+"?", "G40-SBR-AA", bombers, due)
		if !ok {
			return false
		}
		t.AALosses = Attackers{Strategic: countOf(lost, strategicBomber), Tactical: countOf(lost, tacticalBomber)}
		by, verb := d.chooser(r.attacker, bombers, due)
		if due > 0 {
			d.Cite("G40-SBR-AA", "%s %s %s", r.attacker, verb, t.AALosses)
		}
		d.lose(r.attacker, r.at.Name, "the fire of the "+t.Facility.title(), by, t.AALosses.units()...)
	}
	return true
}

// rollDamage throws a die for each bomber that is left (G40-SBR-DAMAGE).
func (d *decision) rollDamage(r *raid) bool {
	var throws []events.Throw
	for _, t := range r.in.Targets {
		left := t.assigned().less(t.AALosses).bombers()
		throws = append(throws, diceOf(t.Facility.title(), r.attacker, left))
		if left > 0 {
			d.Cite("G40-SBR-DAMAGE", "bombers left on the %s: %d, one die each", t.Facility.title(), left)
		}
	}
	dice, ok := d.throw(r.attacker, "bombing", r.at.Name, throws)
	for i := range r.in.Targets {
		r.in.Targets[i].DamageDice = dice[r.in.Targets[i].Facility.title()]
	}
	return ok
}

// concludeRaid rules on the whole and records the damage.
func (d *decision) concludeRaid(r *raid) {
	out, found := Raid(r.in)
	if !d.Add(found) {
		return
	}
	p := &events.ResultAdjudicated{Procedure: "g40.sbr", Subject: r.at.Name, Attacker: r.attacker, Defender: r.defender,
		Declared: d.Declared()}
	p.Figures = []events.Figure{{Name: "interceptors lost", Value: out.AirBattle.Interceptors},
		{Name: "attackers lost in the air battle", Value: out.AirBattle.Attackers}}
	for _, t := range out.Targets {
		p.Figures = append(p.Figures,
			events.Figure{Name: fmt.Sprintf("bombers lost to the %s", t.Facility.title()), Value: t.BombersLost},
			events.Figure{Name: fmt.Sprintf("damage to the %s", t.Facility.title()), Value: t.Applied})
	}
	d.Record(r.attacker, p)
	for i, t := range out.Targets {
		if t.Rolled == 0 {
			continue
		}
		d.Cite("G40-SBR-CAP", "the %s takes at most %d in all: %d of %d count", t.Facility.title(), t.Facility.Limit(),
			t.Applied, t.Rolled)
		d.Record(r.attacker, &events.FacilityDamaged{
			Territory: r.at.Name, Facility: string(t.Facility), Victim: r.defender, Attacker: r.attacker,
			Cause:  causeRaid,
			Rolled: t.Rolled, Before: r.in.Targets[i].Damage, Limit: t.Facility.Limit(), Damage: t.Applied,
			Declared: p.Declared,
		})
	}
}

// causeRaid is what damage by bombers is recorded under.
const causeRaid = "bombing raid"
