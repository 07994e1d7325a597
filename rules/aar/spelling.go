package aar

import (
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// spelt reads a name as the campaign's edition does: as it is seen, or as it came.
func (g game) spelt(name string) string {
	if g.exact() {
		return rules.Shown(name)
	}
	return name
}

// key is what a submarine is known by: in an exact edition however its name is written (GEN-CARRY).
func (g game) key(name string) string {
	if g.exact() {
		return rules.Bare(name)
	}
	return strings.ToLower(name)
}

// sameUnit reports whether two names are one unit's. Neither blanks between its words make another of it, nor, in an
// exact edition, another way of writing it (GEN-CARRY).
func (g game) sameUnit(a, b string) bool {
	switch {
	case g.exact():
		return rules.Bare(a) == rules.Bare(b)
	case g.carries():
		a, b = strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " ")
	}
	return strings.EqualFold(a, b)
}
