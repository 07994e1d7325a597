package web_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync/atomic"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"golang.org/x/time/rate"

	"github.com/watu-ledger/watu/fixtures"
)

// A page and all that it loads come to less than 120 KB, faces included, and what comes late moves nothing, on a wide
// screen and on a telephone. When the first of it is painted, at 50 kB a second, is logged: a busy machine says nothing
// of it.
func TestPagesAreLight(t *testing.T) {
	beside(t)
	g := played(t)
	result := g.event(t, "atlantic-and-pacific", "result_adjudicated")
	for _, path := range []string{"/campaigns/straits-1942", "/campaigns/atlantic-and-pacific",
		"/campaigns/straits-1942/events", "/campaigns/straits-1942/rules/AAR-4-RANGE",
		fmt.Sprintf("/campaigns/atlantic-and-pacific/events/%d", result)} {
		light(t, g, path)
	}
}

// The front page shows every campaign of its ledger: it is weighed with the bundled ones alone, which no other test
// adds to.
func TestFrontPageIsLight(t *testing.T) {
	beside(t)
	g := seat(t)
	for _, k := range fixtures.Campaigns() {
		if err := g.play(t.Context(), k); err != nil {
			t.Fatal(err)
		}
	}
	light(t, g, "/")
}

// light weighs a page, over a line of its own for each width: nothing is kept from one to the next.
func light(t *testing.T, g *ground, path string) {
	t.Helper()
	for _, wide := range []int64{1280, 390} {
		t.Run(fmt.Sprintf("%s %d wide", path, wide), func(t *testing.T) {
			t.Parallel() // a line is slow, and no work
			weigh(t, g, path, wide)
		})
	}
}

// The first screen of a campaign stays where it is while the faces are on their way, on a telephone and on a wide
// screen, in each bundled campaign.
func TestCampaignsDoNotShift(t *testing.T) {
	beside(t)
	g := played(t)
	for _, k := range fixtures.Campaigns() {
		for _, wide := range []int64{1280, 412} {
			t.Run(fmt.Sprintf("%s %d wide", k.Name, wide), func(t *testing.T) {
				t.Parallel()
				b := browse(t, throttled(t, g.url).url)
				b.do(chromedp.EmulateViewport(wide, 823))
				b.still("/campaigns/" + k.Name)
			})
		}
	}
}

func weigh(t *testing.T, g *ground, path string, wide int64) {
	t.Helper()
	line := throttled(t, g.url)
	b := browse(t, line.url)
	b.do(chromedp.EmulateViewport(wide, 900))
	moved := b.still(path)
	painted := ask[float64](b, `performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? -1`)
	n := line.sent.Load()
	t.Logf("%s, %d wide: %d bytes, first paint after %.0f ms at 50 kB/s, layout shift %.3f", path, wide, n, painted,
		moved)
	if n > 120_000 {
		t.Errorf("%s: %d bytes", path, n)
	}
}

// still visits a page, and adds up by how much its layout moves until its faces are there.
func (b *tab) still(path string) (all float64) {
	b.Helper()
	b.visit(path)
	ask[bool](b, `document.fonts.ready.then(() => true)`)
	moved := ask[[]shift](b, `new Promise((done) => {
		const list = [];
		new PerformanceObserver((seen) => seen.getEntries().forEach((e) => list.push({
			value: e.value, of: e.sources.map((s) => s.node?.parentElement?.outerHTML.slice(0, 80)).join(" | ") })))
			.observe({ type: "layout-shift", buffered: true });
		setTimeout(() => done(list), 300);
	})`)
	for _, m := range moved {
		all += m.Value
	}
	if all > 0.1 { // from there on readers notice it, by the measure of browsers
		b.Errorf("%s: the layout shifts: %v", path, moved)
	}
	return all
}

// shift is a layout that moved: by how much, as browsers count it, and what.
type shift struct {
	Value float64
	Of    string
}

// slowLine is a server behind a slow line, and how many bytes of answers went over it. Streams are not counted.
type slowLine struct {
	url  string
	sent atomic.Int64
}

// throttled puts 50 kB a second between a browser and a server.
func throttled(t *testing.T, to string) *slowLine {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	line, pace := &slowLine{}, rate.NewLimiter(50_000, 1500)
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(target) },
		ModifyResponse: func(a *http.Response) error {
			if a.Header.Get("Content-Type") == "font/woff2" {
				time.Sleep(time.Second) // the page is there, and its face is not
			}
			if a.Header.Get("Content-Type") != "text/event-stream" {
				a.Body = &paced{a.Body, a.Request.Context(), pace, line}
			}
			return nil
		},
		FlushInterval: -1,
	}
	s := httptest.NewServer(proxy)
	t.Cleanup(s.Close)
	line.url = s.URL
	return line
}

// paced is an answer on a slow line.
type paced struct {
	io.ReadCloser
	ctx  context.Context
	pace *rate.Limiter
	line *slowLine
}

func (p *paced) Read(b []byte) (int, error) {
	n, err := p.ReadCloser.Read(b[:min(len(b), 1400)])
	p.line.sent.Add(int64(n))
	if wait := p.pace.WaitN(p.ctx, n); wait != nil {
		return n, wait
	}
	return n, err
}

// On a telephone the first screen of a campaign says who leads, what happened and what it cost; the map begins there.
func TestFirstScreenOfATelephone(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.do(chromedp.EmulateViewport(390, 844))
	for _, k := range fixtures.Campaigns() {
		b.visit("/campaigns/" + k.Name)
		for _, part := range []string{".verdict", ".headline-title", ".deck-line", "#map-place > *"} {
			if !ask[bool](b, fmt.Sprintf(`(() => {
				const e = document.querySelector(%q), box = e?.getBoundingClientRect();
				return !!e && e.checkVisibility() && box.height > 10 && box.top > 0 && box.top < 440;
			})()`, part)) {
				t.Errorf("%s: %s is not on the first screen", k.Name, part)
			}
		}
	}
}
