package web_test

import (
	_ "embed"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

// kind is a kind of page, and one of it.
type kind struct{ name, path string }

// kinds are all kinds of pages, in campaigns of every system.
func kinds(t *testing.T, g *ground) []kind {
	list := []kind{{"campaigns", "/"}, {"league", "/league"}, {"login", "/login"}}
	campaigns := []string{"atlantic-and-pacific", "straits-1942", "two-oceans-1941", "pacific-patrol-1942",
		"second-front-1944"}
	for _, c := range campaigns[:longrun.Of(2, len(campaigns))] {
		result := g.event(t, c, "result_adjudicated", "convoy_raided")
		list = append(list,
			kind{c, "/campaigns/" + c},
			kind{c + " then", fmt.Sprintf("/campaigns/%s?at=%d", c, result)},
			kind{c + " why", fmt.Sprintf("/campaigns/%s/events/%d", c, result)},
		)
	}
	dispute := g.event(t, "straits-1942", "dispute_opened")
	return append(list,
		kind{"events", "/campaigns/atlantic-and-pacific/events"},
		kind{"income", fmt.Sprintf("/campaigns/straits-1942/events/%d",
			g.event(t, "straits-1942", "income_collected"))},
		kind{"draw", fmt.Sprintf("/campaigns/atlantic-and-pacific/events/%d", g.event(t, "atlantic-and-pacific",
			"cards_drawn"))},
		kind{"opening", "/campaigns/atlantic-and-pacific/events/0"},
		kind{"dispute", fmt.Sprintf("/campaigns/straits-1942/disputes/%d", dispute)},
		kind{"disputed", fmt.Sprintf("/campaigns/straits-1942/events/%d", dispute)},
		kind{"overlay", "/campaigns/straits-1942/overlay"},
		kind{"embed", "/embed/straits-1942"},
		kind{"embedded sea", "/embed/atlantic-and-pacific"},
		kind{"front", "/"},
	)
}

//go:embed testdata/audit.js
var audit string

//go:embed testdata/focus.js
var focus string

//go:embed testdata/contrast.js
var contrast string

// Every kind of page can be read by whoever hears it, and at every width without scrolling sideways:
// names, labels, headings in order, one landmark, ids that stand once.
func TestBrowserFindsPagesAccessible(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, width := range []int64{1280, 390} {
		b.do(chromedp.EmulateViewport(width, 800))
		for _, k := range kinds(t, g) {
			b.visit(k.path)
			for _, fault := range ask[[]string](b, audit) {
				t.Errorf("%s, %d wide: %s", k.name, width, fault)
			}
		}
	}
}

// Colours stand out from what lies behind them by 4.5 to 1 and more, on light and on dark screens.
func TestBrowserFindsPagesLegible(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	grounds := map[string]string{}
	for _, scheme := range []string{"light", "dark"} {
		b.media(scheme)
		for _, k := range kinds(t, g) {
			b.visit(k.path)
			ask[bool](b, `document.querySelectorAll("details").forEach((d) => { d.open = true }), true`)
			lines := ask[[]string](b, contrast)
			if n, err := strconv.Atoi(lines[0]); err != nil || n < 5 && k.name != "overlay" {
				t.Errorf("%s, %s: only %s texts were looked at", k.name, scheme, lines[0])
			}
			for _, fault := range lines[1:] {
				t.Errorf("%s, %s: %s", k.name, scheme, fault)
			}
		}
		b.visit("/")
		grounds[scheme] = ask[string](b, "getComputedStyle(document.body).backgroundColor")
	}
	if grounds["light"] == grounds["dark"] {
		t.Errorf("the paper is %s on light and on dark screens", grounds["light"])
	}
}

// Who goes through a page with the keyboard sees where he is: first at a way past the top, and nothing
// takes the focus without showing it.
func TestBrowserShowsTheFocus(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, path := range []string{"/", "/campaigns/straits-1942", "/campaigns/straits-1942/events/12"} {
		b.visit(path)
		for i := range 25 {
			b.do(chromedp.KeyEvent(kb.Tab))
			where := ask[[]string](b, focus)
			if where[0] == "body" { // the end of the page
				break
			}
			if i == 0 && !strings.Contains(where[0], "#main") {
				t.Errorf("%s: the first stop is not the way to the contents but %s", path, where[0])
			}
			if where[1] != "shown" {
				t.Errorf("%s: nothing shows the focus at %q", path, where[0])
			}
		}
	}
}

// Who asks for less motion gets none.
func TestBrowserKeepsStill(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.media("light", "still")
	for _, k := range kinds(t, g) {
		b.visit(k.path)
		moving := ask[[]string](b, `[...document.querySelectorAll("*")].filter((e) => {
			const s = getComputedStyle(e);
			return s.transitionDuration.split(",").some((d) => parseFloat(d) > 0) ||
				s.animationName !== "none" || s.scrollBehavior === "smooth";
		}).map((e) => e.outerHTML.slice(0, 80))`)
		for _, m := range moving {
			t.Errorf("%s: moves: %s", k.name, m)
		}
	}
}
