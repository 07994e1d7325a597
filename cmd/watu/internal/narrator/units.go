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
		text := fmt.Sprintf("%s loses %s to %s in %s", p.Power, units(p.Units), p.Cause, p.Space)
		switch {
		case strings.HasPrefix(p.Cause, "an "): // an air battle
			text = fmt.Sprintf("%s loses %s in %s in %s", p.Power, units(p.Units), p.Cause, p.Space)
		case p.Cause == "a kamikaze strike": // which may have struck elsewhere
			text = fmt.Sprintf("%s loses %s, reported in %s, to %s", p.Power, units(p.Units), p.Space, p.Cause)
		}
		if p.Chosen != "" {
			text += fmt.Sprintf(", chosen by %s", p.Chosen)
		}
		return text + "."
	}
	return ""
}
