package dashboard

import (
	"regexp"
	"strings"
	"sync"
)

// A picture is no part of a page: the style sheet does not reach it. It is painted with the same colours, read from the
// sheet when the first picture is drawn.

var (
	property = regexp.MustCompile(`(--[a-z0-9-]+): ([^;{}]+);`)
	filling  = regexp.MustCompile(`\.f-([a-z0-9-]+) \{([^}]*)\}`)
	pair     = regexp.MustCompile(`^light-dark\(([^,]+), ([^)]+)\)$`)
	variable = regexp.MustCompile(`^var\((--[a-z0-9-]+)\)$`)
)

// paints are the colours on light paper, and on dark: "--ink" is a token of the sheet, "f-uk" the fill of a power, and
// "on-uk" what is read on it.
var paints = sync.OnceValue(func() map[bool]map[string]string {
	sheet := string(sheets["watu.css"].data)
	out := map[bool]map[string]string{}
	for _, dark := range []bool{false, true} {
		p := map[string]string{}
		_, root, _ := strings.Cut(sheet, ":root {")
		root, _, _ = strings.Cut(root, "}")
		for _, m := range property.FindAllStringSubmatch(root, -1) {
			p[m[1]] = colour(m[2], dark, p)
		}
		for _, m := range filling.FindAllStringSubmatch(sheet, -1) {
			for _, own := range property.FindAllStringSubmatch(m[2], -1) {
				switch own[1] {
				case "--fill":
					p["f-"+m[1]] = colour(own[2], dark, p)
				case "--on":
					p["on-"+m[1]] = colour(own[2], dark, p)
				}
			}
		}
		out[dark] = p
	}
	return out
})

// colour resolves a value of the sheet.
func colour(value string, dark bool, known map[string]string) string {
	if m := pair.FindStringSubmatch(value); m != nil {
		value = m[1]
		if dark {
			value = m[2]
		}
	}
	if m := variable.FindStringSubmatch(value); m != nil {
		return known[m[1]]
	}
	return value
}
