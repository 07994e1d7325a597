package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// tellCorrected tells what was corrected in an entry, or what it follows from, and what the correction leaves.
func tellCorrected(e *events.Event, p *events.Corrected) string {
	var changes []string
	for _, c := range p.Changes {
		changes = append(changes, Change(c))
	}
	if p.Dice != "" {
		changes = append(changes, "the dice "+diceNow(p.Dice))
	}
	what, why := "Correction of "+p.Command, " "+ruledAlready(e, p)
	switch {
	case p.Cause != 0 && len(changes) == 0:
		what, why = fmt.Sprintf("%s: it follows from #%d.", what, p.Cause), ""
	case len(changes) == 0:
		what += ": heard again on what stands now."
	default:
		what += ": " + strings.Join(changes, "; ") + "."
	}
	return what + why + tellLeft(p.Left)
}

// tellLeft says which later entries a correction does not apply, by the first event of each.
func tellLeft(list []events.Left) string {
	var kept, waits []uint64
	for _, l := range list {
		if l.Choice == events.LeftWaits {
			waits = append(waits, l.Event)
		} else {
			kept = append(kept, l.Event)
		}
	}
	said := ""
	if len(kept) > 0 {
		said += fmt.Sprintf(" Kept as recorded: %s.", indexes(kept))
	}
	if len(waits) > 0 {
		said += fmt.Sprintf(" Pending, for want of dice, answers or a ruling: %s.", indexes(waits))
	}
	return said
}

// Change tells a field of an entry before and after a correction.
func Change(c events.Change) string {
	switch {
	case c.Was == "":
		return fmt.Sprintf("%s is %s, was not given", c.Field, c.Now)
	case c.Now == "":
		return fmt.Sprintf("%s is taken out, was %s", c.Field, c.Was)
	case c.Was == "sealed":
		return c.Field + " is another, sealed as before"
	}
	return fmt.Sprintf("%s is %s, was %s", c.Field, c.Now, c.Was)
}
