package report

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
)

// meant is the phase of an event as it is found by looking ahead for this one alone.
func meant(list []events.Event, e *events.Event) string {
	if !strings.HasSuffix(string(e.Type), "_reported") {
		return e.Phase
	}
	for _, next := range list[e.Index:] {
		switch {
		case next.Turn.Ordinal != e.Turn.Ordinal:
			return e.Phase
		case next.Type == "phase_advanced":
			return next.Phase
		case !strings.HasSuffix(string(next.Type), "_reported"):
			return e.Phase
		}
	}
	return e.Phase
}

// The phases that reports are meant for, found once for all, are those that each finds by itself.
func TestPhasesAhead(t *testing.T) {
	const seed = 48
	kinds := []events.Type{"fact_reported", "units_reported", "fact_reported", "phase_advanced", "turn_advanced",
		"dice_rolled"}
	random := rand.New(rand.NewPCG(seed, seed))
	ahead := 0
	for range 200 {
		var list []events.Event
		ordinal, phase := uint64(1), "a"
		for i := range 40 {
			kind := kinds[random.IntN(len(kinds))]
			switch kind {
			case "turn_advanced":
				ordinal++
			case "phase_advanced":
				phase = string(rune('a' + random.IntN(5)))
			}
			list = append(list, events.Event{Index: uint64(i), Type: kind, Phase: phase,
				Turn: events.Turn{Ordinal: ordinal}})
		}
		all := newBuilder(Record{Events: list})
		for i := range list {
			want := meant(list, &list[i])
			if got := all.phaseOf(&list[i]); got != want {
				t.Fatalf("#%d of %+v: %q and not %q", i, list, got, want)
			}
			if want != list[i].Phase {
				ahead++
			}
		}
	}
	if ahead == 0 {
		t.Error("nothing is meant for a phase ahead")
	}
}

// A report that nobody waits for is not written to its end.
func TestNobodyWaitsForAReport(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if r, err := New(ctx, disputed().record()); !errors.Is(err, context.Canceled) || len(r.Turns)+len(r.Charts) > 0 {
		t.Errorf("%d turns, %v", len(r.Turns), err)
	}
}
