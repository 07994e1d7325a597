package web

import (
	"fmt"
	"html"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

var despiteAt = regexp.MustCompile(`name="despite" value="([0-9a-f]+)"`)

// boxOf is the text that stands on a page of the desk.
func boxOf(t *testing.T, page string) string {
	t.Helper()
	m := textAt.FindStringSubmatch(page)
	if m == nil {
		t.Fatalf("no text: %s", page)
	}
	return html.UnescapeString(m[1])
}

// enters has a text recorded, in spite of what it is warned of.
func (d *testServer) enters(umpire, text string) {
	d.t.Helper()
	w := d.send(umpire, url.Values{"do": {"enter"}, "text": {text}})
	warned := func() []string { return despiteAt.FindStringSubmatch(w.Body.String()) }
	for m := warned(); m != nil; m = warned() {
		w = d.send(umpire, url.Values{"despite": m[1:], "text": {text}})
	}
	if w.Code != 200 || strings.Contains(w.Body.String(), `role="alert"`) {
		d.t.Fatalf("%s: %d %s", text, w.Code, w.Body)
	}
}

// TestDeskAsksTwice: what is warned of is recorded when its warnings were shown, and another text asks again.
func TestDeskAsksTwice(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	enters := func(text, seen string) string {
		t.Helper()
		form := url.Values{"do": {"enter"}, "text": {text}}
		if seen != "" {
			form = url.Values{"despite": {seen}, "text": {text}}
		}
		return d.send(umpire, form).Body.String()
	}
	const collects = "turn: Round 1\r\nentries:\r\n  - {id: %s, collect income: Russia}\r\n"
	first := fmt.Sprintf(collects, "a")
	before := d.events()
	body := enters(first, "")
	m := despiteAt.FindStringSubmatch(body)
	if m != nil {
		t.Fatalf("nothing is to be warned of: %s", body)
	}
	if d.events() == before || boxOf(t, body) != "" {
		t.Fatalf("what nothing warns of is not entered at once: %s", body)
	}
	before = d.events()
	const early = "turn: Round 2\n"
	for range 2 {
		body = enters(early, "")
		if m = despiteAt.FindStringSubmatch(body); m == nil || d.events() != before || boxOf(t, body) != early ||
			!strings.Contains(body, "look at the warnings first: nothing is recorded yet") {
			t.Fatalf("%d events of a turn that is warned of: %s", d.events()-before, body)
		}
	}
	body = enters(early+"entries:\n  - {id: b, collect income: Germany}\n", m[1])
	if other := despiteAt.FindStringSubmatch(body); d.events() != before || other == nil || other[1] == m[1] {
		t.Fatalf("%d events of a text that was not shown: %s", d.events()-before, body)
	}
	checked := d.send(umpire, url.Values{"do": {"check"}, "text": {early}}).Body.String()
	if again := despiteAt.FindStringSubmatch(checked); again == nil || again[1] != m[1] {
		t.Errorf("checked, it is named otherwise: %s", checked)
	}
	for range 2 {
		if body = enters(early, m[1]); d.events() != before+1 || boxOf(t, body) != "" {
			t.Fatalf("%d events in spite of the warnings: %s", d.events()-before, body)
		}
	}
}

// TestDeskAsksBehindDice: what stands behind dice is looked at when those lie, and what is warned of there is asked for
// though what stood before is recorded. What dice alone made known is said behind them, with the way to mend it.
func TestDeskAsksBehindDice(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.enters(umpire, "turn: Round 1\nentries:\n  - {id: r, collect income: Russia}\n"+
		"  - {id: g, collect income: Germany}")
	before := d.events()
	const text = "entries:\n  - {id: a, roll: {dice: 1d6, for: a battle, side: Russia}}\n" +
		"  - {id: b, facts: {treasury: {Russia: 3}}}\n" +
		"  - {id: c, roll: {dice: 1d6, for: a battle, side: UK}}\n" +
		"  - {id: d, facts: {treasury: {Germany: 3}}}\n"
	form := url.Values{"do": {"enter"}, "text": {text}}
	for i, says := range []string{"Russia has ", "Germany has "} {
		body := d.send(umpire, form).Body.String()
		m := despiteAt.FindAllStringSubmatch(body, -1)
		if rolled := d.events() - before; len(m) != 1 || rolled != uint64(3+4*i) || boxOf(t, body) != text ||
			!strings.Contains(body, "no rule forbids the rest") || !strings.Contains(body, says) ||
			!strings.Contains(body, "<h2>Recorded in part</h2>") {
			t.Fatalf("%s: %d buttons, %d events: %s", says, len(m), rolled, body)
		}
		form = url.Values{"despite": m[0][1:], "text": {text}}
	}
	body := d.send(umpire, form).Body.String()
	if d.events() != before+8 || boxOf(t, body) != "" || !strings.Contains(body, "<h2>What became of it</h2>") ||
		!strings.Contains(body, `in spite of that: <a href="#slips">take back</a>`) {
		t.Errorf("%d events: %s", d.events()-before, body)
	}
	body = d.send(umpire, url.Values{"despite": {"x"}, "text": {
		"{roll: {dice: 1d6, for: a battle, side: UK}}"}}).Body.String()
	if !strings.Contains(body, "A battle, UK") || strings.Contains(body, "in spite of that") {
		t.Errorf("nothing is warned of: %s", body)
	}
}

// TestDeskEntersThroughDice: of a text with dice between its entries each is entered once, in one press, in as many
// steps as it has entries.
func TestDeskEntersThroughDice(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.enters(umpire, "turn: Round 1")
	text := "entries:\n"
	for i := range 8 {
		text += fmt.Sprintf("  - {id: a%d, roll: {dice: 1d6, for: battle %[1]d, side: UK}}\n", i)
	}
	before := d.events()
	for range 2 {
		body := d.send(umpire, url.Values{"do": {"enter"}, "text": {text}}).Body.String()
		if d.events() != before+24 || boxOf(t, body) != "" || !strings.Contains(body, "<h2>What became of it</h2>") {
			t.Errorf("%d events: %s", d.events()-before, body)
		}
	}
}

// TestDeskEntersItsForm: one press enters the entry of the form that is open, and pressed twice it is recorded once.
// What is refused stays in its form, and of a text only what was not recorded stays.
func TestDeskEntersItsForm(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	form := func(power, text string) url.Values {
		return url.Values{"do": {"enter"}, "verb": {"collect income"}, "f/collect income/power": {power},
			"after": {fmt.Sprint(d.events())}, "text": {text}}
	}
	const text = "turn: Round 1\nentries:\n  - {id: a, collect income: Russia}\n"
	before := d.events()
	body := d.send(umpire, form("Atlantis", text)).Body.String()
	if n := d.events() - before; n < 2 || boxOf(t, body) != "" || !strings.Contains(body, `value="Atlantis"`) &&
		!strings.Contains(body, "<option selected>Atlantis</option>") || !strings.Contains(body, "no power") {
		t.Fatalf("%d events, and of the form: %s", n, body)
	}
	twice := form("Germany", "")
	for i := range 2 {
		last := d.events()
		body = d.send(umpire, twice).Body.String()
		if n := d.events() - last; (n == 0) != (i == 1) || boxOf(t, body) != "" ||
			strings.Contains(body, `id="entry"`) {
			t.Fatalf("%d events, and of the form: %s", n, body)
		}
	}
	last := d.events()
	stale := form("Japan", "")
	stale["after"] = twice["after"]
	if body = d.send(umpire, stale).Body.String(); d.events() != last ||
		!strings.Contains(body, "another entry of this kind was recorded since") {
		t.Errorf("%d events of a form that was drawn before: %s", d.events()-last, body)
	}
	m := boxedAfter.FindStringSubmatch(body)
	if m == nil || m[1] != fmt.Sprint(last) {
		t.Errorf("the form is drawn as of then: %s", body)
	}
	last = d.events()
	body = d.send(umpire, url.Values{"do": {"enter"},
		"text": {"entries:\n  - {id: b, collect income: UK}\n  - {id: c, collect income: Atlantis}\n"}}).Body.String()
	const left = "entries:\n  - {id: c, collect income: Atlantis}\n"
	if d.events() == last || boxOf(t, body) != left || !strings.Contains(body, `data-line="2"`) {
		t.Errorf("%d events, and left: %s", d.events()-last, body)
	}
}

// TestDeskOffersWhatWasTakenBack: what was taken back stands beside the text, and opens its form filled; beside a form
// that is open it goes into the text.
func TestDeskOffersWhatWasTakenBack(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.enters(umpire, "turn: Round 1\nentries:\n  - {id: a, collect income: Russia}")
	slip := fmt.Sprint(d.events())
	d.enters(umpire, "{purchase: {power: Germany, cost: 12, units: {infantry: 4}}}")
	at := d.send(umpire, url.Values{"do": {"undo"}, "event": {slip}, "after": {fmt.Sprint(d.events())},
		"reason": {"it was 21"}}).Header().Get("Location")
	body := d.ask("GET", at, "", "Cookie", "__Host-watu="+umpire).body
	const taken = "{purchase: {cost: 12, power: Germany, units: {infantry: 4}}}"
	m := regexp.MustCompile(`form="turn" name="anew" value="(\d+)"`).FindStringSubmatch(body)
	if m == nil || boxOf(t, body) != "" || !strings.Contains(body, "<code>"+taken+"</code>") {
		t.Fatalf("%s: %s", at, body)
	}
	before := d.events()
	body = d.send(umpire, url.Values{"anew": m[1:], "text": {"entries:\n  - {id: b, collect income: UK}\n"}}).
		Body.String()
	if !strings.Contains(body, `value="12"`) || boxOf(t, body) != "entries:\n  - {id: b, collect income: UK}\n" {
		t.Errorf("the form is not filled: %s", body)
	}
	body = d.send(umpire, url.Values{"anew": m[1:], "verb": {"collect income"}, "f/collect income/power": {"UK"}}).
		Body.String()
	if boxOf(t, body) != "entries:\n  - {id: purchase, purchase: "+taken[len("{purchase: "):]+"\n" ||
		!strings.Contains(body, "<b>collect income</b>") || d.events() != before {
		t.Errorf("beside an open form: %s", body)
	}
	if w := d.send(umpire, url.Values{"anew": {"1"}}); w.Code != 422 {
		t.Errorf("what was not taken back: %d %s", w.Code, w.Body)
	}
}

// TestDeskSaysWhereTheGameStands: the turn, who has still to collect, one's own treasury, hand and sealed entries; and
// nothing of what another holds.
func TestDeskSaysWhereTheGameStands(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	stands := func(token string) string {
		t.Helper()
		_, body, _ := strings.Cut(d.sees(token), `<section id="stand"`)
		body, _, _ = strings.Cut(body, "</section>")
		return regexp.MustCompile(`<[^>]*>`).ReplaceAllString(body, "")
	}
	umpire := d.begin(replay.NewCampaign{System: "awaw", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"Britain"}}, {Name: "Karl", Sides: []string{"European Axis"}}}})
	holds := map[string]string{timeline.Umpire: umpire, timeline.Public: ""}
	for _, as := range []string{"Britain", "European Axis"} {
		holds[as] = d.token("west", as)
	}
	d.enters(umpire, "turn: Spring 1940")
	d.enters(holds["Britain"], "{allocate: {side: Britain, project: Ultra, points: 4}}")
	d.enters(umpire, "{draw: Ultra}")
	const points = "{allocate: {points: 4, project: Ultra, side: Britain}}"
	for as, want := range map[string][2]bool{"Britain": {true, true}, "European Axis": {false, true},
		timeline.Umpire: {true, false}, timeline.Public: {false, false}} {
		got := stands(holds[as])
		if !strings.Contains(got, "Spring 1940") || strings.Contains(got, points) != want[0] ||
			strings.Contains(got, "Hand, Ultra: ") != want[1] {
			t.Errorf("%s reads %s", as, got)
		}
	}
}

