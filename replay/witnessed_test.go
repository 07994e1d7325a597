package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/beacon"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// witnessed is a campaign with dice by a beacon, in which a roll awaits its round, and the clock of its host.
type witnessed struct {
	*harness
	moon
	now *time.Time
}

func newWitnessed(t *testing.T) witnessed {
	t.Helper()
	d, now := newHost(t), time.Unix(1_800_000_000, 0)
	w := witnessed{moon: newMoon(t), now: &now}
	d.umpire.SetClock(func() time.Time { return *w.now })
	w.harness = d.openWith(replay.NewCampaign{Name: "fair", System: "awaw", Dice: campaign.Beacon, Beacon: w.Beacon,
		Witnesses: w.policy()})
	w.submit(beaconPlay)
	return w
}

// awaited is the roll that awaits its round.
func (w witnessed) awaited() *campaign.Question {
	w.t.Helper()
	open := w.harness.now().Open
	if open == nil || open.Roll == nil || !open.Roll.Awaits() {
		w.t.Fatalf("no roll awaits a round: %+v", open)
	}
	return open
}

// falls hands in the round that is awaited, with a note from before.
func (w witnessed) falls() {
	w.t.Helper()
	n := w.awaited().Roll.Round
	note := w.cosigned(w.harness, w.harness.now().Next, w.Time(n)-1)
	a, err := w.round(replay.RoundCome{Number: n, Signature: w.Signature(n), Note: note})
	if err != nil || a.Verdict != rules.Allowed {
		w.t.Fatalf("%+v, %v", a, err)
	}
}

// lapses lets the roll lapse as often as it may.
func (w witnessed) lapses() {
	w.t.Helper()
	for range beacon.MostLapses {
		n := w.awaited().Roll.Round
		*w.now = time.Unix(w.Time(n)+60, 0)
		if a, err := w.lapse(n); err != nil || a.Verdict != rules.Asked {
			w.t.Fatalf("%+v, %v", a, err)
		}
	}
}

// forged is the campaign's file for the umpire with these events in it, hashed anew, and signed by nobody.
func (c *harness) forged(list []events.Event) *bundle.File {
	f := c.fileFor(bundle.Umpire, c.now().Next)
	f.Events, f.Header.Head = nil, events.Hash{}
	for i, e := range list {
		e.Index, e.Previous = uint64(i), f.Header.Head
		f.Events = append(f.Events, e.Encode())
		f.Header.Head = events.LeafHash(f.Events[i])
	}
	f.Header.Events = uint64(len(list))
	return f
}

// finds wants each of the texts among what is found in a file with these events.
func (c *harness) finds(list []events.Event, want ...string) {
	c.t.Helper()
	found := c.found(c.forged(list))
	for _, text := range want {
		if !slices.ContainsFunc(found, func(f string) bool { return strings.Contains(f, text) }) {
			c.t.Errorf("it is not found that %s, but\n%s", text, strings.Join(found, "\n"))
		}
	}
}

// like is an event in the place and phase of another, that an entry of its own led to.
func like(e events.Event, command, verb, entry string, p events.Payload) events.Event {
	e.Type, e.Payload, e.Command, e.Seat, e.Side = p.Type(), events.EncodePayload(p), command, campaign.UmpireSeat, ""
	e.Request = fmt.Sprintf(`{"verb":%q,"entry":%s}`, verb, entry)
	e.Derivation, e.Commitments, e.Openings, e.Corrects, e.Replaces = nil, nil, nil, 0, 0
	return e
}
