package web_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/rules"
)

// round is a turn of eight entries as its forms write it.
const round = `turn: Round 1
entries:
  - {id: facts, facts: {submarines: {Germany: {SZ 7: 1, SZ 8: 1}, Japan: {SZ 60: 1}}}}
  - {id: collect-income, collect income: Russia}
  - {id: purchase, purchase: {power: Germany, cost: 24, units: {destroyer: 3}}}
  - {id: collect-income-2, collect income: Germany}
  - {id: collect-income-3, collect income: UK}
  - {id: collect-income-4, collect income: Japan}
  - {id: collect-income-5, collect income: US}
`

// hands are an umpire's at his desk. They count what they do.
type hands struct {
	*tab
	path string
	done int // keystrokes and clicks
}

// types types into what has the focus, once the page has put it into the form.
func (h *hands) types(keys string) {
	h.Helper()
	h.until("the focus", `document.activeElement.closest("#turn")`)
	for _, k := range keys {
		h.done++
		h.do(chromedp.KeyEvent(string(k)))
	}
}

// leads does something that leads to a page, and waits until it is there.
func (h *hands) leads(does func()) {
	h.Helper()
	h.mark()
	does()
	h.until("the page", `window.watuMark !== true && document.readyState === "complete"`)
	if wrong := h.text(".wrong[role=alert]"); !strings.HasPrefix(wrong, "no ") {
		h.Fatal(wrong)
	}
}

// goes clicks on something that leads to a page, keys types what does.
func (h *hands) goes(selector string) {
	h.Helper()
	h.done++
	h.leads(func() { h.click(selector) })
}

func (h *hands) sends(keys string) {
	h.Helper()
	h.leads(func() { h.types(keys) })
}

// straits begins a campaign of the house rules on the board of the Straits, and gives the way in for its umpire.
func straits(t *testing.T, g *ground, name string) (token string) {
	t.Helper()
	at := slices.IndexFunc(fixtures.Campaigns(), func(k fixtures.Campaign) bool { return k.Name == "straits-1942" })
	var board []rules.BoardFile
	for _, f := range fixtures.Campaigns()[at].Board {
		board = append(board, rules.BoardFile(f))
	}
	g.begin(t, name, "aar", board)
	given, err := g.service.IssueToken(service.NewToken{Campaign: name, As: timeline.Umpire})
	if err != nil {
		t.Fatal(err)
	}
	return given.Text
}

func atDesk(t *testing.T, g *ground, name, token string) *hands {
	t.Helper()
	h := &hands{tab: browse(t, g.url), path: "/campaigns/" + name + "/desk"}
	h.visit("/login?" + url.Values{"token": {token}}.Encode())
	h.press("#opens button")
	h.visit(h.path)
	return h
}

func form(verb string) string { return fmt.Sprintf(`#picks [value=%q]`, verb) }

// TestTurnByForms: eight entries by forms take no more keystrokes and clicks than the turn file has characters, they
// make that turn file, and leave the record that it leaves.
func TestTurnByForms(t *testing.T) {
	beside(t)
	g := played(t)
	h := atDesk(t, g, "by-forms", straits(t, g, "by-forms"))
	const enter, tab = kb.Enter, kb.Tab
	h.goes(form("turn"))
	h.goes(`#entry p > [value="add"]`)
	h.goes(form("facts"))
	h.readable()
	h.opens("f-facts-submarines-0-name")
	h.types(tab + "g" + tab + "SZ 7" + tab + "1" + tab)
	h.sends(enter) // one more sea zone
	h.types("SZ 8" + tab + "1" + tab + tab + tab + "j" + tab + "SZ 60" + tab + "1")
	h.sends(enter)
	h.goes(form("collect income"))
	h.types("r" + tab)
	h.sends(enter)
	h.goes(form("purchase"))
	h.types("g" + tab + "24" + tab + "destroyer" + tab + "3")
	h.sends(enter)
	h.goes(form("collect income"))
	for i, power := range []string{"g", "uk", "j", "us"} {
		if i > 0 {
			h.sends(enter) // on the button of the verb that was used
		}
		h.types(power + tab)
		h.sends(enter)
	}
	if text := ask[string](h.tab, `document.querySelector("#text").value`); text != round {
		t.Errorf("the forms make\n%s\nnot\n%s", text, round)
	}
	n := utf8.RuneCountInString(round)
	if t.Logf("%d keystrokes and clicks for %d characters", h.done, n); h.done > n {
		t.Errorf("%d keystrokes and clicks for %d characters", h.done, n)
	}
	h.goes(`#turn [value="check"]`)
	h.readable()
	if got := h.text("#findings"); !strings.HasPrefix(got, "Nothing is wrong") {
		t.Errorf("checked: %s", got)
	}
	h.goes(`#turn [value="enter"]`)
	sameAsTyped(t, g, "by-forms", "by-hand")
}

