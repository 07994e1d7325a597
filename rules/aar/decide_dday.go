package aar

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// declaration is an entry {declare d-day: France}.
type declaration struct {
	Target string `json:"declare d-day" is:"territory"`
}

// declareDDay declares D-Day (AAR-5-DECLARE).
func (d *decision) declareDDay(e declaration) {
	if !d.bothPlay() {
		return
	}
	target := d.At(e.Target)
	in := d.ddayInput(Declare, target)
	in.TurnOf, in.AtStart = UK, d.Player != string(UK) || d.Phase == phasePurchase && !d.acted &&
		(!d.carries() || len(d.used[string(UK)].Value) == 0) && (!d.exact() || len(d.fresh[string(UK)].Value) == 0)
	if d.Over(string(UK)) {
		in.TurnOf = Power(d.Player)
	}
	_, f := DDay(in)
	if f.Refused() {
		d.Add(f)
		return
	}
	if down := d.submerged[string(UK)]; d.Player == string(UK) && len(down.Value) > 0 && down.From > d.turnFrom {
		d.Warn("submarines are reported to have submerged in this TURN, in its Conduct Combat: D-Day is declared at " +
			"the beginning of the TURN of the UK (AAR-5-DECLARE)")
	}
	if d.Enter(string(UK), phasePurchase, "AAR-5-DECLARE") {
		d.Add(f)
		d.Record(string(UK), &events.OperationDeclared{Operation: operationDDay, By: string(UK), Target: target.Name})
	}
}

// bothPlay wants a board with the places of D-Day, and both powers on it.
func (d *decision) bothPlay() bool {
	for _, p := range []Power{UK, US} {
		if !slices.Contains(d.Powers, string(p)) {
			d.Violate(rules.Input, "%s does not play on this board, so there is no D-Day", p)
		}
	}
	if _, err := d.Board.Territory("France"); err != nil {
		d.Violate(rules.Input,
			"the board has no France: an entry names it, such as {aliases: space France = Western Europe}")
	}
	if _, err := d.Board.SeaZone("SZ 7"); err != nil {
		d.Violate(rules.Input,
			"the board has no SZ 7: an entry names it, such as {aliases: space SZ 7 = North Sea Zone}")
	}
	return !d.Refused()
}

// ddayInput is what the campaign knows of D-Day.
func (d *decision) ddayInput(step Step, target board.Space) DDayInput {
	return DDayInput{
		Step: step, Declared: d.declaredAt != 0, CarriedOut: d.carriedAt != 0, FranceAllied: d.wasAllied(target),
		Agreed: true, seaSpared: d.exact(),
		Target: d.called(target.Name), Options: rulesOptions(d.Options),
	}
}

// called gives a space the name that the rule has for it, where it has one.
func (d *decision) called(space string) string {
	for _, name := range []string{"France", "Germany", "Italy", "NW Europe", "SZ 7"} {
		if other, err := d.Board.Space(name); err == nil && other.Name == space {
			return name
		}
	}
	return d.Board.TableSpace(space)
}

// wasAllied reports whether France was in Allied hands when the campaign began or was reported to be
// at any time since (AAR-5-FRANCE).
func (d *decision) wasAllied(target board.Space) bool {
	france, err := d.Board.Territory("France")
	if err != nil {
		france = target
	}
	if d.allied(d.Board.TablePower(france.Owner)) {
		return true
	}
	_, was := d.holders.Find(func(h holding) bool { return h.territory == france.Name && d.allied(h.holder) })
	return was
}

// allied reports whether a power fights beside the UK, also one that does not play by these rules.
func (d *decision) allied(power string) bool {
	if slices.Contains(powers(), Power(power)) {
		return !enemies(Power(power), UK)
	}
	return slices.ContainsFunc(d.Board.Alliances(), func(a board.Alliance) bool {
		named := func(name string) bool {
			return slices.ContainsFunc(a.Powers, func(p string) bool { return d.Board.TablePower(p) == name })
		}
		return named(power) && named(string(UK))
	})
}

