package web_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/watu-ledger/watu/cmd/watu/internal/web"
)

// A page is shared with what the browser shares with, or copied, by mouse and by key. The address is that of the
// moment, also after the reader went on to another. Without a script the link leads there.
func TestBrowserShares(t *testing.T) {
	beside(t)
	g := played(t)
	b := browse(t, g.url)
	const home = "/campaigns/straits-1942"
	b.visit(home + "?as=public")
	b.until("a button", `document.querySelector("#share[role=button]")`)
	ask[bool](b, `navigator.clipboard.writeText = async (text) => { window.copied = text }, true`)
	b.click("#share")
	b.until("the word", `document.getElementById("shared").textContent === "The address is copied"`)
	if got := ask[string](b, "window.copied"); got != g.url+home {
		t.Errorf("copied is %s", got)
	}
	b.until("its name again", `document.getElementById("share").textContent === "Share"`)
	b.click("#back")
	b.until("the moment", `document.getElementById("canonical").href.includes("?at=")`)
	ask[bool](b, `document.getElementById("share").focus(), window.seen = null, navigator.canShare = () => true,
		navigator.share = async (what) => { window.seen = what }, true`)
	b.do(chromedp.KeyEvent(" "))
	b.until("what is shared", "window.seen")
	at := ask[string](b, `document.getElementById("moment").dataset.event`)
	if got := ask[string](b, "window.seen.url"); got != fmt.Sprintf("%s%s?at=%s", g.url, home, at) {
		t.Errorf("shared is %s", got)
	}
	if title := ask[string](b, "window.seen.title"); title != ask[string](b, "document.title") {
		t.Errorf("it is called %s", title)
	}
	plain := browse(t, g.url)
	plain.scriptless()
	plain.visit(home + "?at=Round+2")
	plain.click("#share")
	plain.until("the address of the moment", `location.search.match(/^\?at=\d+$/)`)
}

// A site that is listed shows a campaign in a frame, and follows it there; another does not, and no other page is
// shown.
func TestBrowserFrames(t *testing.T) {
	beside(t)
	g := played(t)
	pages := ""
	site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/html")
		fmt.Fprintf(w, `<!doctype html><title>%s</title><link rel="icon" href="data:,"><iframe src="%s%s" width="640"
			height="700"></iframe>`, r.URL.Path, pages, r.URL.RequestURI())
	}))
	t.Cleanup(site.Close)
	for listed, origin := range map[bool]string{true: site.URL, false: "https://example.org"} {
		s, err := web.Listen(web.Options{Address: "127.0.0.1:0", Frame: []string{origin}})
		if err != nil {
			t.Fatal(err)
		}
		s.Serve(g.service)
		t.Cleanup(func() { _ = s.Close() })
		pages = s.URL()[:len(s.URL())-1]
		b := browse(t, site.URL)
		b.expect("request to another host: " + pages)
		for path, frame := range map[string]bool{"/embed/straits-1942": listed,
			"/embed/atlantic-and-pacific?at=90": listed, "/campaigns/straits-1942": false, "/login": false} {
			if !frame {
				b.expect("frame|Frame|blocked|BLOCKED")
			}
			b.visit(path)
			b.until("the end", `document.readyState === "complete"`)
			if got := framed(b); got != frame {
				t.Errorf("%s by a site, listed %v: shown %v", path, listed, got)
			}
		}
	}
}

// framed reports whether the frame of a page shows what it should; where that is refused the browser says so there.
func framed(b *tab) bool {
	b.Helper()
	var tree page.GetFrameTreeResult
	b.do(chromedp.Func(func(ctx context.Context, t *chromedp.Target) (err error) {
		tree, err = cdp.Call(ctx, t, page.GetFrameTree, cdp.Empty{})
		return err
	}))
	if len(tree.FrameTree.ChildFrames) != 1 {
		b.Fatalf("there is no frame: %v", tree)
	}
	frame := tree.FrameTree.ChildFrames[0].Frame
	return frame.UnreachableURL == "" && strings.HasPrefix(frame.URL, "http://127.0.0.1")
}

// A turn, an event and a dispute are copied for a forum in either format, as the log says them with links here. Without
// a script they are there to be selected, and no button is.
func TestBrowserCopiesForAForum(t *testing.T) {
	beside(t)
	g := played(t)
	b, plain := browse(t, g.url), browse(t, g.url)
	plain.scriptless()
	const home = "/campaigns/straits-1942"
	for path, says := range map[string][2]string{
		home + "/events/18": {"[#18](%s/events/18) UK collects 12 IPCs",
			"[url=%s/events/18]#18[/url] UK collects 12 IPCs"},
		home + "/disputes/98":         {"[#98](%s/events/98) Anna disputes #89", "[url=%s/events/98]#98[/url] Anna"},
		home + "/events?turn=Round+1": {"**Round 1, UK collect income**\n\n- [#16](%s/events/16)", "[b]Round 1[/b]"},
	} {
		b.visit(path)
		b.click("#forum summary")
		for i, format := range []string{"markdown", "bbcode"} {
			ask[bool](b, `window.copied = window.heard = "",
				window.says = document.querySelector("#forum [role=status]"),
				new MutationObserver(() => { window.heard ||= says.textContent }).observe(says, { childList: true }),
				navigator.clipboard.writeText = async (text) => { window.copied = text }, true`)
			b.click(".copy[data-of=forum-" + format + "]")
			b.until("the word", `window.heard === "Copied"`) // which is said for two seconds
			want := says[i]
			if strings.Contains(want, "%s") {
				want = fmt.Sprintf(want, g.url+home)
			}
			if got := ask[string](b, "window.copied"); !strings.Contains(got, want) {
				t.Errorf("%s: copied is %s, without %s", path, got, want)
			}
			b.until("its name again", `document.querySelector("#forum [role=status]").textContent === ""`)
		}
		plain.visit(path)
		plain.click("#forum summary")
		plain.until("the posts alone", `[...document.querySelectorAll("#forum textarea")].every((e) => e.readOnly &&
			e.value && e.clientHeight) && [...document.querySelectorAll(".copy")].every((e) => !e.clientHeight)`)
	}
}
