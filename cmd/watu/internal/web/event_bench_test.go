package web_test

import (
	"context"
	"flag"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/chromedp"

	"github.com/watu-ledger/watu/fixtures"
)

var benchStill = flag.Bool("still", false, "measure a reader who wants no motion")

// BenchmarkEvent measures what it costs a reader's browser when a campaign goes on: the milliseconds of processor time
// of its main thread, and the bytes that come. Each bundled campaign unfolds an entry at a time, of some events each.
func BenchmarkEvent(b *testing.B) {
	fmt.Printf("%-22s %6s %6s %8s %8s %8s %8s %8s %8s %8s %8s\n", "", "events", "looks", "ms/event", "ms, half",
		"9 of 10", "most", "B/event", "B, half", "9 of 10", "most")
	for _, k := range fixtures.Campaigns() {
		b.Run(k.Name, func(b *testing.B) {
			for b.Loop() {
				measureEvents(b, k)
			}
		})
	}
}

func measureEvents(b *testing.B, k fixtures.Campaign) {
	g := stage(b)
	page := browse(b, g.url)
	if *benchStill {
		page.media("light", "still")
	}
	var spent, came []float64
	var bytes atomic.Int64
	if err := chromedp.Listen(page.ctx, func(event any) {
		if e, ok := event.(*network.EventLoadingFinished); ok {
			bytes.Add(int64(e.EncodedDataLength))
		}
	}); err != nil {
		b.Fatal(err)
	}
	page.do(command(performance.Enable, performance.EnableParams{TimeDomain: performance.EnableTimeDomainThreadTicks}))
	first := true
	all := g.unfold(b, k, func(events uint64) {
		if first {
			page.visit("/campaigns/" + k.Name)
			page.until("the stream", `document.getElementById("pulse").innerText === "live"`)
			first = false
		}
		ask[bool](page, fmt.Sprintf(`new Promise((done) => {
			const look = () => %s === %d && setTimeout(done, 500, true);
			document.addEventListener("watu:shown", look);
			look();
		})`, at, events-1))
		spent, came = append(spent, page.busy()), append(came, float64(bytes.Swap(0)))
	})
	total, sum := spent[len(spent)-1]-spent[0], 0.0
	for i := len(spent) - 1; i > 0; i-- {
		spent[i] -= spent[i-1]
		sum += came[i]
	}
	spent, came = spent[1:], came[1:]
	slices.Sort(spent)
	slices.Sort(came)
	n := len(spent)
	fmt.Printf("%-22s %6d %6d %8.1f %8.1f %8.1f %8.1f %8.0f %8.0f %8.0f %8.0f\n", k.Name, all, n, total/float64(all),
		spent[n/2], spent[n*9/10], spent[n-1], sum/float64(all), came[n/2], came[n*9/10], came[n-1])
}

// busy is for how many milliseconds the page's main thread has worked.
func (b *tab) busy() (ms float64) {
	b.Helper()
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		r, err := cdp.Call(ctx, t, performance.GetMetrics, cdp.Empty{})
		for _, m := range r.Metrics {
			if m.Name == "TaskDuration" {
				ms = 1000 * m.Value
			}
		}
		return err
	}))
	return ms
}
