package replay_test

import (
	"fmt"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
)

// suppose plays a campaign again and closes what was kept of it when the test ends.
func (c *campaign) suppose(s replay.Supposition) (*replay.Hypothesis, error) {
	c.t.Helper()
	h, err := c.umpire.WhatIf(c.id.ID, s)
	if err == nil {
		c.t.Cleanup(func() { h.Close() })
	}
	return h, err
}

// unchanged holds the law: with nothing changed a hypothesis is the record, event for event.
func (c *campaign) unchanged(at uint64) {
	c.t.Helper()
	h, err := c.suppose(replay.Supposition{At: at})
	if err != nil {
		c.t.Fatalf("from #%d: %v", at, err)
	}
	for _, u := range h.Unheard {
		c.t.Errorf("from #%d (%d): %s %q came to nothing: %s %v", at, h.From, u.Verb, u.Command, u.Say, u.Violations)
	}
	for _, d := range h.Differences {
		c.t.Errorf("from #%d (%d): %v\n%+v\n%+v", at, h.From, d.Fields, d.Recorded, d.Hypothetical)
	}
	if h.First != nil || len(h.Fresh) > 0 {
		c.t.Errorf("from #%d: %d rolls are new", at, len(h.Fresh))
	}
	recorded := c.all()
	if h.Events() != uint64(len(recorded)) {
		c.t.Fatalf("from #%d: %d events, and %d in the record", at, h.Events(), len(recorded))
	}
	for r, err := range h.Records() {
		if err != nil {
			c.t.Fatal(err)
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			c.t.Fatal(err)
		}
		if was, is := plainly(&recorded[r.Index]), plainly(&e); was != is {
			c.t.Fatalf("from #%d: event %d is\n%s\ninstead of\n%s", at, r.Index, is, was)
		}
	}
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// plainly is what an event says, apart from its names, times, salts and links.
func plainly(e *events.Event) string {
	payload := e.Payload
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.EpochBegun:
		p.Chains = nil
		payload = events.EncodePayload(p)
	}
	var slots, opened []string
	for _, c := range e.Commitments {
		slots = append(slots, c.Slot)
	}
	for _, o := range e.Openings {
		opened = append(opened, fmt.Sprint(o.Index, o.Slot, o.Fact))
	}
	return fmt.Sprintf("%d %s %v %q %q %q %q %d %x %v %q %q %d", e.Index, e.Type, e.Turn, e.Phase, e.Seat, e.Side, e.Command, e.Epoch,
		payload, e.Derivation, slots, opened, e.Corrects)
}

// TestWhatIfNothing: over simulations of every system, from the beginning and from anywhere.
func TestWhatIfNothing(t *testing.T) {
	check := func(p *player) {
		p.c.unchanged(0)
		for range 3 {
			p.c.unchanged(uint64(p.IntN(int(p.c.at().Next))))
		}
	}
	for seed := range uint64(2) {
		for _, c := range manners(fmt.Sprintf("simulation-%d", seed), newDesk(t), newDesk(t)) {
			check(playOut(t, c[0], seed))
		}
		for _, name := range []string{"pacific-patrol-1942", "second-front-1944", "two-oceans-1941"} {
			check(playOut(t, newDesk(t).recited(name, fmt.Sprintf("%s-%d", name, seed), "simulation", seed%2 == 1), seed))
		}
	}
}
