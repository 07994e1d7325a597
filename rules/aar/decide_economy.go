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
	if !d.Read(d.Command, &entry) {
		return
	}
	s := map[Kind]strike{SBR: entry.SBR, Rockets: entry.Rockets}[kind]
	if s.Damage == nil {
		d.ViolateField(d.Command.Verb, rules.Input, "%s: name attacker, territory and damage", d.Command.Verb)
		return
	}
	attacker, ok := d.Power(d.Command.Verb+".attacker", s.Attacker)
	if !ok {
		return
	}
	target, ok := d.Space(d.Command.Verb+".territory", s.Territory, d.Board.Territory)
	if !ok || !d.InRange(d.Command.Verb+".damage", *s.Damage, 0) {
		return
	}
	victim := d.Controller(target)
	if !enemies(Power(attacker), Power(victim)) {
		d.ViolateField(d.Command.Verb+".territory", rules.Input, "%s does not belong to an enemy of %s: %s", target.Name, attacker, held(victim))
		return
	}
	if d.Enter(attacker, phaseCombat, "AAR-4-TURNS") {
		d.strike(kind, attacker, victim, target, *s.Damage)
	}
}

func (d *decision) strike(kind Kind, attacker, victim string, target board.Space, damage int) {
	before := d.damageIn(attacker, target.Name)
	in := CapInput{Territory: target.Name, IPCValue: target.Production, Options: rulesOptions(d.Options)}
	if before > 0 {
		d.Cite("AAR-4-TURNS", "%s has taken %d in this TURN of %s", target.Name, before, attacker)
		in.Attacks = append(in.Attacks, Attack{Kind: kind, Damage: before})
	}
	in.Attacks = append(in.Attacks, Attack{Kind: kind, Damage: damage})
	out, found := EconomicCap(in)
	if d.Add(found); d.Refused() {
		return
	}
	d.Record(attacker, &events.EconomicAttackMade{
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
	if !d.Read(d.Command, &entry) {
		return
	}
	power, ok := d.Power("purchase.power", entry.Purchase.Power)
	if !ok {
		return
	}
	if entry.Purchase.Cost == nil {
		d.ViolateField("purchase", rules.Input, "give the cost of the units in IPCs: cost: 24")
		return
	}
	cost := *entry.Purchase.Cost
	if !d.InRange("purchase.cost", cost, 0) {
		return
	}
	inHand := d.Treasury(power)
	p := &events.UnitsPurchased{Power: power, Cost: cost, Treasury: inHand - cost}
	for _, unit := range slices.Sorted(maps.Keys(entry.Purchase.Units)) {
		if !d.InRange("purchase.units."+unit, entry.Purchase.Units[unit], 1) {
			return
		}
		p.Units = append(p.Units, events.Unit{Name: unit, Count: entry.Purchase.Units[unit]})
	}
	if p.Treasury < 0 {
		d.ViolateField("purchase.cost", "AAR-6-FUNDS", "%s has %d IPCs and cannot spend %d; if that is wrong, report facts: {treasury: {%s: …}}", power, inHand, cost, power)
		return
	}
	if !d.Enter(power, phasePurchase, rules.Input) {
		return
	}
	d.Cite("AAR-6-FUNDS", "%s pays %d of %d IPCs", power, cost, inHand)
	d.Record(power, p)
}
