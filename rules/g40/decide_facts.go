package g40

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// The facts that a turn file may report, beside those of all games.
const (
	factWar          = "at war"       // power to powers
	factTechnologies = "technologies" // power to technologies
	factEconomies    = "economies"    // territory to one of the United Kingdom's
	factConvoys      = "convoys"      // sea zone to 0 or 1
	factFacilities   = "facilities"
	factUnits        = "units"
)

func factKeys() []string {
	return slices.Concat([]string{
		axisallies.FactControl, factEconomies, factWar, factTechnologies, factFacilities, factConvoys, factUnits,
	}, combatFacts(), []string{axisallies.FactTreasury})
}

func (d *decision) reportFact(name string, raw json.RawMessage) {
	switch name {
	case axisallies.FactControl:
		d.ReportControl(raw)
	case factEconomies:
		axisallies.Each(d.Case, name, raw, "{Java: Pacific}", d.Territory, d.reportEconomy)
	case factWar:
		axisallies.Each(d.Case, name, raw, "{Japan: [China, UK]}: everybody that it is at war with", d.power, d.reportWar)
	case factTechnologies:
		axisallies.Each(d.Case, name, raw, "{Germany: [rockets]}: every technology that it has", d.power, d.reportTechnologies)
	case factFacilities:
		axisallies.Each(d.Case, name, raw, "{Malta: [air base]}: everything that stands there", d.Territory, d.reportFacilities)
	case factConvoys:
		axisallies.Each(d.Case, name, raw, "{SZ 109: 1}: 1 where there is a convoy symbol, 0 where none is", d.seaZone, d.reportConvoy)
	case factUnits:
		axisallies.Each(d.Case, name, raw, "{Germany: {SZ 109: {submarine: 2}}}", d.power, d.reportUnits)
	case axisallies.FactTreasury:
		d.ReportTreasury(raw, func(at, name string) (string, bool) {
			p, ok := d.purse(at, name)
			return p.treasury, ok
		})
	default:
		d.reportCombat(name, raw)
	}
}

func (d *decision) seaZone(field, name string) (string, bool) {
	s, ok := d.Space(field, name, d.Board.SeaZone)
	return s.Name, ok
}

func (d *decision) reportEconomy(at, territory, name string) {
	e, ok := economyNamed(name)
	if !ok || d.united() == "" {
		d.Unknown(d.Command, at, "economy", name, []string{Europe.title(), Pacific.title()})
		return
	}
	d.Record(d.united(), &events.FactReported{Fact: factEconomies, Subject: territory, Names: []string{e.title()}})
}

func (d *decision) reportWar(at, power string, names []string) {
	p := &events.FactReported{Fact: factWar, Subject: power}
	for i, name := range names {
		other, ok := d.power(fmt.Sprintf("%s[%d]", at, i), name)
		if !ok {
			return
		}
		if other == power || slices.Contains(p.Names, other) {
			d.ViolateField(at, rules.Input, "%s cannot be at war with itself, nor twice with one power", power)
			return
		}
		p.Names = append(p.Names, other)
	}
	d.Record(power, p)
}

func (d *decision) reportTechnologies(at, power string, names []string) {
	p := &events.FactReported{Fact: factTechnologies, Subject: power}
	for i, name := range names {
		t, ok := d.technology(fmt.Sprintf("%s[%d]", at, i), name)
		if !ok {
			return
		}
		if !slices.Contains(p.Names, string(t)) {
			p.Names = append(p.Names, string(t))
		}
	}
	d.Record(power, p)
}

func (d *decision) reportConvoy(at, zone string, n int) {
	if n != 0 && n != 1 {
		d.ViolateField(at, rules.Input, "%s: 1 where there is a convoy symbol, 0 where none is, not %d", zone, n)
		return
	}
	d.Record("", &events.FactReported{Fact: factConvoys, Subject: zone, Number: n})
}

