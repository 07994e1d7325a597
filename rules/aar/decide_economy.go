package aar

import (
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// strike is what an entry says of an attack by bombers or rockets.
type strike struct {
	Attacker  string `json:"attacker"`
	Territory string `json:"territory"`
	Damage    *int   `json:"damage"`
	By        string `json:"by"` // of rockets: what fired them, an AA gun unless said
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
	switch by := strings.ToLower(s.By); {
	case kind == Rockets && by == "battleship":
		d.ViolateField("rockets.by", "AAR-6-BB", "a battleship has an AA gun, but no rockets are fired from it")
	case by != "" && (kind != Rockets || by != "aa gun"):
		d.Unknown(d.Command, d.Command.Verb+".by", "source of the damage", s.By, []string{"aa gun"})
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
	if !d.Refused() && d.Enter(attacker, phaseCombat, "AAR-4-TURNS") {
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
