package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// unitsText says what becomes of units on a board.
func unitsText(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.UnitsReported:
		text := fmt.Sprintf("Reported: %s in %s: %s", p.Power, p.Space, units(p.Units))
		if len(p.Damaged) > 0 {
			text += "; damaged: " + units(p.Damaged)
		}
		return text + "."
	case *events.UnitsLost:
		by := "to"
		if strings.HasPrefix(p.Cause, "an ") { // an air battle
			by = "in"
		}
		text := fmt.Sprintf("%s loses %s %s %s in %s", p.Power, units(p.Units), by, p.Cause, p.Space)
		if p.Chosen != "" {
			text += fmt.Sprintf(", chosen by %s", p.Chosen)
		}
		return text + "."
	}
	return ""
}
