package review

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// JudgedElsewhere begins why what another build judged is not checked.
const JudgedElsewhere = "judged by another build"

// judgedElsewhere says by which rules the command that begins with an event was judged, if not by those that this
// program has; empty if by them, or if the record does not say.
func (b *trialRun) judgedElsewhere(c *campaign.Campaign, e *events.Event) string {
	switch e.Type {
	case "campaign_opened", "edition_moved", "rules_changed":
		return ""
	}
	is := c.Fingerprint()
	if b.trial.Edition != "" || !is.IsZero() && (c.Rules.IsZero() || c.Rules == is) {
		return ""
	}
	ours := "those of this watu are " + is.String()[:12]
	if is.IsZero() {
		ours = "this watu does not have that edition"
	}
	return fmt.Sprintf("#%d: %s, by the rules %s; %s", e.Index, JudgedElsewhere, c.Rules.String()[:12], ours)
}

// excuse makes what comes out otherwise than another build recorded not checked: neither is proved wrong by that.
func (h *Heard) excuse(elsewhere string, strays int) {
	if elsewhere == "" || len(h.Findings) == strays {
		return
	}
	h.Findings, h.Derived = h.Findings[:strays], nil
	h.Unchecked, h.Uncertain = elsewhere, nil
}

// pinnedAgain holds a change of rules to the campaign.
func (b *trialRun) pinnedAgain(h *Heard) {
	var p events.RulesChanged
	if e := &b.heard[0]; e.Read(&p) { // what a later program says beside is not compared
		e.Payload, p.Was = events.EncodePayload(&p), b.pinned
		h.hold(b.record(b.heard), []rules.Draft{{Payload: &p}}, false)
	}
}