// holdToDDay refuses to leave the US TURN behind in which D-Day is due: that would call it off
// (AAR-5-NO-CALL-OFF). Once France is in Allied hands there is none to carry out.
func (d *decision) holdToDDay() {
	us := slices.Index(d.Powers, string(US))
	if d.carriedAt != 0 || !d.ddayRound() {
		return
	}
	if france, err := d.Board.Territory("France"); err != nil || d.wasAllied(france) {
		return
	}
	for _, draft := range d.Outcome().Drafts {
		next := ""
		switch p := draft.Payload.(type) {
		case *events.TurnAdvanced:
			next = p.Label
		case *events.PhaseAdvanced:
			late := p.Player == string(US) && slices.Index(phases(), p.Phase) > slices.Index(phases(), phaseCombat)
			if late || slices.Index(d.Powers, p.Player) > us {
				next = p.Player + " " + p.Phase
			}
		case *events.OperationCarriedOut:
			return
		}
		if next != "" {
			d.Violate("AAR-5-NO-CALL-OFF",
				"the UK declared D-Day, and it may not be called off: before %s the US carries it out, d-day: "+
					"{units: …}", next)
			return
		}
	}
}

// ddayRound reports whether the US TURN of this ROUND is that of D-Day, which the UK declared in its own before.
func (g game) ddayRound() bool {
	after := slices.Index(g.Powers, string(US)) > slices.Index(g.Powers, string(UK))
	return g.declaredAt != 0 && (g.declaredIn == g.Turn.Ordinal) == after
}

// landing is an entry of D-Day.
type landing struct {
	Target string              `json:"target" is:"territory" else:"France"`
	SZ7    *rules.Mapping[int] `json:"sz 7" of:"power*" least:"0" doc:"units but submarines as the US TURN began"`
	Units  []landingUnit       `json:"units" label:"units, of both powers: who carries whom, who fights where"`
	AAGun  int                 `json:"aa gun" least:"0" most:"6" label:"AA gun hits on" doc:"1, say"`
}

// inSZ7 are the units that the entry gives.
func (e landing) inSZ7() rules.Mapping[int] {
	if e.SZ7 == nil {
		return nil
	}
	return *e.SZ7
}

type landingUnit struct {
	Power Power  `json:"power" is:"power"`
	Type  string `json:"type" is:"type of unit"`

	Unit string `json:"unit" offer:"name" need:"each unit has a name: {unit: 2nd Army, power: UK, type: infantry}"`

	Role    string   `json:"role,omitempty" is:"role" doc:"follows from the type unless it is given"`
	From    string   `json:"from,omitempty" is:"space" doc:"where it starts"`
	Battle  string   `json:"battle,omitempty" is:"space" label:"fights in" doc:"by default as its role has it"`
	Carries []string `json:"carries" offer:"name" doc:"aboard: of a transport land units, of a carrier fighters"`
	Loaded  bool     `json:"loaded" doc:"of a transport in an older campaign, without carries"`
	InReach *bool    `json:"in reach" doc:"of an aircraft: whether its movement brings it there"`
}

