package aar

import (
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// checkKnown holds a landing to what the ledger knows: artillery that fired, who holds the ground, what carries whom,
// what the AA gun hits on (GEN-CARRY). It gives the artillery that fires, by power and territory.
func (d *decision) checkKnown(in DDayInput, e landing) []events.UnitsFired {
	if !d.carries() {
		return nil
	}
	d.checkCargo(in, e.Units)
	d.checkAttack(in)
	defender := d.Controller(d.At(e.Target))
	if on := d.flakOn(defender); e.AAGun > 0 && e.AAGun != on {
		d.Unreported("d-day.aa gun", "AAR-5-TECH", "AA guns of %s hit on %d, not on %d: Radar serves the power "+
			"that has it "+
			"alone; if that is wrong, report facts: {techs: {%s: [radar sonar]}}", defender, on, e.AAGun, defender)
	}
	var fire []events.UnitsFired
	for i, u := range in.Units {
		if !u.partOf() || u.Role != Overland {
			continue
		}
		from := e.Units[i].From
		if holder := d.Controller(d.At(from)); !d.allied(holder) {
			d.ViolateField(at("d-day.units", i)+".from", "AAR-5-OVERLAND", "%s cannot stand in %s: %s", u.name(), from,
				held(holder))
		} else if d.exact() && d.justTaken(from) {
			d.ViolateField(at("d-day.units", i)+".from", "AAR-5-OVERLAND", "%s was taken in this ROUND, and %s is no "+
				"land unit already there: what moved in was used, or comes after the combat; what was Allied before "+
				"is reported before the TURN of the US", from, u.name())
		}
		if u.Type == artillery {
			k := slices.IndexFunc(fire, func(p events.UnitsFired) bool {
				return p.Power == string(u.Power) &&
					p.From == from
			})
			if k < 0 {
				k = len(fire)
				fire = append(fire, events.UnitsFired{Power: string(u.Power), From: from, At: e.Target, Units: guns(0)})
			}
			fire[k].Units[0].Count++
		}
	}
	for _, p := range fire {
		d.checkFresh(p)
		d.warnOfAdvanced(p.Power, p.From, p.Units[0].Count)
	}
	for _, power := range []Power{UK, US} {
		d.checkLanded(in, power)
	}
	return fire
}

// justTaken reports whether a territory was taken in combat in this ROUND, or held by no ally when the TURN of the US
// began.
func (d *decision) justTaken(territory string) bool {
	before := d.State
	before.Control = d.morning
	return slices.Contains(d.captured, territory) ||
		d.Player == string(US) && !d.allied(before.Controller(d.At(territory)))
}

// lateAllied reports whether no ally held a territory when the first TURN of the ROUND began: whoever took it in the
// ROUND fought or moved (AAR-5-OVERLAND).
func (d *decision) lateAllied(territory string) bool {
	before := d.State
	before.Control = d.dawn
	return d.Player != "" && !d.allied(before.Controller(d.At(territory)))
}

// checkAttack wants somebody to attack France itself: ships that carry nobody, bombard or fight in SZ 7 and no more
// would call D-Day off (AAR-5-NO-CALL-OFF). What takes no part at all is refused already.
func (d *decision) checkAttack(in DDayInput) {
	part := slices.ContainsFunc(in.Units, DDayUnit.partOf)
	advances := func(u DDayUnit) bool { return u.attacks() && (u.Type != artillery || u.Role != Overland) }
	if slices.ContainsFunc(in.Units, DDayUnit.attacks) && !slices.ContainsFunc(in.Units, advances) {
		d.Warn("artillery alone fires at France, does not advance (AAR-6-ARTY-FIRE), and nobody else attacks it: " +
			"D-Day may not be called off (AAR-5-NO-CALL-OFF)")
	}
	if d.strict() && part && !slices.ContainsFunc(in.Units, DDayUnit.attacks) {
		d.ViolateField("d-day.units", "AAR-5-NO-CALL-OFF", "ships alone take part and nobody attacks France, which "+
			"would call D-Day off: land units or aircraft attack it; if neither power has any left that may, dispute "+
			"the declaration, event %d", d.declaredAt)
	}
}

// checkFresh wants artillery that has not fired in this ROUND (AAR-6-ARTY-FIRE); that of the UK was used then.
func (d *decision) checkFresh(p events.UnitsFired) {
	b, n := d.guns[p.Power], p.Units[0].Count
	there, fired := b.in(p.From)
	least, most := b.unused(p.From)
	switch {
	case n > there:
		d.Unreported("d-day.units", "GEN-CARRY", "%s has %d artillery in %s, not %d; if that is wrong, report "+
			"facts: "+
			"{artillery: {%s: …}}", p.Power, there, p.From, n, p.Power)
	case p.Power == string(UK) && n > max(most, there-b.placed[p.From]):
		d.ViolateField("d-day.units", "AAR-5-UK-NEW", "%d of %d artillery of the UK in %s are newly bought",
			b.placed[p.From],
			there, p.From)
	case p.Power == string(UK) && n > most:
		d.ViolateField("d-day.units", "AAR-5-UK-USED", "%d of %d artillery of the UK in %s fired or moved on the UK "+
			"turn", there-most, there, p.From)
	case p.Power == string(UK) && n > least:
		d.warnOfSurvivors(n-least, p.From)
	case n > there-fired:
		d.ViolateField("d-day.units", "AAR-6-ARTY-FIRE", "%d of %d artillery of %s in %s fired in this ROUND, and "+
			"none fires twice", min(fired, there), there, p.Power, p.From)
	case p.Power == string(UK) && n > least-b.arrived(p.From):
		d.warnOfArrived(b.arrived(p.From))
	}
}

// warnOfSurvivors says that pieces of the UK take part which were used on its TURN, unless those are among the lost.
func (d *decision) warnOfSurvivors(n int, where string) {
	d.Warn("%d artillery of the UK in %s take part if others that fired, moved or appeared on its TURN are those "+
		"that were lost since (AAR-5-UK-USED)", n, where)
}

// warnOfArrived says that artillery of the UK is elsewhere by a report than when the moves of its TURN began.
func (d *decision) warnOfArrived(n int) {
	d.Warn("by reports since the TURN of the UK began %d of its artillery have come to where they are: what moved in "+
		"it takes no part (AAR-5-UK-USED)", n)
}

// checkLanded wants artillery that lands from the sea to be some that is on the board and has not fired, and of the UK
// some that was neither moved nor placed on its TURN. It holds nobody to it whose artillery was never reported.
func (d *decision) checkLanded(in DDayInput, power Power) {
	b, overland, landed := d.guns[string(power)], 0, 0
	for _, u := range in.Units {
		switch {
		case u.Power != power || u.Type != artillery || !u.partOf():
		case u.Role == Overland:
			overland++
		default:
			landed++
		}
	}
	there, free, sure, arrived := d.standing(string(power)), 0, 0, 0
	for territory := range b.territories() {
		n, fired := b.in(territory)
		least, most := max(0, n-fired), max(0, n-fired)
		if power == UK {
			least, most = b.unused(territory)
		}
		arrived += b.arrived(territory)
		if !d.exact() || !d.overrun(string(power), territory) {
			sure += least
			free += most
		}
	}
	d.checkTen(power, landed+overland, there, free)
	switch name := string(power); {
	case power == UK && landed > 0 && overland+landed <= free && overland+landed > sure:
		d.warnOfSurvivors(overland+landed-sure, "its territories")
	case power == UK && landed > 0 && overland+landed <= sure && overland+landed > sure-arrived:
		d.warnOfArrived(arrived)
	case landed == 0 || len(b.reported) == 0 || overland+landed <= free:
	case overland+landed > there:
		d.Unreported("d-day.units", "GEN-CARRY", "%s has %d artillery on the board, not %d; if that is wrong, "+
			"report facts: {artillery: {%s: …}}", name, there, overland+landed, name)
	case power == UK:
		d.ViolateField("d-day.units", "AAR-5-UK-USED", "%d of %d artillery of the UK fired, moved or appeared on the "+
			"UK turn", there-free, there)
	default:
		d.ViolateField("d-day.units", "AAR-6-ARTY-MOVE", "%d of %d artillery of %s fired in this ROUND and may not "+
			"move", there-free, there, name)
	}
}

// checkTen holds a power of which no artillery was reported to ten pieces on D-Day: those that take part are at best
// among the ones that were placed and may, and what the US has bought is still to come (AAR-6-ARTY-CAP).
func (d *decision) checkTen(power Power, part, there, free int) {
	sum := there + max(0, part-free)
	if power == US {
		sum += d.notPlaced(string(power))
	}
	if d.exact() && part > 0 && len(d.guns[string(power)].reported) == 0 && sum > artilleryCap {
		d.ViolateField("d-day.units", "AAR-6-ARTY-CAP", "%s would have %d artillery with the %d that take part: a "+
			"nation has at most %d", power, sum, part, artilleryCap)
	}
}

// ashore counts the artillery of a power that landed on D-Day, until the next TURN of the UK, and names France.
func (d *decision) ashore(power string) (landed int, france string) {
	at, err := d.Board.Territory("France")
	if err != nil || !d.exact() {
		return 0, ""
	}
	return rules.Count(d.landed, func(u events.Participant) bool {
		return u.Power == power && u.Kind == artillery && u.Role == title(string(Amphibious))
	}), at.Name
}

// checkAshore leaves artillery that landed on D-Day out of what fires or moves elsewhere, until a move or a report has
// it in France, and warns of what goes on from there: no piece fights twice in a TURN, nor moves when it has fought.
func (d *decision) checkAshore(field, power, from, to string, pieces int) {
	b, idle := d.guns[power], 0
	landed, france := d.ashore(power)
	there, spent := b.in(france)
	if n := min(landed, there); from == france && pieces <= there-spent && pieces > there-spent-n {
		d.Warn("%d artillery of %s landed in France on D-Day: what fought there neither fires nor moves in that TURN "+
			"any more (AAR-6-ARTY-MOVE)", n, power)
	}
	if to == france || b.since() > d.carriedAt {
		return
	}
	for territory := range b.territories() {
		n, fired := b.in(territory)
		idle += max(0, n-fired-b.came[territory])
	}
	if landed -= b.came[france]; landed > 0 && pieces > idle-landed {
		d.ViolateField(field, "GEN-CARRY", "%d artillery of %s landed on D-Day, and %d on the board have neither "+
			"fired nor moved: with these %d are used", landed, power, idle, landed+pieces)
	}
}

// warnOfStrayed says that by a report artillery which landed on D-Day would be elsewhere than in France: it is there or
// lost, and what was bought is placed first (AAR-6-ARTY-MOVE).
func (d *decision) warnOfStrayed(power string, given rules.Mapping[int]) {
	b := d.guns[power]
	landed, france := d.ashore(power)
	if landed == 0 || len(b.reported) == 0 {
		return
	}
	before, now, elsewhere := 0, 0, 0
	for territory := range b.territories() {
		n, _ := b.in(territory)
		before += n
	}
	for _, m := range given {
		now += m.Value
		elsewhere += map[bool]int{true: m.Value}[m.Name != france]
	}
	if there, _ := b.in(france); b.since() > d.carriedAt {
		landed = min(landed, there) // the others are lost
	}
	if unplaced := d.notPlaced(power); unplaced > 0 {
		landed -= map[bool]int{true: unplaced}[d.Player != power || d.placesUnits()]
	}
	if n := elsewhere - (before - landed) - max(0, now-before); n > 0 {
		d.Warn("by this report %d artillery of %s that landed on D-Day would be elsewhere, or more is on the board "+
			"than has been placed: it is in France or lost (AAR-6-ARTY-MOVE)", n, power)
	}
}

// checkCargo wants every land unit that lands from the sea aboard a transport of either power (AAR-5-LIFT), and no more
// fighters on a carrier than it carries (AAR-6-AC).
func (d *decision) checkCargo(in DDayInput, units []landingUnit) {
	aboard := map[string]string{}
	for i, u := range in.Units {
		for _, name := range units[i].Carries {
			k := slices.IndexFunc(in.Units, func(c DDayUnit) bool {
				return strings.EqualFold(c.ID, strings.TrimSpace(name)) || d.exact() && d.sameUnit(c.ID, name)
			})
			switch {
			case k < 0:
				d.ViolateField(at("d-day.units", i)+".carries", rules.Input,
					"%s carries %s, which is no unit of this entry",
					u.ID, name)
			case aboard[in.Units[k].ID] != "":
				d.ViolateField(at("d-day.units", i)+".carries", rules.Input, "%s is aboard both %s and %s",
					in.Units[k].ID,
					aboard[in.Units[k].ID], u.ID)
			default:
				aboard[in.Units[k].ID] = u.ID
				d.checkLoad(u, in.Units[k])
				d.checkSails(u, in.Units[k])
				d.checkErrand(u, in.Units[k])
			}
		}
		d.checkDeck(u, len(units[i].Carries))
	}
	for _, u := range in.Units {
		if u.partOf() && u.Type.land() && (u.Role == Amphibious || u.Role == SeaCombat) && aboard[u.ID] == "" {
			d.Violate("AAR-5-LIFT", "%s lands from SZ 7, and no transport of the UK or the US carries it: {unit: "+
				"LSTs, …, "+
				"carries: [%s]}", u.name(), u.ID)
		}
	}
}

// checkLoad wants land units on transports and fighters on carriers.
func (d *decision) checkLoad(ship, cargo DDayUnit) {
	switch {
	case ship.Type.transport() && !cargo.Type.land():
		d.Violate("AAR-5-LIFT", "%s does not carry %s: transports carry land units", ship.name(), cargo.name())
	case !ship.Type.transport() && (deck(ship.Type) == 0 || cargo.Type != "fighter"):
		d.Violate("AAR-6-AC", "%s does not carry %s: carriers and escort carriers carry fighters", ship.name(),
			cargo.name())
	case ship.Type.transport() && ship.Power != cargo.Power:
		d.Cite("AAR-5-LIFT", "%s carries %s: transports of either power carry land units of both", ship.name(),
			cargo.name())
	}
}

// checkSails wants a transport to take part in D-Day whose cargo does: what carries it is used as well.
func (d *decision) checkSails(ship, cargo DDayUnit) {
	if ship.Type.transport() && cargo.Type.land() && cargo.partOf() && cargo.Role != Overland &&
		(!ship.partOf() || ship.Role != Amphibious && ship.Role != SeaCombat) {
		d.Violate("AAR-5-LIFT", "%s has no part in the landing, and so lands nothing: %s is aboard it", ship.name(),
			cargo.name())
	}
}

// checkErrand wants what a transport of the UK carries to take part in D-Day: its units are used for France alone, and
// loaded is one whose cargo has not stayed behind. A unit of the UK that a ship of the US carries is warned of, and so
// is one that is aboard and comes overland.
func (d *decision) checkErrand(ship, cargo DDayUnit) {
	switch {
	case d.exact() && ship.Power == UK && ship.Type.transport() && ship.partOf() && !cargo.partOf():
		d.Violate("AAR-5-UK-FRANCE", "%s is aboard %s and has no part in D-Day: a UK transport is used for France "+
			"alone", cargo.name(), ship.name())
	case ship.Power == US && ship.Role != NoRole && cargo.Power == UK && !cargo.partOf():
		d.Warn("%s is aboard %s and has no part in D-Day: a unit of the UK that is moved is used, and fights in "+
			"France (AAR-5-UK-FRANCE)", cargo.name(), ship.name())
	case cargo.Type.land() && cargo.Role == Overland:
		d.Warn("%s is aboard %s, and comes overland from %s: it does one or the other (AAR-5-OVERLAND)", cargo.name(),
			ship.name(), cargo.From)
	}
}

// checkDeck wants no more fighters on a carrier than there is room for.
func (d *decision) checkDeck(ship DDayUnit, fighters int) {
	if room := deck(ship.Type); room > 0 && fighters > room {
		d.Violate("AAR-6-AC", "%s has room for %s, not for %d", ship.name(),
			words.Count(room, "fighter"), fighters)
	}
}

// deck is how many fighters a ship carries (AAR-6-AC).
func deck(t UnitType) int {
	cell, _ := pricesTable.Cell(title(string(t)), "fighters")
	n, _ := strconv.Atoi(cell)
	return n
}
