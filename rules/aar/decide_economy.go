package aar

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// strike is what an entry says of an attack by bombers or rockets.
type strike struct {
	Attacker  string `json:"attacker"`
	Territory string `json:"territory"`
	Damage    *int   `json:"damage"`
}

// attackEconomy records the damage of bombers or rockets on a territory, held to twice its value
// in the attacker's TURN (AAR-4-TOTAL, AAR-4-TURNS).
func (d *decision) attackEconomy(kind Kind) {
	var entry struct {
		SBR     strike `json:"sbr"`
		Rockets strike `json:"rockets"`
	}
	if !d.h.Read(d.c, &entry) {
		return
	}
	s := map[Kind]strike{SBR: entry.SBR, Rockets: entry.Rockets}[kind]
	if s.Damage == nil {
		d.h.ViolateField(d.c.Verb, rules.Input, "%s: name attacker, territory and damage", d.c.Verb)
		return
	}
	attacker, ok := d.power(d.c.Verb+".attacker", s.Attacker)
	if !ok {
		return
	}
	target, ok := d.space(d.c.Verb+".territory", s.Territory, d.board.Territory)
	if !ok || !d.inRange(d.c.Verb+".damage", *s.Damage, 0) {
		return
	}
	victim := d.controller(target)
	if !enemies(Power(attacker), Power(victim)) {
		d.h.ViolateField(d.c.Verb+".territory", rules.Input, "%s does not belong to an enemy of %s: %s", target.Name, attacker, held(victim))
		return
	}
	if d.enter(attacker, phaseCombat, "AAR-4-TURNS") {
		d.strike(kind, attacker, victim, target, *s.Damage)
	}
}

func (d *decision) strike(kind Kind, attacker, victim string, target board.Space, damage int) {
	before := d.damageIn(attacker, target.Name)
	in := CapInput{Territory: target.Name, IPCValue: target.Production, Options: rulesOptions(d.options)}
	if before > 0 {
		d.h.Cite("AAR-4-TURNS", "%s has taken %d in this TURN of %s", target.Name, before, attacker)
		in.Attacks = append(in.Attacks, Attack{Kind: kind, Damage: before})
	}
	in.Attacks = append(in.Attacks, Attack{Kind: kind, Damage: damage})
	out, found := EconomicCap(in)
	if d.h.Add(found); d.h.Refused() {
		return
	}
	d.h.Record(attacker, &events.EconomicAttackMade{
		Kind: string(kind), Attacker: attacker, Victim: victim, Territory: target.Name,
		Rolled: damage, Before: before, Limit: out.Limit, Damage: out.Applied[len(out.Applied)-1],
	})
}

func held(by string) string {
	if by == "" {
		return "nobody holds it"
	}
	return by + " holds it"
}

// purchase takes the cost of units out of a power's treasury (AAR-6-FUNDS).
func (d *decision) purchase() {
	var entry struct {
		Purchase struct {
			Power string         `json:"power"`
			Cost  *int           `json:"cost"`
			Units map[string]int `json:"units"`
		} `json:"purchase"`
	}
	if !d.h.Read(d.c, &entry) {
		return
	}
	power, ok := d.power("purchase.power", entry.Purchase.Power)
	if !ok {
		return
	}
	if entry.Purchase.Cost == nil {
		d.h.ViolateField("purchase", rules.Input, "give the cost of the units in IPCs: cost: 24")
		return
	}
	cost := *entry.Purchase.Cost
	if !d.inRange("purchase.cost", cost, 0) {
		return
	}
	inHand := d.treasury(power)
	p := &events.UnitsPurchased{Power: power, Cost: cost, Treasury: inHand - cost}
	for _, unit := range slices.Sorted(maps.Keys(entry.Purchase.Units)) {
		if !d.inRange("purchase.units."+unit, entry.Purchase.Units[unit], 1) {
			return
		}
		p.Units = append(p.Units, events.Unit{Name: unit, Count: entry.Purchase.Units[unit]})
	}
	if p.Treasury < 0 {
		d.h.ViolateField("purchase.cost", "AAR-6-FUNDS", "%s has %d IPCs and cannot spend %d; if that is wrong, report facts: {treasury: {%s: …}}", power, inHand, cost, power)
		return
	}
	if !d.enter(power, phasePurchase, rules.Input) {
		return
	}
	d.h.Cite("AAR-6-FUNDS", "%s pays %d of %d IPCs", power, cost, inHand)
	d.h.Record(power, p)
}