// carryOutDDay is the attack of the US, with the UK, on its TURN.
func (d *decision) carryOutDDay(e landing) {
	if !d.bothPlay() {
		return
	}
	target := d.At(e.Target)
	in := d.ddayInput(Assault, target)
	if in.TurnOf = US; d.Over(string(US)) {
		in.TurnOf = Power(d.Player)
	}
	in.AAGun = e.AAGun > 0
	if !d.landingUnits(&in, e.Units) || d.Refused() {
		return
	}
	d.seaZone7(&in, e.inSZ7())
	fire := d.checkKnown(in, e)
	if in.AAGun && d.fired(target.Name, string(US)) {
		d.ViolateField("d-day.aa gun", "AAR-6-BB", "an AA gun has fired in %s in this TURN: only one does", target.Name)
	}
	if in.AAGun && d.exact() && d.Controller(target) == "" { // or else nobody is asked for casualties
		d.Unreported("d-day.aa gun", "AAR-5-CASUALTIES", "nobody holds %s, so no AA gun fires there; if that is "+
			"wrong, report facts: {control: {%s: Germany}}", target.Name, target.Name)
	}
	d.checkShotsCalled(in)
	var f rules.Findings
	if in.checkAssault(&f); f.Refused() || d.Refused() {
		d.Violations = append(f.Violations, d.Violations...)
		return
	}
	d.warnOfLanding(in, e)
	d.warnOfAlike(in)
	d.warnOfFleet(rules.Count(in.Units, func(u DDayUnit) bool {
		return u.Power == US && u.Type == "submarine" && u.partOf()
	}))
	if d.Refused() || !d.settledLanding(in, e.AAGun) || !d.Enter(string(US), phaseCombat, "AAR-5-US-TURN") {
		return
	}
	out := in.assault(&d.Findings)
	defender := d.Controller(target)
	p := operation(in, target.Name, defender)
	for i, u := range in.Units {
		if d.exact() && !u.partOf() { // it fights elsewhere, on its own account
			p.Units[i].Role = title(string(NoRole))
		}
	}
	d.Record(string(US), p)
	for _, p := range fire {
		d.Cite("AAR-6-ARTY-FIRE", "artillery of %s fires in opening fire from %s and does not advance", p.Power, p.From)
		d.Record(p.Power, &p)
	}
	d.fireAA(in, out, target.Name, defender, e.AAGun)
}

// warnOfLanding says on what the text is silent, and what nobody stated.
func (d *decision) warnOfLanding(in DDayInput, e landing) {
	for i, u := range in.Units {
		from := d.At(e.Units[i].From)
		switch holder := d.Controller(from); {
		case !u.partOf():
		case u.Type == artillery && u.Role == Amphibious: // AAR-6-ARTY-FIRE
			d.Warn("%s lands: artillery no longer advances into an attack, and whether it lands the text does not say",
				u.name())
		case u.Role == ByAir && from.Name != "" && !from.Water && !d.allied(holder): // AAR-5-AIR
			d.Warn("%s starts from %s, and there %s", u.name(), from.Name, held(holder))
		case u.Role == Overland && d.lateAllied(from.Name):
			d.Warn("%s comes overland from %s, which was reported as Allied in this ROUND: land units already there "+
				"neither took it in this ROUND nor moved in; if it was Allied before, no matter (AAR-5-OVERLAND)",
				u.name(), from.Name)
		}
		if u.Power == US && u.partOf() && u.Role == Bombard && !u.Type.guns() {
			d.Warn("%s bombards: here battleships, cruisers and battlecruisers do; what else of the US may, the book "+
				"says (AAR-5-BOMBARD)", u.name())
		}
		if n := d.raidersOf(string(UK)); u.Power == UK && u.Type == "bomber" && u.partOf() && n > 0 &&
			len(d.used[string(UK)].Value) == 0 {
			d.Warn("%s takes part, and %s of the UK raided on its TURN: what was used is reported, facts: {used: {UK: "+
				"[…]}}", u.name(), words.Count(n, "bomber")) // AAR-5-UK-USED
		}
		if u.Power == US && d.sameName(u.ID, string(UK)) { // AAR-5-UK-USED
			d.Warn("%s is a unit of the US here, and one of the UK of this name was used or placed on its TURN", u.ID)
		}
	}
	fights := func(u DDayUnit) bool { return u.Power == UK && u.partOf() && u.atSea() }
	if i := slices.IndexFunc(in.Units, fights); i >= 0 && e.SZ7 != nil && in.SZ7.Enemy == 0 { // AAR-5-UK-TRN
		d.Warn("%s is in the sea combat in SZ 7, and by this entry no enemy lay there: without one it has the role "+
			"amphibious, or stays away (AAR-5-UK-TRN)", in.Units[i].name())
	}
	bombards := func(u DDayUnit) bool { return u.Power == UK && u.Role == Bombard }
	if slices.ContainsFunc(in.Units, bombards) && e.SZ7 == nil { // AAR-5-BOMBARD
		d.Warn("the UK bombards from SZ 7, of which submarines alone are known: sz 7 gives the other units that lay " +
			"there when the US TURN began")
	}
	if slices.ContainsFunc(in.Units, bombards) {
		d.checkSettled(e.inSZ7())
		d.warnOfMet()
	}
}

