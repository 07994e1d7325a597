package web

import (
	"fmt"
	"html"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

// begin opens the campaign of the desk, on the board of a bundled campaign where its system has one.
func (d *testServer) begin(n replay.NewCampaign) (umpire string) {
	d.t.Helper()
	for _, k := range fixtures.Campaigns() {
		for _, f := range k.Board {
			if k.System == n.System && len(n.Board) < len(k.Board) {
				n.Board = append(n.Board, rules.BoardFile(f))
			}
		}
	}
	n.Name, n.Seed = "west", "one"
	d.post(n, &service.Opened{}, "campaigns")
	return d.token("west", timeline.Umpire)
}

// sees is the page of the desk.
func (d *testServer) sees(token string) string {
	r := httptest.NewRequest("GET", "http://localhost/campaigns/west/desk", nil)
	r.RemoteAddr = here
	r.AddCookie(&http.Cookie{Name: "__Host-watu", Value: token})
	w := httptest.NewRecorder()
	d.server.http.Handler.ServeHTTP(w, r)
	return w.Body.String()
}

// TestFormsWithoutScripts: forms sent as they are make the text of a turn, with rows as they are asked for, and the
// record is that of the text.
func TestFormsWithoutScripts(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "awaw"})
	text := ""
	sends := func(form url.Values) string {
		t.Helper()
		form.Set("text", text)
		w := d.send(umpire, form)
		if w.Code != http.StatusOK {
			t.Fatalf("%v: %d %s", form, w.Code, w.Body)
		}
		text = html.UnescapeString(regexp.MustCompile(`(?s)<textarea id="text".*?>\n(.*?)</textarea>`).
			FindStringSubmatch(w.Body.String())[1])
		return w.Body.String()
	}
	sends(url.Values{"do": {"add"}, "verb": {"turn"}, "f/turn": {"Spring 1940"}})
	facts := url.Values{"more": {"f/facts/cves"}, "verb": {"facts"}, "f/facts/cves/0/name": {"Atlantic"},
		"f/facts/cves/0/is": {"7"}}
	if body := sends(facts); !strings.Contains(body, `name="f/facts/cves/1/name" autofocus`) {
		t.Errorf("no row more:\n%s", body)
	}
	facts.Del("more")
	facts["do"] = []string{"add"}
	facts["f/facts/axis controls/0"] = []string{"Brest"}
	facts["f/facts/axis controls/1"] = []string{"St. Nazaire"}
	sends(facts)
	sends(url.Values{"do": {"add"}, "verb": {"draw"}, "f/draw": {"Ultra"}})
	sends(url.Values{"do": {"add"}, "verb": {"submarine warfare"}, "f/submarine warfare/box": {"Atlantic"},
		"f/submarine warfare/submarines": {"8"}, "f/submarine warfare/asw": {"34"}, "f/cards/none": {"none"}})
	const want = `turn: Spring 1940
entries:
  - {id: facts, facts: {axis controls: [Brest, "St. Nazaire"], cves: {Atlantic: 7}}}
  - {id: draw, draw: Ultra}
  - {id: submarine-warfare, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, cards: []}
`
	if text != want {
		t.Fatalf("the text is\n%s", text)
	}
	for _, x := range []struct {
		says string
		form url.Values
	}{
		{"asw: &#34;x&#34; is not a number", url.Values{"do": {"add"}, "verb": {"submarine warfare"},
			"f/submarine warfare/asw": {"x"}}},
		{"begins Spring 1940 already", url.Values{"do": {"add"}, "verb": {"turn"}, "f/turn": {"Summer 1940"}}},
		{"there is no form of", url.Values{"form": {"burn"}}},
	} {
		x.form.Set("text", text)
		if w := d.send(umpire, x.form); w.Code != 422 || !strings.Contains(w.Body.String(), x.says) ||
			!strings.Contains(w.Body.String(), "submarine-warfare, ") {
			t.Errorf("%v: %d without %q:\n%s", x.form, w.Code, x.says, w.Body)
		}
	}
	wrong := strings.Replace(text, "Brest", "Paris", 1)
	body := d.send(umpire, url.Values{"do": {"check"}, "text": {wrong}}).Body.String()
	for _, says := range []string{`data-line="3"`, "Refused in the text", `<a href="#findings">line 3</a>`} {
		if !strings.Contains(body, says) {
			t.Errorf("a wrong port, without %q:\n%s", says, body)
		}
	}
	if n := d.events(); n > 3 {
		t.Errorf("%d events before anything was entered", n)
	}
	d.send(umpire, url.Values{"do": {"enter"}, "text": {text}})
	log, err := d.service.Log(t.Context(), "west", 0, d.events())
	if err != nil || !slices.ContainsFunc(log, func(l timeline.LogEvent) bool {
		return l.Type == "result_adjudicated" && l.CommandID == "Spring 1940/submarine-warfare"
	}) {
		t.Errorf("%v: %v", err, log)
	}
	sends(url.Values{"do": {"add"}, "verb": {"draw"}, "f/draw": {"Magic"}})
	if !strings.Contains(text, "id: draw-2,") {
		t.Errorf("an id of the turn is given again: %s", text)
	}
}

