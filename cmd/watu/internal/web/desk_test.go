package web

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/seats"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// send sends a form to the desk of the campaign, as whoever has the token.
func (d *testServer) send(token string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	return d.sendAs(token, "", form, headers...)
}

// sendAs sends a form from a page that was looked at as somebody.
func (d *testServer) sendAs(token, as string, form url.Values, headers ...string) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "http://localhost"+looked("/campaigns/west/desk", as),
		strings.NewReader(form.Encode()))
	r.RemoteAddr = here
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if token != "" {
		r.AddCookie(&http.Cookie{Name: "__Host-watu", Value: token})
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.server.http.Handler.ServeHTTP(w, r)
	return w
}

// looked is a path, looked at as somebody; "" for whoever the token says.
func looked(path, as string) string {
	if as == "" {
		return path
	}
	u := url.URL{Path: path, RawQuery: url.Values{"as": {as}}.Encode()}
	return u.String()
}

// asked begins a campaign in which Karl is asked for a card, and gives the tokens of those who sit there.
func (d *testServer) asked() map[string]string {
	d.t.Helper()
	d.post(replay.NewCampaign{Name: "west", System: "awaw", Seed: "one", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"Britain"}}, {Name: "Karl", Sides: []string{"European Axis"}}}},
		&service.Opened{}, "campaigns")
	var done service.Submitted
	d.post(service.Submission{Text: `turn: Spring 1940
facts: {cves: {Atlantic: 7}}
entries:
  - {id: draw, draw: Ultra}
  - id: atlantic
    submarine warfare: {box: Atlantic, submarines: 8, asw: 34}
`}, &done, "campaigns", "west", "submissions")
	if done.Waiting == nil || done.Waiting.Of != "European Axis" {
		d.t.Fatalf("%v, waiting for %v", done.Problem, done.Waiting)
	}
	all := map[string]string{timeline.Public: ""}
	for _, as := range []string{"Britain", "European Axis", "Japan", timeline.Umpire} {
		all[as] = d.token("west", as)
	}
	return all
}

func (d *testServer) events() uint64 {
	d.t.Helper()
	c, err := d.service.Find("west")
	if err != nil {
		d.t.Fatal(err)
	}
	return c.Events
}

// question is the one that is open.
func (d *testServer) question() *timeline.Waiting {
	d.t.Helper()
	c, err := d.service.Find("west")
	if err != nil {
		d.t.Fatal(err)
	}
	w, err := d.service.Waiting(c)
	if err != nil || w == nil {
		d.t.Fatalf("%v: nothing is asked", err)
	}
	return w
}

