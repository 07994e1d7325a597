package web_test

import (
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

const nightTurn = `turn: Spring 1940
facts:
  axis controls: [Brest, Lorient]
  cves: {Atlantic: 7}
entries:
  - {id: points, allocate: {side: Britain, project: Ultra, points: 4}}
  - {id: produce, produce: {side: Britain, project: Ultra, card: asw}}
  - {id: draw, draw: Ultra}
  - id: atlantic
    submarine warfare: {box: Atlantic, submarines: 8, asw: 34}
`

const nightCorrection = "code: typo\nreason: nine were there\nreplace: {facts: {cves: {Atlantic: 9}}}"

// night is one campaign that an umpire and two players play in three browsers.
type night struct {
	*testing.T
	g    *ground
	name string
	live bool // with scripts

	restarts bool   // the server ends in the course of it, and begins anew
	tabs     []*tab // of all
}

// fill types into a field.
func (b *tab) fill(selector, text string) {
	b.Helper()
	b.until(selector, fmt.Sprintf("document.querySelector(%q)", selector))
	ask[bool](b, fmt.Sprintf("(document.querySelector(%q).value = %q, true)", selector, text))
}

// press clicks, and waits until the page that it leads to is there.
func (b *tab) press(selector string) {
	b.Helper()
	b.mark()
	b.click(selector)
	b.until("what "+selector+" leads to", `window.watuMark !== true && document.readyState === "complete"`)
	if wrong := ask[string](b, `document.querySelector(".wrong[role=alert]")?.innerText ?? ""`); wrong != "" {
		b.Errorf("%s: %s", selector, wrong)
	}
}

// twice clicks twice, as an impatient hand does, and waits until the page that it leads to is there.
func (b *tab) twice(selector string) {
	b.Helper()
	b.mark()
	b.click(selector)
	if at := ask[[]float64](b, fmt.Sprintf(`(() => {
		const box = document.querySelector(%q)?.getBoundingClientRect();
		return box ? [box.x + box.width / 2, box.y + box.height / 2] : [];
	})()`, selector)); len(at) == 2 {
		b.do(chromedp.MouseClickXY(at[0], at[1]))
	}
	b.until("what "+selector+" leads to", `window.watuMark !== true && document.readyState === "complete"`)
	if wrong := b.text(".wrong[role=alert]"); !strings.HasPrefix(wrong, "no ") {
		b.Errorf("%s, twice: %s", selector, wrong)
	}
}

// enters opens the link that somebody was sent, which leads to the desk, and goes on to the campaign.
func (n *night) enters(link string) *tab {
	n.Helper()
	b := browse(n, n.g.url)
	n.tabs = append(n.tabs, b)
	if !n.live {
		b.scriptless()
	}
	u, err := url.Parse(link)
	if err != nil {
		n.Fatal(err)
	}
	b.visit(u.RequestURI())
	b.press("#opens button")
	if at := ask[string](b, "location.pathname"); at != "/campaigns/"+n.name+"/desk" {
		n.Fatalf("the link leads to %s", at)
	}
	b.press("#desk .way a") // the campaign
	return b
}

// notified has a browser tell when it is its player's move: as the button asks it, and while he looks elsewhere. What
// it would show is kept.
func (n *night) notified(b *tab) {
	n.Helper()
	if !n.live {
		if ask[bool](b, `document.getElementById("tell").checkVisibility()`) {
			n.Error("without scripts there is a button for notifications")
		}
		return
	}
	ask[bool](b, `(() => {
		window.notices = [];
		window.Notification = class {
			static permission = "default";
			static async requestPermission() { return (this.permission = "granted"); }
			constructor(title, { body }) { window.notices.push(title + ": " + body); }
		};
		return true;
	})()`)
	ask[bool](b, `(document.getElementById("tell").click(), true)`)
	b.until("the button to say so", `document.getElementById("tell").textContent.includes("no more")`)
	ask[bool](b, `(Object.defineProperty(document, "hidden", { get: () => true }),
		document.dispatchEvent(new Event("visibilitychange")), true)`)
}

// asked waits until a question is there for who looks; without scripts he looks again.
func (n *night) asked(b *tab, says string) {
	n.Helper()
	here := fmt.Sprintf(`document.querySelector("#move")?.innerText.includes(%q)`, says)
	if !n.live {
		b.visit("/campaigns/" + n.name)
	}
	b.until(says, here)
}

// The whole of an evening without a terminal: links, a turn, hidden cards, a dispute, a ruling, a correction with what
// follows from it, an undo. The record is the one that the same entries leave at a terminal.
func TestNightInBrowsers(t *testing.T) {
	beside(t)
	g := played(t)
	for _, live := range []bool{true, false} {
		t.Run(map[bool]string{true: "with scripts", false: "without"}[live], func(t *testing.T) {
			n := &night{T: t, g: g, name: fmt.Sprintf("night-%t", live), live: live}
			n.opens(n.name)
			n.play()
			n.same()
		})
	}
}

// The evening once more, with a server that ends twice and begins anew with its ledger: while a question stands on the
// pages, and between a dispute and its ruling. The browsers go on with what they have.
func TestNightWithRestarts(t *testing.T) {
	beside(t)
	g := &ground{dir: t.TempDir()}
	if err := g.start("127.0.0.1:0"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.stop() })
	n := &night{T: t, g: g, name: "night", live: true, restarts: true}
	n.opens(n.name)
	n.play()
	n.same()
}

