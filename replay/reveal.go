package replay

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// revealEntry is an entry `reveal`.
type revealEntry struct {
	Reveal struct {
		Event  uint64 `json:"event"`
		Slot   string `json:"slot,omitempty"`
		Reason string `json:"reason"`
	} `json:"reveal"`
}

// disclosed is the draft of one fact disclosed.
func disclosed(o events.Opening, reason string) rules.Draft {
	return rules.Draft{
		Payload:    &events.Opened{Event: o.Index, Slot: o.Slot, Fact: o.Fact, Reason: reason},
		Derivation: []events.Citation{{Rule: "GEN-SECRET", Step: "the umpire discloses what was committed"}},
		Opens:      []events.Ref{{Index: o.Index, Slot: o.Slot}},
	}
}

// revealed holds a disclosure to the entry that asked for it, which stands on the first event of its command.
func (b *trialRun) revealed(e *events.Event) []Finding {
	if e.Request != "" {
		b.reveal = e
	}
	var p events.Opened
	var entry revealEntry
	if !e.Read(&p) || b.reveal == nil || b.reveal.Command != e.Command ||
		!campaign.DecodeExactly(campaign.RequestIn(b.reveal).Entry, &entry) {
		return []Finding{outside(e, "request", "another", "an entry that discloses this")}
	}
	r := entry.Reveal
	if r.Slot == "" {
		r.Slot = p.Slot
	}
	fact := b.known[events.Ref{Index: r.Event, Slot: r.Slot}].Fact
	found, _ := rehear.Compare(b.record([]events.Event{*e}),
		[]rules.Draft{disclosed(events.Opening{Index: r.Event, Slot: r.Slot, Fact: fact}, r.Reason)}, false)
	return found
}

// reveal discloses committed facts before the rules would: {"reveal": {"event": 12, "slot":
// "card", "reason": "…"}}. Without a slot, all that the event commits to.
func (u *Umpire) reveal(t *liveCampaign, c rules.Command) ([]campaign.Part, Answer, error) {
	var body revealEntry
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
			p.Drafts = append(p.Drafts, disclosed(o, r.Reason))
		}
	}
	if len(p.Drafts) == 0 {
		f.ViolateField(campaign.VerbReveal, rules.Input, "event %d has nothing sealed in slot %q", r.Event, r.Slot)
		return refused()
	}
	return []campaign.Part{p}, Answer{Command: c.ID, Verdict: rules.Allowed, Events: len(p.Drafts)}, nil
}