// TestDeskHearsWhoMay: a form does what its sender may do, and nothing else goes into the record.
func TestDeskHearsWhoMay(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	question := d.question()
	index := strconv.FormatUint(question.Index, 10)
	pass := url.Values{"do": {"answer"}, "asked": {index}, "choice": {"pass"}}
	before := d.events()
	for _, x := range []struct {
		as, says string
		form     url.Values
		headers  []string
	}{
		{timeline.Public, "only looks", pass, nil},
		{"Britain", "", pass, nil},
		{"Japan", "the umpire", pass, nil},
		{"European Axis", "another site", pass, []string{"Sec-Fetch-Site", "cross-site"}},
		{"European Axis", "choose an answer first", url.Values{"do": {"answer"}, "asked": {index}}, nil},
		{"European Axis", "not open any more", url.Values{"do": {"answer"}, "asked": {"3"}, "choice": {"pass"}}, nil},
		{"European Axis", "named by its number", url.Values{"do": {"answer"}, "asked": {"x"}, "choice": {"pass"}}, nil},
		{"European Axis", "", url.Values{"do": {"answer"}, "asked": {index}, "choice": {"tactical"}}, nil},
		{"Britain", "for the umpire to enter", url.Values{"do": {"enter"}, "text": {"{facts: {usjt: 3}}"}}, nil},
		{"Britain", "the umpire alone gives out links", url.Values{"do": {"invite"}, "seat": {"Karl"}}, nil},
		{"Britain", "for the umpire", url.Values{"do": {"undo"}, "event": {index}, "reason": {"x"}, "after": {"9"}},
			nil},
		{timeline.Umpire, "from the list", url.Values{"do": {"undo"}, "event": {index}, "reason": {"x"}}, nil},
		{"Britain", "for the umpire", url.Values{"do": {"preview"}, "event": {"6"}, "text": {"code: typo"}}, nil},
		{"Britain", "not for Britain to say", url.Values{"do": {"ruling"}, "dispute": {"6"}, "ruling": {"void"}}, nil},
		{timeline.Umpire, "does not say what to do", url.Values{"do": {"burn"}}, nil},
		{timeline.Umpire, "say why", url.Values{"do": {"undo"}, "event": {index}, "reason": {" "}}, nil},
		{timeline.Umpire, "no event 999", url.Values{"do": {"dispute"}, "event": {"#999"}, "claim": {"<b>&"}}, nil},
	} {
		w := d.send(holds[x.as], x.form, x.headers...)
		if body := w.Body.String(); w.Code < 400 || !strings.Contains(body, x.says) {
			t.Errorf("%s sends %v: %d, without %q:\n%s", x.as, x.form, w.Code, x.says, body)
		}
		if strings.Contains(w.Body.String(), "<b>&") {
			t.Error("what was typed stands in the page as it is")
		}
	}
	if after := d.events(); after != before {
		t.Fatalf("%d events came of what nobody may do", after-before)
	}
	if w := d.send(holds["European Axis"], pass); w.Header().Get("Location") != "/campaigns/west" {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	after := d.events()
	if w := d.send(holds["European Axis"], pass); w.Header().Get("Location") !=
		"/campaigns/west/events/"+strconv.FormatUint(question.Index+1, 10) || d.events() != after {
		t.Errorf("sent again: %d to %q, %d events", w.Code, w.Header().Get("Location"), d.events())
	}
}

// TestDeskAnswersWhatWasShown: an answer is given to the question that its form showed, whoever was faster meanwhile.
func TestDeskAnswersWhatWasShown(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	question := d.question()
	for asked, want := range map[uint64]bool{question.Index - 1: false, question.Index: true} {
		done, err := d.service.Submit(t.Context(), "west", timeline.Viewer{As: timeline.Umpire}, service.Submission{
			Text: "{answer: {European Axis: pass}}", Entry: true, Check: true, Asked: asked})
		if err != nil || (done.Problem == nil) != want {
			t.Errorf("an answer to #%d, where #%d is open: %v, %v", asked, question.Index, err, done.Problem)
		}
	}
	var at []string
	var mu sync.Mutex
	var all sync.WaitGroup
	for i := range 12 {
		all.Go(func() {
			w := d.send(holds[[]string{timeline.Umpire, "European Axis"}[i%2]], url.Values{"do": {"answer"},
				"asked": {strconv.FormatUint(question.Index, 10)}, "choice": {[]string{"pass", "submarine"}[i/2%2]}})
			mu.Lock()
			defer mu.Unlock()
			at = append(at, fmt.Sprint(w.Code, w.Header().Get("Location")))
		})
	}
	all.Wait()
	given := d.events() - question.Index - 1
	if given == 0 || given > 6 || slices.ContainsFunc(at, func(x string) bool { return !strings.HasPrefix(x, "303") }) {
		t.Errorf("%d events: %q", given, at)
	}
}

// TestDeskForms: what a browser makes of what was typed is not what is recorded, what is recorded is what was shown,
// and whoever speaks speaks where he meant to.
func TestDeskForms(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	does := func(as, says, leads string, form url.Values) {
		t.Helper()
		before := d.events()
		w := d.send(holds[as], form)
		if at := w.Header().Get("Location"); at != leads || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%v: %d, to %q, not %q, without %q:\n%s", form, w.Code, at, leads, says, w.Body)
		}
		if leads == "" && d.events() != before {
			t.Errorf("%v left %d events", form, d.events()-before)
		}
	}
	for _, odd := range []string{"a\x00b", "a\xffb", "a\x1bb"} {
		does("Britain", "no text", "", url.Values{"do": {"dispute"}, "event": {"6"}, "claim": {odd}})
	}
	first := strconv.FormatUint(d.events(), 10)
	dispute := "/campaigns/west/disputes/" + first
	does("Britain", "", dispute, url.Values{"do": {"dispute"}, "event": {"#6"}, "claim": {"one\r\ntwo"}})
	does("Britain", "", dispute, url.Values{"do": {"dispute"}, "event": {"6"}, "claim": {"one\ntwo"}})
	does("Britain", "", dispute, url.Values{"do": {"statement"}, "dispute": {" #" + first}, "text": {"so"}})
	does("Britain", "", dispute[:len(dispute)-len(first)]+strconv.FormatUint(d.events(), 10),
		url.Values{"do": {"dispute"}, "event": {"7"}, "claim": {"the other"}})
	does(timeline.Umpire, "", dispute, url.Values{"do": {"ruling"}, "dispute": {first}, "ruling": {"upheld"},
		"reason": {"so"}})
	does("Britain", "is closed", "", url.Values{"do": {"statement"}, "dispute": {first}, "text": {"late"}})
	for about, says := range map[string]string{first: "is not open", "": `>#16 the other</option>`} {
		r := httptest.NewRequest("GET", "http://localhost/campaigns/west/desk?dispute="+about, nil)
		r.RemoteAddr = here
		r.AddCookie(&http.Cookie{Name: "__Host-watu", Value: holds["Britain"]})
		w := httptest.NewRecorder()
		d.server.http.Handler.ServeHTTP(w, r)
		if body := w.Body.String(); !strings.Contains(body, says) ||
			strings.Contains(body, `<option value=""></option>`) != (about != "") {
			t.Errorf("the desk for dispute %q, without %q:\n%s", about, says, body)
		}
	}
	typed := func(n int) string {
		return fmt.Sprintf("code: typo\r\nreason: counted\r\nreplace: {facts: {cves: {Atlantic: %d}}}", n)
	}
	shown := url.Values{"do": {"correct"}, "event": {"6"}, "seen-event": {"6"}, "seen": {typed(9)},
		"after": {strconv.FormatUint(d.events(), 10)}}
	for _, text := range []string{typed(3), typed(9)} {
		shown["text"] = []string{text}
		if text == typed(3) {
			does(timeline.Umpire, "not the correction whose changes were shown", "", shown)
			continue
		}
		does(timeline.Umpire, "", "/campaigns/west/events/"+shown.Get("after"), shown)
	}
	last := strconv.FormatUint(d.events()-1, 10)
	does(timeline.Umpire, "went on since", "", url.Values{"do": {"undo"}, "event": {last}, "reason": {"x"},
		"after": {shown.Get("after")}})
	does(timeline.Umpire, "", "/campaigns/west/events/"+shown.Get("after"), shown)
	slip := url.Values{"do": {"undo"}, "event": {last}, "reason": {"x"}, "after": {strconv.FormatUint(d.events(), 10)}}
	for range 2 {
		does(timeline.Umpire, "", "/campaigns/west/desk?taken="+slip.Get("after"), slip)
	}
	if taken := d.events() - 1; slip.Get("after") != strconv.FormatUint(taken, 10) {
		t.Errorf("sent twice, an undo is recorded up to #%d", taken)
	}
	long := url.Values{"do": {"dispute"}, "claim": {strings.Repeat("x", 5<<20)}}
	if w := d.send(holds["Britain"], long); w.Code != 400 {
		t.Errorf("a form of 5 MiB: %d", w.Code)
	}
	if n := d.lines; len(n) > 0 && strings.Contains(strings.Join(n, "\n"), "asked over the network") {
		t.Errorf("the log: %q", n)
	}
}

