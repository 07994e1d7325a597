package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
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
		return tellVoided(p)
	case *events.ConsequenceKept:
		stays, it := "stays as it is", "it"
		if len(p.Events) > 1 {
			stays, it = "stay as they are", "them"
		}
		return fmt.Sprintf("%s %s recorded, though #%d would change %s. Reason: %s", words.Sentence(indexes(p.Events)),
			stays, p.Cause, it, stop(p.Reason))
	case *events.EditionMoved:
		said := fmt.Sprintf("The campaign goes on by edition %s instead of %s", p.Now, p.Was)
		var options []string
		for _, o := range p.Options {
			options = append(options, o.Name+" is "+o.Value)
		}
		if len(options) > 0 {
			said += ": " + and(options)
		}
		return said + ". Reason: " + stop(p.Reason)
	case *events.RulesChanged:
		if p.Was.IsZero() {
			return fmt.Sprintf("From here on the record says which rules judge: %s.", p.Rules.String()[:12])
		}
		return fmt.Sprintf("Another build of the rules judges from here on: %s instead of %s.", p.Rules.String()[:12],
			p.Was.String()[:12])
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
	ruling := "what happened is " + p.Ruling
	if p.Ruling == events.RulingPrecedent {
		ruling = "what happened stands, and is a precedent"
	}
	said := fmt.Sprintf("The umpire rules on dispute #%d: %s", p.Dispute, ruling)
	if p.Scope != events.ScopeEvent {
		said += " for the " + p.Scope
	}
	if len(p.Rules) > 0 {
		said += ", by " + and(p.Rules)
	}
	if p.Dice != "" {
		said += "; the dice " + diceNow(p.Dice)
	}
	return said + ". Reason: " + stop(p.Reason)
}

// Ruling is a ruling in words: "precedent for the league, the dice stand".
func Ruling(ruling, scope, dice string) string {
	if scope != "" && scope != events.ScopeEvent {
		ruling += " for the " + scope
	}
	if dice != "" {
		ruling += ", the dice " + diceNow(dice)
	}
	return ruling
}

// tellVoided tells what does not stand any more. After a dispute the reason is that of the ruling, which
// has just been told.
func tellVoided(p *events.Voided) string {
	said := voidedAct(p)
	if p.Dispute != 0 {
		return fmt.Sprintf("%s, as dispute #%d was ruled.", said, p.Dispute)
	}
	return said + ": " + stop(p.Reason)
}

// voidedAct says which act no longer stands, and what stands again for it.
func voidedAct(p *events.Voided) string {
	list := indexes(p.Events)
	switch p.Scope {
	case events.VoidCorrection:
		return fmt.Sprintf("The correction (%s) no longer stands, and what stood before it stands again", list)
	case events.VoidRuling:
		return fmt.Sprintf("The ruling (%s) no longer stands, with what it ordered; the dispute is open again", list)
	case events.VoidUndo:
		return fmt.Sprintf("The undo (%s) no longer stands, and what it took back stands again", list)
	}
	stand := "stand"
	if len(p.Events) == 1 {
		stand = "stands"
	}
	return fmt.Sprintf("%s of %q no longer %s", words.Sentence(list), p.Command, stand)
}

// ruledAlready says of a correction why it is made. In the step of a ruling that has just been told; one
// that the umpire makes on account of a dispute, by a command of its own, has a reason of its own too.
func ruledAlready(e *events.Event, p *events.Corrected) string {
	switch {
	case p.Dispute == 0:
		return words.Sentence(p.Code) + ": " + stop(p.Reason)
	case strings.HasPrefix(e.Command, "correct/"):
		return fmt.Sprintf("%s, for dispute #%d: %s", words.Sentence(p.Code), p.Dispute, stop(p.Reason))
	}
	return fmt.Sprintf("So dispute #%d was ruled.", p.Dispute)
}

// diceNow says what becomes of dice.
func diceNow(ruled string) string {
	if now, known := diceRuled[ruled]; known {
		return now
	}
	return "are " + ruled
}

var diceRuled = map[string]string{"stand": "stand", "thrown again": "are thrown again",
	"replaced": "are replaced by those of a table"}

// indexes is "#3 to #5 and #9".
func indexes(list []uint64) string { return and(words.Events(list, " to ")) }

// speaker is who says something, to begin a sentence with.
func speaker(e *events.Event) string {
	if e.Seat == "" {
		return "Somebody"
	}
	return words.Sentence(seat(e.Seat))
}
