package narrator

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// tellUnits tells what becomes of units on a board.
func tellUnits(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.UnitsReported:
		return fmt.Sprintf("Reported: %s in %s: %s.", p.Power, p.Space, units(p.Units))
	case *events.UnitsLost:
		said := fmt.Sprintf("%s loses %s in %s to %s", p.Power, units(p.Units), p.Space, p.Cause)
		if p.Chosen != "" {
			said += fmt.Sprintf(", chosen by %s", p.Chosen)
		}
		return said + "."
	}
	return ""
}

// units counts units by kind: "2 fighter and 1 destroyer".
func units(list []events.Unit) string {
	var parts []string
	for _, u := range list {
		parts = append(parts, fmt.Sprintf("%d %s", u.Count, u.Name))
	}
	return and(parts)
}
