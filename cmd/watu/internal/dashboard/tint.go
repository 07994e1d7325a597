package dashboard

import "strings"

// tints are the colours of the style sheet by the sides and powers that have them. A power goes by several names, and
// each of its treasuries has its colour.
var tints = map[string]string{
	"Germany": "germany", "European Axis": "germany",
	"Japan": "japan", "Italy": "italy",
	"Russia": "russia", "Soviet Union": "russia",
	"UK": "uk", "Britain": "uk",
	"US": "us", "United States": "us", "Allies": "us",
	"ANZAC": "anzac", "China": "china", "France": "france",
}

// tintOf is the colour of a side, "other" for one without a colour of its own.
func tintOf(side string) string {
	if tint, ok := tints[side]; ok {
		return tint
	}
	for name, tint := range tints {
		if strings.HasPrefix(side, name+" ") {
			return tint
		}
	}
	return "other"
}
