package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/rules"
)

// units counts units by kind: "2 fighters and 1 destroyer".
func units(list []events.Unit) string {
	return and(rules.Each(list, func(u events.Unit) string { return projections.CountUnits(u.Count, plain(u.Name)) }))
}

// plain is a name of a kind in words: "air base" for "air_base".
func plain(kind string) string {
	switch kind {
	case "major_ic":
		return "major industrial complex"
	case "minor_ic":
		return "minor industrial complex"
	case "aa_gun":
		return "AA gun"
	}
	return strings.ReplaceAll(kind, "_", " ")
}

// boat is what a submarine is called: one without a name of its own by its number in its sea zone, for "SZ 8 #1" names
// the zone in another way than the board does, and looks like an event.
func boat(name string) string {
	if zone, n, numbered := strings.Cut(name, " #"); numbered && strings.ContainsAny(zone, "0123456789") {
		return "submarine " + n
	}
	return "submarine " + name
}

// a puts the article before a name: "an air base".
func a(name string) string {
	if name != "" && strings.Contains("aeioAEIO", name[:1]) {
		return "an " + name
	}
	return "a " + name
}

// land is a territory and whose it is, where its name does not say so: "Scotland (UK)", "Japan".
func land(territory, of string) string {
	if of == "" || of == territory {
		return territory
	}
	return fmt.Sprintf("%s (%s)", territory, of)
}

// side is how a sentence calls a side, but at its beginning: "the Allies", "Japan".
func side(name string) string {
	if several(name) {
		return "the " + name
	}
	return name
}

// sides are sides as a sentence calls them.
func sides(names []string) []string {
	return rules.Each(names, side)
}

// does is a side that begins a sentence, and what it does: "The Allies roll", "Japan rolls".
func does(name, verb string) string {
	if several(name) {
		return "The " + name + " " + verb
	}
	return name + " " + verb + "s"
}

// several reports whether a side goes by a name in the plural.
func several(name string) bool { return name == "Allies" }
