package aar

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// shots is an entry of submarines that call their shots.
type shots struct {
	Zone     string `json:"zone" is:"sea zone"`
	Targets  units  `json:"targets" of:"ship" least:"1" need:"at what do they aim? targets: {battleship: 1}"`
	Escorted bool   `json:"escorted" doc:"the transports are escorted"`
}

// callShots lets undetected submarines that attack alone choose what they hit (AAR-7-SHOTS).
func (d *decision) callShots(e shots) {
	targets := unitsOf(e.Targets)
	c, fought := d.combatIn(e.Zone)
	g, attacks := c.of(d.Player)
	d.checkShots(e.Zone, c, g, fought && attacks)
	n := 0
	for _, t := range targets {
		n += t.Count
		d.checkTarget(t, c, g, e.Escorted)
	}
	if attacks {
		d.checkEscort(targets, g)
	}
	if there := d.stillThere(e.Zone, g); n > there && attacks {
		d.ViolateField("call shots.targets", rules.Input, "%d submarines call at most as many shots, not %d", there, n)
	}
	if d.checkPlaced(e.Zone, targets); d.Refused() {
		return
	}
	d.Cite("AAR-7-SHOTS", "undetected submarines of %s attack alone in %s and call their shots", d.Player, e.Zone)
	d.Cite("AAR-7-TRANSPORT", "no escorted transport is among the targets")
	d.Record(d.Player, &events.ShotsCalled{Power: d.Player, Zone: e.Zone, Targets: targets})
}

// stillThere counts the submarines of a group that no later report has taken from the sea zone (GEN-CARRY).
func (d *decision) stillThere(zone string, g events.HuntedGroup) int {
	if !d.carries() {
		return len(g.Submarines)
	}
	return rules.Count(d.boats(), func(b boat) bool { return b.zone == zone && slices.Contains(g.Submarines, b.name) })
}

// checkShots wants a combat of this TURN in its first cycle, and submarines that may.
func (d *decision) checkShots(zone string, c combat, g events.HuntedGroup, attacks bool) {
	switch {
	case !attacks:
		d.ViolateField("call shots", "AAR-7-SHOTS",
			"in this TURN no submarine of the attacker has been through a sub detection in %s", zone)
	case d.Phase != phaseCombat:
		d.ViolateField("call shots", "AAR-7-SHOTS",
			"shots are called in the first cycle of a combat, and the combats of this TURN are over")
	case g.Detected:
		d.ViolateField("call shots", "AAR-7-DETECTED",
			"submarines of %s in %s were detected: enemy destroyers take away what undetected ones can do", g.Power,
			zone)
	case !g.MayCallShots:
		d.ViolateField("call shots", "AAR-7-SHOTS",
			"submarines of %s are not alone: other units attack, fly over or sail through %s", g.Power, zone)
	case d.carries() && d.fired(zone, d.Player):
		d.ViolateField("call shots", "AAR-7-SHOTS",
			"submarines of %s are not alone: AA guns have fired at its aircraft in %s", g.Power, zone)
	case d.carries() && d.landingIn(zone, d.Player):
		d.ViolateField("call shots", "AAR-7-SHOTS",
			"submarines of %s are not alone: ships of D-Day are in %s", g.Power, zone)
	case c.called:
		d.ViolateField("call shots", "AAR-7-SHOTS", "submarines of %s have called their shots in %s, and all of them "+
			"do so in one entry: to add to its targets, correct that", g.Power, zone)
	case d.hasChosen(c, g.Power) || d.carries() && len(c.dives) > 0 || d.exact() &&
		slices.ContainsFunc(c.groups, func(o events.HuntedGroup) bool { return d.hasChosen(c, o.Power) }):
		// also by those that defend
		d.ViolateField("call shots", "AAR-7-SHOTS",
			"the Opening Fire of the first cycle in %s is over for submarines of %s", zone, g.Power)
	}
}

// checkEscort holds the targets to the hunt, in which each destroyer rolls (AAR-7-ROLL). What escorts a transport the
// text does not say, so warships among the targets are warned of (AAR-7-TRANSPORT).
func (d *decision) checkEscort(targets []events.Unit, g events.HuntedGroup) {
	named := func(is func(UnitType) bool) bool {
		return slices.ContainsFunc(targets, func(t events.Unit) bool { return is(UnitType(contractName(t.Name))) })
	}
	warship := slices.ContainsFunc(targets, func(t events.Unit) bool { return escorts(t.Name) })
	if named(UnitType.transport) && warship && !d.Refused() {
		d.Warn("transports and warships are targets together: called shots do not sink escorted transports")
	}
	if d.strict() && len(g.Values) == 0 && named(func(t UnitType) bool { return t == "destroyer" }) {
		d.ViolateField("call shots.targets", "AAR-7-ROLL", "each destroyer in the combat rolls, and none of an enemy "+
			"has: undo the sub detection, and enter it with the destroyers of an enemy")
	}
}

