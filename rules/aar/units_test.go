package aar

import (
	"maps"
	"testing"

	"github.com/watu-ledger/watu/rules"
)

// However the names of units are written, none means two of them (AAR-6-PRICES).
func TestNamesMeanOneUnit(t *testing.T) {
	for _, list := range []map[string]string{abbreviations, tableNames, exactNames} {
		for name, unit := range maps.All(list) {
			if got := bareUnits[rules.Bare(name)]; got != unit {
				t.Errorf("%q is %s, and read as %s", name, unit, got)
			}
		}
	}
}
