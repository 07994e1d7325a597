package aar

import (
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// mooring is what a power placed in a ROUND. It lies there until the power's next TURN, unless an enemy sinks it.
type mooring struct {
	round, index uint64
	*events.UnitsMobilized
}

// moor notes what a power places in this ROUND, and forgets what was placed before the ROUND that ends.
func (g game) moor(index uint64, p events.Payload) []mooring {
	switch p := p.(type) {
	case *events.UnitsMobilized:
		return append(slices.Clip(g.moored), mooring{g.Turn.Ordinal, index, p})
	case *events.TurnAdvanced:
		return slices.DeleteFunc(slices.Clone(g.moored), func(m mooring) bool { return m.round+1 < g.Turn.Ordinal })
	}
	return g.moored
}

// berth is how many units of a power were placed in a space, and the last event that placed some.
type berth struct {
	count int
	index uint64
}

// of says how many units of a kind were placed, and by which event.
func (b berth) of(kind string) string {
	return fmt.Sprintf("%s (event %d)", words.Count(b.count, kind), b.index)
}

// moorings gives, by power, the units of a kind that were placed in a space in the last TURN of their power, in the
// TURN of another.
func (d *decision) moorings(space, turnOf string, is func(unit string) bool) map[string]berth {
	place := func(power string) int { return slices.Index(d.Powers, power) }
	there := map[string]berth{}
	for _, m := range d.moored {
		if m.Space != space || m.round < d.Turn.Ordinal && place(m.Power) <= place(turnOf) {
			continue
		}
		for _, u := range m.Units {
			if is(u.Name) {
				there[m.Power] = berth{there[m.Power].count + u.Count, m.index}
			}
		}
	}
	return there
}

// unmet reports whether no TURN of an enemy lies between the last of a power and that of another: what the first placed
// is still there.
func (d *decision) unmet(power, turnOf string) bool {
	from, to := slices.Index(d.Powers, power), slices.Index(d.Powers, turnOf)
	between := slices.Concat(d.Powers, d.Powers)[from+1:]
	return !slices.ContainsFunc(between[:slices.Index(between, d.Powers[to])],
		func(p string) bool { return enemies(Power(p), Power(power)) })
}

// checkSettled wants SZ 7 empty, where ships were placed that nothing can have moved or sunk since (AAR-5-BOMBARD).
// Where an enemy has had a TURN since, it is warned of. Where enemies alone keep the UK from bombarding, so only theirs
// count (AMB-AAR-6).
func (d *decision) checkSettled(others rules.Mapping[int]) {
	zone, _ := d.Board.SeaZone("SZ 7")
	ships := d.moorings(zone.Name, string(US), func(unit string) bool { return unit != "submarine" })
	for _, power := range slices.Sorted(maps.Keys(ships)) {
		said, is := others.Named(power)
		placed, unmet := ships[power], d.unmet(power, string(US))
		switch {
		case !enemies(Power(power), US) && d.reading("sz7_empty") != "no_units":
		case unmet && said.Value == 0:
			d.checkBerth("d-day.sz 7", "AAR-5-BOMBARD", power, string(US), "SZ 7", placed.of("ship"),
				"the UK bombards only if SZ 7 was empty when the US TURN began; leave its guns out")
		case !is:
			d.Warn("%s placed %s in SZ 7 in this ROUND, and the UK bombards if SZ 7 was empty when the US TURN began: "+
				"sz 7: {%s: 0} says that they were gone", power, placed.of("ship"), power)
		}
	}
}

// warnOfMet says whose ships fired or rolled in SZ 7 in this TURN before the UK bombards: they lay there when it began
// (AAR-5-BOMBARD).
func (d *decision) warnOfMet() {
	zone, _ := d.Board.SeaZone("SZ 7")
	for _, power := range powerNames() {
		rolls := func(f events.Figure) bool { return f.Name == power }
		fired := slices.ContainsFunc(d.flaks, func(f flak) bool {
			return f.at == zone.Name && f.attacker == string(US) && f.power == power
		})
		rolled := slices.ContainsFunc(d.combats, func(c combat) bool {
			return c.zone == zone.Name && c.attacker == string(US) && slices.ContainsFunc(c.groups,
				func(g events.HuntedGroup) bool { return slices.ContainsFunc(g.Values, rolls) })
		})
		lies := func(b events.Submarine) bool { return b.Zone == zone.Name }
		came := rules.Count(d.submarines[power].boats, lies) > rules.Count(d.seaAtUS[power].boats, lies)
		if enemies(Power(power), US) && d.Player == string(US) && came {
			d.Warn("submarines of %s are reported in SZ 7 since this TURN began, in which no enemy moves, and the UK "+
				"bombards only if SZ 7 was empty when it began: if they were there, undo this entry, and leave its "+
				"guns out (AAR-5-BOMBARD)", power)
		}
		if enemies(Power(power), US) && (fired || rolled) {
			d.Warn("ships of %s fired or rolled in SZ 7 in this TURN, and the UK bombards only if SZ 7 was empty when "+
				"it began: if they were there, undo this entry, and leave its guns out (AAR-5-BOMBARD)", power)
		}
	}
}

// warnOfLay says of an enemy's ships that fire or roll in SZ 7 in the TURN of D-Day that they lay there when it began,
// and the UK has bombarded (AAR-5-BOMBARD).
func (d *decision) warnOfLay(zone, attacker, power string) {
	bombarded := slices.ContainsFunc(d.landed, func(u events.Participant) bool {
		return u.Power == string(UK) && u.Role == title(string(Bombard))
	})
	if bombarded && d.landingIn(zone, attacker) && enemies(Power(power), US) {
		d.Warn("ships of %s are in SZ 7 here, and the UK bombarded in D-Day, event %d, which it may only if SZ 7 was "+
			"empty when this TURN began: one of the two entries is wrong (AAR-5-BOMBARD)", power, d.carriedAt)
	}
}

// checkBerth forbids what does not fit with units that lie where their power placed them in its last TURN, as no enemy
// has had a TURN since. Where one has, it is warned of.
func (d *decision) checkBerth(field, rule, power, turnOf, zone, placed, so string) {
	if d.unmet(power, turnOf) {
		d.forbid(field, rule, "%s placed %s in %s in its last TURN, and no enemy has had a TURN since: %s, or correct "+
			"that entry", power, placed, zone, so)
	} else {
		d.Warn("%s placed %s in %s in its last TURN: %s, unless they were lost (%s)", power, placed, zone, so, rule)
	}
}

// checkPlaced wants no transports among the targets of called shots where their side's warships were placed beside them
// (AAR-7-TRANSPORT).
func (d *decision) checkPlaced(zone string, targets []events.Unit) {
	if !slices.ContainsFunc(targets, func(t events.Unit) bool { return t.Name == "transport" }) {
		return
	}
	ships := d.moorings(zone, d.Player, escorts)
	for _, power := range slices.Sorted(maps.Keys(ships)) {
		if enemies(Power(power), Power(d.Player)) {
			d.checkBerth("call shots.targets", "AAR-7-TRANSPORT", power, d.Player, zone, ships[power].of("warship"),
				"called shots do not sink escorted transports; name other targets")
		}
	}
}

// escorts reports whether a unit is a warship that may escort others.
func escorts(unit string) bool {
	return slices.Contains(unitTypes(), unit) && UnitType(contractName(unit)).warship() && unit != "submarine"
}

// checkUnrolled wants each destroyer that was placed where submarines of its enemy attack to roll (AAR-7-ROLL), and
// fighters placed beside destroyers that roll in the air (AAR-7-MOD-AIR).
func (d *decision) checkUnrolled(e hunting) {
	attacks := slices.ContainsFunc(d.boats(), func(b boat) bool { return b.zone == e.Zone && b.owner == e.Attacker })
	placed := d.moorings(e.Zone, e.Attacker, func(unit string) bool { return unit == "destroyer" })
	fighters := d.moorings(e.Zone, e.Attacker, func(unit string) bool { return unit == "fighter" })
	for _, p := range powers() {
		power := string(p)
		rolls, _ := e.Destroyers.Named(power)
		if !attacks || !enemies(p, Power(e.Attacker)) {
			continue
		}
		if b := placed[power]; b.count > rolls.Value {
			d.checkBerth("sub detection.destroyers", "AAR-7-ROLL", power, e.Attacker, e.Zone, b.of("destroyer"),
				fmt.Sprintf("each rolls, and here %d of its destroyers do; enter it with destroyers: {%s: %d}",
					rolls.Value, power, b.count))
		}
		if b := fighters[power]; b.count > 0 && rolls.Value > 0 && !slices.Contains(e.Air, p) {
			d.checkBerth("sub detection.air", "AAR-7-MOD-AIR", power, e.Attacker, e.Zone, b.of("fighter"),
				fmt.Sprintf("air does not name it; enter it with air: [%s]", power))
		}
	}
}