// raidersOf counts the bombers of a power that have raided in this ROUND.
func (g game) raidersOf(power string) int {
	return rules.Sum(g.attacks, func(a attack) int { return map[bool]int{true: a.bombers}[a.attacker == power] })
}

// sameName reports whether a unit of this name was used or placed in the last TURN of a power.
func (d *decision) sameName(name, power string) bool {
	return slices.ContainsFunc(slices.Concat(d.used[power].Value, d.fresh[power].Value),
		func(other string) bool { return d.sameUnit(name, other) })
}

// checkShotsCalled: where US submarines called their shots nothing else attacks in that TURN, in SZ 7 nothing sails
// (AAR-7-SHOTS).
func (d *decision) checkShotsCalled(in DDayInput) {
	zone, _ := d.Board.SeaZone("SZ 7")
	sails := slices.ContainsFunc(in.Units, func(u DDayUnit) bool {
		ship := u.Role == Amphibious || u.Role == SeaCombat || u.Role == Bombard
		return u.partOf() && (ship || d.exact() && u.atSea())
	})
	if d.carries() && sails && d.calledShots(zone.Name, string(US)) {
		d.ViolateField("d-day.units", "AAR-7-SHOTS", "submarines of the US called their shots in SZ 7 in this TURN, "+
			"for nothing else attacked there or sailed through")
	}
	for _, u := range in.Units {
		at, err := d.Board.SeaZone(u.Battle)
		if err == nil && at.Name != zone.Name && u.Role != NoRole && d.calledShots(at.Name, string(US)) {
			d.Warn("%s fights in %s, where submarines of the US called their shots in this TURN, for nothing else "+
				"attacked there: if it does, undo one of the two (AAR-7-SHOTS)", u.name(), at.Name)
		}
	}
}

// landingIn reports whether ships of D-Day are in a sea zone in the TURN of an attacker.
func (d *decision) landingIn(zone, attacker string) bool {
	sz7, err := d.Board.SeaZone("SZ 7")
	return err == nil && sz7.Name == zone && attacker == string(US) && d.sailedIn != 0 && d.sailedIn == d.Turn.Ordinal
}

// operation describes who takes part.
func operation(in DDayInput, target, defender string) *events.OperationCarriedOut {
	p := &events.OperationCarriedOut{Operation: operationDDay, By: string(US), Target: target, Defender: defender}
	for _, u := range in.Units {
		p.Units = append(p.Units, events.Participant{
			Name: u.ID, Power: string(u.Power), Kind: title(string(u.Type)), Role: title(string(u.Role)), From: u.From,
		})
	}
	return p
}

// landingUnits reads the units, and what was reported of those of the UK.
func (d *decision) landingUnits(in *DDayInput, units []landingUnit) bool {
	for i, u := range units {
		read, ok := d.landingUnit(at("d-day.units", i), u)
		if !ok {
			return false
		}
		known := func(f listed) bool {
			return slices.ContainsFunc(f.Value, func(name string) bool { return d.sameUnit(name, read.ID) })
		}
		if i := slices.IndexFunc(in.Units, func(o DDayUnit) bool { return d.sameUnit(o.ID, read.ID) }); i >= 0 &&
			d.exact() && in.Units[i].ID != read.ID {
			d.ViolateField(at("d-day.units", len(in.Units)), rules.Input, "%s and %s are one name: each unit has a "+
				"name of its own", in.Units[i].ID, read.ID) // GEN-UNIQUE
		}
		d.checkBoat(at("d-day.units", i), read)
		read.Used, read.New = known(d.used[string(read.Power)]), known(d.fresh[string(read.Power)])
		in.Units = append(in.Units, read)
	}
	return true
}

