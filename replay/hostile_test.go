package replay_test

import (
	"fmt"
	"math/rand/v2"
	"runtime/debug"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay/review"
)

// corrected plays a campaign with corrections, dice thrown again, a act and a draw.
func corrected(t *testing.T) *harness {
	t.Helper()
	c := newHost(t).open("hostile", "s1", nil)
	answers := c.must("turn: Fall 1941\nentries:\n" +
		"  - {id: cves, facts: {cves: {Atlantic: 13}}}\n" +
		"  - {id: atlantic, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, cards: []}\n" +
		"  - {id: pacific, submarine warfare: {box: Pacific, side: Japan, submarines: 6, asw: 7}, cards: []}\n" +
		"  - {id: radar, facts: {radar: {Germany: 2}}}\n")
	for i, k := range []review.Correction{
		{Event: answers[2].First, Replace: replaced("34", "30")},
		{Event: answers[3].First, Dice: review.DiceRuling{Again: true}},
		{Event: answers[3].First, Dice: review.DiceRuling{Again: true}},
	} {
		k.Code, k.Reason, k.Source = "mistyped", "a slip", []byte(fmt.Sprint(i))
		if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != "allowed" {
			t.Fatal(a, err)
		}
	}
	last := c.must("entries:\n  - {id: slip, facts: {torpedo: {Germany: 3}}}\n")
	if a, err := c.umpire.Undo(c.id.ID, last[0].First, "a slip"); err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	return c
}

// bear hears a forged record and folds it: whatever is wrong with it, it is said, and nothing panics.
func bear(t *testing.T, what string, b *book, list []events.Event) {
	t.Helper()
	defer func() {
		if r := recover(); r != nil {
			t.Errorf("%s: %v\n%s", what, r, debug.Stack())
		}
	}()
	effective(list)
	for _, edition := range []string{"", b.trial.Systems[0].Editions[0].Name} {
		trial := b.trial
		trial.Records, trial.Events, trial.Edition = chained(list), uint64(len(list)), edition
		_, _ = trial.Audit(nil)
		_, _ = trial.Pending()
	}
	for _, p := range everyView {
		v, err := projections.Fold(p, chained(list)(0, uint64(len(list))), b.trial.Openings)
		if err == nil {
			v.Tables()
			projections.Digest(v)
		}
	}
}

// TestForged: a record that no umpire wrote is borne.
func TestForged(t *testing.T) {
	c := corrected(t)
	b := c.book()
	// What a reader may be handed: links for whatever draw there is.
	b.trial = review.Trial{Systems: b.trial.Systems, Board: b.trial.Board, Openings: b.trial.Openings,
		Link: func(uint64, events.Source) (events.Hash, error) { return events.Hash{1}, nil }}
	n := uint64(len(b.all))
	answer := events.Event{Campaign: b.all[0].Campaign, Index: n, Seat: "umpire", Command: "forged", Epoch: 1,
		Edition: b.all[0].Edition, Request: `{"verb":"x","entry":{}}`}
	for i, p := range []events.Payload{
		&events.Corrected{Event: n + 7, Command: "atlantic"},
		&events.Corrected{Event: n, Command: "forged", Voids: []uint64{n, n + 1, 0}},
		&events.Corrected{Event: 0, Command: "open"},
		&events.Corrected{Event: b.all[4].Index, Dice: "thrown again"},
		&events.Voided{Events: []uint64{n + 7}},
		&events.Voided{Events: []uint64{n}},
		&events.Voided{Events: []uint64{0}},
		&events.Voided{},
		&events.DiceRolled{},
		&events.DiceRolled{Declared: n + 3},
		&events.DrawDeclared{Count: -1},
		&events.DrawDeclared{Count: -3, PoolSize: -2},
		&events.ChoiceMade{},
		&events.EditionMoved{Now: "1"},
		&events.OptionRuled{Option: "x"},
	} {
		e := answer
		e.Type, e.Payload = p.Type(), events.EncodePayload(p)
		bear(t, fmt.Sprintf("%d %s %+v", i, p.Type(), p), b, append(b.all[:n:n], e))
		for _, at := range []uint64{1, n / 2} { // and in the place of another
			list := append([]events.Event{}, b.all...)
			e.Index, e.Command = at, list[at].Command
			list[at] = e
			bear(t, fmt.Sprintf("%d at %d %s %+v", i, at, p.Type(), p), b, list)
		}
	}
	for i := range b.all { // a payload that does not read
		list := append([]events.Event{}, b.all...)
		list[i].Payload = "\xff"
		bear(t, fmt.Sprintf("#%d %s unread", i, list[i].Type), b, list)
	}
}

// TestForgedPlaces: events in places that make no sense are borne.
func TestForgedPlaces(t *testing.T) {
	t.Parallel()
	b := corrected(t).book()
	n := uint64(len(b.all))
	r := rand.New(rand.NewPCG(1, 1))
	place := func() uint64 { return r.Uint64N(n + 2) }
	for round := range longrun.Of(60, 300) {
		list := append([]events.Event{}, b.all...)
		for range 1 + r.IntN(4) {
			e := &list[1+r.Uint64N(n-1)]
			switch r.IntN(7) {
			case 0:
				e.Replaces = place()
			case 1:
				e.Corrects = place()
			case 2:
				e.Replaces = e.Index
			case 3:
				e.Type, e.Payload = "voided",
					events.EncodePayload(&events.Voided{Events: []uint64{place(), place(), 0}})
			case 4:
				e.Type, e.Payload = "corrected",
					events.EncodePayload(&events.Corrected{Event: place(), Command: list[r.Uint64N(n)].Command,
						Voids: []uint64{place(), place()}, Dice: "replaced"})
			case 5:
				e.Request, e.Command = list[r.Uint64N(n)].Request, list[r.Uint64N(n)].Command
			case 6:
				other := &list[r.Uint64N(n)]
				e.Type, e.Payload = other.Type, other.Payload
			}
		}
		bear(t, fmt.Sprint("round ", round), b, list)
	}
}
