package web_test

import (
	"flag"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

var (
	axeFile = flag.String("axe", "", "look at all kinds of pages with axe-core, of this `file`")
	axePage = flag.String("axe-page", "", "and at the page of this `file`, which checks bundles")
)

// finds are the sentences of axe-core about a page: of all its rules on a light screen, and of those of colours, which
// alone may say something else there, on a dark one.
func finds(scheme string) string {
	only := ""
	if scheme == "dark" {
		only = `, runOnly: ["color-contrast", "link-in-text-block"]`
	}
	return `axe.run(document, { resultTypes: ["violations"]` + only + ` }).then((r) =>
		r.violations.flatMap((v) => v.nodes.map((n) => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary)))`
}

// TestAxe: axe-core finds nothing on any kind of page, light and dark, wide and narrow, with all that is folded open.
func TestAxe(t *testing.T) {
	if *axeFile == "" {
		t.Skip("NOT TESTED: axe-core. -axe names its file, as .ci/axe does")
	}
	axe, err := os.ReadFile(*axeFile)
	if err != nil {
		t.Fatal(err)
	}
	looked := 0
	examine := func(b *tab, name string) {
		t.Helper()
		b.expect("Applying inline style violates") // which axe-core tries
		ask[bool](b, string(axe)+"; true")
		ask[bool](b, `document.querySelectorAll("details").forEach((d) => { d.open = true }), true`)
		for _, width := range []int64{1280, 390} {
			b.do(chromedp.EmulateViewport(width, 900))
			for _, scheme := range []string{"light", "dark"} {
				b.media(scheme, "still")
				for _, fault := range ask[[]string](b, finds(scheme)) {
					t.Errorf("%s, %d wide, %s: %s", name, width, scheme, fault)
				}
				looked++
			}
		}
	}
	g := played(t)
	b := browse(t, g.url)
	for _, k := range append(kinds(t, g), kind{"style", "/style"}, kind{"join", "/join"},
		kind{"rules", "/campaigns/straits-1942/rules"}, kind{"rule", ""}, kind{"space", ""},
		kind{"German", "/campaigns/straits-1942?lang=de"}) {
		switch k.name {
		case "rule":
			k.path = ask[string](b, `document.querySelector('main a[href*="/rules/"]').getAttribute("href")`)
		case "space":
			b.visit("/campaigns/straits-1942")
			k.path = ask[string](b, `document.querySelector('a[href*="/spaces/"]').getAttribute("href")`)
		}
		b.visit(k.path)
		examine(b, k.name)
	}

	h := atDesk(t, g, "examined", straits(t, g, "examined"))
	h.click("#picks summary") // of what a turn has to begin for
	h.goes(form("facts"))
	examine(h.tab, "a form")
	h.fill("#text", "turn: Round 1\nentries:\n- {id: a, collect income: Atlantis}")
	h.click(`#turn [value="check"]`)
	h.until("what is wrong", `document.querySelector("#findings .finding")`)
	examine(h.tab, "a desk with a finding")
	n := &night{T: t, g: g, name: "examined-night", live: true}
	n.opens(n.name)
	if _, err := g.service.Submit(t.Context(), n.name, timeline.Viewer{As: timeline.Umpire},
		service.Submission{Text: nightTurn}); err != nil {
		t.Fatal(err)
	}
	for _, as := range []string{timeline.Umpire, "European Axis"} {
		given, err := g.service.IssueToken(service.NewToken{Campaign: n.name, As: as})
		if err != nil {
			t.Fatal(err)
		}
		b := n.enters("/login?token=" + given.Text)
		examine(b, "a campaign of "+as)
		desk := "/campaigns/" + n.name + "/desk?event=6"
		for _, k := range []kind{{"a desk", desk}, {"a German desk", desk + "&lang=de"}, {"my campaigns", "/login"},
			{"a link", "/login?token=" + given.Text}} {
			b.visit(k.path)
			examine(b, k.name+" of "+as)
		}
	}
	if *axePage != "" {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.ServeFile(w, r, *axePage)
		}))
		t.Cleanup(s.Close)
		b := browse(t, s.URL)
		b.visit("/")
		examine(b, "the page that checks")
	}
	t.Logf("%d looks", looked)
}
