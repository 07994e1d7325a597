package replay_test

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// dispute tells what is contested, said, shown and ruled.
func dispute(p events.Payload) string {
	switch p := p.(type) {
	case *events.DisputeOpened:
		s := fmt.Sprintf("%d", p.Event)
		if p.Refused != "" {
			s = fmt.Sprintf("refusal of %s (%s) after %d", p.Refused, p.Verb, p.Event)
		}
		if p.Rule != "" {
			s += " by " + p.Rule
		}
		for _, v := range p.Violations {
			s += fmt.Sprintf("; %s %s", v.Rule, v.Step)
		}
		if p.Entry != "" {
			s += "; entry " + p.Entry
		}
		return s + ": " + p.Claim
	case *events.StatementMade:
		return fmt.Sprintf("on %d: %s", p.Dispute, p.Text)
	case *events.EvidenceBrought:
		return strings.TrimSuffix(fmt.Sprintf("on %d: %v, %s", p.Dispute, p.Events, p.Note), ", ")
	case *events.DisputeRuled:
		s := fmt.Sprintf("%d is %s for the %s by %v", p.Dispute, p.Ruling, p.Scope, p.Rules)
		if p.Dice != "" {
			s += ", dice " + p.Dice
		}
		return s + ": " + p.Reason
	}
	return ""
}
