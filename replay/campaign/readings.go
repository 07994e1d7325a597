package campaign

import (
	"slices"

	"github.com/watu-ledger/watu/events"
)

// reading is that somebody looked at what is sealed, in a turn.
type reading struct {
	events.SecretsRead
	turn events.Turn
}

// noteReading keeps who looked, of the newest turn.
func (c *Campaign) noteReading(e *events.Event) {
	r := reading{turn: e.Turn}
	if e.Read(&r.SecretsRead) {
		old := func(x reading) bool { return x.turn != r.turn }
		c.readings = append(slices.DeleteFunc(slices.Clone(c.readings), old), r)
	}
}

// Noted reports whether it stands in the record of this turn that somebody looked at what is sealed.
func (c *Campaign) Noted(r events.SecretsRead) bool {
	turn, _ := c.Game.TurnNow()
	return slices.Contains(c.readings, reading{r, turn})
}
