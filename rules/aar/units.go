package aar

import (
	"maps"
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

// exactNames are further ones, and what technologies make of units. In an exact edition all these names are read
// however they are written ([rules.Bare]), also with the power's in front.
var exactNames = map[string]string{
	"tank": "armor", "tanks": "armor", "armour": "armor", "heavy bomber": "bomber", "heavy bombers": "bomber",
	"jet fighter": "fighter", "jet fighters": "fighter", "super destroyer": "destroyer",
	"super destroyers": "destroyer", "fleet carrier": "carrier", "fleet carriers": "carrier",
	"long-range bomber": "bomber", "long-range bombers": "bomber", "field artillery": artillery, "field gun": artillery,
	"howitzer": artillery, "inf": "infantry", "art": artillery, "arm": "armor", "fig": "fighter", "bom": "bomber",
	"trans": "transport", "des": "destroyer", "acc": "carrier", "cv": "carrier", "btl": "battleship",
	"troop transport": "transport", "minor industrial complex": "industrial complex",
	"major industrial complex": "industrial complex",
}

// firmNames are further ones in a firm edition, as [rules.Bare] has them.
var firmNames = map[string]string{"antiaircraftgun": aaGun, "antiaircraft": aaGun, "flakgun": aaGun, "flak": aaGun}

// nations are what a unit's power is called before its name, where its board has another word.
var nations = []string{"british", "american", "german", "japanese", "russian", "soviet"}

// bareUnits are all names of units, as [rules.Bare] has them.
var bareUnits = func() map[string]string {
	all := map[string]string{rules.Bare(aaGun): aaGun}
	for _, one := range kinds() {
		all[rules.Bare(one)] = one
	}
	add := func(list map[string]string) {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			all[rules.Bare(name)] = list[name]
		}
	}
	add(abbreviations)
	add(tableNames)
	add(exactNames)
	return all
}()

// bareUnit gives the unit that a name means however it is written: without articles, brackets and the power's name in
// front, one or more.
func (g game) bareUnit(name string) string {
	name, _, _ = strings.Cut(name, "(")
	words := strings.Fields(strings.ToLower(name))
	for len(words) > 1 && (words[0] == "new" || slices.Contains(nations, words[0]) || g.isPower(words[0])) {
		words = words[1:]
	}
	bare := rules.Bare(strings.Join(words, " "))
	for _, one := range []string{bare, strings.TrimSuffix(bare, "s"), strings.TrimSuffix(bare, "es")} {
		if unit, ok := bareUnits[one]; ok {
			return unit
		} else if unit, ok := firmNames[one]; ok && g.firm() {
			return unit
		}
	}
	return ""
}

// isPower reports whether a word is a power's name, at the table or on the board.
func (g game) isPower(word string) bool {
	if slices.ContainsFunc(g.Powers, func(p string) bool { return strings.EqualFold(p, word) }) {
		return true
	}
	_, err := g.Board.Power(word)
	return err == nil
}

// atTable gives the unit that tables and boards call so, by what the campaign's edition knows of it.
func (d *decision) atTable(name string) (string, bool) {
	if one, ok := tableNames[name]; ok && d.strict() {
		return one, true
	}
	if !d.exact() {
		return "", false
	}
	one := d.bareUnit(name)
	return one, one != ""
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
