package g40

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// citeValues says with what units attack that a technology of the attacker improves (G40-TECH-MECH, G40-TECH-SUPER,
// G40-TECH-JET). The battle is fought at the table.
func (d *decision) citeValues(attacker string, units []events.Unit) {
	if !rules.Carries(d.Options) {
		return
	}
	for _, improved := range []struct {
		unit string
		tech Technology
	}{{fighter, JetFighters}, {submarine, SuperSubmarines}} {
		if n := countOf(units, improved.unit); n > 0 && d.has(attacker, improved.tech) {
			d.citeAttack(attacker, improved.unit, "")
		}
	}
	mechanized := countOf(units, "mechanized infantry")
	if mechanized == 0 || !d.has(attacker, ImprovedMechanized) {
		return
	}
	tanks, guns := countOf(units, "tank"), countOf(units, "artillery")
	if tanks > 0 {
		d.citeAttack(attacker, mechanizedInfantry, "tank")
	} else if guns > 0 {
		d.citeAttack(attacker, mechanizedInfantry, "artillery")
	}
	d.Cite("G40-TECH-MECH", "beside %s and %s, %d of %d mechanized infantry attack paired", counted(tanks, "tank"),
		counted(guns, "artillery"), min(mechanized, tanks+guns), mechanized)
	if mechanized > tanks+guns {
		d.citeAttack(attacker, mechanizedInfantry, "")
	}
}

// citeAttack cites the attack value of a unit as a request for it does.
func (d *decision) citeAttack(power, unit, beside string) {
	in := TechInput{Unit: contractName(unit), Question: questionAttack, PairedWith: beside}
	for _, t := range technologies() {
		if d.has(power, t) {
			in.Techs = append(in.Techs, t)
		}
	}
	_, found := Tech(in)
	d.Add(rules.Findings{Derivation: found.Derivation})
}
