package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// tellDispute tells what is contested, said and ruled, and what a ruling does to the record.
func tellDispute(e *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.DisputeOpened:
		return tellClaim(e, p)
	case *events.StatementMade:
		return fmt.Sprintf("%s on dispute #%d: %s", speaker(e), p.Dispute, stop(p.Text))
	case *events.EvidenceBrought:
		said := fmt.Sprintf("%s brings %s into dispute #%d", speaker(e), indexes(p.Events), p.Dispute)
		if p.Note != "" {
			return said + ": " + stop(p.Note)
		}
		return said + "."
	case *events.DisputeRuled:
		return tellRuled(p)
	case *events.Voided:
		stand := "stand"
		if len(p.Events) == 1 {
			stand = "stands"
		}
		return fmt.Sprintf("%s of %q no longer %s: %s", sentence(indexes(p.Events)), p.Command, stand, stop(p.Reason))
	case *events.EditionMoved:
		said := fmt.Sprintf("The campaign goes on by edition %s instead of %s", p.Now, p.Was)
		for _, o := range p.Options {
			said += fmt.Sprintf("; %s is %s", o.Name, o.Value)
		}
		return said + ": " + stop(p.Reason)
	case *events.Compensated:
		return tellCompensated(p)
	}
	return ""
}

func tellClaim(e *events.Event, p *events.DisputeOpened) string {
	what := fmt.Sprintf("#%d", p.Event)
	if p.Refused != "" {
		what = fmt.Sprintf("the refusal of %q", p.Refused)
	}
	said := fmt.Sprintf("%s disputes %s", speaker(e), what)
	if p.Rule != "" {
		said += " by " + p.Rule
	}
	return said + ": " + stop(p.Claim)
}

func tellRuled(p *events.DisputeRuled) string {
	ruling, known := map[string]string{
		events.RulingUpheld: "what happened is upheld", events.RulingCorrected: "what happened is corrected",
		events.RulingVoid: "what happened is void", events.RulingPrecedent: "what happened stands, and is a precedent",
	}[p.Ruling]
	if !known {
		ruling = p.Ruling
	}
	said := fmt.Sprintf("Dispute #%d is ruled: %s", p.Dispute, ruling)
	if len(p.Rules) > 0 {
		said += " by " + strings.Join(p.Rules, ", ")
	}
	if p.Scope != events.ScopeEvent {
		said += ", for the " + p.Scope
	}
	if p.Dice != "" {
		said += "; the dice " + diceNow(p.Dice)
	}
	return said + ": " + stop(p.Reason)
}

// diceNow says what becomes of dice.
func diceNow(ruled string) string {
	if now, known := diceRuled[ruled]; known {
		return now
	}
	return "are " + ruled
}

var diceRuled = map[string]string{"stand": "stand", "thrown again": "are thrown again", "replaced": "are replaced by those of a table"}

// indexes is "#3 to #5 and #9".
func indexes(list []uint64) string {
	var parts []string
	for i := 0; i < len(list); i++ {
		first := list[i]
		for i+1 < len(list) && list[i+1] == list[i]+1 {
			i++
		}
		if list[i] == first {
			parts = append(parts, fmt.Sprintf("#%d", first))
		} else {
			parts = append(parts, fmt.Sprintf("#%d to #%d", first, list[i]))
		}
	}
	return and(parts)
}

// speaker is who says something, to begin a sentence with.
func speaker(e *events.Event) string {
	if e.Seat == "" {
		return "Somebody"
	}
	return sentence(seat(e.Seat))
}
