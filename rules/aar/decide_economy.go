package aar

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// raidEntry is an entry of a strategic bombing raid.
type raidEntry struct {
	Attacker  string `json:"attacker" is:"power"`
	Territory string `json:"territory" is:"territory"`
	Damage    *int   `json:"damage" least:"0" need:"give the damage that was rolled: damage: 5"`
}

// raidByAir records the damage of bombers.
func (d *decision) raidByAir(e raidEntry) { d.attackEconomy(SBR, e) }

// rocketEntry is an entry of rockets.
type rocketEntry struct {
	Attacker  string `json:"attacker" is:"power"`
	Territory string `json:"territory" is:"territory"`
	Damage    *int   `json:"damage" least:"0" need:"give the damage that was rolled: damage: 5"`
	By        string `json:"by,omitempty" word:"aa gun,battleship" doc:"what fires them, an AA gun by default"`
}

// fireRockets records the damage of rockets.
func (d *decision) fireRockets(e rocketEntry) {
	if e.By == "battleship" {
		d.ViolateField("rockets.by", "AAR-6-BB", "a battleship has an AA gun, but no rockets are fired from it")
	}
	d.attackEconomy(Rockets, raidEntry{e.Attacker, e.Territory, e.Damage})
}

// attackEconomy records the damage of bombers or rockets on a territory, held to twice its value
// in the attacker's TURN (AAR-4-TOTAL, AAR-4-TURNS).
func (d *decision) attackEconomy(kind Kind, e raidEntry) {
	target := d.At(e.Territory)
	victim := d.Controller(target)
	if !enemies(Power(e.Attacker), Power(victim)) {
		d.ViolateField(d.Command.Verb+".territory", rules.Input, "%s does not belong to an enemy of %s: %s",
			target.Name, e.Attacker, held(victim))
		return
	}
	if !d.Refused() && d.Enter(e.Attacker, phaseCombat, "AAR-4-TURNS") {
		d.strike(kind, e.Attacker, victim, target, *e.Damage)
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
	if !d.Add(found) {
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
