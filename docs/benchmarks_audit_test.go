package docs

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// BenchmarkAudit plays the campaigns that come with watu, then in turn decodes and folds their events
// without judging, and audits them: the ratio is that of events a second.
func BenchmarkAudit(b *testing.B) {
	for b.Loop() {
		dir := b.TempDir()
		l, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{Logf: func(string, ...any) {}})
		if err != nil {
			b.Fatal(err)
		}
		u := replay.NewUmpire(l, keys.NewKeys(filepath.Join(dir, "secrets")), replay.NewBoards(dir), all.Systems()...)
		for _, f := range fixtures.Campaigns() {
			recite(b, u, f)
		}
		var ratios []float64
		for round := range *benchRounds + 1 {
			var folded, audited time.Duration
			for _, c := range l.Campaigns() {
				folded += timed(b, func() error { _, err := u.At(c.ID, campaign.Everything); return err })
				audited += timed(b, func() error { return auditOnce(u, c) })
			}
			if round > 0 { // the first warms up
				ratios = append(ratios, float64(folded)/float64(audited))
			}
		}
		line("audit of the bundled campaigns / decoding and folding", ratios)
		if err := l.Close(); err != nil {
			b.Fatal(err)
		}
	}
}

func auditOnce(u *replay.Umpire, c ledger.Campaign) error {
	trial, err := u.Trial(c.ID)
	if err != nil {
		return err
	}
	a, err := trial.Audit(nil)
	if err == nil && (len(a.Findings) > 0 || a.Commands == 0) {
		err = fmt.Errorf("%s: %d commands, %v", c.Name, a.Commands, a.Findings)
	}
	return err
}

// recite plays a campaign that comes with watu, its corrections left out.
func recite(b *testing.B, u *replay.Umpire, f fixtures.Campaign) {
	b.Helper()
	o := replay.NewCampaign{Name: f.Name, System: f.System, Options: f.Options, Seed: "benchmark"}
	for _, file := range f.Board {
		o.Board = append(o.Board, rules.BoardFile(file))
	}
	c, violations, err := u.Open(o)
	if err != nil || len(violations) > 0 {
		b.Fatal(err, violations)
	}
	at, err := u.At(c.ID, campaign.Everything)
	if err != nil {
		b.Fatal(err)
	}
	for _, file := range f.Files {
		if file.Kind != fixtures.Turn {
			continue
		}
		parsed, err := turnfile.Parse(file.Name, file.Data, campaign.Verbs(at.System))
		if err != nil {
			b.Fatal(err)
		}
		for _, e := range parsed.Entries {
			e.Seat = campaign.UmpireSeat
			_, _ = u.Hear(c.ID, e.Command) // other dice than the fixture's: some of it makes no sense
			settle(b, u, c)
		}
	}
}

// settle answers what is asked with what is offered.
func settle(b *testing.B, u *replay.Umpire, c ledger.Campaign) {
	b.Helper()
	for n := 0; ; n++ {
		at, err := u.At(c.ID, campaign.Everything)
		if err != nil {
			b.Fatal(err)
		}
		q := at.Open
		if q == nil || n > 20 {
			return
		}
		verb, body := "answer", map[string]any{}
		if q.Refer != nil {
			verb, body = "rule",
				map[string]any{"option": q.Refer.Option, "value": at.System.Editions[0].Default(q.Refer.Option),
					"reason": "a benchmark"}
		} else {
			body[q.Choice.Of] = q.Choice.Options[n%len(q.Choice.Options)]
		}
		raw, err := json.Marshal(map[string]any{verb: body})
		if err != nil {
			b.Fatal(err)
		}
		_, _ = u.Hear(c.ID,
			rules.Command{ID: fmt.Sprintf("settle/%d/%d", at.Next, n), Seat: campaign.UmpireSeat, Verb: verb,
				Body: raw})
	}
}

// BenchmarkSeek goes to moments all over the record, drawn by lot, and gives how often that goes into a
// full fold of the record: for the moments reached slowest, in the median and fastest, by percentile.
func BenchmarkSeek(b *testing.B) {
	const moments = 1000
	for b.Loop() {
		dir := b.TempDir()
		fill(b, dir)
		l, err := ledger.Open(dir, ledger.Options{})
		if err != nil {
			b.Fatal(err)
		}
		s, err := store.Open(filepath.Join(dir, "views"), store.Options{})
		if err != nil {
			b.Fatal(err)
		}
		r, err := projections.Open(source{l}, s, nil, pools.Projection())
		if err != nil {
			b.Fatal(err)
		}
		lot, all := rand.New(rand.NewPCG(1, 1)), l.Campaigns()
		ratios := map[int][]float64{}
		for range *benchRounds {
			full := timed(b, func() error { return r.Rebuild(context.Background(), nil) })
			var spent []time.Duration
			for range moments {
				c := all[lot.IntN(len(all))]
				at := 1 + uint64(lot.IntN(int(c.Events)))
				spent = append(spent,
					timed(b, func() error {
						_,
							err := r.At(b.Context(), pools.Projection().Name, c.ID, at)
						return err
					}))
			}
			slices.Sort(spent)
			for _, p := range []int{50, 90, 99} {
				ratios[p] = append(ratios[p], float64(full)/float64(spent[moments*p/100]))
			}
		}
		for _, p := range []int{50, 90, 99} {
			line(fmt.Sprintf("reaching a moment at %d events, p%d / full fold", *benchEvents, p), ratios[p])
		}
		if err := errorOf(s.Close(), l.Close()); err != nil {
			b.Fatal(err)
		}
	}
}
