package narrator

import (
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// disputeText says what is contested, argued and ruled, and what a ruling does to the record.
func disputeText(e *events.Event, p events.Payload) document.Text {
	switch p := p.(type) {
	case *events.DisputeOpened:
		return claimText(e, p)
	case *events.StatementMade:
		return textf("%s on dispute %s: %s", speaker(e), dispute(p.Dispute), stop(p.Text))
	case *events.EvidenceBrought:
		text := textf("%s brings %s into dispute %s", speaker(e), indexes(p.Events), dispute(p.Dispute))
		if p.Note != "" {
			return textf("%s: %s", text, stop(p.Note))
		}
		return textf("%s.", text)
	case *events.DisputeRuled:
		return ruledText(p)
	case *events.Voided:
		return voidedText(p)
	case *events.ConsequenceKept:
		stays, it := "stays as it is", "it"
		if len(p.Events) > 1 {
			stays, it = "stay as they are", "them"
		}
		return textf("%s %s recorded, though %s would change %s. Reason: %s", indexes(p.Events),
			stays, event(p.Cause), it, stop(p.Reason))
	case *events.EditionMoved:
		text := textf("The campaign goes on by edition %s instead of %s", p.Now, p.Was)
		options := rules.Each(p.Options, func(o events.Option) string { return o.Name + " is " + o.Value })
		if len(options) > 0 {
			text = textf("%s: %s", text, and(options))
		}
		return textf("%s. Reason: %s", text, stop(p.Reason))
	case *events.RulesChanged:
		if p.Was.IsZero() {
			return textf("From here on the record says which rules judge: %s.", p.Rules.String()[:12])
		}
		return textf("Another build of the rules judges from here on: %s instead of %s.", p.Rules.String()[:12],
			p.Was.String()[:12])
	case *events.Compensated:
		return compensatedText(p)
	}
	return nil
}

func claimText(e *events.Event, p *events.DisputeOpened) document.Text {
	what := textf("%s", event(p.Event))
	if p.Refused != "" {
		what = textf("the refusal of %q", p.Refused)
	}
	text := textf("%s disputes %s", speaker(e), what)
	if p.Rule != "" {
		text = textf("%s by %s", text, document.Rule(p.Rule))
	}
	return textf("%s: %s", text, stop(p.Claim))
}

func ruledText(p *events.DisputeRuled) document.Text {
	text := textf("The umpire rules on dispute %s: %s", dispute(p.Dispute), Ruling(p.Ruling, p.Scope, ""))
	if len(p.Rules) > 0 {
		text = textf("%s, by %s", text, and(p.Rules))
	}
	if p.Dice != "" {
		text = textf("%s; the dice %s", text, diceNow(p.Dice))
	}
	return textf("%s. Reason: %s", text, stop(p.Reason))
}

// Ruling says what becomes of what was contested: "what was contested stands, as a precedent for the league".
func Ruling(ruling, scope, dice string) string {
	text := ruling
	if said, known := contestedNow[ruling]; known {
		text = "what was contested " + said
	}
	if scope != "" && scope != events.ScopeEvent {
		text += " for the " + scope
	}
	if dice != "" {
		text += ", the dice " + diceNow(dice)
	}
	return text
}

var contestedNow = map[string]string{events.RulingUpheld: "stands", events.RulingVoid: "is struck out",
	events.RulingCorrected: "is corrected", events.RulingPrecedent: "stands, as a precedent"}

// voidedText says what does not stand any more. After a dispute the reason is that of the ruling, which
// stands in the sentence before.
func voidedText(p *events.Voided) document.Text {
	text := voidedAct(p)
	if p.Dispute != 0 {
		return textf("%s, as dispute %s was ruled.", text, dispute(p.Dispute))
	}
	return textf("%s: %s", text, stop(p.Reason))
}

// voidedAct says which act no longer stands, and what stands again for it.
func voidedAct(p *events.Voided) document.Text {
	list := indexes(p.Events)
	switch p.Scope {
	case events.VoidCorrection:
		return textf("The correction (%s) no longer stands, and what stood before it stands again", list)
	case events.VoidRuling:
		return textf("The ruling (%s) no longer stands, with what it ordered; the dispute is open again", list)
	case events.VoidUndo:
		return textf("The undo (%s) no longer stands, and what it took back stands again", list)
	}
	stand := "stand"
	if len(p.Events) == 1 {
		stand = "stands"
	}
	return textf("%s of %q no longer %s", list, p.Command, stand)
}

// ruledAlready says of a correction why it is made. In the step of a ruling that stands in the sentence before; one
// that the umpire makes on account of a dispute, by a command of its own, has a reason of its own too.
func ruledAlready(e *events.Event, p *events.Corrected) document.Text {
	switch {
	case p.Dispute == 0:
		return textf("%s: %s", words.Sentence(p.Code), stop(p.Reason))
	case strings.HasPrefix(e.Command, "correct/"):
		return textf("%s, for dispute %s: %s", words.Sentence(p.Code), dispute(p.Dispute), stop(p.Reason))
	}
	return textf("So dispute %s was ruled.", dispute(p.Dispute))
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

// speaker is who says something, to begin a sentence with.
func speaker(e *events.Event) string {
	if e.Seat == "" {
		return "Somebody"
	}
	return words.Sentence(Seat(e.Seat))
}
