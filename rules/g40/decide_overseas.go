package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules/board"
)

// warnOfSea warns of an attack by more than aircraft that can come by sea alone, and does not say from which sea zone:
// nobody scrambles there or strikes, and no submarine is in the way (G40-SCR-WHY, G40-KAM-WHEN, G40-SUB-UNLOAD).
func (d *decision) warnOfSea(attacker, from string, units []events.Unit, space board.Space) {
	flies := len(units) > 0 && !slices.ContainsFunc(units, func(u events.Unit) bool { return !aircraft(u.Name) })
	if from == "" && !space.Water && !flies && d.overseas(space, attacker) {
		d.Warn("no friend of %s holds land from which %s can be attacked: units that come by sea want the sea zone, "+
			"from: %s. Without it nobody scrambles or makes kamikaze strikes against the landing, and no submarine is "+
			"in its way (G40-SCR-WHY, G40-KAM-WHEN, G40-SUB-UNLOAD)",
			attacker, space.Name, words.Or(d.zonesBeside(space)))
	}
}

// overseas reports whether a territory is on land of which friends of a power hold nothing else.
func (g game) overseas(s board.Space, power string) bool {
	land := []string{s.Name}
	for i := 0; i < len(land); i++ {
		for _, n := range g.At(land[i]).Neighbours {
			switch t := g.At(n); {
			case t.Water || slices.Contains(land, n):
			case g.friends(g.holder(t), power):
				return false
			default:
				land = append(land, n)
			}
		}
	}
	return true
}
