package g40

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// damagedPrefix is written before a capital ship of a report that has taken a hit: "damaged carrier".
const damagedPrefix = "damaged "

// unitOrDamage reads a kind of unit, or how many capital ships of a kind have taken a hit.
func (d *decision) unitOrDamage(field, name string) (string, bool) {
	ship, damaged := strings.CutPrefix(strings.ToLower(name), damagedPrefix)
	if !damaged || !rules.Carries(d.Options) {
		return d.unit(field, name)
	}
	kind, ok := d.unit(field, ship)
	if ok && !slices.Contains(capitalShips(), kind) {
		d.ViolateField(field, "AMB-G40-6", "%s takes one hit, so it is never damaged: carriers and battleships are",
			one(kind))
		return "", false
	}
	return damagedPrefix + kind, ok
}

// damagedIn gives the capital ships of a report of a space that have taken a hit: as stated, or else as known.
func (d *decision) damagedIn(p *events.UnitsReported, at string, given units) {
	for _, ship := range capitalShips() {
		there := countOf(p.Units, ship)
		n := min(there, len(d.damagedAt(p.Power, p.Space, ship)))
		for _, m := range given {
			if m.Name == damagedPrefix+ship {
				n = m.Value
			}
		}
		if n > there {
			d.ViolateField(at, rules.Input, "%s damaged of %s: count the damaged among the %ss too", counted(n, ship),
				counted(there, ship), ship)
		}
		if n > 0 {
			p.Damaged = append(p.Damaged, events.Unit{Name: ship, Count: n})
		}
	}
}

// hitsAlone reports whether a report of a space names damaged ships and nothing else, {damaged carrier: 0}.
func hitsAlone(given units) bool {
	return len(given) > 0 && !slices.ContainsFunc(given,
		func(u rules.Member[int]) bool { return !strings.HasPrefix(u.Name, damagedPrefix) })
}

// afterHits are the units of a power in a space after a report that names damaged ships alone: all stay but the
// damaged that are not named any more. Those sank (G40-KAM-SUNK), unless their owner repairs (AMB-G40-6).
func (d *decision) afterHits(power, space string, given units) []events.Unit {
	list := d.unitsOf(power, space)
	if d.Player == power && d.Phase == phasePurchase {
		return list
	}
	for _, u := range given {
		ship := strings.TrimPrefix(u.Name, damagedPrefix)
		if sunk := len(d.damagedAt(power, space, ship)) - u.Value; sunk > 0 {
			list = muster(list, []events.Unit{{Name: ship, Count: sunk}}, -1)
		}
	}
	return list
}

// checkWounds refuses a report of a power's units by which capital ships are whole again that were damaged. They are
// repaired in their owner's Purchase & Repair (AMB-G40-6); a ship that is gone is not there with its hit. A strict
// edition wants it said that it sank: else a second report has it whole elsewhere.
func (d *decision) checkWounds(at, power string, given bySpace, reports []*events.UnitsReported) {
	if !rules.Carries(d.Options) {
		return
	}
	for _, ship := range capitalShips() {
		ships, damaged := d.fleet(power, ship)
		shipsThen, damagedThen := ships, damaged
		for _, p := range reports {
			hurt := len(d.damagedAt(power, p.Space, ship))
			shipsThen += countOf(p.Units, ship) - max(hurt, countOf(d.unitsOf(power, p.Space), ship))
			damagedThen += countOf(p.Damaged, ship) - hurt
		}
		d.warnOfDamaged(power, ship, given)
		if n := d.sunk[force{power, ship}]; n > 0 && shipsThen-damagedThen > ships-damaged {
			d.Warn("%s of %s damaged and reported sunk in this TURN, and by this report it has %d more that took no "+
				"hit: if they did not sink, correct that report (G40-KAM-SUNK)", counted(n, ship), power,
				shipsThen-damagedThen-ships+damaged)
		}
		gone := damaged - damagedThen
		whole := gone - max(0, ships-shipsThen)
		switch {
		case whole <= 0 && gone > 0 && rules.Strict(d.Options) && !sinks(given, ship):
			d.ViolateField(at, "G40-KAM-SUNK",
				"damaged %ss of %s that are not reported any more: %d; where they went write damaged %s: 1, in one "+
					"report; of one that sank write damaged %s: 0 where it was", ship, power, gone, ship, ship)
		case whole <= 0 && gone > 0 && rules.Strict(d.Options):
		case whole <= 0 && gone > 0:
			d.Warn("damaged %ss of %s that are not reported any more: %d; if one has not sunk, write damaged %s: 1 "+
				"where it is", ship, power, gone, ship)
		case whole <= 0:
		case d.Player != power || d.Phase != phasePurchase:
			d.ViolateField(at, "G40-KAM-SUNK",
				"damaged %ss of %s that are not repaired: %d; write where they are, {%s: 1, damaged %s: 1}; if one "+
					"sank, report that by itself; ships are repaired in their owner's purchase and repair", ship, power,
				whole, ship, ship)
		case power == d.united() && d.heldByAxis(Europe) && d.heldByAxis(Pacific):
			d.ViolateField(at, "G40-UK-HELD", "%s may not repair while the Axis holds London and Calcutta", power)
		default:
			d.Cite("AMB-G40-6", "%s repairs %s in its Purchase & Repair", power, counted(whole, ship))
		}
	}
}

