package aar

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// mooring is what a power placed in a ROUND. It lies there until the power's next TURN, unless an enemy sinks it.
type mooring struct {
	round uint64
	*events.UnitsMobilized
}

// moor notes what a power places in this ROUND, and forgets what was placed before the ROUND that ends.
func (g game) moor(p events.Payload) []mooring {
	switch p := p.(type) {
	case *events.UnitsMobilized:
		return append(slices.Clip(g.moored), mooring{g.Turn.Ordinal, p})
	case *events.TurnAdvanced:
		return slices.DeleteFunc(slices.Clone(g.moored), func(m mooring) bool { return m.round+1 < g.Turn.Ordinal })
	}
	return g.moored
}

// moorings counts, by power, the units of a kind that were placed in a space in the last TURN of their power, in the
// TURN of another.
func (d *decision) moorings(space, turnOf string, is func(unit string) bool) map[string]int {
	place := func(power string) int { return slices.Index(d.Powers, power) }
	there := map[string]int{}
	for _, m := range d.moored {
		if m.Space != space || m.round < d.Turn.Ordinal && place(m.Power) <= place(turnOf) {
			continue
		}
		for _, u := range m.Units {
			if is(u.Name) {
				there[m.Power] += u.Count
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

// warnOfSettled says of ships that were placed in SZ 7 that nothing tells what became of them, or that
// nothing can have. Where enemies alone keep the UK from bombarding, so only of theirs (AMB-AAR-6).
func (d *decision) warnOfSettled(others rules.Mapping[int]) {
	zone, _ := d.Board.SeaZone("SZ 7")
	ships := d.moorings(zone.Name, string(US), func(unit string) bool { return unit != "submarine" })
	for _, power := range slices.Sorted(maps.Keys(ships)) {
		said, is := others.Named(power)
		n, unmet := ships[power], d.unmet(power, string(US))
		switch {
		case !enemies(Power(power), US) && d.reading("sz7_empty") != "no_units":
		case unmet && said.Value == 0:
			d.Warn("%s placed %s in SZ 7 in its last TURN, and no enemy has had a TURN since: the UK bombards if "+
				"SZ 7 was empty when the US TURN began (AAR-5-BOMBARD), and sz 7: {%s: %d} says what lay there", power,
				words.Count(n, "ship"), power, n)
		case !is:
			d.Warn("%s placed %s in SZ 7 in this ROUND, and the UK bombards if SZ 7 was empty when the US TURN began: "+
				"sz 7: {%s: 0} says that they were gone", power, words.Count(n, "ship"), power)
		}
	}
}

// warnOfEscort says of transports among the targets of called shots that warships were placed beside them
// (AAR-7-TRANSPORT). What escorts a transport the text does not say.
func (d *decision) warnOfEscort(zone string, targets []events.Unit) {
	if !slices.ContainsFunc(targets, func(t events.Unit) bool { return t.Name == "transport" }) {
		return
	}
	ships := d.moorings(zone, d.Player, escorts)
	for _, power := range slices.Sorted(maps.Keys(ships)) {
		if n := ships[power]; enemies(Power(power), Power(d.Player)) {
			d.Warn("%s placed %s in %s in its last TURN, and called shots do not sink escorted transports "+
				"(AAR-7-TRANSPORT): unless they were lost, undo this entry", power, words.Count(n, "warship"), zone)
		}
	}
}

// escorts reports whether a unit is a warship that may escort others.
func escorts(unit string) bool {
	return slices.Contains(unitTypes(), unit) && UnitType(contractName(unit)).warship() && unit != "submarine"
}

// warnOfUnrolled says of destroyers that were placed where submarines of their enemy attack that each of them rolls
// (AAR-7-ROLL), and of fighters placed beside destroyers that roll that they are in the air (AAR-7-MOD-AIR).
func (d *decision) warnOfUnrolled(e hunting) {
	attacks := slices.ContainsFunc(d.boats(), func(b boat) bool { return b.zone == e.Zone && b.owner == e.Attacker })
	placed := d.moorings(e.Zone, e.Attacker, func(unit string) bool { return unit == "destroyer" })
	fighters := d.moorings(e.Zone, e.Attacker, func(unit string) bool { return unit == "fighter" })
	for _, p := range powers() {
		power := string(p)
		rolls, _ := e.Destroyers.Named(power)
		if !attacks || !enemies(p, Power(e.Attacker)) {
			continue
		}
		if n := placed[power]; n > rolls.Value {
			d.Warn("%s placed %s in %s in its last TURN, and here %d of its destroyers roll: each does (AAR-7-ROLL); "+
				"unless they were lost, undo this entry, and enter it with destroyers: {%s: %d}", power,
				words.Count(n, "destroyer"), e.Zone, rolls.Value, power, n)
		}
		if n := fighters[power]; n > 0 && rolls.Value > 0 && !slices.Contains(e.Air, p) {
			d.Warn("%s placed %s in %s in its last TURN, and air does not name it (AAR-7-MOD-AIR): unless they were "+
				"lost, undo this entry, and enter it with air: [%s]", power, words.Count(n, "fighter"), e.Zone, power)
		}
	}
}