// TestEveryVerbHasItsForm: of every system each verb that is declared opens a form, before a turn and in one.
func TestEveryVerbHasItsForm(t *testing.T) {
	t.Parallel()
	for _, s := range all.Systems() {
		d := open(t, Options{})
		umpire := d.begin(replay.NewCampaign{System: s.Name})
		for _, v := range append(slices.Clone(s.Verbs), rules.Verb{Key: campaign.VerbRule},
			rules.Verb{Key: campaign.VerbReveal}) {
			w := d.send(umpire, url.Values{"form": {v.Key}})
			body := w.Body.String()
			if w.Code != 200 || !strings.Contains(body, "<b>"+v.Label()+"</b></legend>") ||
				!strings.Contains(body, `name="f/`) || strings.Count(body, " autofocus") != 1 {
				t.Errorf("%s %s: %d %s", s.Name, v.Key, w.Code, body)
			}
		}
	}
}

var queue = regexp.MustCompile(`(?s)<section id="queue" data-live>.*?</section>`)

// TestQueue: what waits stands at the top of the umpire's desk, and nothing where nothing does.
func TestQueue(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.asked()[timeline.Umpire]
	d.send(umpire, url.Values{"do": {"dispute"}, "event": {"6"}, "claim": {"nine were there"}})
	got := queue.FindString(d.sees(umpire))
	for _, says := range []string{"European Axis must answer</b>: ", `<a href="#move">`, "<time datetime=",
		"umpire disputes</b>: <span lang=\"en\">nine were there", `href="/campaigns/west/disputes/`} {
		if !strings.Contains(got, says) {
			t.Errorf("without %q: %s", says, got)
		}
	}
	d = open(t, Options{})
	umpire = d.begin(replay.NewCampaign{System: "g40"})
	if got := queue.FindString(d.sees(umpire)); got != "" {
		t.Errorf("nothing waits: %s", got)
	}
	d.send(umpire, url.Values{"do": {"enter"}, "text": {"turn: Round 1\nfacts: {treasury: {UK Pacific: -5}}"}})
	if got := queue.FindString(d.sees(umpire)); !strings.Contains(got, "UK Pacific owes 5 IPCs") {
		t.Errorf("what is owed: %s", got)
	}
}

