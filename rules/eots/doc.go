// Package eots rules on the submarine warfare variant of Empire of the Sun, rules 11.21 to 11.24:
// where American Sub Bases stand and move, how they are attacked and replaced, what submarine
// warfare does to the Japanese hand and ASPs, and card 5 against troop transports.
//
// Each ruling is a pure function ([SubWarfare], [SLOCPV], [CardDraw], [Place], [Replace],
// [AttackSubBase], [TroopTransports]); [Procedures] offers them as requests in JSON, and [System]
// plays campaigns with the very same functions.
//
// Distances and ranges are in hexes. SWM is the Submarine Warfare Modifier (11.22.B), SLOC PV the
// Sea Lines of Communications Proximity Value of a base (11.22.C), ASP an amphibious shipping
// point. The rest of the game is left to the table, and what the text has lost (11.21.A,
// 11.24.B to E) comes in as facts.
package eots

// The Sub Bases. The Lockwood of Turn 4 and that of Turn 6 are two units of one name.
const (
	Wilkes   = "Wilkes"
	Lockwood = "Lockwood"
	Fife     = "Fife"
)

// subBases are the names in the order in which they enter the game.
func subBases() []string { return []string{Wilkes, Lockwood, Fife} }

// Options are the readings of what the text leaves open; an empty one is the default.
type Options struct {
	Die           string `json:"die"`            // "0-9" or "1-10" (AMB-EOTS-1)
	SWMTiming     string `json:"swm_timing"`     // "segment_start" or "immediate" (AMB-EOTS-4)
	SpacesCounted string `json:"spaces_counted"` // "once" or "each_condition" (AMB-EOTS-5)
}
