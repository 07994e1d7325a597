package replay

import (
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// reveal discloses committed facts before the rules would: {"reveal": {"event": 12, "slot":
// "card", "reason": "…"}}. Without a slot, all that the event commits to.
func (u *Umpire) reveal(t *liveCampaign, c rules.Command) ([]campaign.Part, Answer, error) {
	var body campaign.RevealEntry
	var f rules.Findings
	refused := func() ([]campaign.Part, Answer, error) {
		return nil, Answer{Command: c.ID, Verdict: rules.Refused, Violations: f.Violations}, nil
	}
	if !campaign.DecodeExactly(c.Body, &body) {
		f.ViolateField(campaign.VerbReveal, rules.Input, "reveal takes event (a number), slot and reason")
		return refused()
	}
	r := body.Reveal
	if r.Reason == "" {
		f.ViolateField(campaign.VerbReveal, rules.Input, "say why the secret is disclosed: reason: …")
		return refused()
	}
	list, err := u.ledger.Openings(t.campaign.ID, r.Event, r.Event+1)
	if err != nil {
		return nil, Answer{}, err
	}
	p := campaign.Part{Command: c.ID, Seat: c.Seat, Request: &campaign.Request{Verb: c.Verb, Entry: c.Body}}
	for _, o := range list {
		if r.Slot == "" || r.Slot == o.Slot {
			p.Drafts = append(p.Drafts, campaign.Disclosed(o, r.Reason))
		}
	}
	if len(p.Drafts) == 0 {
		f.ViolateField(campaign.VerbReveal, rules.Input, "event %d has nothing sealed in slot %q", r.Event, r.Slot)
		return refused()
	}
	return []campaign.Part{p}, Answer{Command: c.ID, Verdict: rules.Allowed, Events: len(p.Drafts)}, nil
}
