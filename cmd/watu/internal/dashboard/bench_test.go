package dashboard

import (
	"flag"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

var rounds = flag.Int("rounds", 1, "interleaved rounds of each measurement")

// BenchmarkPage draws the pages of a campaign of 10,000 events, in turn with folding its views once
// from the log: the ratio is of the two times. Each page is drawn for the first time.
func BenchmarkPage(b *testing.B) {
	f, c := deskOf(b)
	playWar(b, c, "war", 24, 51)
	labels, err := f.Campaign("war")
	if err != nil {
		b.Fatal(err)
	}
	var done service.Submitted
	plea := []byte("{id: plea, dispute: {event: 100, claim: the row is another one}}")
	if err := c.Post(b.Context(), service.Submission{Name: "-e", Text: string(plea), Entry: true}, &done, "campaigns",
		"war", "submissions"); err != nil || done.Problem != nil {
		b.Fatal(err, done.Problem)
	}
	umpire, err := f.Viewer("war", timeline.Umpire) // his views are folded anew each time
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		fmt.Printf("\n%-58s %8s %8s %8s\n", fmt.Sprintf("a page of %d events / folding its views", labels.Events),
			"lowest", "median", "highest")
		for _, page := range []struct{ name, path string }{
			{"the campaigns", "/"}, {"the campaign at its head", "/campaigns/war"}, {"the campaign at a moment",
				fmt.Sprintf("/campaigns/war?at=%d", labels.Events/2)},
			{"why", fmt.Sprintf("/campaigns/war/events/%d", labels.Events/2)},
			{"a dispute", fmt.Sprintf("/campaigns/war/disputes/%d", labels.Events)},
		} {
			var ratios []float64
			for range *rounds {
				d := New(f, everyone(timeline.Public), readers.New(readers.Options{})) // which keeps no page yet
				drawn := spent(func() { pageOf(b, d, page.path) })
				folded := spent(func() {
					if _, err := f.ViewsAt(b.Context(), "war", umpire, labels.Events); err != nil {
						b.Fatal(err)
					}
				})
				ratios = append(ratios, float64(drawn)/float64(folded))
			}
			slices.Sort(ratios)
			fmt.Printf("%-58s %8.2f %8.2f %8.2f\n", page.name, ratios[0], ratios[len(ratios)/2], ratios[len(ratios)-1])
		}
	}
}

func spent(f func()) time.Duration {
	began := time.Now()
	f()
	return time.Since(began)
}
