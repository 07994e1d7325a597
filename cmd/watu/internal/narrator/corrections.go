package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// correctedText says what was corrected in an entry, or what it follows from, and what the correction leaves.
func correctedText(e *events.Event, p *events.Corrected) document.Text {
	changes := rules.Each(p.Changes, Change)
	if p.Dice != "" {
		changes = append(changes, "the dice "+diceNow(p.Dice))
	}
	text := textf("Correction of %s", p.Command)
	switch {
	case p.Cause != 0 && len(changes) == 0:
		text = textf("%s: it follows from %s.", text, event(p.Cause))
	case len(changes) == 0:
		text = textf("%s: heard again on what stands now. %s", text, ruledAlready(e, p))
	default:
		text = textf("%s: %s. %s", text, strings.Join(changes, "; "), ruledAlready(e, p))
	}
	return document.Concat(text, goneText(p), leftText(p.Left))
}

// goneText says which events a correction takes out, but for those that new dice replace.
func goneText(p *events.Corrected) document.Text {
	if len(p.Voids) == 0 || p.Dice != "" {
		return nil
	}
	return textf(" %s no longer %s.", indexes(p.Voids), words.Number(len(p.Voids), "stands", "stand"))
}

// leftText says which later entries a correction does not apply, by the first event of each.
func leftText(list []events.Left) (text document.Text) {
	for _, as := range []struct{ choice, words string }{
		{events.LeftKept, "Kept as recorded"}, {events.LeftUndecided, "Pending, and not decided on"},
		{events.LeftWaits, "Pending, for want of dice, answers or a ruling"},
	} {
		var of []uint64
		for _, l := range list {
			if l.Choice == as.choice {
				of = append(of, l.Event)
			}
		}
		if len(of) > 0 {
			text = textf("%s %s: %s.", text, as.words, indexes(of))
		}
	}
	return text
}

// Unchecked says that it is not known of some later entries whether something is pending there.
func Unchecked(n int) string {
	return words.Count(n, "later entry") + " could not be heard again to the end, for what is sealed to the reader: " +
		"whether anything is pending there is not known."
}

// Decision says in words what becomes of a later entry that a correction changes, or was decided on one that is
// pending.
func Decision(decision string) string {
	switch decision {
	case "", "undecided":
		return "not decided on"
	case "keep":
		return "kept as recorded"
	case "waits":
		return "waits for dice, an answer or a ruling"
	}
	return decision
}

// Change describes a field of an entry before and after a correction: "bombing, damage is 4, was 7".
func Change(c events.Change) string {
	at := Field(c.Field)
	switch {
	case c.Was == "":
		return fmt.Sprintf("%s is %s, was not given", at, Value(c.Now))
	case c.Now == "":
		return fmt.Sprintf("%s is taken out, was %s", at, Value(c.Was))
	case c.Was == "sealed":
		return at + " is another, sealed as before"
	}
	return fmt.Sprintf("%s is %s, was %s", at, Value(c.Now), Value(c.Was))
}

// Figure describes a figure that stands beside what it would be: "net: 11, would be 12".
func Figure(c events.Change) string {
	const nothing = "nothing"
	switch at := Field(c.Field); {
	case c.Now == nothing && at == c.Field && strings.HasPrefix(at, "#"):
		return fmt.Sprintf("%s (%s) would not happen", at, c.Was)
	case c.Was == nothing && at == c.Field && strings.HasPrefix(at, "#"):
		return fmt.Sprintf("before %s there would be another event (%s)", at, c.Now)
	default:
		return fmt.Sprintf("%s: %s, would be %s", at, Value(c.Was), Value(c.Now))
	}
}
