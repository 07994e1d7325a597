package aar

import (
	"strings"
	"unicode"
)

// spelt is a name as it is seen: without letters that are not shown, and with one blank between its words. Two names
// that look the same are one (GEN-CARRY).
func spelt(name string) string {
	const blank = '\u2800' // of Braille, which is no space to Unicode
	shown := strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		case r == blank:
			return ' '
		}
		return r
	}, name)
	return strings.Join(strings.Fields(shown), " ")
}

// spelt reads a name as the campaign's edition does.
func (d *decision) spelt(name string) string {
	if d.exact() {
		return spelt(name)
	}
	return name
}

// sameUnit reports whether two names are one unit's. Blanks between its words make no other of it (GEN-CARRY).
func (d *decision) sameUnit(a, b string) bool {
	if d.carries() {
		a, b = strings.Join(strings.Fields(d.spelt(a)), " "), strings.Join(strings.Fields(d.spelt(b)), " ")
	}
	return strings.EqualFold(a, b)
}