// restart ends the server, and begins it anew at its address.
func (n *night) restart() {
	n.Helper()
	if !n.restarts {
		return
	}
	for _, b := range n.tabs {
		b.expect("net::ERR_|status 503") // of the streams that were open
	}
	if err := n.g.stop(); err != nil {
		n.Fatal(err)
	}
	if err := n.g.start(strings.TrimPrefix(n.g.url, "http://")); err != nil {
		n.Fatal(err)
	}
}

// opens begins a campaign with two players.
func (n *night) opens(name string) {
	n.Helper()
	if _, err := n.g.service.OpenCampaign(replay.NewCampaign{Name: name, System: "awaw", Seed: "night",
		Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"Britain"}},
			{Name: "Karl", Sides: []string{"European Axis"}}}}); err != nil {
		n.Fatal(err)
	}
}

func (n *night) play() {
	n.Helper()
	given, err := n.g.service.IssueToken(service.NewToken{Campaign: n.name, As: timeline.Umpire})
	if err != nil {
		n.Fatal(err)
	}
	umpire := n.enters("/login?token=" + given.Text)
	desk := "/campaigns/" + n.name + "/desk"
	var players []*tab
	for _, seat := range []string{"Anna", "Karl"} {
		umpire.visit(desk)
		umpire.press(fmt.Sprintf(`#seats form:has([value=%q]) button`, seat))
		players = append(players, n.enters(ask[string](umpire, `document.querySelector("#link input").value`)))
	}
	anna, karl := players[0], players[1]

	for _, b := range []*tab{anna, karl} {
		n.notified(b)
	}
	umpire.visit(desk)
	umpire.fill("#text", nightTurn)
	umpire.press(`#enter [value="check"]`)
	if got := umpire.text("#became"); !strings.Contains(got, "nothing is recorded") {
		n.Errorf("checked: %s", got)
	}
	umpire.press(`#enter [value="enter"]`)
	n.asked(karl, "Your move")
	if said := anna.text("#move"); strings.Contains(said, "Your move") {
		n.Errorf("Anna is asked what Karl must answer: %s", said)
	}
	karl.until("the tab to be called so", `document.title.startsWith("Your move")`)
	if n.live {
		karl.until("a notification", `window.notices.length === 1 && window.notices[0].includes("Your move")`)
		if got := ask[int](anna, "window.notices.length"); got != 0 {
			n.Errorf("Anna is notified of what Karl must answer")
		}
	}
	for _, path := range []string{"/campaigns/" + n.name + "?as=umpire", desk, desk + "?event=6"} {
		n.readable(umpire, path)
	}
	n.restart()
	karl.press(`#move [value="pass"]`)
	n.asked(anna, "Your move")
	anna.press(`#move [value="pass"]`)
	result := n.g.event(n.T, n.name, "result_adjudicated")
	karl.visit(fmt.Sprintf("/campaigns/%s/events/%d", n.name, result))
	karl.press(`a[href*="#dispute-this"]`)
	karl.fill("#claim", "the wrong column was read")
	karl.press(`#dispute-this [value="dispute"]`)
	if got := karl.text("main"); !strings.Contains(got, "the wrong column was read") {
		n.Errorf("the dispute: %s", got)
	}
	at := ask[string](karl, "location.pathname")
	anna.visit(at)
	anna.press(`a[href*="#speak"]`)
	anna.fill("#say", "seven escort carriers count")
	anna.press(`#speak [value="statement"]`)
	umpire.visit(at)
	n.restart()
	umpire.press(`a[href*="#rule-on"]`)
	umpire.fill(`#rule-on [name="reason"]`, "as the table has it")
	umpire.press(`#rule-on [value="ruling"]`)
	if got := umpire.text("main"); !strings.Contains(got, "as the table has it") {
		n.Errorf("the ruling: %s", got)
	}

	umpire.visit(desk)
	umpire.fill("#text", "{facts: {cves: {Atlantic: 3}}}")
	umpire.press(`#enter [value="enter"]`)
	umpire.visit(desk)
	umpire.fill(`#slips form:first-of-type [name="reason"]`, "the wrong box")
	umpire.press(`#slips form:first-of-type [value="undo"]`)

	facts := n.g.event(n.T, n.name, "fact_reported") + 1 // the escort carriers
	umpire.visit(fmt.Sprintf("%s?event=%d", desk, facts))
	ask[bool](umpire, `(document.querySelector("#correct details").open = true)`)
	umpire.fill("#right", nightCorrection)
	umpire.press(`#correct [value="preview"]`)
	if got := umpire.text("#correct"); !strings.Contains(got, "It would change") {
		n.Fatalf("%s%s", umpire.text(".wrong"), got)
	}
	umpire.twice(`#correct [value="correct"]`)
	if got := umpire.text("main"); !strings.Contains(got, "nine were there") {
		n.Errorf("the correction: %s", got)
	}
}

