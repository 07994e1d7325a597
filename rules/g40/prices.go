package g40

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// What has a price beside units and facilities, by the fact that reports it.
const (
	factPrices = "prices"
	upgrade    = "upgrade" // of a minor complex to a major one
	repairing  = "repair"  // of a point of damage
)

// facilityNames are the facilities as entries name them.
func facilityNames() []string {
	return rules.Each([]Facility{MajorIC, MinorIC, AirBase, NavalBase}, func(f Facility) string { return f.ware() })
}

// ware is a facility by the name under which it is bought.
func (f Facility) ware() string { return plainName(string(f)) }

// ware reads the name of what may be bought: a unit or a facility.
func (d *decision) ware(field, name string) (string, bool) {
	if u, ok := unitNamed(name); ok {
		return u, true
	}
	if plainName(name) == upgrade {
		return upgrade, true
	}
	if f, ok := facilityNamed(name); ok {
		return f.ware(), true
	}
	d.unknownUnit(field, "unit or facility", name, d.Names("ware"))
	return "", false
}

// priceNamed reads the name of what has a price: a ware, or a repair.
func (d *decision) priceNamed(field, name string) (string, bool) {
	if plainName(name) == repairing {
		return repairing, true
	}
	return d.ware(field, name)
}

// reportPrice reports what the text does not price: {prices: {infantry: 3, repair: 1}}.
func (d *decision) reportPrice(at, ware string, ipcs int) {
	if ware == aaGun && ipcs != unitTable.MustFigure("AA_gun", "cost") {
		d.ViolateField(at, "G40-AA-COST", "an AA gun costs %d; other prices are for campaigns with the option prices: "+
			"house", unitTable.MustFigure("AA_gun", "cost"))
		return
	}
	if rules.Exact(d.Options) {
		d.checkPrice(at, ware, ipcs)
	}
	d.warnOfPrice(ware, ipcs)
	d.Record("", &events.FactReported{Fact: factPrices, Subject: ware, Number: ipcs})
}

// warnOfPrice says so where a price stands in the place of the board's (AMB-G40-9).
func (d *decision) warnOfPrice(ware string, ipcs int) {
	for _, p := range d.Powers {
		for _, kind := range priceKinds(ware) {
			asked := d.Board.Price
			if ware == repairing {
				asked = d.Board.RepairPrice
			}
			if each, ok := d.boardPrice([]string{p}, kind, asked); ok && each != ipcs {
				d.Warn("the price of %s is %d from here on, and the board has %d (AMB-G40-9)", ware, ipcs, each)
				return
			}
		}
	}
}

// priceKinds are what the board prices under a name: for a repair, each facility.
func priceKinds(ware string) []string {
	if ware == repairing {
		return facilityNames()
	}
	return []string{ware}
}

// waresOf are the units and facilities of an entry, in the order of the price list.
func waresOf(given rules.Mapping[int]) []events.Unit {
	list := unitsOf(given)
	for _, name := range append(facilityNames(), upgrade) {
		for _, m := range given {
			if m.Name == name && m.Value > 0 {
				list = append(list, events.Unit{Name: name, Count: m.Value})
			}
		}
	}
	return list
}

// soldAs are the names of the boards for what the table calls otherwise.
var soldAs = map[string][]string{
	"mechanized infantry": {"mech_infantry", "mechInfantry"},
	"tank":                {"armour", "armor"},
	aaGun:                 {"aaGun"},
	strategicBomber:       {"bomber"},
	MajorIC.ware():        {"factory_major"},
	MinorIC.ware():        {"factory_minor"},
	AirBase.ware():        {"airfield"},
	NavalBase.ware():      {"harbour"},
	upgrade:               {"factory_upgrade"},
}

// price is what one of something costs, and what says so; rule is empty where nothing does.
type price struct {
	ware   string
	each   int
	rule   string
	source string
}

// price is that of a unit or facility for a purse: the text's; or else as reported, or as the board has it (AMB-G40-9).
func (d *decision) price(p purse, ware string) price {
	if row, rule, ok := d.priced(p, ware); ok { // G40-AA-COST, G40-TECH-SHIPYARD
		return price{ware, unitTable.MustFigure(row, "cost"), rule, ""}
	}
	return d.outside(p, ware, ware, d.Board.Price)
}

// priced gives the row of the unit sheet in which the text prices a unit for a purse, and the rule.
func (d *decision) priced(p purse, unit string) (row, rule string, ok bool) {
	switch {
	case unit == aaGun:
		return "AA_gun", "G40-AA-COST", true
	case unit == "cruiser" && d.has(p.power, ImprovedShipyards):
		return "cruiser+improved_shipyards", "G40-TECH-SHIPYARD", true
	}
	return "", "", false
}

