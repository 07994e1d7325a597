package web_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// outside are the names on the map a corner of which is not in their space, by the browser's own measures.
const outside = `[...document.querySelectorAll("#map .names.land > g > text:not([display])")].filter((text) => {
	const box = text.getBBox();
	const turned = text.transform.baseVal.consolidate()?.matrix ?? new DOMMatrix();
	const [dx, dy] = [box.width * .04, box.height * .16]; // a line is higher than its letters
	const corners = [[box.x + dx, box.y + dy], [box.x + box.width - dx, box.y + dy],
		[box.x + dx, box.y + box.height - dy], [box.x + box.width - dx, box.y + box.height - dy]];
	return ![...document.querySelectorAll("#map .land path")].some((path) =>
		corners.every(([x, y]) => path.isPointInFill(new DOMPoint(x, y).matrixTransform(turned))));
}).map((text) => text.textContent)`

// viewed is how wide the part of the map is that is seen, and how high a letter is, in pixels.
const viewed = `(() => {
	const svg = document.querySelector("#map .plotted");
	const size = svg.querySelector(".names").getAttribute("font-size");
	return [svg.viewBox.baseVal.width, size * svg.clientWidth / svg.viewBox.baseVal.width, svg.viewBox.baseVal.x];
})()`

// The map is zoomed by buttons, keys and the wheel, and moved by keys and by dragging; names keep their size and stay
// in their lands.
func TestBrowserZoomsTheMap(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.media("light", "still")
	for _, name := range []string{"straits-1942", "two-oceans-1941"} {
		b.visit("/campaigns/" + name)
		b.until("the buttons", `document.querySelector("#map-zoom:not([hidden])")`)
		whole := ask[[]float64](b, viewed)
		if out := ask[[]string](b, outside); len(out) > 0 {
			t.Errorf("%s: names leave their lands: %q", name, out)
		}
		narrower := func(how string, than []float64) []float64 {
			t.Helper()
			b.until(how, fmt.Sprintf(`%s[0] < %f`, viewed, than[0]-1))
			now := ask[[]float64](b, viewed)
			if now[1] < than[1]-.5 || now[1] > than[1]+.5 {
				t.Errorf("%s: %s: letters of %.1f pixels, they had %.1f", name, how, now[1], than[1])
			}
			return now
		}
		b.click("#map-in")
		now := narrower("the button", whole)
		if out := ask[[]string](b, outside); len(out) > 0 {
			t.Errorf("%s: zoomed, names leave their lands: %q", name, out)
		}
		ask[bool](b, `document.getElementById("map-box").focus(), true`)
		b.do(chromedp.KeyEvent("+"))
		now = narrower("the key", now)
		b.do(chromedp.KeyEvent(kb.ArrowRight))
		b.until("the arrow", fmt.Sprintf(`%s[2] > %f`, viewed, now[2]+1))
		ask[bool](b, `new Promise((done) => setTimeout(done, 400, true))`) // nothing scrolls any more
		wheel := `document.querySelector("#map .plotted").dispatchEvent(new WheelEvent("wheel", {deltaY: -100,
			bubbles: true, cancelable: true, clientX: 300, clientY: 500}))`
		b.until("turning the wheel", fmt.Sprintf(`%s[0] < %f || !%s && false`, viewed, now[0]-1, wheel))
		now = narrower("the wheel", now)
		ask[bool](b, `(() => {
			const svg = document.querySelector("#map .plotted");
			for (const [type, x] of [["pointerdown", 400], ["pointermove", 300], ["pointerup", 300]]) {
				svg.dispatchEvent(new PointerEvent(type, {pointerId: 7, bubbles: true, clientX: x, clientY: 500}));
			}
			return true;
		})()`)
		b.until("dragging", fmt.Sprintf(`%s[2] > %f`, viewed, now[2]+1))
		b.do(chromedp.KeyEvent("0"))
		b.until("the whole map", fmt.Sprintf(`Math.abs(%s[0] - %f) < 1`, viewed, whole[0]))
	}
}

