package service

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
)

// going is a context that ends when it was asked so often, as whoever reads asks it at each event.
type going struct {
	context.Context
	ends  int64
	asked atomic.Int64
}

func (g *going) Err() error {
	if g.asked.Add(1) > g.ends {
		return context.Canceled
	}
	return nil
}

// longWar opens a campaign of some thousand events.
func longWar(t *testing.T) (*Service, timeline.Campaign) {
	t.Helper()
	c := began(t)
	if _, err := c.OpenCampaign(replay.NewCampaign{Name: "war", System: "awaw", Seed: "one"}); err != nil {
		t.Fatal(err)
	}
	for _, season := range []string{"Spring", "Summer", "Fall", "Winter"} {
		var b strings.Builder
		fmt.Fprintf(&b, "campaign: war\nturn: %s 1940\nentries:\n  - {id: axis, draw: Ultra}\n", season)
		for i := range 100 {
			const round = "  - {id: r%d, cards: [], submarine warfare: {box: Atlantic, submarines: 8, asw: 30, " +
				"again: true}}\n"
			fmt.Fprintf(&b, round, i)
		}
		var done Submitted
		sent := Submission{Name: "turn.yaml", Text: b.String()}
		if err := into(&done)(c.Submit(t.Context(), "war", umpire, sent)); err != nil || done.Problem != nil {
			t.Fatal(err, done.Problem)
		}
	}
	listed, err := c.Campaign("war")
	if err != nil || listed.Events < 1000 {
		t.Fatal(listed.Events, err)
	}
	return c, listed
}

// Whatever reads much stops where it is when the asker has gone, with his context's error: no event is read
// from there on.
func TestGoneAskersAreNotReadFor(t *testing.T) {
	t.Parallel()
	f, c := longWar(t)
	umpire := timeline.Viewer{As: timeline.Umpire}
	public := timeline.Viewer{As: timeline.Public}
	for what, ask := range map[string]func(ctx context.Context) error{
		"report": func(ctx context.Context) error {
			_, err := f.Report(ctx, c.ID, public, Period{})
			return err
		},
		"report, umpire": func(ctx context.Context) error {
			_, err := f.Report(ctx, c.ID, umpire, Period{})
			return err
		},
		"views, umpire": func(ctx context.Context) error {
			_, err := f.ViewsAt(ctx, c.ID, umpire, c.Events)
			return err
		},
		"view, public": func(ctx context.Context) error {
			_, err := f.View(ctx, c.ID, public, "strategic", "#301")
			return err
		},
		"moment, umpire": func(ctx context.Context) error {
			_, err := f.Moment(ctx, c.ID, umpire, timeline.MomentQuery{Back: true})
			return err
		},
		"difference": func(ctx context.Context) error {
			_, err := f.Difference(ctx, c.ID, umpire, "#20", "#900")
			return err
		},
		"log": func(ctx context.Context) error { _, err := f.Log(ctx, c.ID, 0, c.Events); return err },
		"happened": func(ctx context.Context) error {
			_, err := f.MarkedEvents(ctx, c.ID, 0, c.Events, c.Events)
			return err
		},
		"explanation, anew": func(ctx context.Context) error { _, err := f.Explain(ctx, c.ID, 500); return err },
		"proof, anew":       func(ctx context.Context) error { _, err := f.Proof(ctx, c.ID, 500); return err },
		"rules applied, anew": func(ctx context.Context) error {
			_, err := f.RulesApplied(ctx, c.ID, c.Events)
			return err
		},
	} {
		if strings.HasSuffix(what, "anew") {
			f.Reader = timeline.NewReader(f.Host) // as before anybody asked
		}
		ctx := &going{Context: t.Context(), ends: 20}
		if err := ask(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", what, err)
		}
		if n := ctx.asked.Load(); n != ctx.ends+1 {
			t.Errorf("%s: of %d events %d more were read", what, c.Events, n-ctx.ends-1)
		}
		if err := ask(t.Context()); err != nil {
			t.Errorf("%s, asked again: %v", what, err)
		}
	}
}

// An explanation reads the events that belong to it, not the whole campaign.
func TestExplanationsReadTheirOwnEvents(t *testing.T) {
	t.Parallel()
	f, c := longWar(t)
	if _, err := f.Explain(t.Context(), c.ID, 0); err != nil { // once, the ties are found
		t.Fatal(err)
	}
	for index := uint64(0); index < c.Events; index += 7 {
		ctx := &going{Context: t.Context(), ends: 1 << 40}
		if _, err := f.Explain(ctx, c.ID, index); err != nil {
			t.Fatal(err)
		}
		if _, err := f.Proof(ctx, c.ID, index); err != nil {
			t.Fatal(err)
		}
		if n := ctx.asked.Load(); n > 60 {
			t.Errorf("for #%d of %d, %d events are read", index, c.Events, n)
		}
	}
}
