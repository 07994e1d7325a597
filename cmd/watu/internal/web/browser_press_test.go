package web_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// button presses the mouse's left button, or lets it go.
func (b *tab) button(what input.DispatchMouseEventType, at [2]float64) {
	b.Helper()
	b.do(chromedp.MouseEvent(what, at[0], at[1], chromedp.ButtonLeft, chromedp.ClickCount(1)))
}

// drawn waits until the page as it is now is on the screen.
func (b *tab) drawn() {
	b.Helper()
	ask[bool](b, `new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(() => drawn(true))))`)
}

// middle is where the middle of an element is in the window.
func (b *tab) middle(selector string) [2]float64 {
	b.Helper()
	return ask[[2]float64](b, fmt.Sprintf(`(() => {
		const [box] = document.querySelector(%q).getClientRects(); // of a link that is broken, its first line
		return [box.x + box.width / 2, box.y + box.height / 2];
	})()`, selector))
}

// Who presses a link gets where it led then: events that come until he lets it go wait, and a page that moves below the
// pointer takes nothing away. Then the page goes on.
func TestBrowserTakesAClickWhileEventsCome(t *testing.T) {
	beside(t)
	g := played(t)
	g.begin(t, "pressed", "aar", g.straits(t))
	entries := "turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n"
	g.submit(t, "pressed", entries)
	b := browse(t, g.url)
	b.visit("/campaigns/pressed")
	b.until("the stream", `document.getElementById("pulse").innerText === "live"`)
	b.until("the first look", `performance.getEntriesByType("resource").some((r) => r.name === location.href)`)
	const newest = "#happened a.n"
	was := ask[int](b, at)
	led := ask[string](b, fmt.Sprintf(`(() => {
		const real = window.fetch;
		window.came = 0; // pages of the campaign that tell of what came
		window.fetch = async (...how) => {
			const answer = await real(...how);
			if (answer.status === 226) window.came++;
			return answer;
		};
		const link = document.querySelector(%q);
		link.scrollIntoView({ block: "center", behavior: "instant" });
		return link.pathname;
	})()`, newest))
	b.drawn()
	place := b.middle(newest)
	b.button(chromedp.MousePressed, place)
	entries += "  - {id: germany, collect income: Germany}\n"
	g.submit(t, "pressed", entries)
	b.until("the page with what came", `window.came > 0`)
	b.drawn()
	if now := ask[int](b, at); now != was {
		t.Errorf("below a pressed link the page went from #%d to #%d", was, now)
	}
	b.button(chromedp.MouseReleased, place)
	b.until("where the link led", fmt.Sprintf(`location.pathname === %q`, led))

	// What was pressed elsewhere is let go, and the page goes on.
	b.visit("/campaigns/pressed")
	b.until("the stream", `document.getElementById("pulse").innerText === "live"`)
	was = ask[int](b, at)
	place = b.middle("#timeline summary, #play")
	b.button(chromedp.MousePressed, place)
	g.submit(t, "pressed", entries+"  - {id: uk, collect income: UK}\n")
	b.button(chromedp.MouseReleased, [2]float64{5, 5})
	b.until("what came", fmt.Sprintf("%s > %d", at, was))

	// The page moves between press and release.
	b.visit("/campaigns/atlantic-and-pacific")
	led = ask[string](b, `(() => {
		const link = document.querySelector("#story-cards a[href*='/events/']");
		link.id = "pressed";
		link.scrollIntoView({ block: "center", behavior: "instant" });
		return link.pathname;
	})()`)
	place = b.middle("#pressed")
	b.button(chromedp.MousePressed, place)
	ask[bool](b, `scrollBy({ top: 60, behavior: "instant" }), true`)
	b.button(chromedp.MouseReleased, place)
	b.until("where the link led", fmt.Sprintf(`location.pathname === %q`, led))

	// Who moves away before he lets it go has changed his mind.
	b.visit("/campaigns/atlantic-and-pacific")
	b.mark()
	place = b.middle("#story-cards a[href*='/events/']")
	b.button(chromedp.MousePressed, place)
	b.button(chromedp.MouseReleased, [2]float64{place[0], place[1] + 90})
	b.drawn()
	if !b.marked() {
		t.Error("who let a link go elsewhere was taken to it")
	}
}

// What comes into sight takes the place that it had: the page keeps its height wherever the reader goes on it.
func TestBrowserKeepsItsPlaces(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	for _, c := range []string{"straits-1942", "atlantic-and-pacific"} {
		b.visit("/campaigns/" + c)
		b.until("all that was drawn once", `document.body.matches(".drawn")`)
		b.until("its faces", `document.fonts.status === "loaded"`)
		heights := ask[[]int](b, `(async () => {
			const heights = [];
			const frame = () => new Promise(requestAnimationFrame);
			for (let y = 0; y < document.documentElement.scrollHeight; y += 400) {
				scrollTo({ top: y, behavior: "instant" });
				await frame();
				await frame();
				heights.push(document.documentElement.scrollHeight);
			}
			return heights;
		})()`)
		for _, h := range heights {
			if h != heights[0] {
				t.Errorf("%s: the page's height goes through %v", c, heights)
				break
			}
		}
		ask[bool](b, `scrollTo({ top: 0, behavior: "instant" }), true`)
		b.drawn()
		if hidden := ask[int](b, `[...document.querySelectorAll(".panel *")]
			.filter((e) => !e.checkVisibility({ contentVisibilityAuto: true })).length`); hidden == 0 {
			t.Errorf("%s: all that is below the window is laid out", c)
		}
	}
}