// TestQueueOfConsequences: what a correction changes and was kept is in the queue.
func TestQueueOfConsequences(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.enters(umpire, "turn: Round 1\n"+
		"entries:\n  - {id: f, facts: {submarines: {Germany: {SZ 8: 2}}}}\n  - {id: uk, collect income: UK}")
	event := d.first("submarines_reported")
	done, err := d.service.Correct("west", timeline.Viewer{As: timeline.Umpire}, service.CorrectionRequest{Event: event,
		Text: "code: typo\nreason: none\nreplace: {facts: {submarines: {Germany: {SZ 8: 1}}}}", Rest: "keep"})
	if err != nil || len(done.Consequences) == 0 {
		t.Fatalf("%v: nothing follows", err)
	}
	want := fmt.Sprintf("Kept as it is recorded</b>: entry Round 1/uk, which #%d would change", d.events()-2)
	if got := queue.FindString(d.sees(umpire)); !strings.Contains(got, want) || strings.Contains(got, `value="keep"`) {
		t.Errorf("without %q, or to be kept again: %s", want, got)
	}
	// What nobody decided on is kept or applied by its buttons.
	d.send(umpire, url.Values{"do": {"undo"}, "event": {fmt.Sprint(d.events() - 1)}, "reason": {"to decide anew"},
		"after": {fmt.Sprint(d.events())}})
	if _, err = d.service.Correct("west", timeline.Viewer{As: timeline.Umpire}, service.CorrectionRequest{Event: event,
		Text: "code: typo\nreason: none\nreplace: {facts: {submarines: {Germany: {SZ 8: 1}}}}"}); err != nil {
		t.Fatal(err)
	}
	got := queue.FindString(d.sees(umpire))
	for _, says := range []string{"Not decided</b>", "It stands: ", "It would be: ", `value="apply"`, `value="keep"`} {
		if !strings.Contains(got, says) {
			t.Errorf("without %q: %s", says, got)
		}
	}
	hidden := regexp.MustCompile(`name="(event|cause|after)" value="([0-9]+)"`)
	form := url.Values{"do": {"keep"}}
	for _, m := range hidden.FindAllStringSubmatch(got, -1) {
		form.Set(m[1], m[2])
	}
	if w := d.send(umpire, form); w.Code != 422 || !strings.Contains(w.Body.String(), "say why it stays") {
		t.Errorf("kept without a reason: %d %s", w.Code, w.Body)
	}
	form.Set("reason", "agreed at the table")
	for _, x := range []struct{ do, leaves string }{{"keep", "Kept as it is recorded</b>"}, {"apply", ""}} {
		form.Set("do", x.do)
		form.Set("after", fmt.Sprint(d.events()))
		w := d.send(umpire, form)
		if got := queue.FindString(d.sees(umpire)); w.Code != http.StatusSeeOther || !strings.Contains(got, x.leaves) ||
			x.leaves == "" && got != "" {
			t.Errorf("%s: %d %s, the queue %s", x.do, w.Code, w.Body, got)
		}
	}
}

// first is the first event of a type.
func (d *testServer) first(kind events.Type) uint64 {
	d.t.Helper()
	log, err := d.service.Log(d.t.Context(), "west", 0, d.events())
	i := slices.IndexFunc(log, func(l timeline.LogEvent) bool { return l.Type == kind })
	if err != nil || i < 0 {
		d.t.Fatalf("%v: no %s", err, kind)
	}
	return log[i].Index
}

// TestConfirmByButton: dice that one seat typed are confirmed by a button of another, and only those that he saw.
func TestConfirmByButton(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "awaw", Dice: "attested", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"European Axis", "Japan"}}, {Name: "Ben", Sides: []string{"Britain"}}}})
	ben := d.token("west", "Britain")
	types := func(as, text string) {
		t.Helper()
		if done, err := d.service.Submit(t.Context(), "west", timeline.Viewer{As: as}, service.Submission{Text: text,
			Entry: strings.HasPrefix(text, "{")}); err != nil || done.Problem != nil {
			t.Fatalf("%s: %v %v", text, err, done.Problem)
		}
	}
	types(timeline.Umpire, "turn: Spring 1940\nentries:\n  - {id: r, roll: {dice: 2d6, for: a battle, side: Britain}}")
	if body := d.sees(umpire); strings.Contains(body, `value="yes"`) {
		t.Errorf("nobody typed dice yet:\n%s", body)
	}
	types("European Axis", "{dice: [3, 4]}")
	body := d.sees(ben)
	form := url.Values{"do": {"answer"}, "choice": {"yes"}}
	m := regexp.MustCompile(`name="asked" value="([0-9]+)"`).FindStringSubmatch(body)
	if m == nil || !strings.Contains(body, "Confirm: they fell so") {
		t.Fatalf("no button:\n%s", body)
	}
	form.Set("asked", m[1])
	for _, x := range []struct {
		choice, reason string
		code           int
	}{{"no", "", 422}, {"no", "the four was a three", http.StatusSeeOther}, {"yes", "", http.StatusSeeOther}} {
		if x.choice == "yes" { // too late for what he saw: he is led to what stands
			types("European Axis", "{dice: [3, 3]}")
		}
		form["choice"], form["reason"] = []string{x.choice}, []string{x.reason}
		if w := d.send(ben, form); w.Code != x.code {
			t.Errorf("%v: %d %s", x, w.Code, w.Body)
		}
	}
	log, err := d.service.Log(t.Context(), "west", 0, d.events())
	if err != nil || log[len(log)-1].Type != "dice_typed" {
		t.Errorf("%v: a confirmation of dice that were denied counts for others", err)
	}
	anna := d.token("west", "European Axis")
	if body := d.sees(anna); strings.Contains(body, `value="yes"`) || !strings.Contains(body, "ou typed these dice") {
		t.Errorf("who typed them does not read that another says so:\n%s", body)
	}
	form.Set("asked", askedAt.FindStringSubmatch(d.sees(ben))[1])
	for range 2 {
		if w := d.send(ben, form); w.Code != http.StatusSeeOther {
			t.Errorf("%d %s", w.Code, w.Body)
		}
	}
	d.first("dice_rolled")
}