// TestDeskForNewcomers: who is asked finds his hand, a link that opens nowhere else says so, and a seat that cannot act
// yet reads why.
func TestDeskForNewcomers(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	d.post(replay.NewCampaign{Name: "keyed", System: "awaw", Signed: true, Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"Britain", "United States"}},
		{Name: "Karl", Sides: []string{"European Axis", "Japan"}}}}, &service.Opened{}, "campaigns")
	see := func(token, path string) string {
		r := httptest.NewRequest("GET", "http://localhost"+path, nil)
		r.RemoteAddr = here
		r.AddCookie(&http.Cookie{Name: "__Host-watu", Value: token})
		w := httptest.NewRecorder()
		d.server.http.Handler.ServeHTTP(w, r)
		return w.Body.String()
	}
	const hand = `<a href="/campaigns/west#pools">`
	for as, want := range map[string]bool{"European Axis": true, "Britain": false, timeline.Umpire: false} {
		if body := see(holds[as], "/campaigns/west/desk"); strings.Contains(body, hand) != want {
			t.Errorf("%s, a link to the hand %v:\n%s", as, !want, body)
		}
	}
	c, err := d.service.Find("west")
	if err != nil {
		t.Fatal(err)
	}
	views, err := d.service.ViewsAt(t.Context(), "west", timeline.Viewer{As: timeline.Umpire}, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	var cards []string
	for _, p := range views.Pools.Pools {
		for _, x := range p.Hand.Cards {
			if p.Side == "European Axis" {
				cards = append(cards, story.LinesOf(story.English).Word(x.Card))
			}
		}
	}
	held := "</span> " + strings.Join(cards, ", ") + "</p>"
	for as, want := range map[string]bool{"European Axis": true, "Britain": false, timeline.Umpire: false, "": false} {
		body := see(holds[as], "/campaigns/west")
		_, body, _ = strings.Cut(body, `<section id="move"`)
		body, _, _ = strings.Cut(body, "</section>")
		if strings.Contains(body, held) != want || body == "" || len(cards) == 0 {
			t.Errorf("%q, beside the question, sees the cards %q %v:\n%s", as, held, !want, body)
		}
	}
	const german = "/campaigns/west/desk?lang=de"
	if body := see(holds["European Axis"], "/campaigns/west?lang=de"); !strings.Contains(body, `action="`+german+`"`) {
		t.Errorf("a German form goes elsewhere:\n%s", body)
	}
	r := httptest.NewRequest("POST", "http://localhost"+german, strings.NewReader("do=answer&asked=13&choice=pass"))
	r.RemoteAddr = here
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	r.AddCookie(&http.Cookie{Name: "__Host-watu", Value: holds["European Axis"]})
	w := httptest.NewRecorder()
	d.server.http.Handler.ServeHTTP(w, r)
	if at := w.Header().Get("Location"); at != "/campaigns/west?lang=de" {
		t.Errorf("a German answer: %d, to %q", w.Code, at)
	}
	body := see(d.token("keyed", "Britain"), "/campaigns/keyed/desk")
	if !strings.Contains(body, "Anna has no key yet") || strings.Contains(body, "<textarea") {
		t.Errorf("without a key:\n%s", body)
	}
	invite := url.Values{"do": {"invite"}, "seat": {"Anna"}}
	if body := d.send(holds[timeline.Umpire], invite).Body.String(); !strings.Contains(body, "it opens nowhere else") {
		t.Errorf("a link to this machine:\n%s", body)
	}
}

