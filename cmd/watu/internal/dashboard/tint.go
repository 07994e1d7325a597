package dashboard

import "strings"

// tints are the colours of the style sheet by the sides and powers that have them. A power goes by several names, and
// each of its treasuries has its colour.
var tints = map[string]string{
	"Germany": "germany", "European Axis": "germany",
	"Japan": "japan", "Italy": "italy",
	"Russia": "russia", "Soviet Union": "russia",
	"UK": "uk", "Britain": "uk", "UK Pacific": "uk-pacific",
	"US": "us", "United States": "us", "Allies": "us",
	"ANZAC": "anzac", "China": "china", "France": "france",
}

const (
	tintOther  = "other"  // of a power that has no colour of its own, or does not play
	tintNobody = "nobody" // of land that nobody holds
)

// spareTints are for powers of boards that have no colour of their own.
var spareTints = []string{"spare-1", "spare-2", "spare-3", "spare-4", "spare-5", "spare-6"}

// tintOf is the colour of a side, [tintOther] for one without a colour of its own.
func tintOf(side string) string {
	if tint, ok := tints[side]; ok {
		return tint
	}
	for name, tint := range tints {
		if strings.HasPrefix(side, name+" ") {
			return tint
		}
	}
	return tintOther
}