// checkTarget wants no transport that is escorted, as it is where destroyers hunted, and no submarine
// that nobody detected.
func (d *decision) checkTarget(t events.Unit, c combat, g events.HuntedGroup, escorted bool) {
	if d.exact() && !d.ship(t.Name) {
		d.ViolateField("call shots.targets", rules.Input, "%s is no ship by the text, the board or a reported price: "+
			"name what is aimed at, such as destroyer, transport or carrier", t.Name)
	}
	switch t.Name {
	case "transport":
		if escorted || len(g.Values) > 0 {
			d.ViolateField("call shots.targets", "AAR-7-TRANSPORT",
				"the transports are escorted, and called shots do not sink those")
		}
	case "submarine":
		if !slices.ContainsFunc(c.groups,
			func(other events.HuntedGroup) bool { return other.Power != g.Power && other.Detected }) {
			d.ViolateField("call shots.targets", "AAR-6-SUB-SUB",
				"no enemy submarine was detected by a destroyer here, and submarines engage no other")
		}
	}
}

// ship reports whether a unit is at sea: a ship of these rules, or another unit that the board or a report has a price
// for.
func (d *decision) ship(unit string) bool {
	if t := UnitType(contractName(unit)); slices.Contains(unitTypes(), unit) {
		return !t.land() && !t.air()
	}
	_, priced := d.priceNow(unit)
	return priced && unit != aaGun && unit != industrialComplex
}

// names are one name or a list.
type names = rules.OneOrMore[string]

// submersion is an entry {submerge: [U-47, SZ 8]}. A sea zone stands for the enemy submarines in it.
type submersion struct {
	Submerge names `json:"submerge" offer:"boat" need:"name submarines, [U-47], or a sea zone for the enemy's: [SZ 8]"`
}

// submerge takes undetected submarines out of a combat (AAR-7-SUBMERGE).
func (d *decision) submerge(e submersion) {
	if d.Player == "" || d.Phase != phaseCombat {
		d.ViolateField("submerge", "AAR-7-SUBMERGE",
			"submarines submerge in a combat, right after Opening Fire of its first cycle, and none is fought now")
		return
	}
	var names []string
	for i, name := range e.Submerge {
		boats := d.attackersIn(name)
		ok := len(boats) > 0
		if !ok {
			boats, ok = d.boatsNamed(fmt.Sprintf("submerge[%d]", i), name, d.Player)
		}
		if !ok {
			return
		}
		names = append(names, boats...)
	}
	slices.Sort(names)
	d.dive(slices.Compact(names))
}

// attackersIn gives the submarines of the attacker in a sea zone in which none of an enemy's lies: attacking ones
// submerge as those that defend do (AAR-7-SUBMERGE).
func (d *decision) attackersIn(name string) (names []string) {
	s, err := d.Board.SeaZone(d.spelt(name))
	for _, b := range d.boats() {
		switch {
		case err != nil || b.zone != s.Name:
		case b.owner == d.Player:
			names = append(names, b.name)
		case b.fights(d.Player):
			return nil
		}
	}
	return names
}

// dive records submarines that submerge, by sea zone and owner.
func (d *decision) dive(names []string) {
	var parting []*events.SubmarinesSubmerged
	for _, b := range d.boats() {
		if !slices.Contains(names, b.name) || !d.checkDive(b) {
			continue
		}
		i := slices.IndexFunc(parting,
			func(p *events.SubmarinesSubmerged) bool { return p.Power == b.owner && p.Zone == b.zone })
		if i < 0 {
			i = len(parting)
			parting = append(parting, &events.SubmarinesSubmerged{Power: b.owner, Zone: b.zone, Turn: d.Player})
		}
		parting[i].Submarines = append(parting[i].Submarines, b.name)
	}
	d.Violations = slices.Compact(d.Violations) // those of one owner had their chance together
	if d.Refused() {
		return
	}
	for _, p := range parting {
		d.Cite("AAR-7-SUBMERGE",
			"undetected submarines of %s submerge in %s right after Opening Fire; what stays up counts as detected",
			p.Power, p.Zone)
		d.Cite("AAR-4-SUBMERGED", "in this TURN they do no economic damage")
		d.Record(p.Power, p)
	}
}

// checkDive wants a submarine that was not detected and has not stayed up.
func (d *decision) checkDive(b boat) bool {
	c, _ := d.combatIn(b.zone)
	g, there := c.group(b.name)
	switch {
	case !there:
		d.Unreported("submerge", "AAR-7-SUBMERGE",
			"%s has been through no sub detection in %s in this TURN; where it submerged otherwise, report facts: "+
				"{submerged: …}", b.name, b.zone)
	case g.Detected:
		d.ViolateField("submerge", "AAR-7-DETECTED", "%s was detected and may not submerge so soon", b.name)
	case d.hasChosen(c, b.owner):
		d.ViolateField("submerge", "AAR-7-SUBMERGE",
			"submarines of %s in %s had their chance: those that stayed up count as detected", b.owner, b.zone)
	default:
		return true
	}
	return false
}
