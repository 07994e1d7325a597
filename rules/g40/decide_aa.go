package g40

import (
	"regexp"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// aaEntry is an entry {aa fire: {at: France, aircraft: {fighter: 3, tactical bomber: 2}}}. Aircraft
// are those of the attack that was declared unless they are given; guns, and whether they are alone,
// are as reported, or else as given.
type aaEntry struct {
	At       string              `json:"at" is:"territory"`
	Attacker string              `json:"attacker" is:"attacker" else:"whose TURN it is"`
	Aircraft *rules.Mapping[int] `json:"aircraft" of:"unit" least:"0"`
	Guns     *int                `json:"guns" least:"0"`
	Alone    bool                `json:"alone" doc:"no combat unit stands beside the guns"`
	Round    *int                `json:"round" least:"1" doc:"of the combat"`
}

// aaFireProcedure is the ruling on a shot of AA guns.
const aaFireProcedure = "g40.aa-fire"

// aaFire throws the dice of AA guns at the aircraft that attack their territory.
func (d *decision) aaFire(e aaEntry) {
	at := d.At(e.At)
	if !d.freshTurn(e.Attacker) {
		return
	}
	aircraft, ok := d.aircraftAt(at.Name, e.Attacker, e.Aircraft)
	if !ok {
		return
	}
	in, guns, ok := d.aaInput(at, e.Attacker, aircraft, e)
	if !ok || in.alone() && !OptionList().Settled(d.Hearing, d.Command, d.Options, OptionLoneGuns) {
		return
	}
	if d.fight(e.Attacker, "G40-AA-ONCE") {
		d.fireAA(at, e.Attacker, in, aircraft, guns)
	}
}

// aaInput is the request that the rule answers, before the dice, and whose guns they are.
func (d *decision) aaInput(at board.Space, attacker string, aircraft []events.Unit,
	e aaEntry) (AAFireInput, []events.Unit, bool) {
	in := AAFireInput{Round: 1, Mission: "combat", CombatUnits: !e.Alone,
		Options: AAFireOptions{LoneGuns: d.Options[OptionLoneGuns]}}
	for _, u := range aircraft {
		in.AirUnits += u.Count
	}
	if e.Round != nil {
		in.Round = *e.Round
	}
	if d.raided(at.Name) && !d.attackedAt(at.Name) {
		in.Mission = "bombing_raid"
	}
	d.Add(AAFireCheck(in))
	if holder := d.holder(at); d.friends(holder, attacker) {
		d.ViolateField("aa fire.at", "G40-AA-TARGET",
			"%s holds %s: AA guns fire at the enemy's aircraft that attack their territory", holder, at.Name)
		return in, nil, false
	}
	if attacker == d.Player && d.excluded(at.Name) {
		d.Warn(neverAttacked+" (G40-SCR-TIME)", at.Name)
	}
	if d.firedAt(at.Name) {
		d.ViolateField("aa fire", "G40-AA-ONCE", "AA guns fired in %s before in this TURN of %s: they fire once",
			at.Name, d.Player)
	}
	guns, ok := d.gunsIn(at, attacker, e.Guns)
	if !ok {
		return in, nil, false
	}
	for _, u := range guns {
		in.AAGuns += u.Count
	}
	if defended, known := d.combatUnitsIn(at.Name, attacker); known {
		in.CombatUnits = defended
		if e.Alone && defended {
			d.Warn("combat units are reported in %s beside the AA guns: the report counts", at.Name)
		}
	}
	if in.AAGuns == 0 {
		d.ViolateField("aa fire.guns", rules.Input, "no AA gun defends %s: report %s", at.Name,
			map[bool]string{true: "the units there anew", false: "the units there, or give guns"}[d.wasReported(
				d.holder(at), at.Name)])
	}
	if in.AirUnits == 0 && !in.silenced() {
		d.ViolateField("aa fire.aircraft", rules.Input, "no aircraft are known to attack %s: %s", at.Name,
			map[bool]string{true: "the attack there was declared without any: correct it",
				false: "give them, {fighter: 2}"}[len(d.declaredAt(at.Name, attacker)) > 0])
	}
	return in, guns, !d.Refused() && d.enough("aa fire.guns", in.AAGuns) && d.enough("aa fire.aircraft", in.AirUnits)
}

// warnOfGuns warns of AA guns that have not fired at the aircraft declared to attack their territory, as the combat
// there ends (G40-AA-ONCE), unless dice of no rule that were thrown in the TURN say that they are theirs.
func (d *decision) warnOfGuns(territory string) {
	then, guns, air := d.before(d.moved), 0, 0
	for _, p := range then.enemiesIn(territory, d.Player) {
		guns += countOf(then.unitsOf(p, territory), aaGun)
	}
	for _, u := range d.declaredAt(territory, d.Player) {
		if aircraft(u.Name) {
			air += u.Count
		}
	}
	defended, _ := then.combatUnitsIn(territory, d.Player)
	in := AAFireInput{AAGuns: guns, CombatUnits: defended, Options: AAFireOptions{LoneGuns: d.Options[OptionLoneGuns]}}
	if guns > 0 && air > 0 && !in.silenced() && !d.firedAt(territory) && !d.rolledAA() && !d.capturedNow(territory) {
		d.Warn("%s reported in %s, and %s declared to attack there: AA guns fire before the first round of combat, "+
			"and have not. If they fire, undo this entry, and enter {aa fire: {at: %s}} first (G40-AA-ONCE)",
			counted(guns, "AA gun"), territory, counted(air, "air unit"), territory)
	}
}

// saysAA is a word of AA guns in what dice are for, or what they are called.
var saysAA = regexp.MustCompile(`(?i)\b(aaa?|flak|anti[ -]?air\w*|aa ?guns?)\b`)

// rolledAA reports whether dice of no rule were thrown in this TURN that say they are of AA guns.
func (c combat) rolledAA() bool {
	return slices.ContainsFunc(noted[*events.ResultAdjudicated](c.deeds), func(p *events.ResultAdjudicated) bool {
		return p.Procedure == rules.VerbRoll && (saysAA.MatchString(p.Subject) || slices.ContainsFunc(p.Readings,
			func(r events.Reading) bool { return saysAA.MatchString(r.Name) }))
	})
}

// leaveCombat warns of what was left out of the combat of a TURN, as it ends.
func (d *decision) leaveCombat() {
	var seen []string
	for _, p := range noted[*events.AttackDeclared](d.deeds) {
		if (d.Phase == phaseMove || d.Phase == phaseCombat) && !slices.Contains(seen, p.Space) {
			seen = append(seen, p.Space)
			d.warnOfGuns(p.Space)
		}
	}
}

// attackedAt reports whether an attack on a territory was declared in this TURN.
func (c combat) attackedAt(territory string) bool {
	return slices.ContainsFunc(noted[*events.AttackDeclared](c.deeds),
		func(p *events.AttackDeclared) bool { return p.Space == territory })
}

// firedAt reports whether the AA guns of a territory have fired in this TURN.
func (c combat) firedAt(territory string) bool {
	return slices.ContainsFunc(noted[*events.ResultAdjudicated](c.deeds), func(p *events.ResultAdjudicated) bool {
		return p.Procedure == aaFireProcedure && p.Subject == territory
	})
}

// aircraftAt are the aircraft that attack a territory: those given, or else those declared. More
// than were declared do not attack there (G40-AA-TARGET); in a strict edition all that were declared
// are fired at (G40-AA-DICE).
func (d *decision) aircraftAt(territory, attacker string, given *rules.Mapping[int]) ([]events.Unit, bool) {
	declared := map[string]int{}
	units := d.declaredAt(territory, attacker)
	known := len(units) > 0
	for _, u := range units {
		if aircraft(u.Name) {
			declared[u.Name] += u.Count
		}
	}
	if given == nil {
		var list []events.Unit
		for _, kind := range unitNames() {
			if declared[kind] > 0 {
				list = append(list, events.Unit{Name: kind, Count: declared[kind]})
			}
		}
		return list, true
	}
	list := unitsOf(*given)
	for _, u := range list {
		switch {
		case !aircraft(u.Name):
			d.ViolateField("aa fire.aircraft", "G40-AA-TARGET", "AA guns fire at aircraft, not at %s", one(u.Name))
		case known && u.Count > declared[u.Name]:
			d.ViolateField("aa fire.aircraft", "G40-AA-TARGET",
				"%s attack %s as declared, not %d: AA guns fire only at what attacks their own territory",
				counted(declared[u.Name], u.Name), territory, u.Count)
		case !known && rules.Carries(d.Options):
			d.committed("aa fire.aircraft", "G40-AA-TARGET", attacker, u.Name, u.Count)
		}
	}
	if rules.Strict(d.Options) && !d.Refused() {
		d.checkSpared(territory, list, declared)
	}
	return list, !d.Refused()
}

// checkSpared refuses AA fire at fewer aircraft than were declared to attack a territory: the dice count them all.
func (d *decision) checkSpared(territory string, given []events.Unit, declared map[string]int) {
	for _, kind := range unitNames() {
		if n := countOf(given, kind); n < declared[kind] {
			d.ViolateField("aa fire.aircraft", "G40-AA-DICE",
				"%s %s %s as declared, not %d: AA guns fire at all of them; leave aircraft out, or correct the attack",
				counted(declared[kind], kind), words.Number(declared[kind], "attacks", "attack"), territory, n)
		}
	}
}

// declaredAt are the units that were declared to attack a territory in this TURN.
func (c combat) declaredAt(territory, attacker string) []events.Unit {
	var list []events.Unit
	for _, p := range noted[*events.AttackDeclared](c.deeds) {
		if p.Space == territory && p.Attacker == attacker {
			list = append(list, p.Units...)
		}
	}
	return list
}

// aircraft reports whether a unit flies.
func aircraft(unit string) bool {
	return unit == fighter || unit == tacticalBomber || unit == strategicBomber
}

// gunsIn are the AA guns that defend a territory, under their owners' names: as reported, or else
// the holder's as given.
func (d *decision) gunsIn(at board.Space, attacker string, given *int) ([]events.Unit, bool) {
	var list []events.Unit
	n := 0
	for _, p := range d.enemiesIn(at.Name, attacker) {
		if guns := countOf(d.unitsOf(p, at.Name), aaGun); guns > 0 {
			list = append(list, events.Unit{Name: p, Count: guns})
			n += guns
		}
	}
	holder := d.holder(at)
	switch {
	case given != nil && (n > 0 || d.wasReported(holder, at.Name)) && *given != n:
		d.ViolateField("aa fire.guns", rules.Input, "%s reported in %s, not %d", counted(n, "AA gun"), at.Name, *given)
		return nil, false
	case given != nil && n == 0 && *given > 0:
		return []events.Unit{{Name: holder, Count: *given}}, true
	}
	return list, true
}

// combatUnitsIn reports whether units other than AA guns defend a territory, and whether that is
// known. Aircraft that scrambled or intercepted do not fight there (G40-SCR-FIGHT, G40-SBR-INTERCEPT).
func (g game) combatUnitsIn(territory, attacker string) (defended, known bool) {
	for _, p := range g.enemiesIn(territory, attacker) {
		known = true
		for _, u := range g.unitsOf(p, territory) {
			defended = defended || u.Name != aaGun && (!aircraft(u.Name) || g.free(p, territory, u.Name) > 0)
		}
	}
	return defended, known
}

// fireAA throws the dice, takes the losses and says what became of the guns.
func (d *decision) fireAA(at board.Space, attacker string, in AAFireInput, aircraft, guns []events.Unit) {
	defender := guns[0].Name
	in.Dice = []int{}
	if n := in.DiceAllowed(); n > 0 {
		d.Cite("G40-AA-DICE", "%s for %s against %s", counted(n, "die"), counted(in.AAGuns, "AA gun"),
			counted(in.AirUnits, "air unit"))
		dice, ok := d.Roll(defender,
			&events.RollDeclared{Purpose: "AA fire", Subject: at.Name,
				Throws: []events.Throw{diceOf("AA guns", defender, n)}})
		if !ok {
			return
		}
		in.Dice = dice[0]
	}
	out, found := AAFire(in)
	if !d.Add(found) {
		return
	}
	p := &events.ResultAdjudicated{Procedure: aaFireProcedure, Subject: at.Name, Attacker: attacker, Defender: defender,
		Declared: d.Declared(),
		Figures: []events.Figure{{Name: "dice", Value: out.DiceAllowed}, {Name: "hits", Value: out.Hits},
			{Name: "air units left", Value: out.AirUnitsLeft}}}
	if rules.Carries(d.Options) && len(d.declaredAt(at.Name, attacker)) == 0 { // what attacks fights nowhere else
		for _, u := range aircraft {
			p.Figures = append(p.Figures, events.Figure{Name: u.Name, Value: u.Count})
		}
	}
	d.Record(defender, p)
	lost, ok := d.choose(attacker, "which aircraft does "+attacker+" lose to AA fire over "+at.Name+"?", "G40-AA-HIT",
		aircraft, out.Hits)
	if !ok {
		return
	}
	by, _ := d.chooser(attacker, aircraft, out.Hits)
	if out.Hits > 0 && by == "" {
		d.Cite("G40-AA-HIT", "%s has no choice: %s", attacker, counted(out.Hits, "air unit"))
	} else if out.Hits > 0 {
		d.Cite("G40-AA-HIT", "%s chooses %s", attacker, counted(out.Hits, "air unit"))
	}
	d.lose(attacker, at.Name, "AA fire", by, lost...)
	for _, u := range guns {
		if out.Destroyed {
			d.Cite("G40-AA-ALONE", "attacked with no combat unit beside them")
			d.lose(u.Name, at.Name, "an attack without defenders", "", events.Unit{Name: aaGun, Count: u.Count})
		}
	}
}