// TestMyCampaigns: who has a token finds what waits for him, and for whom his campaign waits.
func TestMyCampaigns(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	for as, says := range map[string]string{"European Axis": "<strong>Your move:</strong>",
		"Britain": "European Axis must answer: ", timeline.Umpire: "European Axis must answer: "} {
		a := d.ask("GET", "/login", "", "Cookie", "__Host-watu="+holds[as])
		if !strings.Contains(a.body, says) || !strings.Contains(a.body, "My campaigns") {
			t.Errorf("%s does not read %q: %s", as, says, a.body)
		}
	}
}

// TestDeskWithoutSecrets: what keeps a campaign from being played on is said at its desk, and its page is read.
func TestDeskWithoutSecrets(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	d.close()
	if err := os.RemoveAll(filepath.Join(d.dir, "secrets")); err != nil {
		t.Fatal(err)
	}
	d = openIn(t, d.dir, Options{})
	for _, as := range []string{"European Axis", timeline.Umpire} {
		a := d.ask("GET", "/campaigns/west/desk", "", "Cookie", "__Host-watu="+holds[as])
		if a.status != http.StatusOK || !strings.Contains(a.body, "Nothing can be entered here") {
			t.Errorf("%s: %d %s", as, a.status, a.body)
		}
	}
}

