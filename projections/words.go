package projections

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// CountUnits is "1 destroyer", "2 destroyers", "3 infantry", "2 bombers (Bomber Command)". Troops and
// guns by the kind have no plural of their own.
func CountUnits(n int, unit string) string {
	name, given, _ := strings.Cut(unit, " (")
	switch {
	case n == 1 || n == -1 || strings.HasSuffix(name, "s"):
	case strings.HasSuffix(name, "infantry"), strings.HasSuffix(name, "artillery"), strings.HasSuffix(name, "armor"),
		strings.HasSuffix(name, "armour"), strings.HasSuffix(name, "aircraft"):
	case strings.HasSuffix(name, "x"):
		name += "es"
	default:
		name += "s"
	}
	if given != "" {
		name += " (" + given
	}
	return fmt.Sprintf("%d %s", n, name)
}

// UnitsText is "2 destroyers, 3 infantry".
func UnitsText(list []events.Unit) string {
	parts := make([]string, len(list))
	for i, u := range list {
		parts[i] = CountUnits(u.Count, u.Name)
	}
	return strings.Join(parts, ", ")
}

// Facility reads a kind of facility as words: "minor_ic" is a minor IC, for industrial complex.
func Facility(kind string) string {
	return strings.ReplaceAll(strings.ReplaceAll(kind, "_ic", " IC"), "_", " ")
}
