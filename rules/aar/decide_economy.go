package aar

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// raidEntry is an entry of a strategic bombing raid.
type raidEntry struct {
	Attacker  string `json:"attacker" is:"power"`
	Territory string `json:"territory" is:"territory"`
	Bombers   *int   `json:"bombers" least:"1" most:"50" doc:"that came through, a die each, unless damage is given"`
	Damage    *int   `json:"damage" least:"0" doc:"as rolled, by a table that throws these dice itself"`
}

// raidByAir takes the damage of bombers.
func (d *decision) raidByAir(e raidEntry) {
	a := bombing{kind: SBR, attacker: e.Attacker, territory: e.Territory, damage: e.Damage}
	if e.Bombers != nil {
		a.bombers = *e.Bombers
	}
	a.dice = a.bombers
	_, flown := d.cameLeft(a)
	if n := d.raidedBy(e.Attacker, e.Territory); n > 0 && !flown { // what AA fire left is counted
		d.Warn("%s of %s raided %s in this TURN: these are others", words.Count(n, "bomber"), e.Attacker, e.Territory)
	}
	d.warnOfUnplaced(e.Attacker, a.bombers, d.raidersOf(e.Attacker), "bomber", "bomber")
	d.attackEconomy(a)
}

// rocketEntry is an entry of rockets.
type rocketEntry struct {
	Attacker  string `json:"attacker" is:"power"`
	Territory string `json:"territory" is:"territory"`
	Damage    *int   `json:"damage" least:"0" doc:"as rolled, by a table that throws these dice itself"`
	By        string `json:"by,omitempty" is:"unit" doc:"what fires them, an AA gun by default"`
}

// fireRockets takes the damage of rockets.
func (d *decision) fireRockets(e rocketEntry) {
	e.By = gunNamed(e.By)
	switch {
	case e.By == battleship:
		d.ViolateField("rockets.by", "AAR-6-BB", "a battleship has an AA gun, but no rockets are fired from it")
	case e.By != "" && e.By != aaGun:
		d.ViolateField("rockets.by", "AAR-6-BB", "rockets are fired from an AA gun, and %s is none", e.By)
	}
	if d.carries() && !d.hasTech(e.Attacker, rocketry) {
		d.Unreported("rockets.attacker", "AAR-5-TECH",
			"%s has no Rockets, and a technology serves the power that has it alone: if that is wrong, report facts: "+
				"{techs: {%s: [rockets]}}", e.Attacker, e.Attacker)
	}
	if slices.ContainsFunc(d.attacks, func(a attack) bool {
		return a.kind == string(Rockets) && a.attacker == e.Attacker && a.territory == e.Territory
	}) {
		d.Warn("rockets of %s have hit %s in this TURN: the text does not say how often they may", e.Attacker,
			e.Territory)
	}
	d.attackEconomy(bombing{kind: Rockets, attacker: e.Attacker, territory: e.Territory, damage: e.Damage, dice: 1})
}

// bombing is an attack of bombers or rockets.
type bombing struct {
	kind                Kind
	attacker, territory string
	bombers, dice       int
	damage              *int // as stated
}

// attackEconomy takes the damage of bombers or rockets on a territory, held to twice its value in the
// attacker's TURN (AAR-4-TOTAL, AAR-4-TURNS).
func (d *decision) attackEconomy(a bombing) {
	target := d.At(a.territory)
	victim := d.Controller(target)
	if !enemies(Power(a.attacker), Power(victim)) {
		d.ViolateField(d.Command.Verb+".territory", rules.Input, "%s does not belong to an enemy of %s: %s",
			target.Name, a.attacker, held(victim))
		return
	}
	if d.Refused() || !OptionList().Settled(d.Hearing, d.Command, d.Options, optionDamage) || !d.target(target) ||
		!d.statedAsAgreed(a) || !d.cameThrough(a) || !d.Enter(a.attacker, phaseCombat, "AAR-4-TURNS") {
		return
	}
	p := &events.EconomicAttackMade{Kind: string(a.kind), Attacker: a.attacker, Victim: victim, Territory: target.Name,
		Bombers: a.bombers}
	if a.damage != nil {
		p.Rolled = *a.damage
	} else {
		dice, ok := d.Roll(a.attacker, &events.RollDeclared{Purpose: "damage of " + a.kind.title(),
			Subject: target.Name,
			Throws:  []events.Throw{{Name: "damage", Side: a.attacker, Dice: a.dice, Sides: 6}}})
		if !ok {
			return
		}
		p.Rolled, p.Declared = rules.Sum(dice[0], func(die int) int { return die }), d.Declared()
		d.Cite("AMB-AAR-13", "%s of %s throw a die each: %v, together %d", a.kind.title(), a.attacker, dice[0],
			p.Rolled)
	}
	d.strike(p, target)
}

