// Package aar rules on the house rules of Axis & Allies Revised: convoy raids and the other economic
// attacks (rule 4), D-Day (rule 5), house prices, artillery and battleships (rule 6) and the hunt for
// submarines (rule 7), by themselves and in a campaign that is played on a board.
//
// What a campaign holds binds its later entries (GEN-CARRY): bombs and rockets throw their damage at complexes, AA guns
// fire once in a space and TURN, what was bought is placed and is on the board then, and D-Day knows what was used.
//
// [Raid], [EconomicCap], [DDay], [Purchase] and [Detect] are the rulings; [Procedures] offers them as
// requests in JSON, and [System] plays campaigns with the very same functions. All figures are in IPCs.
// A TURN is one power's, a ROUND all powers'. The map is the board's
// ([github.com/watu-ledger/watu/rules/board]); movement, and combat beyond the hunt for submarines and
// AA fire, are left to the table.
package aar

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// Power is a power, as the house rules name it.
type Power string

// The powers.
const (
	UK      Power = "UK"
	US      Power = "US"
	Russia  Power = "Russia"
	Germany Power = "Germany"
	Japan   Power = "Japan"
	Italy   Power = "Italy"
)

// powers are all powers, in the order of the contract.
func powers() []Power { return []Power{UK, US, Russia, Germany, Japan, Italy} }

func powerNames() []string {
	return rules.Each(powers(), func(p Power) string { return string(p) })
}

// subject reports whether complexes of a power can be raided at all (AAR-4-SUBJECT).
func subject(p Power) bool { return p == UK || p == US || p == Japan }

// enemies reports whether two powers are on different sides.
func enemies(a, b Power) bool {
	axis := []Power{Germany, Japan, Italy}
	return slices.Contains(powers(), a) && slices.Contains(powers(), b) &&
		slices.Contains(axis, a) != slices.Contains(axis, b)
}
