package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/watu-ledger/watu/fixtures"
)

// witness has a page note what moves on it, by its kind, and each value that the score's figures go through.
const witness = `(() => {
	window.moved = new Set();
	window.values = [];
	const kinds = [".bombs", ".ways", ".plates", ".boats", ".land", ".story-card", ".sea-dice"];
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
	g.unfold(b, k, func(events uint64) {
		if first {
			b.visit("/campaigns/" + k.Name)
			ask[bool](b, witness)
		}
		first = false
		b.until("the event", fmt.Sprintf("%s === %d", at, events-1)) // else several come with one look
	})
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
		case "two-oceans-1941":
			want = "wash .bombs .ways .land"
		default:
			continue
		}
		t.Run(k.Name, func(t *testing.T) {
			t.Parallel()
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

// At fifty events a second each frame of the screen draws the newest step that is due, and no frame draws two. How fast
// pages come is the server's affair: here each has come before, so that the screen alone sets the pace.
func TestBrowserReplaysFast(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	b.visit("/campaigns/straits-1942")
	of := ask[int](b, `Number(document.getElementById("scrub").max)`)
	ask[bool](b, fmt.Sprintf(havingCome, of))
	b.do(chromedp.KeyEvent(kb.Home))
	b.until("the beginning", at+" === 0")
	ask[bool](b, fmt.Sprintf(`(() => {
		document.getElementById("speed").value = "50";
		window.drawn = []; // steps, and the frames that drew them
		let frames = 0;
		const frame = () => { frames++; requestAnimationFrame(frame); };
		requestAnimationFrame(frame);
		document.addEventListener("watu:shown", () => {
			const step = %s; // the same again where parts below the window catch up with it
			if (window.drawn.at(-1)?.[0] !== step) window.drawn.push([step, frames]);
		});
		return true;
	})()`, at))
	b.do(chromedp.KeyEvent(" "))
	b.until("the end", fmt.Sprintf(`%s === %d && document.getElementById("play").innerText === "Play"`, at, of))
	drawn := ask[[][2]int](b, "window.drawn")
	frames := drawn[len(drawn)-1][1] - drawn[0][1] + 1
	t.Logf("%d of %d steps drawn in %d frames", len(drawn), of, frames)
	if can := min(of, frames); len(drawn) < can/2 {
		t.Errorf("only %d steps were drawn where %d frames could show %d", len(drawn), frames, can)
	}
	for i := 1; i < len(drawn); i++ {
		if now, was := drawn[i], drawn[i-1]; now[0] <= was[0] || now[1] <= was[1] {
			t.Errorf("#%d in frame %d came behind #%d in frame %d", now[0], now[1], was[0], was[1])
		}
	}
	b.until("what follows", `document.getElementById("pulse").innerText === "live"`)
	same(b, "/campaigns/straits-1942")
}

// havingCome loads every moment of a campaign, and has the page's own requests for them answered at once.
const havingCome = `(async () => {
	const [fetched, real] = [new Map(), window.fetch];
	const keyOf = (url) => new URL(url, location.href).searchParams.get("at");
	for (let n = 0; n < %d; n++) {
		const url = new URL(location.href);
		url.searchParams.set("at", n);
		const answer = await real(url, { headers: { Accept: "text/html" } });
		fetched.set(String(n), [await answer.text(), answer.headers.get("ETag")]);
	}
	window.fetch = async (url, how) => {
		const had = fetched.get(keyOf(url));
		return had ? new Response(had[0], { headers: { ETag: had[1] } }) : real(url, how);
	};
	return true;
})()`