var askedAt = regexp.MustCompile(`name="asked" value="([0-9]+)"`)

// TestDiceOfTableByForm: how dice of a table fell is entered where it is asked, by a seat or in its name, once however
// often it is sent; the umpire confirms in the name of another seat than the one that typed them.
func TestDiceOfTableByForm(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "awaw", Dice: "attested", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"European Axis", "Japan"}}, {Name: "Ben", Sides: []string{"Britain"}}}})
	d.send(umpire, url.Values{"do": {"enter"}, "text": {"turn: Spring 1940\nentries:\n" +
		"  - {id: r, roll: {dice: \"2d6 bombs at 1, 1d6 flak\", for: a raid, side: Britain}}"}})
	throws := strings.Count(d.sees(umpire), `<input name="dice"`)
	if throws != 2 {
		t.Fatalf("%d throws are asked for:\n%s", throws, d.sees(umpire))
	}
	form := url.Values{"do": {"answer"}, "asked": {askedAt.FindStringSubmatch(d.sees(umpire))[1]}}
	for _, x := range []struct {
		says, by string
		dice     []string
		code     int
	}{
		{"each throw", "", []string{"3 4"}, 422}, {`&#34;x&#34; is no die`, "", []string{"3 x", "6"}, 422},
		{`value="3 9"`, "Anna", []string{"3 9", "6"}, 422}, {"", "Anna", []string{"3, 4", " 6 "}, 303},
		{"", "Anna", []string{"3, 4", " 6 "}, 303},
	} {
		form["dice"], form["by"] = x.dice, []string{x.by}
		if w := d.send(umpire, form); w.Code != x.code || !strings.Contains(w.Body.String(), x.says) {
			t.Errorf("%v: %d without %q: %s", x.dice, w.Code, x.says, w.Body)
		}
	}
	body := d.sees(umpire)
	by := regexp.MustCompile(`(?s)<select name="by">(.*?)</select>`).FindString(body)
	if strings.Contains(by, "Anna") || !strings.Contains(by, "<option>Ben</option>") {
		t.Errorf("who confirms: %q in\n%s", by, body)
	}
	form = url.Values{"do": {"answer"}, "asked": {askedAt.FindStringSubmatch(body)[1]}, "choice": {"yes"},
		"by": {"Ben"}}
	if w := d.send(umpire, form); w.Code != http.StatusSeeOther {
		t.Errorf("%d %s", w.Code, w.Body)
	}
	log, err := d.service.Log(t.Context(), "west", 0, d.events())
	typed := slices.DeleteFunc(log, func(l timeline.LogEvent) bool { return l.Type != "dice_typed" })
	if err != nil || len(typed) != 1 || typed[0].Seat != "Anna" {
		t.Errorf("%v: %v", err, typed)
	}
	fell := d.get("/campaigns/west/events/"+strconv.FormatUint(d.first("dice_rolled"), 10), "")
	if !strings.Contains(fell.body, "Ben") {
		t.Error("it is not said who confirmed")
	}
}
