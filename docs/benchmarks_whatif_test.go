package docs

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/whatif"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/awaw"
)

// long is a campaign as long as a benchmark wants it.
type long struct {
	b        *testing.B
	umpire   *replay.Umpire
	campaign ledger.Campaign
	entries  int
}

// hear puts an entry to the umpire; what is refused ends the benchmark.
func (l *long) hear(verb string, body map[string]any) uint64 {
	l.entries++
	raw, err := json.Marshal(body)
	if err != nil {
		l.b.Fatal(err)
	}
	a, err := l.umpire.Hear(l.campaign.ID,
		rules.Command{ID: fmt.Sprint(l.entries), Seat: campaign.UmpireSeat, Verb: verb, Body: raw})
	if err != nil || a.Verdict != rules.Allowed {
		l.b.Fatal(a, err)
	}
	return a.First + uint64(a.Events)
}

// turns is how many game turns a campaign is spread over; the rules have 28.
const turns = 24

// play goes on through so many turns, of so many events each: draws, facts, submarine warfare.
func (l *long) play(from, to int, events uint64) (next uint64) {
	seasons := [...]string{"Spring", "Summer", "Fall", "Winter"}
	for turn := from; turn < to; turn++ {
		began := l.hear("turn", map[string]any{"turn": fmt.Sprintf("%s %d", seasons[turn%4], 1940+turn/4)})
		l.hear("facts", map[string]any{"facts": map[string]any{"cves": map[string]any{"Atlantic": turn}}})
		l.hear("draw", map[string]any{"draw": "Ultra"})
		for next = began; next < began+events; {
			for range 4 {
				l.hear("submarine warfare", map[string]any{"cards": []any{}, "submarine warfare": map[string]any{
					"box": "Atlantic", "submarines": 6, "asw": 13, "again": true,
				}})
			}
			next = l.hear("facts",
				map[string]any{"facts": map[string]any{"cves": map[string]any{"Atlantic": next % 20}}})
		}
	}
	return next
}

// BenchmarkWhatIf plays a campaign on a disk, each command synced, and times its second half; then
// it is played again from the middle with the dice of one roll changed. The ratio is that of the
// two; the time of the what-if is from its question to its answer.
func BenchmarkWhatIf(b *testing.B) {
	for b.Loop() {
		dir := b.TempDir()
		record, err := ledger.Open(filepath.Join(dir, "ledger"), ledger.Options{Logf: func(string, ...any) {}})
		if err != nil {
			b.Fatal(err)
		}
		l := &long{b: b,
			umpire: replay.NewUmpire(record, keys.NewKeys(filepath.Join(dir, "secrets")), replay.NewBoards(dir),
				awaw.System())}
		var violations []rules.Violation
		if l.campaign, violations, err = l.umpire.Open(replay.NewCampaign{Name: "long", System: "awaw",
			Seed: "benchmark"}); err != nil || len(violations) > 0 {
			b.Fatal(err, violations)
		}
		each := uint64(*benchEvents) / turns
		half := l.play(0, turns/2, each)
		began, heard := time.Now(), l.entries
		l.play(turns/2, turns, each)
		live := time.Since(began)
		heard = l.entries - heard
		var ratios []float64
		for range *benchRounds {
			began = time.Now()
			h, err := whatif.Run(l.umpire, l.campaign.ID, whatif.Scenario{At: half, Seed: "1"})
			if err != nil {
				b.Fatal(err)
			}
			took := time.Since(began)
			if h.First != nil || h.Heard < heard {
				b.Fatalf("%+v", h.First)
			}
			ratios = append(ratios, float64(live)/float64(took)*float64(h.Heard)/float64(heard))
		}
		line(fmt.Sprintf("what-if from the middle of %d events / the same live", *benchEvents), ratios)
		if err := record.Close(); err != nil {
			b.Fatal(err)
		}
	}
}
