package aar

import (
	"regexp"
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

// ofBoats is what stands before a submarine's name, and what U-boats are called that have a number alone.
var (
	ofBoats  = regexp.MustCompile(`(?i)^(?:sub|submarine|u[- ]?boat)[ -]+(.*\pL.*)$`)
	numbered = regexp.MustCompile(`(?i)^u[- ]?boat[ -]*([0-9]+)$`)
)

// key is what a submarine is known by: in an exact edition however its name is written, and in a firm one also by what
// it is, sub U-96 or UBoat 96 (GEN-CARRY).
func (g game) key(name string) string {
	switch {
	case g.firm():
		name = numbered.ReplaceAllString(rules.Shown(name), "U-$1")
		return rules.Plain(ofBoats.ReplaceAllString(name, "$1"))
	case g.exact():
		return rules.Bare(name)
	}
	return strings.ToLower(name)
}

// sameBoat reports whether two names are one submarine's.
func (g game) sameBoat(a, b string) bool {
	return g.exact() && g.key(a) == g.key(b) || g.sameUnit(a, b)
}

// sameUnit reports whether two names are one unit's. Neither blanks between its words make another of it, nor, in an
// exact edition, another way of writing it (GEN-CARRY).
func (g game) sameUnit(a, b string) bool {
	switch {
	case g.firm():
		return rules.Plain(a) == rules.Plain(b)
	case g.exact():
		return rules.Bare(a) == rules.Bare(b)
	case g.carries():
		a, b = strings.Join(strings.Fields(a), " "), strings.Join(strings.Fields(b), " ")
	}
	return strings.EqualFold(a, b)
}
