package g40

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// affords finds a sum that a purse may not or cannot pay: an economy of the United Kingdom spends its
// own money (G40-UK-SEPARATE), and none while the Axis holds its capital (G40-UK-HELD).
func (d *decision) affords(p purse, field string, cost int) bool {
	inHand := d.Treasury(p.treasury)
	if cost == 0 { // what costs nothing is no question of money, whatever is owed
		return !d.Refused()
	}
	if p.economy != "" {
		CheckSpending(&d.Findings, p.economy,
			Purse{Treasury: inHand, Spending: cost, CapitalHeldByAxis: d.heldByAxis(p.economy)})
		return !d.Refused()
	}
	if cost > inHand {
		d.ViolateField(field, rules.Input,
			"%s has %d IPCs and cannot spend %d; if that is wrong, %s", p.treasury, inHand, cost,
			d.mayReport(p.treasury, cost-inHand))
	}
	return !d.Refused()
}

// researchEntry is an entry of research; the United Kingdom says which economy pays.
type researchEntry struct {
	Power   string `json:"power" is:"power"`
	Cost    *int   `json:"cost" least:"0" need:"give the cost in IPCs: cost: 24"`
	Europe  *int   `json:"europe" least:"0" doc:"what UK Europe pays of it"`
	Pacific *int   `json:"pacific" least:"0" doc:"what UK Pacific pays of it"`
}

// payResearch takes the cost of research out of a treasury, or for the United Kingdom out of both of
// its treasuries (G40-UK-RD).
func (d *decision) payResearch(r researchEntry) {
	power, cost, ok := r.Power, *r.Cost, false
	p := &events.ResearchPaid{Power: power, Cost: cost}
	switch {
	case power == d.united():
		ok = d.sharedResearch(p, r.Europe, r.Pacific)
	case r.Europe != nil || r.Pacific != nil:
		d.ViolateField("research", rules.Input, "%s has one treasury: leave europe and pacific out", power)
		return
	default:
		ok = d.affords(purse{power, power, ""}, "research.cost", cost)
		p.Payments = []events.Payment{{Treasury: power, Paid: cost, Left: d.Treasury(power) - cost}}
	}
	if ok && d.enter(power, phaseResearch, "G40-UK-RD") {
		d.Record(power, p)
	}
}

// sharedResearch shares a cost between the two economies.
func (d *decision) sharedResearch(p *events.ResearchPaid, europe, pacific *int) bool {
	if europe == nil && pacific == nil {
		d.ViolateField("research", rules.Input, "say who pays: europe: %d, or pacific: %d, or a part each", p.Cost,
			p.Cost)
		return false
	}
	in := ResearchInput{
		Cost: p.Cost, EuropeTreasury: d.Treasury(Europe.title()), PacificTreasury: d.Treasury(Pacific.title()),
		EuropeHeld: d.heldByAxis(Europe), PacificHeld: d.heldByAxis(Pacific),
	}
	if europe != nil {
		in.EuropePays = *europe
	}
	if pacific != nil {
		in.PacificPays = *pacific
	}
	out, found := PayResearch(in)
	d.Add(found)
	p.Payments = []events.Payment{
		{Treasury: Europe.title(), Paid: in.EuropePays, Left: out.EuropeTreasury},
		{Treasury: Pacific.title(), Paid: in.PacificPays, Left: out.PacificTreasury},
	}
	return !d.Refused()
}

// purchaseEntry is an entry of a purchase; what the text does not price the board does, or a fact.
type purchaseEntry struct {
	Power string             `json:"power" is:"treasury"`
	Cost  *int               `json:"cost" least:"0" doc:"of all, where house prices are played"`
	Units rules.Mapping[int] `json:"units" of:"ware" least:"0" doc:"units, and facilities that build places later"`
}

// purchase takes the cost of units and facilities out of a treasury.
func (d *decision) purchase(e purchaseEntry) {
	p, units := d.purse(e.Power), waresOf(e.Units)
	b := bill{verb: "purchase", given: e.Cost}
	for _, u := range units {
		b.add(d.price(p, u.Name), u.Count)
	}
	cost, ok := d.settle(b)
	if !ok || !d.affords(p, "purchase.cost", cost) || !d.enter(p.power, phasePurchase, rules.Input) {
		return
	}
	left := d.Treasury(p.treasury) - cost
	d.citePayment(p, cost, left)
	d.Record(p.power, &events.UnitsPurchased{Power: p.treasury, Cost: cost, Units: units, Treasury: left})
}

