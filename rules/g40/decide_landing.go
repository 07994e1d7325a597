package g40

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// landing is an entry {land: {from: Malta, survivors: 2, at: {Sicily: 1, SZ 97: {tactical bomber: 1}}}}.
type landing struct {
	From      string                         `json:"from" is:"territory"`
	Power     string                         `json:"power,omitempty" is:"power" doc:"whose, where several left it"`
	Survivors json.RawMessage                `json:"survivors" doc:"how many, or {fighter: 1, tactical bomber: 1}"`
	At        rules.Mapping[json.RawMessage] `json:"at" of:"space*" each:"which" doc:"where its territory was captured"`
}

// homecoming is the aircraft of one base that come down: the request that the rule answers, and the kinds of what it
// counts.
type homecoming struct {
	in     LandingInput
	flown  []events.Unit // that left the base and were not shot down over it
	left   []events.Unit // of these
	landed []party       // by landing space
}

// land brings down defending aircraft that scrambled from a territory, or intercepted over it, in
// the attacker's Noncombat Move and before he moves.
func (d *decision) land(e landing) {
	from := d.At(e.From)
	power, ok := d.landingPower(from, e.Power)
	if !ok {
		return
	}
	h, ok := d.comeHome(from, power, e)
	if !ok {
		return
	}
	out, found := ScrambleLanding(h.in)
	if !d.Add(found) || !d.enter(d.Player, phaseNoncombat, "G40-SCR-LAND") {
		return
	}
	p := &events.AircraftLanded{Power: power, From: from.Name, Returned: out.Returned, Lost: out.Lost}
	for _, s := range h.in.Spaces {
		p.Diverted = append(p.Diverted, events.Landing{Space: s.Space, Aircraft: *s.Most})
	}
	if rules.Carries(d.Options) {
		h.byKind(p)
	}
	d.Record(power, p)
}

// landingPower is whose aircraft land: as named, or else the one power whose aircraft left the
// territory in this TURN and have not landed. Of several, an older edition takes the first.
func (d *decision) landingPower(from board.Space, name string) (string, bool) {
	if name != "" {
		return name, true
	}
	var all, left, flying []string
	for _, p := range d.Powers {
		if d.defended(p, from.Name) > 0 {
			all = append(all, p)
			if !d.hasLanded(p, from.Name) {
				left = append(left, p)
				if len(d.flown(p, from.Name)) > 0 {
					flying = append(flying, p)
				}
			}
		}
	}
	if len(flying) > 0 && rules.Carries(d.Options) { // of others all were shot down
		left = flying
	}
	switch {
	case len(all) == 0:
		d.ViolateField("land.from", rules.Input, "no aircraft scrambled from %s or intercepted over it in this TURN",
			from.Name)
		return "", false
	case !rules.Carries(d.Options) || len(left) == 0:
		return all[0], true
	case len(left) > 1:
		d.ViolateField("land.power", rules.Input, "aircraft of %s left %s in this TURN: say whose land, power: %s",
			words.And(left), from.Name, left[0])
		return "", false
	}
	return left[0], true
}

// hasLanded reports whether the aircraft of a power from a territory have landed in this TURN.
func (c combat) hasLanded(power, from string) bool {
	return slices.ContainsFunc(noted[*events.AircraftLanded](c.deeds), func(p *events.AircraftLanded) bool {
		return p.Power == power && p.From == from
	})
}

// defended is how many aircraft of a power left a territory in its defence in this TURN.
func (d *decision) defended(power, from string) int {
	return d.scrambled(power, from, fighter) + d.scrambled(power, from, tacticalBomber) + d.intercepted(power, from)
}

// causeAirBattle is what interceptors and raiders are lost to.
const causeAirBattle = "an air battle"

// shotDown is how many interceptors of a power were lost over a territory in this TURN.
func (c combat) shotDown(power, over string) int {
	lost := 0
	for _, p := range noted[*events.UnitsLost](c.deeds) {
		if p.Power == power && p.Space == over && p.Cause == causeAirBattle {
			for _, u := range p.Units {
				lost += u.Count
			}
		}
	}
	return lost
}