// checkHurt wants the damaged among the ships struck in a sea zone to which ships came from elsewhere: a power has no
// more whole ones than by its reports (G40-KAM-SUNK). Where the damaged may only be among them, it is warned of.
func (d *decision) checkHurt(strikes, damaged []events.Strike) {
	whole, may := map[berth]int{}, []berth(nil)
	for i, s := range strikes {
		at := berth{post{s.Owner, s.Zone}, s.Ship}
		here := d.damagedAt(s.Owner, s.Zone, s.Ship)
		ships, hurt := d.fleet(s.Owner, s.Ship)
		came := d.shipsSent(s.Owner, s.Ship)[s.Zone] > countOf(d.unitsOf(s.Owner, s.Zone), s.Ship)
		if slices.Contains(strikes[:i], s) || !came || hurt == len(here) || !rules.Firm(d.Options) ||
			slices.Contains(here, s.Nth) || slices.Contains(damaged, s) {
			continue
		}
		if whole[at]++; whole[at] > ships-hurt {
			d.Unreported("kamikaze.damaged", "G40-KAM-SUNK", "%s has %s that took no hit, by its reports, and more "+
				"are struck in %s: name the damaged, damaged: {%s: [%s %s]}, or report them there first", s.Owner,
				noneOr(ships-hurt, s.Ship), s.Zone, s.Zone, s.Owner, s.Ship)
			return
		}
		said := rules.Count(damaged, func(x events.Strike) bool { return x.Owner == s.Owner && x.Ship == s.Ship })
		if said < hurt-len(here) && !slices.Contains(may, at) {
			may = append(may, at)
		}
	}
	for _, at := range may {
		d.Warn("%s has a damaged %s, which may be one of those struck in %s: if it is, undo this entry, and name it, "+
			"damaged: {%s: [%s %s]} (G40-KAM-SUNK)", at.power, at.ship, at.space, at.space, at.power, at.ship)
	}
}

// warnOfDamaged warns of a report that names ships of a kind, where one was damaged in a sea zone for which none of the
// kind is reported, and which the report leaves out: it stays damaged, and may be the one that is named (G40-KAM-SUNK).
func (d *decision) warnOfDamaged(power, ship string, given bySpace) {
	names := slices.ContainsFunc(given, func(m rules.Member[units]) bool {
		return slices.ContainsFunc(m.Value, func(u rules.Member[int]) bool { return u.Name == ship && u.Value > 0 })
	})
	for _, s := range d.Board.Spaces() {
		hurt := len(d.damagedAt(power, s.Name, ship)) - countOf(d.unitsOf(power, s.Name), ship)
		left := !slices.ContainsFunc(given, func(m rules.Member[units]) bool { return m.Name == s.Name })
		if names && hurt > 0 && left {
			d.Warn("%s of %s was damaged in %s, where none is reported: if it is named here, write {%s: {}} too, and "+
				"damaged %s: 1 where it is (G40-KAM-SUNK)", one(ship), power, s.Name, s.Name, ship)
		}
	}
}

// sinks reports whether a report says of some space that no ship there is damaged.
func sinks(given bySpace, ship string) bool {
	return slices.ContainsFunc(given, func(m rules.Member[units]) bool {
		return slices.ContainsFunc(m.Value,
			func(u rules.Member[int]) bool { return u.Name == damagedPrefix+ship && u.Value == 0 })
	})
}
