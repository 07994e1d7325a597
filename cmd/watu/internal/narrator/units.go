package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// tellUnits tells what becomes of units on a board.
func tellUnits(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.UnitsReported:
		return fmt.Sprintf("Reported: %s in %s: %s.", p.Power, p.Space, units(p.Units))
	case *events.UnitsLost:
		by := "to"
		if strings.HasPrefix(p.Cause, "an ") { // an air battle
			by = "in"
		}
		said := fmt.Sprintf("%s loses %s %s %s in %s", p.Power, units(p.Units), by, p.Cause, p.Space)
		if p.Chosen != "" {
			said += fmt.Sprintf(", chosen by %s", p.Chosen)
		}
		return said + "."
	}
	return ""
}
