package web_test

import (
	"bytes"
	"context"
	"fmt"
	"image/png"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

// at is the event that the page of a campaign shows.
const at = `Number(document.getElementById("moment").dataset.event)`

// A campaign is followed without a reload: what is appended stands in the page, its figures too, while
// a page that stands at a moment stays there and counts what came later.
func TestBrowserFollowsTheCampaign(t *testing.T) {
	beside(t)
	g := played(t)
	g.begin(t, "followed", "aar", g.straits(t))
	g.submit(t, "followed", "turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n")
	head, still, list := browse(t, g.url), browse(t, g.url), browse(t, g.url)
	head.visit("/campaigns/followed")
	still.visit("/campaigns/followed?at=2")
	list.visit("/")
	for _, b := range []*tab{head, still, list} {
		b.mark()
	}
	before, stood := ask[int](head, at), still.text("#here")
	if strings.Contains(head.text("#income"), "Germany collects") {
		t.Fatalf("Germany has collected already: %s", head.text("#income"))
	}

	g.submit(t, "followed", "turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n  - {id: germany, "+
		"collect income: Germany}\n")
	head.until("the new event", fmt.Sprintf("%s > %d", at, before))
	head.until("Germany's income", `document.getElementById("here").innerText.includes("Germany collects")`)
	g.submit(t, "followed", "turn: Round 2\n")
	head.until("the next turn", `document.getElementById("moment").innerText.includes("Round 2")`)
	list.until("the next turn in the list", `document.querySelector("main").innerText.includes("Round 2")`)
	still.until("what came later", `/\d+ events came later/.test(document.getElementById("moment").innerText)`)
	if now := still.text("#here"); now != stood || ask[int](still, at) != 2 {
		t.Errorf("the page that stands at #2 went on from %q to %q", stood, now)
	}
	for _, b := range []*tab{head, still, list} {
		if !b.marked() {
			t.Error("the page was loaded again")
		}
		if n := ask[int](b, `performance.getEntriesByType("navigation").length`); n != 1 {
			t.Errorf("%d navigations", n)
		}
	}
	same(head, "/campaigns/followed")
}

// same holds what a page has swapped in to what the server draws at that address, once figures have counted up.
func same(b *tab, path string) {
	b.Helper()
	differ := differing(b, path)
	for deadline := time.Now().Add(5 * time.Second); len(differ) > 0 && time.Now().Before(deadline); {
		time.Sleep(50 * time.Millisecond)
		differ = differing(b, path)
	}
	if len(differ) > 0 {
		b.Errorf("%s: these differ from what the server draws: %q", path, differ)
	}
}

// differing are the parts of a page that differ from what the server draws at an address.
func differing(b *tab, path string) []string {
	b.Helper()
	return ask[[]string](b, fmt.Sprintf(`fetch(%q).then((r) => r.text()).then((text) => {
		const other = new DOMParser().parseFromString(text, "text/html");
		const lives = [...other.querySelectorAll("[data-live][id]")];
		if (!lives.length) return ["nothing is live"];
		return lives.filter((e) => {
			const here = document.getElementById(e.id)?.cloneNode(true);
			here?.querySelectorAll("details[open]").forEach((d) => d.removeAttribute("open"));
			e.querySelectorAll("details[open]").forEach((d) => d.removeAttribute("open"));
			for (const page of [here, e]) { // what passes, and what a script says of times
				page?.querySelectorAll("[data-washed]").forEach((d) => d.removeAttribute("data-washed"));
				page?.querySelectorAll("time").forEach((d) => d.replaceWith(d.dateTime));
			}
			for (const map of [here, e]) if (map?.id === "map") { // the view of it is the reader's
				const seen = ".plotted, .plotted :is(.names, text, .fix, .stacks > a), .zoom, .zoom *";
				map.querySelectorAll(seen).forEach((d) => {
					["viewBox", "data-width", "data-height", "display", "font-size", "transform", "hidden",
						"disabled", "class"].forEach((a) => d.removeAttribute(a));
				});
			}
			return !here?.isEqualNode(document.adoptNode(e));
		}).map((e) => e.id);
	})`, path))
}

// Every figure follows the scrubber, the moment is the page's address, and the end is the head again.
func TestBrowserScrubs(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, c := range []string{"straits-1942", "atlantic-and-pacific"} {
		path := "/campaigns/" + c
		b.visit(path)
		b.mark()
		head, of := b.text("main"), ask[int](b, `Number(document.getElementById("scrub").max)`)
		for _, n := range []int{of / 2, 3, of - 1} {
			ask[bool](b, fmt.Sprintf(`scrub.value = %d, scrub.dispatchEvent(new Event("input", {bubbles: true}))`, n))
			b.until(fmt.Sprintf("event #%d", n),
				fmt.Sprintf(`%s === %d && new URLSearchParams(location.search).get("at") === "%[2]d"`, at, n))
			same(b, fmt.Sprintf("%s?at=%d", path, n))
			if b.text("main") == head {
				t.Errorf("%s: at #%d the page is as at its head", c, n)
			}
		}
		b.do(chromedp.KeyEvent(kb.End))
		b.until("the head", fmt.Sprintf(`%s === %d && location.search === ""`, at, of))
		same(b, path)
		if !b.marked() {
			t.Errorf("%s: the page was loaded again", c)
		}
	}
}

// The keys go through a campaign: to its ends, by events, by turns, and Space plays and pauses.
func TestBrowserReplaysByKeys(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.visit("/campaigns/straits-1942")
	b.mark()
	of := ask[int](b, `Number(document.getElementById("scrub").max)`)
	turns, err := g.service.Turns("straits-1942")
	if err != nil {
		t.Fatal(err)
	}
	first := int(turns[0].First+turns[0].Events) - 1 // the last event before the next turn
	key := func(what, keys string, want int, modifiers ...chromedp.Modifier) {
		t.Helper()
		b.do(chromedp.KeyEvent(keys, chromedp.KeyModifiers(modifiers...)))
		b.until(fmt.Sprintf("%s to go to #%d", what, want), fmt.Sprintf("%s === %d", at, want))
	}
	key("Home", kb.Home, 0)
	key("Right", kb.ArrowRight, 1)
	key("Right", kb.ArrowRight, 2)
	key("Left", kb.ArrowLeft, 1)
	key("Shift and Right", kb.ArrowRight, first, chromedp.ModifierShift)
	key("Shift and Right", kb.ArrowRight, first+int(turns[1].Events), chromedp.ModifierShift)
	key("Shift and Left", kb.ArrowLeft, first, chromedp.ModifierShift)
	key("End", kb.End, of)

	key("Home", kb.Home, 0)
	b.do(chromedp.KeyEvent(" "))
	b.until("play to go on", at+" >= 3")
	b.do(chromedp.KeyEvent(" "))
	b.until("a pause", `document.getElementById("play").innerText === "Play"`)
	ask[bool](b, `document.getElementById("speed").value = "50", true`)
	b.do(chromedp.KeyEvent(" "))
	b.until("the play to reach the end",
		fmt.Sprintf(`%s === %d && document.getElementById("play").innerText === "Play"`, at, of))
	if !b.marked() {
		t.Error("the page was loaded again")
	}
}

// Back goes back to the moment before, and a moment's address can be opened.
func TestBrowserGoesBack(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.visit("/campaigns/straits-1942?at=40")
	b.until("all that was drawn once", `document.body.matches(".drawn")`)
	if n := ask[int](b, at); n != 40 {
		t.Errorf("?at=40 shows #%d", n)
	}
	b.click("#moment a[rel=next]")
	b.until("a turn on", `location.search !== "?at=40" && `+at+" > 40")
	ask[bool](b, "history.back(), true")
	b.until("the moment before", `location.search === "?at=40" && `+at+" === 40")
}

// Who looks as somebody lesser goes on so, from moment to moment and from page to page.
func TestBrowserGoesOnAsSomebodyLesser(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.visit("/campaigns/straits-1942?at=40&as=public")
	b.until("all that was drawn once", `document.body.matches(".drawn")`)
	const lesser = ` && new URLSearchParams(location.search).get("as") === "public"`
	b.click("#moment a[rel=next]")
	b.until("a turn on", at+" > 40"+lesser)
	b.click("#moment a[rel=next]")
	b.until("another, by a link that came later", at+" > 60"+lesser)
	b.click("#here a.n")
	b.until("why", `document.getElementById("why")`+lesser)
	b.click("#way a:not([rel])")
	b.until("the campaign again", `document.getElementById("map")`+lesser)

	b.scriptless()
	b.visit("/campaigns/straits-1942?at=40&as=public")
	b.click("#moment a[rel=next]")
	b.until("a turn on, without scripts", at+" > 40"+lesser)
	b.click("#first")
	b.until("the beginning, by the form", at+" === 0"+lesser)
	b.click(".top nav a")
	b.until("the head, by the way at the top", at+" > 60"+lesser)
}

// A figure leads to its rule: from the page of the campaign to the event that it comes from, with the
// rule's id, and the cell of the printed table lit.
func TestBrowserGoesFromFigureToRule(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	result := g.event(t, "atlantic-and-pacific", "result_adjudicated")
	b.visit(fmt.Sprintf("/campaigns/atlantic-and-pacific?at=%d", result))
	ask[bool](b, `document.querySelectorAll("#warfare details").forEach((d) => { d.open = true }), true`)
	link := fmt.Sprintf(`#warfare td a[href="/campaigns/atlantic-and-pacific/events/%d"]`, result)
	b.click(link)
	b.until("the reason", `document.getElementById("why")`)
	if u, err := url.Parse(ask[string](b, "location.href")); err != nil ||
		u.Path != fmt.Sprintf("/campaigns/atlantic-and-pacific/events/%d", result) {
		t.Errorf("the figure leads to %s (%v)", u, err)
	}
	rule := ask[string](b, `document.querySelector("#why .rule").title`)
	if shown := b.text("#why"); !strings.HasPrefix(rule, "AWAW-") || strings.Contains(shown, "AWAW-") {
		t.Errorf("the page of #%d names the rule %q, or shows its id without being asked", result, rule)
	}
	if b.click("#because .rules summary"); !strings.Contains(b.text("#because .rules"), rule) {
		t.Errorf("behind the rules of #%d there is no %s", result, rule)
	}
	if lit := ask[int](b, `document.querySelectorAll("#why table.sheet .lit").length`); lit == 0 {
		t.Error("no cell of a table is lit")
	}
	if caption := b.text("#why table.sheet caption"); !strings.Contains(caption, "Harbor Attack Table") {
		t.Errorf("the table is %q", caption)
	}
	b.click("a[rel=next]")
	b.until("the event behind it", fmt.Sprintf(`location.pathname.endsWith("/events/%d")`, result+1))
	b.click("a[rel=prev]")
	b.until("the event again", fmt.Sprintf(`location.pathname.endsWith("/events/%d")`, result))
}

// Every number that a page of figures links leads to a page that says why.
func TestBrowserFollowsEveryLink(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	seen := map[string]bool{}
	campaigns := []string{"straits-1942", "two-oceans-1941", "pacific-patrol-1942", "second-front-1944",
		"atlantic-and-pacific"}
	for _, c := range campaigns[:longrun.Of(1, len(campaigns))] {
		b.visit("/campaigns/" + c)
		links := ask[[]string](b,
			`[...document.querySelectorAll("main a[href]")].map((a) =>
				new URL(a.href.baseVal ?? a.href, location.href)).map((u) => u.pathname)`)
		if len(links) < 10 {
			t.Errorf("%s: only %d figures lead anywhere", c, len(links))
		}
		for _, path := range links {
			if seen[path] {
				continue
			}
			seen[path] = true
			status := ask[int](b, fmt.Sprintf(`fetch(%q).then((r) => r.status)`, path))
			if status != 200 {
				t.Errorf("%s: %s is answered with %d", c, path, status)
			}
		}
	}
}

// The reader's own browser recomputes an event's hash from its bytes and the dice from their link.
func TestBrowserVerifies(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, c := range []struct {
		campaign string
		event    uint64
	}{
		{"atlantic-and-pacific", g.event(t, "atlantic-and-pacific", "result_adjudicated")},
		{"atlantic-and-pacific", g.event(t, "atlantic-and-pacific", "dice_rolled")},
		{"two-oceans-1941", g.event(t, "two-oceans-1941", "dice_rolled")},
		{"straits-1942", g.event(t, "straits-1942", "income_collected")},
		{"straits-1942", 0},
	} {
		path := fmt.Sprintf("/campaigns/%s/events/%d", c.campaign, c.event)
		b.visit(path)
		b.click("#verify")
		b.until("a verdict", `document.querySelector("#verified[data-verdict]")`)
		if v := ask[string](b, `document.getElementById("verified").dataset.verdict`); v != "holds" {
			t.Errorf("%s: the verdict is %s: %s", path, v, b.text("#verified"))
		}
	}
}

// Without scripts the pages are complete: the same contents, and the form of the scrubber works.
func TestBrowserWithoutScripts(t *testing.T) {
	beside(t)
	g := played(t)
	with, without := browse(t, g.url), browse(t, g.url)
	without.scriptless()
	for _, k := range kinds(t, g) {
		if !strings.HasSuffix(k.name, " then") && !strings.HasSuffix(k.name, " why") && k.name != "dispute" {
			continue
		}
		const contents = `[...document.querySelectorAll("[data-live], #why")].map((e) => {
			const copy = e.cloneNode(true);
			copy.querySelectorAll("noscript, time").forEach((n) => n.remove());
			return copy.textContent.replace(/\s+/g, " ");
		}).join("\n")`
		with.visit(k.path)
		without.visit(k.path)
		if w, wo := ask[string](with, contents), ask[string](without, contents); len(wo) < 100 || wo != w {
			t.Errorf("%s: with scripts %q, without %q", k.name, w, wo)
		}
	}
	b := without
	b.visit("/campaigns/straits-1942")
	b.do(chromedp.Focus(chromedp.CSS("#scrub")), chromedp.KeyEvent(kb.Home+kb.ArrowRight+kb.ArrowRight))
	b.click("#go")
	b.until("the moment", `location.search === "?at=2" && `+at+" === 2")
	b.click("#forward")
	b.until("an event on", at+" === 3")
	b.click("#first")
	b.until("the beginning", at+" === 0")
	b.click("#last")
	b.until("the head", at+" === Number(document.getElementById('scrub').max)")
}

// The overlay lies over a stream: nothing of it is opaque but its letters and the band at its foot.
func TestBrowserSeesThroughTheOverlay(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, scheme := range []string{"light", "dark"} {
		b.media(scheme)
		b.visit("/campaigns/straits-1942/overlay")
		for _, e := range []string{"document.documentElement", "document.body"} {
			if c := ask[string](b, "getComputedStyle("+e+").backgroundColor"); c != "rgba(0, 0, 0, 0)" {
				t.Errorf("%s: behind %s is %s", scheme, e, c)
			}
		}
		if !clear(b) {
			t.Errorf("%s: the corner of the overlay is opaque", scheme)
		}
		if size := ask[float64](b,
			`Math.max(...[...document.querySelectorAll("main *")].map((e) =>
				parseFloat(getComputedStyle(e).fontSize)))`); size < 28 {
			t.Errorf("the largest letters are %v pixels high", size)
		}
	}
}

// clear reports whether the upper right corner of the page is transparent, shot over nothing.
func clear(b *tab) bool {
	b.Helper()
	nothing := cdp.Command[map[string]any, cdp.Empty]{Method: emulation.CommandSetDefaultBackgroundColorOverride}
	b.do(command(nothing, map[string]any{"color": map[string]any{"r": 0, "g": 0, "b": 0, "a": 0}}))
	picture, err := png.Decode(bytes.NewReader(shoot(b)))
	if err != nil {
		b.Fatal(err)
	}
	corner := picture.Bounds().Max
	_, _, _, alpha := picture.At(corner.X-2, 2).RGBA()
	return alpha == 0
}

// shoot takes a picture of what the window shows.
func shoot(b *tab) []byte {
	b.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	data, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
	if err != nil {
		b.Fatal(err)
	}
	return data
}
