package picture

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

// Tints of those who are no power at play.
const (
	Other  = "other"  // of a power that has no colour of its own, or does not play
	Nobody = "nobody" // of land that nobody holds
)

// Spares are for powers of boards that have no colour of their own.
var Spares = []string{"spare-1", "spare-2", "spare-3", "spare-4", "spare-5", "spare-6"}

// Tint is the colour of a side, [Other] for one without a colour of its own.
func Tint(side string) string {
	if tint, ok := tints[side]; ok {
		return tint
	}
	for name, tint := range tints {
		if strings.HasPrefix(side, name+" ") {
			return tint
		}
	}
	return Other
}
