package aar

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

const (
	industrialComplex = "industrial complex"
	submarine         = "submarine"
)

// mobilization is an entry {mobilize: {power: UK, units: {Eastern Canada: {industrial complex: 1}}}}.
type mobilization struct {
	Power string               `json:"power" is:"power"`
	Units rules.Mapping[units] `json:"units" of:"space,unit" least:"1" need:"what appears where? {UK: {infantry: 3}}"`
	Names []string             `json:"names" offer:"name" doc:"that the table gives them, for D-Day"`
}

// mobilize puts units on the board that the power bought in this ROUND. What the ledger follows, complexes, submarines
// and artillery, is on the board then.
func (d *decision) mobilize(e mobilization) {
	left := map[string]int{}
	for unit, n := range d.bought[e.Power] {
		left[unit] = n
	}
	var placed []*events.UnitsMobilized
	for _, m := range e.Units {
		p := &events.UnitsMobilized{Power: e.Power, Bought: e.Power, Space: m.Name, Units: unitsOf(m.Value)}
		if len(p.Units) == 0 {
			d.ViolateField(m.At, rules.Input, "no unit is given for %s", m.Name)
		}
		for _, u := range p.Units {
			if left[u.Name] -= u.Count; left[u.Name] < 0 {
				d.ViolateField(m.At+"."+u.Name, "GEN-CARRY", "of what %s bought in %s there is left to place: %d %s, "+
					"not %d",
					e.Power, d.Turn.Label, d.bought[e.Power][u.Name], u.Name, u.Count)
			}
			d.checkPlace(m.At+"."+u.Name, d.At(m.Name), p, u)
		}
		placed = append(placed, p)
	}
	d.checkPieces(e, placed)
	d.warnOfLaunched(e.Power, placed)
	d.warnOfPlaced(e, placed)
	if d.Refused() || !d.Enter(e.Power, phaseMobilize, rules.Input) {
		return
	}
	for _, p := range placed {
		d.Record(e.Power, p)
		d.follow(p)
	}
	if len(e.Names) > 0 {
		d.Record(e.Power, &events.FactReported{Fact: factNew, Subject: e.Power, Names: d.unitNames("mobilize.names",
			e.Power, e.Names)})
	}
}

// warnOfPlaced says what may be a slip: fighters at sea without a deck (AAR-6-AC), and new units without a name, by
// which D-Day would know them (AAR-5-UK-NEW).
func (d *decision) warnOfPlaced(e mobilization, placed []*events.UnitsMobilized) {
	units := 0
	for _, p := range placed {
		fighters, room := 0, 0
		for _, u := range p.Units {
			if u.Name != industrialComplex {
				units += u.Count
			}
			if u.Name == "fighter" {
				fighters += u.Count
			}
			room += u.Count * deck(UnitType(contractName(u.Name)))
		}
		if room > 0 && fighters > room { // without any they are for carriers that are there
			d.Warn("%s for %s in %s, and the carriers placed with them have room for %d", words.Count(fighters,
				"new fighter"), e.Power, p.Space, room)
		}
	}
	due := e.Power == string(UK) && d.carriedAt == 0 && d.ddayRound()
	if n := d.different(e.Names); n > units || due && n < units {
		d.Warn("%s, and %s: D-Day knows new units by their names", words.Count(units, "new unit"),
			words.Count(n, "name"))
	}
}

// different counts names that are not one (GEN-CARRY).
func (d *decision) different(names []string) (n int) {
	for i, name := range names {
		if !d.exact() || !slices.ContainsFunc(names[:i], func(o string) bool { return d.sameUnit(o, name) }) {
			n++
		}
	}
	return n
}

// checkPieces wants no eleventh artillery placed beside those that were reported since it was bought (AAR-6-ARTY-CAP).
func (d *decision) checkPieces(e mobilization, placed []*events.UnitsMobilized) {
	there := d.standing(e.Power)
	n := rules.Sum(placed, func(p *events.UnitsMobilized) int { return pieces(p.Units) })
	if b := d.guns[e.Power]; d.exact() && n > b.bought && b.withBought() {
		d.Warn("%s places %s, and was reported to have artillery since it bought it: what is placed comes to what was "+
			"reported", e.Power, words.Count(n, "artillery piece"))
	}
	if d.carries() && n > 0 && there+n > artilleryCap {
		d.ViolateField("mobilize.units", "AAR-6-ARTY-CAP", "%s has %d artillery on the board and places %d: a nation "+
			"has at most %d", e.Power, there, n, artilleryCap)
	}
}