// opens unfolds the part of a form that has an element.
func (h *hands) opens(id string) {
	h.Helper()
	h.done++
	h.click(fmt.Sprintf("#entry details:has([id=%q]) > summary", id))
	h.until(id, fmt.Sprintf("document.getElementById(%q).checkVisibility()", id))
}

// readable looks at the page as it stands, light and dark, wide and narrow.
func (h *hands) readable() {
	h.Helper()
	for _, width := range []int64{390, 1280} {
		h.do(chromedp.EmulateViewport(width, 900))
		for _, scheme := range []string{"dark", "light"} {
			h.media(scheme)
			for _, fault := range append(ask[[]string](h.tab, audit), ask[[]string](h.tab, contrast)[1:]...) {
				h.Errorf("%d wide, %s: %s", width, scheme, fault)
			}
			if over := ask[int](h.tab, "document.documentElement.scrollWidth - innerWidth"); over > 0 {
				h.Errorf("%d wide: %d more are needed", width, over)
			}
		}
	}
}

// TestDeskChecksWhileTyping: what is wrong stands beside its line before any button is pressed, and goes with it.
func TestDeskChecksWhileTyping(t *testing.T) {
	beside(t)
	g := played(t)
	h := atDesk(t, g, "as-typed", straits(t, g, "as-typed"))
	h.click("#text")
	h.types("turn: Round 1\nentries:\n- {id: a, collect income: Atlantis}")
	h.until("what is wrong",
		`document.querySelector("#findings .finding[data-line='3']")?.innerText.includes("no power")`)
	got, said := h.text("#findings"), ask[string](h.tab, `document.querySelector("#findings").ariaLive`)
	if !strings.Contains(got, "Line 3 - {id: a, collect income: Atlantis}") || said != "polite" {
		t.Errorf("beside the line, %s: %s", said, got)
	}
	if !ask[bool](h.tab, `document.querySelector("#text").ariaInvalid === "true"`) {
		t.Error("the text does not say that it is wrong")
	}
	h.readable()
	h.click("#findings .at")
	const chosen = `(() => {
		const t = document.querySelector("#text");
		return t.value.slice(t.selectionStart, t.selectionEnd);
	})()`
	if got := ask[string](h.tab, chosen); got != "- {id: a, collect income: Atlantis}" {
		t.Errorf("the link leads to %q", got)
	}
	h.types("- {id: a, collect income: Russia}")
	h.until("that nothing is wrong", `document.querySelector("#findings").innerText.startsWith("Nothing is wrong")`)
	h.readable()
	c, err := g.service.Find("as-typed")
	if before := c.Events; err != nil || before > 3 {
		t.Errorf("%v: %d events came of typing", err, before)
	}
}

// TestReadingsOfAnOption: of the readings of all options those stand to be chosen that are of the one chosen beside
// them.
func TestReadingsOfAnOption(t *testing.T) {
	beside(t)
	g := played(t)
	h := atDesk(t, g, "ruled", straits(t, g, "ruled"))
	h.goes(form("rule"))
	const open = `[...document.querySelectorAll("#f-rule-value optgroup")]
		.filter((g) => !g.disabled).map((g) => g.label)`
	if all := ask[[]string](h.tab, open); len(all) < 2 {
		t.Fatalf("before an option is chosen: %q", all)
	}
	const chooses = `(() => {
		const o = document.querySelector("#f-rule-option");
		o.value = document.querySelector("#f-rule-value optgroup:last-child").label;
		o.dispatchEvent(new Event("input", { bubbles: true }));
		return o.value;
	})()`
	if option, left := ask[string](h.tab, chooses), ask[[]string](h.tab, open); !slices.Equal(left, []string{option}) {
		t.Errorf("of %s: %q", option, left)
	}
	h.readable()
}

