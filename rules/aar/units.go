package aar

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// abbreviations are what the house rules themselves call a unit.
var abbreviations = map[string]string{
	"ic": "industrial complex", "complex": "industrial complex", "bc": "battlecruiser", "dd": "destroyer",
	"bmbr": "bomber", "ac": "carrier",
	"aircraft carrier": "carrier", "bb": "battleship", "sub": "submarine", "ftr": "fighter", "trn": "transport",
}

// tableNames are what boards, tables and the text call units besides, one or more.
var tableNames = map[string]string{
	"factory": "industrial complex", "factories": "industrial complex", "infantries": "infantry",
	"aa guns": aaGun, "aagun": aaGun, "aaguns": aaGun,
	"artilleries": artillery, "artillery piece": artillery, "artillery pieces": artillery, "arty": artillery,
	"super sub": "submarine", "super subs": "submarine", "super submarine": "submarine",
	"super submarines": "submarine", "u-boat": "submarine", "u-boats": "submarine",
	"troopship": "transport", "troopships": "transport", "loaded transport": "transport",
	"loaded transports": "transport", "cve": "escort carrier", "strategic bomber": "bomber",
	"strategic bombers": "bomber",
}

// exactNames are further ones, and what technologies make of units.
var exactNames = map[string]string{
	"tank": "armor", "tanks": "armor", "armour": "armor", "heavy bomber": "bomber", "heavy bombers": "bomber",
	"jet fighter": "fighter", "jet fighters": "fighter", "super destroyer": "destroyer",
	"super destroyers": "destroyer", "fleet carrier": "carrier", "fleet carriers": "carrier",
	"long-range bomber": "bomber", "long-range bombers": "bomber",
}

// atTable gives the unit that tables and boards call so, by what the campaign's edition knows of it.
func (d *decision) atTable(name string) (string, bool) {
	if one, ok := tableNames[name]; ok && d.strict() {
		return one, true
	}
	one, ok := exactNames[name]
	return one, ok && d.exact()
}

// kinds are the units on which a rule turns: a price, a limit, what submarines may aim at. Under
// another spelling of its name a unit would get past it.
func kinds() []string { return append(unitTypes(), "industrial complex") }

// unit reads the name of a kind of unit: "escort carrier", in any case, one or more, as the house
// rules write it. A name that is near one of these is refused; any other is a unit of the book, of
// which these rules say nothing.
func (d *decision) unit(field, name string) (string, bool) {
	unit, known := d.kind(name)
	if unit == "" {
		d.ViolateField(field, rules.Input, "%s: a kind of unit has a name, such as escort carrier", field)
		return "", false
	}
	if known {
		return unit, true
	}
	if near := board.Near(unit, kinds()); len(near) > 0 {
		d.ViolateField(field, rules.Input, "there is no unit %q; nearest: %s", name, strings.Join(near, ", "))
		return "", false
	}
	return unit, true
}

// kind gives the unit that a name means, one or more of it, by any of its names, and whether these rules know it.
func (d *decision) kind(name string) (unit string, known bool) {
	name = strings.ToLower(strings.Join(strings.Fields(title(d.spelt(name))), " "))
	if one := singular(name); one != "" {
		return one, true
	}
	if one, ok := d.atTable(name); ok {
		return one, true
	}
	return name, false
}

// singular gives the unit of [kinds] that a name means, one or more, short or long; empty for none.
func singular(name string) string {
	unit := strings.ToLower(name)
	for _, one := range []string{unit, strings.TrimSuffix(unit, "s"), strings.TrimSuffix(unit, "es")} {
		if long, ok := abbreviations[one]; ok {
			one = long
		}
		if slices.Contains(kinds(), one) {
			return one
		}
	}
	return ""
}

// units are counts by kind, of an entry.
type units = rules.Mapping[int]

// unitsOf are the units of an entry, sorted by name.
func unitsOf(given rules.Mapping[int]) []events.Unit {
	var units []events.Unit
	for _, m := range given {
		units = append(units, events.Unit{Name: m.Name, Count: m.Value})
	}
	slices.SortFunc(units, func(a, b events.Unit) int { return strings.Compare(a.Name, b.Name) })
	return units
}