var tagged = regexp.MustCompile(`<[^>]*>`)

// TestDeskSaysWhatIsInHand: each side reads its own treasury and whether its turn has come, the umpire all, and both
// who has still to collect.
func TestDeskSaysWhatIsInHand(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar", Seats: []campaign.Seat{{Name: "Karl",
		Sides: []string{"Germany"}}}})
	d.enters(umpire, "turn: Round 1\nentries:\n  - {id: a, collect income: Russia}")
	for token, says := range map[string]string{
		d.token("west", "Germany"): "Round 1, Russia collect income · Germany: 27 IPCs · " +
			"it is your turn: act, then collect · not collected yet: Germany, UK, Japan, US",
		umpire: "US: 23 IPCs · Germany is next to collect · not collected yet: Germany",
	} {
		if body := tagged.ReplaceAllString(d.sees(token), ""); !strings.Contains(body, says) {
			t.Errorf("without %q: %s", says, body)
		}
	}
	d.enters(umpire, "entries:\n  - {id: g, collect income: Germany}\n  - {id: u, collect income: UK}\n"+
		"  - {id: j, collect income: Japan}\n  - {id: w, collect income: US}")
	body := tagged.ReplaceAllString(d.sees(umpire), "")
	if !strings.Contains(body, "the umpire begins the next turn") || strings.Contains(body, "not collected yet") {
		t.Errorf("when all have collected: %s", body)
	}
	d.enters(umpire, "turn: Round 2\nentries:\n  - {id: p, phase: combat move, player: UK}")
	rest := "UK is next to collect · not collected yet: UK, Japan, US"
	if body := tagged.ReplaceAllString(d.sees(umpire), ""); !strings.Contains(body, rest) {
		t.Errorf("when the TURN of Germany is over, without %q: %s", rest, body)
	}
	d.enters(umpire, fmt.Sprintf("{dispute: {event: %d, claim: not yet}}", d.events()-1))
	d.enters(umpire, fmt.Sprintf("{ruling: {dispute: %d, ruling: void, reason: a slip}}", d.events()-1))
	rest = "not collected yet: Russia, Germany, UK, Japan, US"
	if body := tagged.ReplaceAllString(d.sees(umpire), ""); !strings.Contains(body, rest) {
		t.Errorf("when it is void, without %q: %s", rest, body)
	}
	d.enters(umpire, "{purchase: {power: Russia, cost: 3, units: {infantry: 1}}}")
	d.enters(umpire, fmt.Sprintf("{dispute: {event: %d, claim: too early}}", d.events()-2))
	opened := d.events() - 1
	d.enters(umpire, fmt.Sprintf("{ruling: {dispute: %d, ruling: void, reason: a slip}}", opened))
	const stays = "the phase stays begun, and the ruling takes back what was entered with it"
	if body := d.ask("GET", fmt.Sprintf("/campaigns/west/disputes/%d", opened), "", "Cookie",
		"__Host-watu="+umpire).body; !strings.Contains(body, stays) {
		t.Errorf("without %q: %s", stays, body)
	}
}

// TestDeskSaysFigures: of rules without treasuries the figures as stated last.
func TestDeskSaysFigures(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "eots"})
	d.enters(umpire, "turn: Turn 2, 1942\nfacts: {asps: 6}")
	if body := d.sees(umpire); !strings.Contains(body, `<span lang="en">Japanese ASPs</span>: 6`) {
		t.Errorf("no figures: %s", body)
	}
}

// TestDeskKeepsAnAnswer: a page with an answer that did not go through is not drawn anew, for it would come back empty.
func TestDeskKeepsAnAnswer(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	axis := d.asked()["European Axis"]
	form := url.Values{"do": {"answer"}, "asked": {fmt.Sprint(d.question().Index)}, "choice": {"tactical"}}
	if w := d.send(axis, form); w.Code != 422 || strings.Contains(w.Body.String(), "data-stream") {
		t.Errorf("refused: %d %s", w.Code, w.Body)
	}
	if body := d.sees(axis); !strings.Contains(body, `data-stream="/campaigns/west/live"`) {
		t.Errorf("it follows nothing: %s", body)
	}
}