// reportFacilities reads what stands in a territory: a list is all of it, undamaged; a mapping to
// damage changes those that it names and leaves the others.
func (d *decision) reportFacilities(at, territory string, raw json.RawMessage) {
	s, _ := d.Board.Territory(territory)
	p := &events.FacilitiesReported{Territory: territory}
	var list []string
	given := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &list) == nil {
		for _, name := range list {
			given[name] = json.RawMessage("0")
		}
	} else if json.Unmarshal(raw, &given) == nil && len(given) > 0 {
		p.Facilities = d.standing(s)
	} else {
		d.ViolateField(at, rules.Input, "write all that stands in %s: [minor ic, air base], or the damage of some of it: {air base: 3}", territory)
		return
	}
	var told []Facility
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f, ok := d.facilityGiven(at+"."+name, name, given[name])
		if !ok {
			return
		}
		kind := Facility(f.Kind)
		if len(given) < len(list) || slices.ContainsFunc(told, func(o Facility) bool { return o.kind() == kind.kind() }) {
			d.ViolateField(at, "G40-SBR-ONE", "%s has one %s at most", territory, kind.kind())
			return
		}
		told = append(told, kind)
		p.Facilities = slices.DeleteFunc(p.Facilities, func(o events.Facility) bool { return Facility(o.Kind).kind() == kind.kind() })
		p.Facilities = append(p.Facilities, f)
	}
	d.Record(d.holder(s), p)
}

// facilityGiven reads a facility's damage, or {damage: 3, operative: false}.
func (d *decision) facilityGiven(at, name string, raw json.RawMessage) (events.Facility, bool) {
	kind, ok := d.facilityKind(at, name)
	if !ok {
		return events.Facility{}, false
	}
	var state struct {
		Damage    int   `json:"damage"`
		Operative *bool `json:"operative"`
	}
	if json.Unmarshal(raw, &state.Damage) != nil && strictly(raw, &state) != nil {
		d.ViolateField(at, rules.Input, "write the damage of the %s, {%s: 3}, or {%s: {damage: 3, operative: false}}", kind.title(), name, name)
		return events.Facility{}, false
	}
	if state.Damage < 0 || state.Damage > kind.Limit() {
		d.ViolateField(at, rules.Input, "a %s has from 0 to %d damage, not %d", kind.title(), kind.Limit(), state.Damage)
		return events.Facility{}, false
	}
	return events.Facility{Kind: string(kind), Damage: state.Damage, Inoperative: state.Operative != nil && !*state.Operative}, true
}

// strictly reads a mapping that has no keys but those of a struct.
func strictly(raw json.RawMessage, into any) error {
	r := json.NewDecoder(bytes.NewReader(raw))
	r.DisallowUnknownFields()
	return r.Decode(into)
}

// reportUnits reads what a power has, space by space. What is not named stands as it was.
func (d *decision) reportUnits(at, power string, given map[string]map[string]int) {
	if len(given) == 0 {
		d.ViolateField(at, rules.Input, "name spaces: {Germany: {SZ 109: {submarine: 2}}}; where nothing is left write {SZ 109: {}}")
		return
	}
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		s, ok := d.Space(at+"."+name, name, d.Board.Space)
		if !ok {
			return
		}
		if told[s.Name] { // GEN-UNIQUE
			d.ViolateField(at+"."+name, rules.Input, "the units of %s in %s are given twice", power, s.Name)
			return
		}
		told[s.Name] = true
		units, ok := d.unitsGiven(at+"."+name, given[name])
		if !ok {
			return
		}
		d.Record(power, &events.UnitsReported{Power: power, Space: s.Name, Units: units})
	}
}

// unitsGiven reads {submarine: 2, destroyer: 1}, in the order of the game's price list.
func (d *decision) unitsGiven(at string, given map[string]int) ([]events.Unit, bool) {
	count := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		unit, ok := d.unit(at+"."+name, name)
		if !ok || !d.InRange(at+"."+name, given[name], 0) {
			return nil, false
		}
		if count[unit] > 0 { // GEN-UNIQUE
			d.ViolateField(at, rules.Input, "the %s is given twice", unit)
			return nil, false
		}
		count[unit] = given[name]
	}
	var list []events.Unit
	for _, unit := range unitNames() {
		if count[unit] > 0 {
			list = append(list, events.Unit{Name: unit, Count: count[unit]})
		}
	}
	return list, true
}