// comeHome reads which aircraft are left, and where they land.
func (d *decision) comeHome(from board.Space, power string, l landing) (homecoming, bool) {
	h := homecoming{flown: d.flown(power, from.Name)}
	flown, left := d.defended(power, from.Name), count(h.flown)
	h.in = LandingInput{Origin: from.Name, Captured: d.atWar(d.holder(from), power), AirUnits: left}
	alive := party{left, h.flown}
	ok := true
	if len(l.Survivors) > 0 && string(l.Survivors) != "null" {
		alive, ok = d.partyGiven("land.survivors", l.Survivors, h.flown, 0)
		h.in.AirUnits = alive.n
	}
	switch {
	case !ok:
	case d.hasLanded(power, from.Name):
		d.ViolateField("land", "G40-SCR-LAND", "the aircraft of %s from %s have landed in this TURN", power, from.Name)
	case flown == 0:
		d.ViolateField("land.from", rules.Input,
			"no aircraft of %s scrambled from %s or intercepted over it in this TURN", power, from.Name)
	case h.in.AirUnits < 0 || h.in.AirUnits > left:
		d.ViolateField("land.survivors", rules.Input,
			"aircraft of %s that left %s in this TURN: %d, lost in the air battle: %d; %d cannot be left", power,
			from.Name, flown, flown-left, h.in.AirUnits)
	case rules.Exact(d.Options) && countOf(h.flown, fighter)-countOf(alive.units, fighter) >
		d.scrambled(power, from.Name, fighter):
		d.ViolateField("land.survivors", "G40-SBR-INTERCEPT",
			"the air battle over %s left %s of %s, and what intercepted fights nowhere else in this TURN: at least as "+
				"many fighters are left", from.Name,
			counted(d.intercepted(power, from.Name)-d.shotDown(power, from.Name), fighter), power)
	case !h.in.Captured && len(l.At) > 0:
		d.ViolateField("land.at", "G40-SCR-LAND", "%s was not captured, so aircraft return to it and land nowhere else",
			from.Name)
	}
	if d.Refused() {
		return h, false
	}
	h.left = alive.units
	total, ok := d.landAt(&h, power, from, l.At)
	return h, ok && (!h.in.Captured || d.wantForPlace(power, from, h.in.AirUnits-total) && d.inReach(h, power, from))
}

// landAt reads where how many aircraft land that do not return, and counts them. A number means of what those leave
// that are given by kind.
func (d *decision) landAt(h *homecoming, power string, from board.Space,
	at rules.Mapping[json.RawMessage]) (int, bool) {
	total, left := 0, h.left
	h.landed = make([]party, len(at))
	for _, numbers := range []bool{false, true} {
		for i, m := range at {
			if (json.Unmarshal(m.Value, new(int)) == nil) != numbers {
				continue
			}
			p, ok := d.partyGiven(m.At, m.Value, left, 1)
			if !ok {
				return 0, false
			}
			if total += p.n; total > h.in.AirUnits {
				d.ViolateField("land.at", rules.Input, "more aircraft are to land than the %d that are left",
					h.in.AirUnits)
				return 0, false
			}
			left = muster(left, p.units, -1)
			h.landed[i] = p
		}
	}
	for i, m := range at {
		s, ok := d.landingSpace(m.At, d.At(m.Name), h.landed[i].n, power, from)
		if !ok {
			return 0, false
		}
		h.in.Spaces = append(h.in.Spaces, s)
	}
	return total, true
}

// wantForPlace refuses to lose aircraft that have a place to land: only for want of one are they lost
// (G40-SCR-LAND). A territory is one if it is in reach of all of them; what a carrier has room for
// is not known.
func (d *decision) wantForPlace(power string, from board.Space, lost int) bool {
	for _, s := range d.Board.Spaces() {
		if lost <= 0 || s.Water || !d.friends(d.holder(s), power) {
			continue
		}
		inReach := !slices.ContainsFunc(d.whereabouts(power, from),
			func(at string) bool { return at != s.Name && !slices.Contains(s.Neighbours, at) })
		if inReach {
			d.ViolateField("land.at", "G40-SCR-LAND",
				"%s left without a place: they are lost only for want of one, and %s is friendly and one space away: "+
					"at: {%s: %d}; fewer may be left: survivors",
				counted(lost, "air unit"), s.Name, s.Name, lost)
			return false
		}
	}
	return true
}

// sortie is aircraft of one base that are in one place.
type sortie struct {
	at    string
	units []events.Unit
}

// sorties are the aircraft of a base by the place where they are, without the interceptors that were shot down.
func (d *decision) sorties(power, from string) []sortie {
	var list []sortie
	for _, p := range noted[*events.AircraftScrambled](d.deeds) {
		if p.Power == power && p.From == from {
			list = append(list, sortie{p.Zone, p.Units})
		}
	}
	if n := d.intercepted(power, from) - d.shotDown(power, from); n > 0 {
		list = append(list, sortie{from, []events.Unit{{Name: fighter, Count: n}}})
	}
	return list
}

