package g40

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// buildEntry is an entry of a facility.
type buildEntry struct {
	Power     string   `json:"power" is:"treasury"`
	Cost      int      `json:"cost" least:"0" doc:"if it is paid now"`
	Territory string   `json:"territory" is:"territory"`
	Facility  Facility `json:"facility" is:"facility"`
}

// build puts a facility into a territory. With a cost it is paid now, in Purchase & Repair; without
// one it was paid among the purchases and is placed in Mobilize New Units.
func (d *decision) build(b buildEntry) {
	p, s, kind := d.purse(b.Power), d.At(b.Territory), b.Facility
	e := &events.FacilityBuilt{Power: p.treasury, Territory: s.Name, Facility: string(kind)}
	if kind == MajorIC {
		d.major(e, p, s)
	} else if _, stands := d.facility(s, kind); stands || kind == MinorIC && d.complexOf(s) != NoComplex {
		d.ViolateField("build.facility", rules.Input, "%s has its %s already", s.Name, kind.kind())
	}
	if d.Refused() || !d.ownGround(p, "build.territory", s, "G40-UK-MOBILIZE", "build") {
		return
	}
	ok, phase := false, phaseMobilize
	if b.Cost > 0 {
		phase = phasePurchase
		e.Cost, ok = d.payFacility(p, e, b.Cost)
	} else {
		ok = d.paidFor(p, e)
	}
	if e.Treasury = d.Treasury(p.treasury) - e.Cost; ok && d.enter(p.power, phase, rules.Input) {
		d.Record(p.power, e)
	}
}

// payFacility is what a facility costs that is paid for as it is built.
func (d *decision) payFacility(p purse, e *events.FacilityBuilt, given int) (int, bool) {
	bill := bill{verb: "build", given: &given}
	bill.add(d.price(p, wareOf(e)), 1)
	cost, ok := d.settle(bill)
	if !ok || !d.affords(p, "build.cost", cost) {
		return cost, false
	}
	d.citePayment(p, cost, d.Treasury(p.treasury)-cost)
	return cost, true
}

// wareOf is what is paid for a facility that is built: a major complex, or the upgrade of a minor one.
func wareOf(e *events.FacilityBuilt) string {
	if e.Was != "" {
		return upgrade
	}
	return Facility(e.Facility).ware()
}

// paidFor reports whether a facility was bought in this ROUND and not placed since (GEN-CARRY).
func (d *decision) paidFor(p purse, e *events.FacilityBuilt) bool {
	ware := wareOf(e)
	if left, named := d.unplaced(p); rules.Carries(d.Options) && named && countOf(left, ware) == 0 {
		d.ViolateField("build.facility", "GEN-CARRY", "%s has bought no %s in %s that is not placed: buy it first, "+
			"purchase: {power: %s, units: {%s: 1}}, or give what is paid for it now, cost: …", p.treasury, ware,
			d.Turn.Label, p.treasury, ware)
	}
	return !d.Refused()
}

// major holds a major complex to the original owner's ground (G40-IC-MAJOR, G40-IC-CAPTURED).
func (d *decision) major(e *events.FacilityBuilt, p purse, s board.Space) {
	in := ComplexInput{Action: BuildMajor, Territory: s.Name, By: p.power, OriginalOwner: d.original(s),
		Controller: d.holder(s), Complex: d.complexOf(s)}
	if in.Controller == "" {
		in.Controller = "nobody"
	}
	if in.Complex == MinorComplex {
		in.Action, e.Was = UpgradeToMajor, string(MinorIC)
	}
	_, found := IndustrialComplex(in)
	d.Add(found)
}

// mobilization is an entry of units that appear, by territory or sea zone.
type mobilization struct {
	Power string  `json:"power" is:"treasury"`
	Units bySpace `json:"units" of:"space,unit" least:"0" need:"write where units appear: {India: {infantry: 3}}"`
}

// mobilize puts units that were bought onto the board, at complexes that fall under the economy that
// bought them (G40-UK-MOBILIZE).
func (d *decision) mobilize(e mobilization) {
	p := d.purse(e.Power)
	var list []*events.UnitsMobilized
	for _, m := range e.Units {
		units, ok := d.mobilized(p, m.At, d.At(m.Name), unitsOf(m.Value))
		if !ok {
			return
		}
		list = append(list, units)
	}
	if !d.wereBought(p, list) || !d.enter(p.power, phaseMobilize, mobilizeRule(p)) {
		return
	}
	for _, m := range list {
		if p.economy != "" {
			d.Cite("G40-UK-MOBILIZE", "the complex of %s falls under %s, which bought the units", m.Complex, p.treasury)
		}
		d.Record(p.power, m)
	}
}