func (d *decision) citePayment(p purse, cost, left int) {
	if p.economy != "" {
		d.Cite("G40-UK-SEPARATE", "%s pays %d of its own treasury: %d are left", p.treasury, cost, left)
	}
}

// repairEntry is an entry {repair: {power: Italy, cost: 2, facilities: {London: {major ic: 3}}}}: how much
// damage is taken off.
type repairEntry struct {
	Power   string  `json:"power" is:"treasury"`
	Cost    *int    `json:"cost" least:"0" doc:"of all, where house prices are played"`
	Repairs bySpace `json:"facilities" of:"territory*,facility*" least:"1" need:"repair what? {Malta: {air base: 2}}"`
}

// repair takes damage off facilities, and its cost out of a treasury.
func (d *decision) repair(r repairEntry) {
	p := d.purse(r.Power)
	repairs, ok := d.repairs(p, r.Repairs)
	if !ok {
		return
	}
	if p.economy != "" && (r.Cost == nil || *r.Cost == 0) && d.heldByAxis(p.economy) {
		d.ViolateField("repair", "G40-UK-HELD", "%s may not repair while the Axis holds %s", p.treasury,
			p.economy.capital())
		return
	}
	b := bill{verb: "repair", given: r.Cost}
	for _, x := range repairs {
		b.add(d.repairPrice(p, Facility(x.Facility)), x.Damage)
	}
	cost, ok := d.settle(b)
	e := &events.FacilitiesRepaired{Power: p.treasury, Cost: cost, Treasury: d.Treasury(p.treasury) - cost,
		Repairs: repairs}
	if !ok || !d.affords(p, "repair.cost", cost) || !d.enter(p.power, phasePurchase, "G40-SBR-AFTER") {
		return
	}
	d.citePayment(p, cost, e.Treasury)
	d.Cite("G40-SBR-AFTER", "%s repairs in Purchase & Repair", p.treasury)
	d.Record(p.power, e)
}

// repairs are those of an entry, each of what stands in a territory of the purse.
func (d *decision) repairs(p purse, given bySpace) ([]events.Repair, bool) {
	var list []events.Repair
	for _, m := range given {
		s := d.At(m.Name)
		if !d.ownGround(p, m.At, s, "G40-UK-SEPARATE", "repair") {
			return nil, false
		}
		for _, what := range m.Value {
			r, ok := d.oneRepair(s, what)
			if !ok {
				return nil, false
			}
			// GEN-UNIQUE
			if slices.ContainsFunc(list,
				func(o events.Repair) bool { return o.Territory == r.Territory && o.Facility == r.Facility }) {
				d.ViolateField(m.At, rules.Input, "the %s in %s is given twice", Facility(r.Facility).title(), s.Name)
				return nil, false
			}
			list = append(list, r)
		}
	}
	return list, true
}

func (d *decision) oneRepair(s board.Space, what rules.Member[int]) (events.Repair, bool) {
	kind, n := Facility(what.Name), what.Value
	f, there := d.facility(s, kind)
	switch {
	case !there:
		d.ViolateField(what.At, rules.Input, "there is no %s in %s", kind.title(), s.Name)
	case n > f.Damage:
		d.ViolateField(what.At, rules.Input, "the %s in %s has %d damage: %d cannot be repaired", kind.title(), s.Name,
			f.Damage, n)
	}
	return events.Repair{Territory: s.Name, Facility: string(kind), Damage: n, Left: f.Damage - n}, !d.Refused()
}

// ownGround reports whether a territory is one that a purse pays for; rule is what keeps the two
// economies of the United Kingdom apart there.
func (d *decision) ownGround(p purse, at string, s board.Space, rule, what string) bool {
	switch holder := d.holder(s); {
	case holder != p.power:
		d.ViolateField(at, cmp.Or(map[bool]string{true: rule}[p.economy != ""], rules.Input), "%s cannot %s in %s: %s",
			p.treasury, what, s.Name, heldBy(holder))
	case p.economy != "" && d.economyOf(s) != p.economy:
		d.ViolateField(at, rule, "%s falls under %s: %s cannot %s there", s.Name, d.economyOf(s).title(), p.treasury,
			what)
	}
	return !d.Refused()
}

func heldBy(power string) string {
	if power == "" {
		return "nobody holds it"
	}
	return fmt.Sprintf("%s holds it", power)
}
