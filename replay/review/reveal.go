package review

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/rules"
)

// revealed holds a disclosure to the entry that asked for it, which stands on the first event of its command.
func (b *trialRun) revealed(e *events.Event) []Finding {
	if e.Request != "" {
		b.reveal = e
	}
	var p events.Opened
	var entry campaign.RevealEntry
	if !e.Read(&p) || b.reveal == nil || b.reveal.Command != e.Command ||
		!campaign.DecodeExactly(campaign.RequestIn(b.reveal).Entry, &entry) {
		return []Finding{envelopeFinding(e, "request", "another", "an entry that discloses this")}
	}
	r := entry.Reveal
	if r.Slot == "" {
		r.Slot = p.Slot
	}
	fact := b.known[events.Ref{Index: r.Event, Slot: r.Slot}].Fact
	found, _ := rehear.Compare(b.record([]events.Event{*e}),
		[]rules.Draft{campaign.Disclosed(events.Opening{Index: r.Event, Slot: r.Slot, Fact: fact}, r.Reason)}, false)
	return found
}