// mobilizeRule is the id under which wrong places and wrong units are refused.
func mobilizeRule(p purse) string {
	if p.economy != "" {
		return "G40-UK-MOBILIZE"
	}
	return rules.Input
}

// mobilized is what appears in one space: a territory with a complex of the purse, or a sea zone next
// to one.
func (d *decision) mobilized(p purse, at string, s board.Space, units []events.Unit) (*events.UnitsMobilized, bool) {
	if len(units) == 0 {
		d.ViolateField(at, rules.Input, "no unit is given for %s", s.Name)
		return nil, false
	}
	for _, u := range units {
		if ship := warship(u.Name) || u.Name == transport; s.Water != ship && !aircraft(u.Name) || s.Water &&
			u.Name == strategicBomber {
			d.ViolateField(at+"."+u.Name, rules.Input,
				"a new %s does not appear in %s: ships appear in sea zones next to a complex, land units at it, "+
					"aircraft there or on carriers", u.Name, s.Name)
			return nil, false
		}
	}
	near := []string{s.Name}
	if s.Water {
		near = s.Neighbours
	}
	var idle rules.Findings
	for _, n := range near {
		t, err := d.Board.Territory(n)
		if err != nil || !d.produces(p, t) {
			continue
		}
		operates, settled := d.complexOperates(at, t, &idle)
		if !settled {
			return nil, false
		}
		if operates {
			return &events.UnitsMobilized{Power: p.power, Bought: p.treasury, Complex: t.Name, Space: s.Name,
				Units: units}, true
		}
	}
	if !d.Check(idle) {
		return nil, false
	}
	switch bare := d.bare(p); {
	case bare && d.holder(s) == p.power:
		return &events.UnitsMobilized{Power: p.power, Bought: p.treasury, Complex: s.Name, Space: s.Name,
			Units: units}, true
	case bare:
		d.ViolateField(at, rules.Input, "%s has no industrial complex by the board: its new units appear in "+
			"territories that it holds, not in %s", p.treasury, s.Name)
		return nil, false
	}
	d.ViolateField(at, mobilizeRule(p), "%s has no industrial complex %s: its new units appear at its own", p.treasury,
		where(s))
	return nil, false
}

// produces reports whether a territory's complex is the purse's.
func (d *decision) produces(p purse, t board.Space) bool {
	return d.holder(t) == p.power && d.complexOf(t) != NoComplex && (p.economy == "" || d.economyOf(t) == p.economy)
}

// bare reports whether a power has no complex on the board as it is set up, where others have: China. The text asks
// complexes of the United Kingdom's economies (G40-UK-MOBILIZE), and what else a bare power would do with what it
// buys it does not say: its units appear in territories that it holds.
func (d *decision) bare(p purse) bool {
	others := false
	for _, t := range d.Board.Spaces() {
		if t.Complex == "" || t.Water {
			continue
		}
		if others = true; d.Board.TablePower(t.Owner) == p.power {
			return false
		}
	}
	return others && p.economy == ""
}

func where(s board.Space) string {
	if s.Water {
		return "next to " + s.Name
	}
	return "in " + s.Name
}

// wereBought reports whether the units were bought in this ROUND. Where a purchase did not name its
// units, nothing is held to it.
func (d *decision) wereBought(p purse, list []*events.UnitsMobilized) bool {
	left, named := d.unplaced(p)
	for _, m := range list {
		for _, u := range m.Units {
			if there := countOf(left, u.Name); named && u.Count > there {
				d.ViolateField("mobilize.units", mobilizeRule(p), "%s has %s bought and not mobilized in %s, not %d; "+
					"if a correction leaves that, correct what is mobilized too", p.treasury, noneOr(there, u.Name),
					d.Turn.Label, u.Count)
				return false
			}
		}
		left = muster(left, m.Units, -1)
	}
	return true
}

// unplaced is what a purse has bought in this ROUND and not placed; named where every purchase said what it bought.
func (d *decision) unplaced(p purse) (left []events.Unit, named bool) {
	for _, x := range d.bought[p.treasury].Slice() {
		switch e := x.(type) {
		case *events.UnitsPurchased:
			if len(e.Units) == 0 && e.Cost > 0 {
				return nil, false
			}
			left = muster(left, e.Units, 1)
		case *events.UnitsMobilized:
			left = muster(left, e.Units, -1)
		case *events.FacilityBuilt:
			left = muster(left, []events.Unit{{Name: wareOf(e), Count: 1}}, -1)
		}
	}
	return left, true
}
