package aar

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// factKeys are the facts, in the order in which one entry's are reported: submarines before what
// is said of them.
func factKeys() []string {
	return []string{
		axisallies.FactControl, factComplexes, factSubmarines, factSubmerged, axisallies.FactTreasury,
		factPrices, factTechs, factArtillery, factUsed, factNew,
	}
}

// reportFact reports a fact, each of its subjects as an event of its own. It stands until reported
// anew; what submerged stands for the TURN it is reported of.
func (d *decision) reportFact(name string, raw json.RawMessage) {
	switch name {
	case axisallies.FactControl:
		d.ReportControl(raw)
	case factComplexes:
		axisallies.Each(d.Case, name, raw, "{Eastern Canada: 1}: 1 where an industrial complex stands, 0 where none does", d.Territory, d.reportComplex)
	case factSubmarines:
		d.reportSubmarines(raw)
	case factSubmerged:
		axisallies.Each(d.Case, name, raw, "{UK: [SZ 8]}: whose TURN it is, and which submarines", d.Power, d.reportSubmerged)
	case axisallies.FactTreasury:
		d.ReportTreasury(raw, d.Power)
	case factPrices:
		axisallies.Each(d.Case, name, raw, "{infantry: 3}: the book's price of a unit that the house rules do not change", d.unit, d.reportPrice)
	case factTechs:
		axisallies.Each(d.Case, name, raw, "{US: [long range aircraft]}; [] for none", d.Power, d.reportTechs)
	case factArtillery:
		axisallies.Each(d.Case, name, raw, "{UK: {NW Europe: 2}}: all artillery of a power, {} for none", d.Power, d.reportArtillery)
	case factUsed, factNew:
		axisallies.Each(d.Case, name, raw, "{UK: [Rodney, 2nd Army]}: units of a power, by the names that the table gives them", d.Power,
			func(at, power string, units []string) { d.reportUnits(at, name, power, units) })
	}
}

// reportComplex: a territory has one industrial complex or none.
func (d *decision) reportComplex(at, territory string, n int) {
	if n != 0 && n != 1 {
		d.ViolateField(at, rules.Input, "%s: a territory holds one industrial complex or none, not %d", territory, n)
		return
	}
	s, _ := d.Board.Territory(territory)
	d.Record(d.Controller(s), &events.FactReported{Fact: factComplexes, Subject: territory, Number: n})
}

func (d *decision) reportPrice(at, unit string, ipcs int) {
	switch house, ok := housePrice(unit); {
	case ok && house != ipcs:
		d.ViolateField(at, "AAR-6-PRICES", "%s costs %d by the house rules, whatever the book says", unit, house)
	case d.InRange(at, ipcs, 1):
		d.Record("", &events.FactReported{Fact: factPrices, Subject: unit, Number: ipcs})
	}
}

// superSubmarines are a technology that matters to its owner's Super Destroyers.
const superSubmarines Tech = "super_submarines"

func techs() []string {
	var names []string
	for _, t := range []Tech{LongRangeAircraft, RadarSonar, SuperDestroyers, superSubmarines, ImprovedShipyards} {
		names = append(names, title(string(t)))
	}
	return names
}

func (d *decision) reportTechs(at, power string, names []string) {
	var told []string
	for _, name := range names {
		tech := strings.ToLower(strings.ReplaceAll(title(name), "/", " "))
		if !slices.Contains(techs(), tech) {
			d.Unknown(d.Command, at, "technology that these rules name", name, techs())
			return
		}
		told = append(told, tech)
	}
	slices.Sort(told)
	d.Record(power, &events.FactReported{Fact: factTechs, Subject: power, Names: slices.Compact(told)})
}

// reportUnits reports units by the names that the table gives them.
func (d *decision) reportUnits(at, fact, power string, units []string) {
	names := slices.Clone(units)
	for i, name := range names {
		if names[i] = strings.TrimSpace(name); names[i] == "" {
			d.ViolateField(at, rules.Input, "a unit of %s has no name", power)
			return
		}
	}
	d.Record(power, &events.FactReported{Fact: fact, Subject: power, Names: names})
}