// repairPrice is that of a point of damage.
func (d *decision) repairPrice(p purse, kind Facility) price {
	return d.outside(p, repairing, kind.ware(), d.Board.RepairPrice)
}

// outside is a price that the text does not give; asked is what the board prices by its own names for a ware.
func (d *decision) outside(p purse, name, ware string, asked func(power, unit string) (int, bool)) price {
	if f, ok := d.prices[name]; ok {
		return price{name, f.Value, "AMB-G40-9", ", as reported"}
	}
	if each, ok := d.boardPrice([]string{p.treasury, p.power}, ware, asked); ok {
		return price{name, each, "AMB-G40-9", ", as on the board"}
	}
	return price{ware: name}
}

// boardPrice is what the first of some buyers pays for a ware on the board.
func (d *decision) boardPrice(buyers []string, ware string, asked func(power, unit string) (int, bool)) (int, bool) {
	for _, buyer := range buyers {
		power, err := d.Board.Power(buyer)
		if err != nil {
			continue
		}
		for _, unit := range append(soldAs[ware], contractName(ware)) {
			if each, ok := asked(power, unit); ok {
				return each, true
			}
		}
	}
	return 0, false
}

// bill is what an entry buys, and what it says that this costs.
type bill struct {
	verb  string
	given *int
	lines []line
}

type line struct {
	price
	count int
}

func (b *bill) add(p price, count int) { b.lines = append(b.lines, line{p, count}) }

// byText are the lines that the text prices.
func (b *bill) byText() []line {
	return slices.DeleteFunc(slices.Clone(b.lines), func(l line) bool { return l.rule == "" || l.rule == "AMB-G40-9" })
}

// settle gives the cost of a bill by the campaign's reading of prices (AMB-G40-9).
func (d *decision) settle(b bill) (int, bool) {
	due := func(options map[string]string) (int, rules.Findings) {
		var o struct {
			Prices string `json:"prices"`
		}
		OptionList().Fill(&o, options)
		return b.due(o.Prices == "exact")
	}
	if !OptionList().SettledFor(d.Hearing, d.Command, d.Options, func(options map[string]string) any {
		cost, found := due(options)
		return []any{cost, found.Violations}
	}, OptionPrices) {
		return 0, false
	}
	cost, found := due(d.Options)
	return cost, d.Add(found)
}

// due is what a bill comes to. At prices of the house the cost is given, and the text's prices are the least; at exact
// ones, or where none is given, every line has its price.
func (b *bill) due(exact bool) (int, rules.Findings) {
	var f rules.Findings
	if b.given != nil && !exact {
		priced := b.byText()
		if least := costOf(priced); *b.given < least {
			b.differs(&f, priced, "what the text prices here costs %d in all, and %d is given", least)
		} else {
			cite(&f, priced)
		}
		return *b.given, f
	}
	if len(b.lines) == 0 {
		f.ViolateField(b.verb, rules.Input, "name what is bought, units: {infantry: 2, air base: 1}, or leave the "+
			"entry out")
	}
	for _, l := range b.lines {
		if l.rule == "" {
			f.Unreported(b.verb, "AMB-G40-9", "neither the text nor the board says what %s costs: report "+
				"facts: {prices: {%s: …}}", l.ware, l.ware)
		}
	}
	if all := costOf(b.lines); !f.Refused() && b.given != nil && *b.given != all {
		todo := "leave cost out"
		if b.verb == "build" { // without a cost a facility was bought before
			todo = fmt.Sprintf("write cost: %d", all)
		}
		b.differs(&f, b.lines, "what is bought here costs %d in all, and %d is given: "+todo, all)
	}
	if !f.Refused() {
		cite(&f, b.lines)
	}
	return costOf(b.lines), f
}

// differs refuses a cost for each rule that prices something of it.
func (b *bill) differs(f *rules.Findings, lines []line, message string, due int) {
	var cited rules.Findings
	cite(&cited, lines)
	for _, c := range cited.Derivation {
		f.ViolateField(b.verb+".cost", c.Rule, "%s: "+message, c.Step, due, *b.given)
	}
}

func costOf(lines []line) int { return rules.Sum(lines, func(l line) int { return l.count * l.each }) }

func cite(f *rules.Findings, lines []line) {
	for _, l := range lines {
		f.Cite(l.rule, "%s at %s each%s", counted(l.count, l.ware), counted(l.each, "IPC"), l.source)
	}
}
