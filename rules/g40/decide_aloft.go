package g40

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// party is a number of aircraft, and which they are; without units that was not said.
type party struct {
	n     int
	units []events.Unit
}

// partyGiven reads how many of some aircraft are meant: a number, or a mapping by kind. A number leaves the kinds open
// where both kinds flew; then it is refused where the record carries on which they are.
func (d *decision) partyGiven(field string, raw json.RawMessage, of []events.Unit, least int) (party, bool) {
	var p party
	var given rules.Mapping[int]
	switch {
	case json.Unmarshal(raw, &p.n) == nil:
		return d.kindsOf(field, p.n, of, least)
	case json.Unmarshal(raw, &given) != nil || len(given) == 0:
		d.ViolateField(field, rules.Input, "write how many aircraft: 2, or by kind: {fighter: 1, tactical bomber: 1}")
		return p, false
	case !rules.Check(d, field, &given, `of:"unit" least:"0" most:"100"`):
		return p, false
	}
	for _, u := range unitsOf(given) {
		if there := countOf(of, u.Name); u.Count > there {
			d.ViolateField(field, rules.Input, "there is %s to land, not %d", counted(there, u.Name), u.Count)
			return p, false
		}
		p.units = append(p.units, u)
		p.n += u.Count
	}
	return p, true
}

// kindsOf gives a number of some aircraft their kinds.
func (d *decision) kindsOf(field string, n int, of []events.Unit, least int) (party, bool) {
	kinds := slices.DeleteFunc(slices.Clone(of), func(u events.Unit) bool { return u.Count == 0 })
	switch {
	case n < least || n > mostAircraft:
		return party{n: n}, d.InRange(field, n, least, mostAircraft)
	case n == 0:
		return party{}, true
	case n == count(of):
		return party{n, kinds}, true
	case len(kinds) == 1:
		return party{n, []events.Unit{{Name: kinds[0].Name, Count: n}}}, true
	case n < count(of) && rules.Carries(d.Options):
		d.ViolateField(field, rules.Input,
			"%d of fighters and tactical bombers: say which, {fighter: %d}, {tactical bomber: %d} or some of both", n,
			n, n)
		return party{}, false
	}
	return party{n: n}, true
}

// count is how many units are in a list.
func count(units []events.Unit) int {
	return rules.Sum(units, func(u events.Unit) int { return u.Count })
}

// byKind says by kind what became of the aircraft.
func (h homecoming) byKind(p *events.AircraftLanded) {
	p.Fallen = muster(h.flown, h.left, -1)
	if h.in.Captured {
		p.Gone = h.left
		for i, l := range h.landed {
			p.Diverted[i].Units = l.units
			p.Gone = muster(p.Gone, l.units, -1)
		}
	}
}

// flown are the aircraft of a power that left a territory in its defence in this TURN, by kind, without the
// interceptors that were shot down.
func (d *decision) flown(power, from string) []events.Unit {
	fighters := d.scrambled(power, from, fighter) + d.intercepted(power, from) - d.shotDown(power, from)
	return slices.DeleteFunc([]events.Unit{{Name: fighter, Count: fighters},
		{Name: tacticalBomber, Count: d.scrambled(power, from, tacticalBomber)}},
		func(u events.Unit) bool { return u.Count <= 0 })
}

// aloft is aircraft of a base that have still to land.
type aloft struct {
	power, from string
	n           int
}

func (a aloft) String() string {
	return fmt.Sprintf("%s of %s from %s", counted(a.n, "air unit"), a.power, a.from)
}

// aloft are the aircraft that have still to land in this TURN: those that scrambled, and interceptors whose territory
// has fallen (G40-SCR-LAND, G40-SBR-INTERCEPT).
func (d *decision) aloft() []aloft {
	var list []aloft
	note := func(power, from string, n int) {
		known := slices.ContainsFunc(list, func(a aloft) bool { return a.power == power && a.from == from })
		if n > 0 && !known && !d.hasLanded(power, from) {
			list = append(list, aloft{power, from, n})
		}
	}
	for _, p := range noted[*events.AircraftScrambled](d.deeds) {
		note(p.Power, p.From, count(d.flown(p.Power, p.From)))
	}
	for _, p := range noted[*events.FightersIntercepted](d.deeds) {
		if at, err := d.Board.Territory(p.Territory); err == nil && d.atWar(d.holder(at), p.Power) {
			note(p.Power, p.Territory, count(d.flown(p.Power, p.Territory)))
		}
	}
	return list
}

// landedAll refuses to go on while aircraft have still to land: they do in the attacker's Noncombat Move, and what
// follows ends it (G40-SCR-LAND).
func (d *decision) landedAll() bool {
	if !rules.Carries(d.Options) {
		return true
	}
	for _, a := range d.aloft() {
		d.ViolateField("land", "G40-SCR-LAND",
			"%s %s not landed, in this Noncombat Move of %s: {land: {power: %s, from: %s}}; survivors: 0 if none is "+
				"left", a, words.Number(a.n, "has", "have"), d.Player, a.power, a.from)
	}
	return !d.Refused()
}