// A space that is touched, focused or chosen is told of; what did not change is dimmed; on a telephone the map begins
// on the first screen; without scripts it is whole.
func TestBrowserLooksAtASpace(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.media("light", "still")
	b.visit("/campaigns/straits-1942")
	b.until("the list", `document.getElementById("map-space")?.length > 10`)
	told := func(what string) {
		t.Helper()
		b.until(what, `/Western Europe/.test(document.querySelector("#map-about h3")?.textContent) &&
			/eld by|capital/.test(document.getElementById("map-about").textContent) &&
			document.querySelector('#map-about a[href*="/events/"]') &&
			document.querySelector('#map-about .event-line') &&
			document.querySelector('#map-about a[href*="/spaces/"]') && document.querySelector("#map path.chosen")`)
		b.do(chromedp.KeyEvent(kb.Escape))
		b.until("nothing", `!document.querySelector("#map-about h3, #map .chosen")`)
	}
	b.click("#map .land a path")
	told("the land that was touched")
	ask[bool](b, `document.activeElement.blur(), document.querySelector("#map .land a").focus(), true`)
	told("the land that has the focus")
	ask[bool](b, `(() => {
		const list = document.getElementById("map-space");
		list.value = "Western Europe";
		return list.dispatchEvent(new Event("change", {bubbles: true}));
	})()`)
	told("the land that was chosen")
	b.click("#map-only")
	if dim := ask[[]string](b, `[...document.querySelectorAll("#map .land path")].map((e) =>
		getComputedStyle(e).opacity +
		(e.classList.contains("moved") ? " moved" : "")).filter((s, i, all) =>
		all.indexOf(s) === i).sort()`); fmt.Sprint(dim) != "[0.28 1 moved]" {
		t.Errorf("what changed is not all that stands out: %q", dim)
	}
	b.do(chromedp.EmulateViewport(390, 844))
	b.visit("/campaigns/straits-1942")
	if top := ask[float64](b, `document.getElementById("map-box").getBoundingClientRect().top + scrollY`); top >= 400 {
		t.Errorf("on a telephone the map begins at %.0f", top)
	}
	b.scriptless()
	b.visit("/campaigns/straits-1942")
	if box := ask[string](b, `document.querySelector("#map .plotted").getAttribute("viewBox")`); box != "0 0 1200 720" {
		t.Errorf("without scripts %s of the map is shown", box)
	}
}

// What was recorded of a space whose sheet is open is asked for again only where there is something new in it.
func TestBrowserAsksForASheetOnce(t *testing.T) {
	beside(t)
	g := played(t)
	g.begin(t, "sheet", "aar", g.straits(t))
	turn := "turn: Round 1\nfacts: {submarines: {Germany: {SZ 8: 2}}}\nentries:\n" +
		"  - {id: russia, collect income: Russia}\n"
	g.submit(t, "sheet", turn)
	b := browse(t, g.url)
	b.media("light", "still")
	b.visit("/campaigns/sheet")
	b.until("the stream and the list", `document.getElementById("pulse").innerText === "live" &&
		document.getElementById("map-space").length > 10`)
	ask[bool](b, `(() => {
		const list = document.getElementById("map-space");
		list.value = "8 Sea Zone";
		return list.dispatchEvent(new Event("change", {bubbles: true}));
	})()`)
	const asked = `performance.getEntriesByType("resource").filter((e) => e.name.includes("/spaces/")).length`
	lines := `document.querySelectorAll("#map-about .event-line").length`
	b.until("its history", lines+" === 1")
	was := ask[int](b, at)
	turn += "  - {id: germany, collect income: Germany}\n"
	g.submit(t, "sheet", turn)
	b.until("an event elsewhere", fmt.Sprintf("%s > %d && %s === 1", at, was, lines))
	if n := ask[int](b, asked); n != 1 {
		t.Errorf("the sheet was asked for %d times although nothing in it changed", n)
	}
	turn += "  - {id: uk, collect income: UK}\n"
	g.submit(t, "sheet", turn)
	b.until("a raid from there", lines+" > 1")
	if n := ask[int](b, asked); n != 2 {
		t.Errorf("the sheet was asked for %d times, of two histories", n)
	}
}