// target wants an industrial complex where the campaign has bombs fall on nothing else (AMB-AAR-14).
func (d *decision) target(t board.Space) bool {
	if d.hasComplex(t) {
		return true
	}
	if !OptionList().Settled(d.Hearing, d.Command, d.Options, optionTarget) {
		return false
	}
	if d.reading(optionTarget) == "complex" {
		d.Unreported(d.Command.Verb+".territory", "AMB-AAR-14",
			"no industrial complex stands in %s, so there is nothing to bomb; if that is wrong, report facts: "+
				"{complexes: {%s: 1}}", t.Name, t.Name)
	}
	return !d.Refused()
}

// statedAsAgreed wants the damage from the dice that the campaign throws, or from those of the table (AMB-AAR-13).
func (d *decision) statedAsAgreed(a bombing) bool {
	verb := d.Command.Verb
	switch thrown := d.reading(optionDamage) == "thrown"; {
	case thrown && a.damage != nil:
		d.ViolateField(verb+".damage", "AMB-AAR-13", "the dice of this damage are thrown here: leave damage out")
	case thrown && a.dice == 0:
		d.ViolateField(verb+".bombers", rules.Input, "say how many bombers came through, bombers: 2: a die for each")
	case !thrown && a.damage == nil:
		d.ViolateField(verb+".damage", rules.Input, "give the damage that was rolled: damage: 5")
	case !thrown && d.strict() && a.bombers > 0 && (*a.damage < a.bombers || *a.damage > 6*a.bombers):
		d.ViolateField(verb+".damage", "AMB-AAR-13", "%s, a die each, roll %d to %d and not %d",
			words.Count(a.bombers, "bomber"), a.bombers, 6*a.bombers, *a.damage)
	}
	return !d.Refused()
}

// cameThrough wants no more bombers than AA fire left, where it was thrown at bombers there in this TURN (GEN-CARRY).
// Rockets do not fly through it.
func (d *decision) cameThrough(a bombing) bool {
	if a.kind != SBR {
		return true
	}
	left, fired := d.cameLeft(a)
	raided := d.raidedBy(a.attacker, a.territory)
	switch {
	case fired && raided+a.bombers > left:
		d.ViolateField("sbr.bombers", "GEN-CARRY", "AA fire over %s left %s of %s, and %d have raided: %d cannot",
			a.territory, words.Count(left, "bomber"), a.attacker, raided, a.bombers)
	case fired && d.strict() && a.bombers == 0:
		d.ViolateField("sbr.bombers", "GEN-CARRY", "AA fire over %s left %s of %s: say how many came through, "+
			"bombers: 1", a.territory, words.Count(left, "bomber"), a.attacker)
	}
	return !d.Refused()
}

// cameLeft counts the bombers that AA fire left of those that it was thrown at, where it was in this TURN.
func (d *decision) cameLeft(a bombing) (left int, fired bool) {
	for _, f := range d.flaks {
		if f.left != nil && f.at == a.territory && f.attacker == a.attacker {
			left, fired = left+f.left["bomber"], true
		}
	}
	return left, fired
}

// raidedBy counts the bombers of an attacker that have raided a territory in this ROUND.
func (g game) raidedBy(attacker, territory string) int {
	sum := 0
	for _, a := range g.attacks {
		if a.territory == territory && a.attacker == attacker {
			sum += a.bombers
		}
	}
	return sum
}

// strike records the damage that counts.
func (d *decision) strike(p *events.EconomicAttackMade, target board.Space) {
	kind := Kind(p.Kind)
	p.Before = d.damageIn(p.Attacker, target.Name)
	in := CapInput{Territory: target.Name, IPCValue: target.Production, Options: rulesOptions(d.Options)}
	if p.Before > 0 {
		d.Cite("AAR-4-TURNS", "%s has taken %d in this TURN of %s", target.Name, p.Before, p.Attacker)
		in.Attacks = append(in.Attacks, Attack{Kind: kind, Damage: p.Before})
	}
	in.Attacks = append(in.Attacks, Attack{Kind: kind, Damage: p.Rolled})
	out, found := EconomicCap(in)
	if !d.Add(found) {
		return
	}
	p.Limit, p.Damage = out.Limit, out.Applied[len(out.Applied)-1]
	d.Record(p.Attacker, p)
}

// hasTech reports whether a power has a technology, as reported.
func (g game) hasTech(power string, t Tech) bool {
	return slices.Contains(g.techs[power].Value, title(string(t)))
}

func held(by string) string {
	if by == "" {
		return "nobody holds it"
	}
	return by + " holds it"
}