// checkBoat holds a unit of D-Day that goes by the name of a submarine of either power to what is known of it: it
// fights in one sea zone in a TURN, and is a submarine (GEN-CARRY).
func (d *decision) checkBoat(at string, u DDayUnit) {
	if !d.exact() || !u.partOf() {
		return
	}
	d.checkFought(at, u)
	i := slices.IndexFunc(d.boats(), func(b boat) bool {
		return (b.owner == string(UK) || b.owner == string(US)) &&
			(d.sameUnit(b.name, u.ID) || u.Type == "submarine" && d.sameBoat(b.name, u.ID))
	})
	if i < 0 {
		return
	}
	b := d.boats()[i]
	if Power(b.owner) != u.Power || u.Type != "submarine" {
		d.Warn("%s takes part, and a submarine of %s in %s goes by that name", u.name(), b.owner, b.zone)
		return
	}
	b.zone = d.At("SZ 7").Name
	if name, c, could := d.renamed(b, string(US)); could {
		d.ViolateField(at, "GEN-CARRY", "%s is new since the combat in %s in this TURN, and %s is gone: if it is the "+
			"same one, it fights in one sea zone alone", u.name(), c.zone, name)
	}
}

// checkFought wants no submarine in D-Day that was in a combat elsewhere in this TURN, whatever was reported of it
// since.
func (d *decision) checkFought(at string, u DDayUnit) {
	for _, c := range d.combats {
		if c.attacker != string(US) || isSZ7(d.called(c.zone)) || u.Type != "submarine" {
			continue
		}
		for _, g := range c.groups {
			if g.Power == string(u.Power) && slices.ContainsFunc(g.Submarines,
				func(name string) bool { return d.sameBoat(name, u.ID) }) {
				d.ViolateField(at, "GEN-CARRY", "%s has been in a combat in %s in this TURN, and fights in one sea "+
					"zone alone", u.name(), c.zone)
			}
		}
	}
}

// seaZone7 counts what lay in SZ 7 when the US TURN began: the submarines reported by then, and the
// other units that the entry gives.
func (d *decision) seaZone7(in *DDayInput, others rules.Mapping[int]) {
	zone, _ := d.Board.SeaZone("SZ 7")
	sea := d.seaAtUS
	if d.Player != string(US) { // the TURN begins now
		sea = d.submarines
	}
	count := func(power string, n int) {
		if enemies(Power(power), US) {
			in.SZ7.Enemy += n
		} else {
			in.SZ7.Friendly += n
		}
	}
	for _, power := range powerNames() {
		for _, b := range sea[power].boats {
			if b.Zone == zone.Name {
				count(power, 1)
			}
		}
	}
	for _, m := range others {
		count(m.Name, m.Value)
	}
}

// settledLanding puts to the umpire whether friendly units in SZ 7 matter, where the UK bombards, and what the AA gun
// of a power with Radar hits on.
func (d *decision) settledLanding(in DDayInput, aaGun int) bool {
	if d.carries() && aaGun > 0 && d.hasTech(d.Controller(d.At(in.Target)), RadarSonar) &&
		!OptionList().Settled(d.Hearing, d.Command, d.Options, optionRadar) {
		return false
	}
	bombards := slices.ContainsFunc(in.Units, func(u DDayUnit) bool { return u.Power == UK && u.Role == Bombard })
	if !bombards || in.SZ7.Friendly == 0 {
		return true
	}
	return OptionList().Settled(d.Hearing, d.Command, d.Options, "sz7_empty")
}