// TestSeatLink: one link opens all sides of a seat, and its player is met as the side that is asked. Where players sign
// the link is one for a key.
func TestSeatLink(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	d.post(replay.NewCampaign{Name: "two", System: "awaw", Seed: "one", Seats: []campaign.Seat{
		{Name: "Karl", Sides: []string{"European Axis", "Japan"}}}}, &service.Opened{}, "campaigns")
	d.post(replay.NewCampaign{Name: "keyed", System: "awaw", Signed: true, Seats: []campaign.Seat{
		{Name: "Karl", Sides: []string{"European Axis", "Japan"}},
		{Name: "Anna", Sides: []string{"Britain", "United States"}}}},
		&service.Opened{}, "campaigns")
	var done service.Submitted
	d.post(service.Submission{Text: "turn: Spring 1940\nentries:\n  - {id: draw, draw: Ultra}\n  - {id: atlantic, " +
		"submarine warfare: {box: Atlantic, submarines: 8, asw: 34, cves: 0}}\n"}, &done, "campaigns", "two",
		"submissions")
	link := func(name string) *url.URL {
		t.Helper()
		v, err := seats.NewInvitation(t.Context(), d.service, name, seats.Invite{Seat: "Karl"})
		if err != nil {
			t.Fatal(err)
		}
		u, err := url.Parse(v.Link("http://localhost"))
		if err != nil {
			t.Fatal(err)
		}
		return u
	}
	if u := link("keyed"); u.Path != "/join" {
		t.Errorf("where players sign, %s", u)
	}
	token := link("two").Query().Get("token")
	a := d.ask("GET", "/login?token="+token, "")
	if a.status != http.StatusOK || !strings.Contains(a.body, "European Axis") || !strings.Contains(a.body, "Japan") {
		t.Errorf("the link: %d %s", a.status, a.body)
	}
	a = d.ask("POST", "/login", "token="+token, "Content-Type", "application/x-www-form-urlencoded")
	if cookie := a.header.Get("Set-Cookie"); !strings.Contains(cookie, token) {
		t.Fatalf("the cookie is %q", cookie)
	}
	a = d.ask("GET", "/campaigns/two", "", "Cookie", "__Host-watu="+token)
	if !strings.Contains(a.body, `<title>Your move`) {
		t.Errorf("who holds two sides is not asked for the one: %s", a.body)
	}
	body := d.send(holds[timeline.Umpire], url.Values{"do": {"invite"}, "seat": {"Karl"}}).Body.String()
	if !strings.Contains(body, "/login?token=") || !strings.Contains(body, "as European Axis in West") {
		t.Errorf("the desk: %s", body)
	}
}

// TestDeskKeepsWhatWasTyped: a form that did not go through comes back filled, because others were before it or because
// the campaign went on.
func TestDeskKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	pass := url.Values{"do": {"answer"}, "choice": {"pass"}}
	for range 2 {
		pass.Set("asked", strconv.FormatUint(d.question().Index, 10))
		d.send(holds[timeline.Umpire], pass)
	}
	slip := strconv.FormatUint(d.events(), 10)
	d.send(holds[timeline.Umpire], url.Values{"do": {"enter"}, "text": {"{facts: {cves: {Atlantic: 3}}}"}})
	d.send(holds[timeline.Umpire], url.Values{"do": {"enter"}, "text": {"{facts: {cves: {Indian Ocean: 1}}}"}})
	w := d.send(holds[timeline.Umpire], url.Values{"do": {"undo"}, "event": {slip}, "after": {slip},
		"reason": {"the wrong box"}})
	if body := w.Body.String(); w.Code != http.StatusUnprocessableEntity || !strings.Contains(body, "went on since") ||
		strings.Count(body, `value="the wrong box"`) != 1 {
		t.Errorf("taken back too late: %d %s", w.Code, body)
	}
	d.server.readers.Close(t.Context()) // from here on everything has to wait
	w = d.send(holds["Britain"], url.Values{"do": {"dispute"}, "event": {"6"}, "claim": {"seven & no more"},
		"other": {"48.61"}})
	body := w.Body.String()
	for _, says := range []string{"too many ask", ">seven &amp; no more</textarea>", `value="48.61"`, `value="6"`} {
		if !strings.Contains(body, says) {
			t.Errorf("without %q: %s", says, body)
		}
	}
	if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" {
		t.Errorf("busy: %d, %v", w.Code, w.Header())
	}
}

// TestDeskAfterRestart: links, questions and forms that were shown hold when the server was started again.
func TestDeskAfterRestart(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	pass := url.Values{"do": {"answer"}, "asked": {strconv.FormatUint(d.question().Index, 10)}, "choice": {"pass"}}
	d.close()
	d = openIn(t, d.dir, Options{})
	for _, leads := range []string{"/campaigns/west", "/campaigns/west/events/"} { // the second time it stands
		if w := d.send(holds["European Axis"], pass); !strings.HasPrefix(w.Header().Get("Location"), leads) {
			t.Errorf("%d to %q, not %s: %s", w.Code, w.Header().Get("Location"), leads, w.Body)
		}
	}
	if q := d.question(); q.Of != "Britain" {
		t.Errorf("%s is asked", q.Of)
	}
	pass.Set("asked", strconv.FormatUint(d.question().Index, 10))
	after := strconv.FormatUint(d.events(), 10)
	d.send(holds["Britain"], pass)
	d.close()
	d = openIn(t, d.dir, Options{})
	w := d.send(holds["Britain"], pass)
	if at := w.Header().Get("Location"); at != "/campaigns/west/events/"+after {
		t.Errorf("sent again to the next server: %d to %q", w.Code, at)
	}
}
