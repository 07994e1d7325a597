package web_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// overlaps lists the texts, numbers and pictures of the schematic that cover each other or are cut.
const overlaps = `(() => {
  const list = [...document.querySelectorAll("#sea .fight-of, #sea .force > *, #sea .roll > *, " +
    "#sea .against, #sea .hexes text, #sea .patrol-side p, #sea .patrol-side svg, " +
    "#sea-cards .fan-heap, #sea-cards p, #sea-cards li > *")]
    .filter((e) => !e.querySelector(":scope > svg, :scope > a > svg") || e.matches(".fan-heap"));
  const boxes = list.map((e) => [e, e.getBoundingClientRect()]).filter(([, b]) => b.width && b.height);
  const named = (e) => (e.getAttribute("class") || e.localName) + ' "' + e.textContent.trim().slice(0, 30) + '"';
  const faults = boxes.length < 8 ? ["there are only " + boxes.length + " things to look at"] : [];
  boxes.forEach(([e, a], i) => {
    if (a.left < -1 || a.right > innerWidth + 1) faults.push(named(e) + " is cut");
    for (const [o, b] of boxes.slice(0, i)) {
      if (e.contains(o) || o.contains(e)) continue;
      const beside = a.left >= b.right - 2 || b.left >= a.right - 2;
      const under = a.top >= b.bottom - 2 || b.top >= a.bottom - 2;
      if (!beside && !under) faults.push(named(e) + " covers " + named(o));
    }
  });
  return faults;
})()`

// Campaigns without a board have a schematic at every width: nothing covers anything, and it reads well for all.
func TestBrowserSeesTheSea(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, moment := range []string{"atlantic-and-pacific", "atlantic-and-pacific?at=340", "pacific-patrol-1942",
		"pacific-patrol-1942?at=95", "pacific-patrol-1942?at=8"} {
		path := "/campaigns/" + moment
		for _, width := range []int64{1280, 768, 390} {
			b.do(chromedp.EmulateViewport(width, 900))
			b.visit(path)
			for _, script := range []string{overlaps, audit} {
				for _, fault := range ask[[]string](b, script) {
					t.Errorf("%s, %d wide: %s", path, width, fault)
				}
			}
			if n := ask[int](b, `document.querySelectorAll("#map-place > *").length`); n != 1 {
				t.Errorf("%s: %d things stand in the map's place", path, n)
			}
		}
		for _, scheme := range []string{"light", "dark"} {
			b.media(scheme)
			for _, fault := range ask[[]string](b, contrast)[1:] {
				t.Errorf("%s, %s: %s", path, scheme, fault)
			}
		}
	}
}

// Whoever scrubs sees each lane come and go, and the result of the moment.
func TestBrowserReplaysTheSea(t *testing.T) {
	beside(t)
	g := played(t)
	first := g.event(t, "atlantic-and-pacific", "result_adjudicated")
	sea, err := g.find("atlantic-and-pacific", func(e timeline.LogEvent) bool {
		return e.Type == "result_adjudicated" && e.Index > first
	})
	if err != nil {
		t.Fatal(err)
	}
	b := browse(t, g.url)
	b.visit(fmt.Sprintf("/campaigns/atlantic-and-pacific?at=%d", sea-1))
	b.mark()
	if n := ask[int](b, `document.querySelectorAll("#sea").length`); n != 0 {
		t.Error("a lane is drawn before anybody fought")
	}
	to := func(event uint64) {
		ask[bool](b, fmt.Sprintf(`scrub.value = %d, scrub.dispatchEvent(new Event("input", {bubbles: true}))`, event))
		b.until("the moment", fmt.Sprintf(`document.getElementById("moment").dataset.event === "%d"`, event))
	}
	to(sea)
	link := fmt.Sprintf(`document.querySelector('#sea .roll a[href="/campaigns/atlantic-and-pacific/events/%d"]')`, sea)
	if result := ask[string](b, link+`?.textContent ?? ""`); result != "0 and 2" {
		t.Errorf("the first result is %q", result)
	}
	to(sea - 1)
	if n := ask[int](b, `document.querySelectorAll("#sea").length`); n != 0 || !b.marked() {
		t.Error("the lane does not go, or the page was loaded again")
	}
}
