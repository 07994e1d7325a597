package service

import (
	"context"
	"errors"
	"path/filepath"
	"reflect"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

const raidsTyped = `turn: Round 1
facts: {submarines: {Germany: {SZ 8: 2, SZ 9: 1}}}
entries:
  - {id: uk, collect income: UK}
  - {id: us, collect income: US}
`

const boatGone = "{code: mistyped, reason: no boat, replace: {facts.submarines.Germany: {SZ 9: null}}}"

// wronged gives a campaign in which #4 reports a boat that raids in #8 and #11.
func wronged(t *testing.T) (*Service, *Service) {
	t.Helper()
	f, err := New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"), maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	c := f
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	n := replay.NewCampaign{Name: "convoys", System: "aar", Seed: "boat"}
	files, _ := fixtures.Board("straits")
	for _, file := range files {
		n.Board = append(n.Board, rules.BoardFile{Name: file.Name, Data: file.Data})
	}
	if _, err := c.OpenCampaign(n); err != nil {
		t.Fatal(err)
	}
	submits(t, c, raidsTyped)
	return f, c
}

func submits(t *testing.T, c *Service, text string) {
	t.Helper()
	var out Submitted
	if err := into(&out)(c.Submit(t.Context(), "convoys", umpire, Submission{Text: text})); err != nil ||
		out.Problem != nil {
		t.Fatal(err, out.Problem)
	}
}

// What is kept of what is pending is what a trial finds, after every step.
func TestPendingIsKept(t *testing.T) {
	t.Parallel()
	f, c := wronged(t)
	correct := func(a CorrectionRequest) {
		t.Helper()
		if _, err := c.Correct("convoys", umpire, a); err != nil {
			t.Fatal(err)
		}
	}
	same := func(pending int) {
		t.Helper()
		for _, v := range []timeline.Viewer{{As: timeline.Umpire}, {As: timeline.Public}, {As: "UK"}} {
			k, err := f.Find("convoys")
			if err != nil {
				t.Fatal(err)
			}
			fresh, err := f.findPending(t.Context(), k, v)
			if err != nil {
				t.Fatal(err)
			}
			kept, n, err := f.pendingAt(t.Context(), k, v)
			if err != nil || n != k.Events || len(kept.Consequences) != pending ||
				!reflect.DeepEqual(tellAll(t, f, kept.Consequences), tellAll(t, f, fresh.Consequences)) {
				t.Errorf("%s, %d events: %v, kept %+v, found %+v", v.As, n, err, kept, fresh)
			}
		}
	}
	same(0)
	correct(CorrectionRequest{Event: 4, Text: boatGone})
	same(2)
	submits(t, c, "turn: Round 2\nentries:\n  - {id: yards, purchase: {power: UK, units: {destroyer: 1}}}\n")
	same(2)
	var left Pending
	if err := into(&left)(c.PendingForHolder(t.Context(), "convoys", "")); err != nil || len(left.Pending) != 2 {
		t.Fatal(err, left)
	}
	correct(CorrectionRequest{Event: left.Pending[0].Event, Rest: review.Apply})
	same(1)
	if _, err := c.Undo("convoys", umpire, Undo{Reason: "not yet"}); err != nil {
		t.Fatal(err)
	}
	same(2)
}

// tellAll describes consequences, which have what no comparison should look at.
func tellAll(t *testing.T, f *Service, list []review.Consequence) []Consequence {
	t.Helper()
	c, err := f.Find("convoys")
	if err != nil {
		t.Fatal(err)
	}
	out, err := f.consequences(c, list)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// A list is found out once for all who ask, and again when something was corrected; who waits for one that is not
// needed any more gets the newer. None is kept that failed, and none is begun when the service closes.
func TestPendingIsFoundOutOnce(t *testing.T) {
	t.Parallel()
	var p pendings
	of := pendingOf{viewer: timeline.Viewer{As: timeline.Public}}
	begun, hold := make(chan struct{}, 9), make(chan struct{})
	find := func(n int) func(context.Context) (review.Pending, error) {
		return func(ctx context.Context) (review.Pending, error) {
			begun <- struct{}{}
			select {
			case <-hold:
				return review.Pending{Consequences: make([]review.Consequence, n)}, nil
			case <-ctx.Done():
				return review.Pending{}, ctx.Err()
			}
		}
	}
	first := p.get(of, 1, find(1))
	<-begun
	if again := p.get(of, 1, find(9)); again != first {
		t.Error("it is found out twice")
	}
	second := p.get(of, 2, find(2))
	<-first.done
	if !errors.Is(first.err, errSuperseded) {
		t.Error(first.err)
	}
	<-begun
	close(hold)
	<-second.done
	if second.err != nil || len(second.left.Consequences) != 2 || p.get(of, 2, find(9)) != second {
		t.Errorf("%+v", second)
	}
	broken := errors.New("no such board")
	fails := func(context.Context) (review.Pending, error) { return review.Pending{}, broken }
	failed := p.get(of, 3, fails)
	<-failed.done
	if !errors.Is(failed.err, broken) || p.get(of, 3, find(3)) == failed {
		t.Errorf("%+v", failed)
	}
	p.close()
	late := p.get(of, 4, find(4))
	select {
	case <-late.done:
	case <-time.After(time.Minute):
		t.Fatal("something is begun when the service closes")
	}
	if !errors.Is(late.err, context.Canceled) {
		t.Error(late.err)
	}
}