// readable looks at a page with its forms as the other kinds of pages are looked at: for who hears it, and for colours.
func (n *night) readable(b *tab, path string) {
	n.Helper()
	if !n.live || n.restarts {
		return // it is the same page
	}
	for _, width := range []int64{390, 1280} {
		b.do(chromedp.EmulateViewport(width, 900))
		for _, scheme := range []string{"dark", "light"} {
			b.media(scheme)
			b.visit(path)
			ask[bool](b, `document.querySelectorAll("details").forEach((d) => { d.open = true }), true`)
			for _, fault := range append(ask[[]string](b, audit), ask[[]string](b, contrast)[1:]...) {
				n.Errorf("%s, %d wide, %s: %s", path, width, scheme, fault)
			}
		}
	}
}

// same plays the same entries without a page, and compares the records.
func (n *night) same() {
	n.Helper()
	other := n.name + "-typed"
	n.opens(other)
	dispute := n.g.event(n.T, n.name, "dispute_opened")
	result := n.g.event(n.T, n.name, "result_adjudicated")
	facts := n.g.event(n.T, n.name, "fact_reported") + 1 // the escort carriers
	say := func(as, text string) {
		n.Helper()
		done, err := n.g.service.Submit(n.Context(), other, timeline.Viewer{As: as},
			service.Submission{Text: text, Entry: text != nightTurn})
		if err != nil || done.Problem != nil {
			n.Fatalf("%s: %v %v", text, err, done.Problem)
		}
	}
	say(timeline.Umpire, nightTurn)
	say("European Axis", "{answer: {European Axis: pass}}")
	say("Britain", "{answer: {Britain: pass}}")
	say("European Axis", fmt.Sprintf("{dispute: {event: %d, claim: the wrong column was read}}", result))
	say("Britain", fmt.Sprintf("{statement: {dispute: %d, text: seven escort carriers count}}", dispute))
	say(timeline.Umpire, fmt.Sprintf("{ruling: {dispute: %d, ruling: upheld, reason: as the table has it}}", dispute))
	say(timeline.Umpire, "{facts: {cves: {Atlantic: 3}}}")
	if _, err := n.g.service.Undo(other, timeline.Viewer{As: timeline.Umpire},
		service.Undo{Reason: "the wrong box"}); err != nil {
		n.Fatal(err)
	}
	if _, err := n.g.service.Correct(other, timeline.Viewer{As: timeline.Umpire}, service.CorrectionRequest{
		Event: facts, Text: nightCorrection, Rest: "apply"}); err != nil {
		n.Fatal(err)
	}
	if pages, typed := n.recorded(n.name), n.recorded(other); !slices.Equal(pages, typed) {
		n.Errorf("by pages\n%s\ntyped\n%s", strings.Join(pages, "\n"), strings.Join(typed, "\n"))
	}
}

// named is the name of an entry that came without one. It is keyed by the campaign's secret, as dice are.
var named = regexp.MustCompile(`e-[0-9a-f]{16}`)

// recorded are the events of a campaign in words, but for how dice fell.
func (n *night) recorded(name string) (list []string) {
	n.Helper()
	c, err := n.g.service.Find(name)
	if err != nil {
		n.Fatal(err)
	}
	all, err := n.g.service.Narrate(c, 1, c.Events)
	if err != nil {
		n.Fatal(err)
	}
	for _, e := range all {
		if text := named.ReplaceAllString(e.Text, "e-…"); e.Type != "dice_rolled" && e.Type != "result_adjudicated" {
			list = append(list, fmt.Sprintf("#%d %s", e.Index, text))
		}
	}
	return list
}