// warnOfLaunched says that submarines are placed of which a report has had some since they were bought: there are more
// than there were before and were placed (AAR-6-FUNDS).
func (d *decision) warnOfLaunched(power string, placed []*events.UnitsMobilized) {
	n := rules.Sum(placed, func(p *events.UnitsMobilized) int { return countOf(p.Units, submarine) })
	before, known := d.boatsHad[power]
	more := len(d.submarines[power].boats) - before - d.launchedBy(power)
	if known && n > 0 && more > 0 && n+more > d.bought[power][submarine] {
		d.Warn("%s places %s, and was reported to have %d more than before since it bought them: what is placed comes "+
			"to what was reported; if the report has these, correct it (AAR-6-FUNDS)", power,
			words.Count(n, submarine), more)
	}
}

// launchedBy counts the submarines that a power has placed in this ROUND.
func (d *decision) launchedBy(power string) int {
	return rules.Sum(d.moored, func(m mooring) int {
		return map[bool]int{true: countOf(m.Units, submarine)}[m.Power == power && m.round == d.Turn.Ordinal]
	})
}

// checkPlace wants a unit where the book has it appear: a complex in a territory of the power without one, all else at
// a complex that the power has had since before, ships in a sea zone next to one.
func (d *decision) checkPlace(at string, s board.Space, p *events.UnitsMobilized, u events.Unit) {
	if u.Name == industrialComplex {
		switch {
		case s.Water || d.Controller(s) != p.Power:
			d.ViolateField(at, rules.Input, "a new complex of %s stands in a territory that it holds, not in %s",
				p.Power,
				s.Name)
		case d.hasComplex(s) || u.Count > 1:
			d.ViolateField(at, rules.Input, "a territory has one industrial complex, and %s would have more", s.Name)
		default:
			p.Complex = s.Name
		}
		return
	}
	t := UnitType(contractName(u.Name))
	ship := slices.Contains(unitTypes(), u.Name) && !t.land() && !t.air()
	if s.Water && (t.land() || t == "bomber") || !s.Water && ship {
		d.ViolateField(at, rules.Input, "a new %s does not appear in %s: ships appear in sea zones, land units and "+
			"bombers in territories", u.Name, s.Name)
		return
	}
	if s.Water && u.Name == aaGun {
		d.forbid(at, rules.Input, "a new AA gun does not appear in %s: it stands in a territory", s.Name)
	}
	near := []string{s.Name}
	if s.Water {
		near = s.Neighbours
	}
	i := slices.IndexFunc(near, func(name string) bool { return d.produces(p.Power, d.At(name)) })
	if i < 0 {
		d.ViolateField(at, rules.Input, "%s has had no industrial complex %s since before this TURN, where its units "+
			"could "+
			"appear", p.Power, map[bool]string{true: "next to ", false: "in "}[s.Water]+s.Name)
		return
	}
	p.Complex = near[i]
}

// produces reports whether a complex of a power stands in a territory that was neither placed nor, in combat,
// captured in this ROUND.
func (d *decision) produces(power string, t board.Space) bool {
	return !t.Water && d.Controller(t) == power && d.hasComplex(t) && !slices.Contains(d.raised, t.Name) &&
		!(d.carries() && slices.Contains(d.captured, t.Name)) && !(d.exact() && d.newlyHeld(power, t))
}

// newlyHeld reports whether an enemy or nobody held a territory when the TURN of a power began.
func (d *decision) newlyHeld(power string, t board.Space) bool {
	before := d.State
	before.Control = d.morning
	return d.Player == power && !d.friends(power, before.Controller(t))
}

// follow reports what the ledger follows of new units: complexes, and submarines under derived names. Artillery it
// counts by itself.
func (d *decision) follow(p *events.UnitsMobilized) {
	for _, u := range p.Units {
		switch u.Name {
		case industrialComplex:
			d.Record(p.Power, &events.FactReported{Fact: factComplexes, Subject: p.Space, Number: 1})
		case submarine:
			boats := slices.Concat(d.submarines[p.Power].boats, d.launched(p.Space, u.Count))
			if len(boats) > mostSubmarines {
				d.ViolateField("mobilize.units", rules.Input, "these are more than %d submarines", mostSubmarines)
				return
			}
			d.Record(p.Power, &events.SubmarinesReported{Power: p.Power, Submarines: boats})
			d.submarines = rules.Put(d.submarines, p.Power, fleet{boats: boats})
		}
	}
}

// launched gives new submarines in a sea zone derived names that no other has.
func (d *decision) launched(zone string, count int) (boats []events.Submarine) {
	taken := map[string]bool{}
	for _, b := range d.boats() {
		taken[d.key(b.name)] = true
	}
	for _, b := range d.under { // whose names it still has
		taken[d.key(b.name)] = d.exact() || taken[d.key(b.name)]
	}
	for n := 1; len(boats) < min(count, mostSubmarines+1); n++ {
		if name := fmt.Sprintf("%s #%d", d.Board.TableSpace(zone), n); !taken[d.key(name)] {
			boats = append(boats, events.Submarine{Name: name, Zone: zone})
		}
	}
	return boats
}