// sameAsTyped compares the record of a campaign with that of one in which the round was typed at a terminal.
func sameAsTyped(t *testing.T, g *ground, name, other string) {
	t.Helper()
	straits(t, g, other)
	g.submit(t, other, round)
	n := &night{T: t, g: g}
	if forms, typed := n.recorded(name), n.recorded(other); !slices.Equal(forms, typed) || len(forms) < 12 {
		t.Errorf("by forms\n%s\ntyped\n%s", strings.Join(forms, "\n"), strings.Join(typed, "\n"))
	}
}

// focuses puts the focus on something, as the tab key does in the end.
func (h *hands) focuses(selector string) {
	h.Helper()
	ask[bool](h.tab, fmt.Sprintf("(document.querySelector(%q).focus(), true)", selector))
}

// TestSideByForms: on a narrow screen, by keyboard and without scripts a player enters by a form what is his side's.
func TestSideByForms(t *testing.T) {
	beside(t)
	g := played(t)
	n := &night{T: t, g: g, name: "side-by-forms"}
	n.opens(n.name)
	g.submit(t, n.name, "turn: Spring 1940\n")
	given, err := g.service.IssueToken(service.NewToken{Campaign: n.name, As: "Britain"})
	if err != nil {
		t.Fatal(err)
	}
	h := atDesk(t, g, n.name, given.Text)
	h.scriptless()
	h.do(chromedp.EmulateViewport(390, 900))
	h.visit(h.path)
	h.focuses(form("allocate"))
	h.sends(kb.Enter)
	h.readable()
	h.types(kb.Tab + "Ultra" + kb.Tab + "4") // the side stands there
	h.sends(kb.Enter)
	const want = "entries:\n  - {id: allocate-britain, allocate: {side: Britain, project: Ultra, points: 4}}\n"
	if text := ask[string](h.tab, `document.querySelector("#text").value`); text != want {
		t.Fatalf("the form makes %q", text)
	}
	h.focuses(`#turn [value="check"]`)
	h.sends(kb.Enter)
	if got := h.text("#findings"); !strings.HasPrefix(got, "Nothing is wrong") {
		t.Errorf("checked: %s", got)
	}
	h.readable()
	h.focuses(`#turn [value="enter"]`)
	h.sends(kb.Enter)
	if got := h.text("#became"); !strings.Contains(got, "allocate applied") {
		t.Errorf("entered: %s", got)
	}
	g.event(t, n.name, "research_allocated")
}

// TestDeskFollows: a desk says by itself that the campaign moved on, what is asked there now and which forms there are;
// what is typed stays.
func TestDeskFollows(t *testing.T) {
	beside(t)
	g := played(t)
	h := atDesk(t, g, "desk-follows", straits(t, g, "desk-follows"))
	h.fill("#text", "{collect income: UK}")
	const due = `Boolean(document.querySelector("#picks > .pick [value='collect income']"))`
	if ask[bool](h.tab, due) {
		t.Error("before a turn has begun its forms are open")
	}
	h.until("the stream", `document.getElementById("pulse").textContent === "live"`)
	if !ask[bool](h.tab, `document.getElementById("moved").hidden`) {
		t.Error("it moved on before anything happened")
	}
	g.submit(t, "desk-follows", "turn: Round 1\nentries:\n  - {id: a, collect income: Russia}\n")
	h.until("that it moved on", `!document.getElementById("moved").hidden`)
	for _, says := range []string{"Russia collect income", "Russia: 24 IPCs"} {
		h.until(says, fmt.Sprintf(`document.getElementById("stand").innerText.includes(%q)`, says))
	}
	h.until("the forms of the turn", due)
	if got := ask[string](h.tab, `document.querySelector("#text").value`); got != "{collect income: UK}" {
		t.Errorf("of what was typed is left %q", got)
	}
	h.readable()
}
