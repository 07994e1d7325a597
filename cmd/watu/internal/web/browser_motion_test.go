package web_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/watu-ledger/watu/fixtures"
)

// witness has a page note what moves on it, by its kind, and each value that the score's figures go through.
const witness = `(() => {
	window.moved = new Set();
	window.values = [];
	const kinds = [".ways", ".plates", ".boats", ".land", ".story-card", ".sea-dice"];
	const animate = Element.prototype.animate;
	Element.prototype.animate = function (...how) {
		window.moved.add(kinds.find((k) => this.closest(k)) ?? this.nodeName);
		return animate.apply(this, how);
	};
	new MutationObserver((list) => {
		for (const m of list) {
			if (m.type === "attributes" && m.target.dataset.washed !== undefined) window.moved.add("wash");
			const figure = m.type === "characterData" && m.target.parentElement?.closest(".score .figure");
			if (figure) window.values.push(m.target.nodeValue);
		}
	}).observe(document.body, { subtree: true, characterData: true, attributeFilter: ["data-washed"] });
	return true;
})()`

// followed opens a campaign as it stands and lets the rest of it happen, until the page has the last event.
func (b *tab) followed(g *ground, k fixtures.Campaign, scheme string, rest ...string) {
	b.Helper()
	b.media(scheme, rest...)
	first := true
	all := g.unfold(b, k, func(uint64) {
		if first {
			b.visit("/campaigns/" + k.Name)
			ask[bool](b, witness)
		}
		first = false
		time.Sleep(100 * time.Millisecond) // else all of it comes with one look
	})
	b.until("the last event", fmt.Sprintf("%s === %d", at, all-1))
}

// What changes is seen to: washed, counted up, drawn, rolled. It leaves nothing on the page. Who wants no motion sees
// the same figures at once.
func TestBrowserSeesWhatChanges(t *testing.T) {
	beside(t)
	for _, k := range fixtures.Campaigns() {
		want := "wash .story-card .ways .land"
		switch k.Name {
		case "straits-1942":
		case "atlantic-and-pacific":
			want = "wash .story-card .sea-dice"
		default:
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			b := browse(t, "")
			g := stage(t)
			b.base = g.url
			b.followed(g, k, "light")
			for _, kind := range strings.Fields(want) {
				if !ask[bool](b, fmt.Sprintf("window.moved.has(%q)", kind)) {
					t.Errorf("%s did not move; what did: %s", kind, ask[string](b, `[...window.moved].join(" ")`))
				}
			}
			if n := ask[int](b, "window.values.length"); n < 5 {
				t.Errorf("the score went through %d values", n)
			}
			b.until("rest", `!document.querySelector("[data-washed]")`)
			same(b, "/campaigns/"+k.Name)
		})
	}
}

func TestBrowserSeesNoMotionWhereNoneIsWanted(t *testing.T) {
	beside(t)
	for _, k := range fixtures.Campaigns() {
		if k.Name != "straits-1942" {
			continue
		}
		b := browse(t, "")
		g := stage(t)
		b.base = g.url
		b.followed(g, k, "light", "still")
		if moved := ask[string](b, `[...window.moved].join(" ")`); moved != "" {
			t.Errorf("these moved: %s", moved)
		}
		if n := ask[int](b, "document.getAnimations().length"); n > 0 {
			t.Errorf("%d animations run", n)
		}
		same(b, "/campaigns/"+k.Name)
	}
}

// Who has scrolled stays where he is and reads how many events came; the link goes to them.
func TestBrowserSaysWhatIsNew(t *testing.T) {
	beside(t)
	g := played(t)
	g.begin(t, "scrolled", "aar", g.straits(t))
	g.submit(t, "scrolled", "turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n")
	b := browse(t, g.url)
	b.visit("/campaigns/scrolled")
	b.until("the stream", `document.getElementById("pulse").innerText === "live"`)
	ask[bool](b, `scrollTo({ top: document.documentElement.scrollHeight, behavior: "instant" }), true`)
	was := ask[float64](b, `scrollY`)
	if was < 500 || ask[bool](b, `!!document.getElementById("fresh")`) {
		t.Fatalf("scrolled to %v, with %q", was, b.text("#fresh"))
	}
	g.submit(t, "scrolled", "turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n  - {id: germany, "+
		"collect income: Germany}\n")
	b.until("how many are new", `/^\d+ new$/.test(document.getElementById("fresh")?.innerText)`)
	if now := ask[float64](b, `scrollY`); now < was-5 {
		t.Errorf("the page went from %v to %v", was, now)
	}
	b.click("#fresh")
	b.until("the top", `scrollY < 100 && !document.getElementById("fresh")`)
}

// A time says how long ago it was, and goes on doing so; the element keeps the exact one.
func TestBrowserTellsTimes(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.visit("/campaigns/straits-1942")
	b.until("how long ago the last turn was",
		`/^(now|\d+ min ago)$/.test(document.querySelector(".story-card time").innerText)`)
	if ask[bool](b, `isNaN(new Date(document.querySelector(".story-card time").dateTime))`) {
		t.Error("the element has no time")
	}
	ask[bool](b, `(() => {
		const time = document.querySelector(".story-card time");
		time.dateTime = new Date(Date.now() - 3 * 3600e3).toISOString();
		document.dispatchEvent(new Event("visibilitychange"));
		return true;
	})()`)
	b.until("three hours",
		`document.querySelector(".story-card time").innerText === "3 hr ago"`)
}

// At fifty events a second a step is shown with each frame of the screen for which one has come, and none waits for
// those before it. On a busy machine fewer come.
func TestBrowserReplaysFast(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.visit("/campaigns/straits-1942")
	of := ask[int](b, `Number(document.getElementById("scrub").max)`)
	play := func() {
		b.do(chromedp.KeyEvent(kb.Home))
		b.until("the beginning", at+" === 0")
		ask[bool](b, `(() => {
			document.getElementById("speed").value = "50";
			window.steps = [];
			window.frames = 0;
			const frame = () => { window.frames++; if (!window.played) requestAnimationFrame(frame); };
			window.played = false;
			document.addEventListener("watu:shown", () => {
				const now = `+at+`;
				if (window.steps.at(-1) !== now) window.steps.push(now);
			});
			frame();
			return true;
		})()`)
		b.do(chromedp.KeyEvent(" "))
		b.until("the end", fmt.Sprintf(`%s === %d &&
			document.getElementById("play").innerText === "Play" && (window.played = true)`, at, of))
	}
	play() // the pages are drawn for the first time
	b.visit("/campaigns/straits-1942")
	play()
	steps, frames := ask[[]int](b, "window.steps"), ask[int](b, "window.frames")
	t.Logf("%d of %d steps in %d frames", len(steps), of, frames)
	if len(steps) < min(of, frames)/20 {
		t.Errorf("only %d of %d steps were shown in %d frames", len(steps), of, frames)
	}
	for i := 1; i < len(steps); i++ {
		if steps[i] <= steps[i-1] {
			t.Errorf("#%d came behind #%d", steps[i], steps[i-1])
		}
	}
	same(b, "/campaigns/straits-1942")
}
