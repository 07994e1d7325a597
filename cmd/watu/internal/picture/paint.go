package picture

import (
	"regexp"
	"strings"
)

var (
	property = regexp.MustCompile(`(--[a-z0-9-]+): ([^;{}]+);`)
	filling  = regexp.MustCompile(`\.f-([a-z0-9-]+) \{([^}]*)\}`)
	pair     = regexp.MustCompile(`^light-dark\(([^,]+), ([^)]+)\)$`)
	variable = regexp.MustCompile(`^var\((--[a-z0-9-]+)\)$`)
)

// Paints are colours by name, on light paper and on dark: "--ink" is a token of the style sheet, "f-uk" the fill of a
// power, and "on-uk" what is read on it.
type Paints struct{ Light, Dark map[string]string }

// PaintsOf reads the colours of a style sheet. A picture is no part of a page, and the sheet does not reach it: it is
// painted with the same colours.
func PaintsOf(sheet string) Paints {
	return Paints{paintsOf(sheet, false), paintsOf(sheet, true)}
}

func paintsOf(sheet string, dark bool) map[string]string {
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
	return p
}

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