// inReach refuses to land more aircraft in a space than are one space from it, and to lose those for want of a place
// that have one, wherever the fallen fell (G40-SCR-LAND).
func (d *decision) inReach(h homecoming, power string, from board.Space) bool {
	if !rules.Carries(d.Options) {
		return true
	}
	sorties := d.sorties(power, from.Name)
	havens := make([]string, len(sorties))
	var stranded []int // the sorties that no friendly territory is in reach of
	for i, f := range sorties {
		if havens[i] = d.haven(power, f.at); havens[i] == "" {
			stranded = append(stranded, i)
		}
	}
	for _, kind := range []string{fighter, tacticalBomber} {
		var wanted []int
		var touches [][]int
		lost := countOf(h.left, kind)
		for i, l := range h.landed {
			to := d.At(h.in.Spaces[i].Space)
			var near []int
			for j, f := range sorties {
				if f.at == to.Name || slices.Contains(to.Neighbours, f.at) {
					near = append(near, j)
				}
			}
			wanted, touches = append(wanted, countOf(l.units, kind)), append(touches, near)
			lost -= wanted[i]
		}
		rooms := rules.Each(sorties, func(f sortie) int { return countOf(f.units, kind) })
		for i, row := range mostLost(append(touches, stranded), append(wanted, lost), rooms) {
			placed := rules.Sum(row, func(n int) int { return n })
			switch {
			case i < len(wanted) && placed < wanted[i]:
				d.ViolateField("land.at", "G40-SCR-LAND",
					"%s cannot land in %s: %d of those that left %s %s within one space of it",
					counted(wanted[i], kind), h.in.Spaces[i].Space, placed, from.Name,
					words.Number(placed, "is", "are"))
			case i == len(wanted) && placed < lost:
				d.ViolateField("land.at", "G40-SCR-LAND",
					"%s left without a place: they are lost only for want of one, and %d may be: %s; fewer may be "+
						"left: survivors",
					counted(lost, kind), placed, words.And(places(sorties, havens, kind)))
			}
		}
	}
	return !d.Refused()
}

// haven is a friendly territory one space from where aircraft of a power are, if there is one.
func (d *decision) haven(power, at string) string {
	for _, s := range d.Board.Spaces() {
		if !s.Water && s.Name != at && slices.Contains(s.Neighbours, at) && d.friends(d.holder(s), power) {
			return s.Name
		}
	}
	return ""
}

// places says where sorties may land.
func places(sorties []sortie, havens []string, kind string) []string {
	var list []string
	for i, f := range sorties {
		if n := countOf(f.units, kind); n > 0 && havens[i] != "" {
			list = append(list, "from "+f.at+" "+havens[i]+" is in reach")
		}
	}
	return list
}

// landingSpace reads where some aircraft land: a friendly territory, or a sea zone with a friendly
// carrier, one space from where they are at most.
func (d *decision) landingSpace(field string, space board.Space, n int, power string,
	from board.Space) (LandingSpace, bool) {
	s := LandingSpace{Space: space.Name, Distance: d.spacesAway(power, from, space), Kind: "friendly_territory",
		Room: &n, Most: &n}
	if space.Water {
		s.Kind = "friendly_carrier"
	}
	switch {
	case s.Distance > 1:
		d.ViolateField(field, "G40-SCR-LAND", "%s is more than one space from where the aircraft of %s are", space.Name,
			from.Name)
	case space.Water && d.carriersIn(space.Name, power) == 0:
		d.ViolateField(field, "G40-SCR-LAND", "no carrier of %s or a friend is reported in %s", power, space.Name)
	case !space.Water && !d.friends(d.holder(space), power):
		d.ViolateField(field, "G40-SCR-LAND", "%s is not friendly to %s", space.Name, power)
	}
	return s, !d.Refused()
}

// whereabouts are where the aircraft of a base are: in the sea zones that they scrambled to, or over
// the territory where they intercepted.
func (d *decision) whereabouts(power string, from board.Space) []string {
	var at []string
	for _, p := range noted[*events.AircraftScrambled](d.deeds) {
		if p.Power == power && p.From == from.Name {
			at = append(at, p.Zone)
		}
	}
	if d.intercepted(power, from.Name) > 0 {
		at = append(at, from.Name)
	}
	return at
}

// spacesAway is how far a space is from where some of the aircraft of a base are. Anything beyond one
// is 2.
func (d *decision) spacesAway(power string, from, to board.Space) int {
	at := d.whereabouts(power, from)
	switch {
	case slices.Contains(at, to.Name):
		return 0
	case slices.ContainsFunc(at, func(s string) bool { return slices.Contains(to.Neighbours, s) }):
		return 1
	}
	return 2
}

// carriersIn counts the carriers of a power and its friends in a sea zone.
func (d *decision) carriersIn(zone, power string) int {
	n := 0
	for _, p := range d.Powers {
		if d.friends(p, power) {
			n += countOf(d.unitsOf(p, zone), carrier)
		}
	}
	return n
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
func (c combat) flown(power, from string) []events.Unit {
	fighters := c.scrambled(power, from, fighter) + c.intercepted(power, from) - c.shotDown(power, from)
	return slices.DeleteFunc([]events.Unit{{Name: fighter, Count: fighters},
		{Name: tacticalBomber, Count: c.scrambled(power, from, tacticalBomber)}},
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
		fallen := "; survivors: 0 if none is left"
		if rules.Exact(d.Options) && d.intercepted(a.power, a.from) > d.shotDown(a.power, a.from) {
			fallen = "" // what the air battle left is left
		}
		d.ViolateField("land", "G40-SCR-LAND", "%s %s not landed, in this Noncombat Move of %s: {land: {power: %s, "+
			"from: %s}}%s", a, words.Number(a.n, "has", "have"), d.Player, a.power, a.from, fallen)
	}
	return !d.Refused()
}
