package web

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/notify"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// chosen is a button of the form that asks for a card.
var chosen = regexp.MustCompile(`name="choice" value="([^"]+)"`)

// accidental is what differs between two ledgers by chance: ids, hashes, times, ports.
var accidental = regexp.MustCompile(`\b[0-9A-HJKMNP-TV-Z]{26}\b|[0-9a-f]{8,}|\b20\d\d-\d\d-\d\dT[0-9:.+Z]+|` +
	`\b\d\d:\d\d(:\d\d)?\b|127\.0\.0\.1:\d+|h1:[\w+/=]+`)

// secretly plays with a card in the pool of the European Axis that nobody else knows, up to where Karl has answered in
// secret. It gives what everybody sees of it meanwhile, by viewer, and what is posted to a chat.
func secretly(t *testing.T, card string) (seen map[string]string, posted string) {
	t.Helper()
	d := open(t, Options{})
	heard := make(chan string, 10)
	chat := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		text, _ := io.ReadAll(r.Body)
		heard <- string(text)
	}))
	t.Cleanup(chat.Close)
	notices := notify.Begin(d.service, notify.Options{URL: chat.URL})
	t.Cleanup(notices.Close)
	d.post(replay.NewCampaign{Name: "west", System: "awaw", Seed: "one", Seats: []campaign.Seat{
		{Name: "Anna", Sides: []string{"Britain"}}, {Name: "Karl", Sides: []string{"European Axis"}}}},
		&service.Opened{}, "campaigns")
	d.post(service.Submission{Text: "turn: Spring 1940\nfacts: {cves: {Atlantic: 7}}\nentries:\n" +
		"  - {id: r, allocate: {side: European Axis, project: Ultra, points: 4}}\n" +
		"  - {id: p, produce: {side: European Axis, project: Ultra, card: " + card + "}}\n  - {id: d, draw: Ultra}\n" +
		"  - {id: a, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}}\n"},
		&service.Submitted{}, "campaigns", "west", "submissions")
	holds := map[string]string{timeline.Public: ""}
	for _, as := range []string{"Britain", "European Axis", "Japan"} {
		holds[as] = d.token("west", as)
	}
	seen = map[string]string{}
	asked := strconv.FormatUint(d.question().Index, 10)
	look := func() {
		for as, token := range holds {
			for _, path := range []string{"/campaigns/west", "/campaigns/west?lang=de", "/campaigns/west/desk",
				"/campaigns/west/desk?event=6", "/login", "/campaigns/west/feed.atom",
				"/campaigns/west/feed.atom?lang=de"} {
				a := d.ask("GET", path, "", "Cookie", "__Host-watu="+token)
				seen[as] += path + " " + strconv.Itoa(a.status) + "\n" + a.body + "\n"
			}
			if as == "European Axis" {
				continue
			}
			for _, form := range []url.Values{
				{"do": {"answer"}, "asked": {asked}, "choice": {"tactical"}},
				{"do": {"check"}, "text": {"{answer: {European Axis: tactical}}"}},
				{"do": {"enter"}, "text": {"{hand: {side: European Axis, deck: Ultra}}"}},
				{"do": {"undo"}, "event": {asked}, "reason": {"x"}, "after": {"9"}},
			} {
				w := d.send(token, form)
				seen[as] += form.Encode() + " " + strconv.Itoa(w.Code) + " " + w.Header().Get("Location") + "\n" +
					w.Body.String() + "\n"
			}
		}
	}
	look()
	posted = <-heard
	options := chosen.FindAllStringSubmatch(d.ask("GET", "/campaigns/west/desk", "", "Cookie",
		"__Host-watu="+holds["European Axis"]).body, -1)
	own := options[len(options)-1][1]
	if w := d.send(holds["European Axis"], url.Values{"do": {"answer"}, "asked": {asked}, "choice": {own}}); w.Code !=
		http.StatusSeeOther {
		t.Fatalf("%s: %d %s", own, w.Code, w.Body)
	}
	seen["European Axis"] += own
	look()
	posted += <-heard
	for as, text := range seen {
		seen[as] = accidental.ReplaceAllString(text, "…")
	}
	return seen, accidental.ReplaceAllString(posted, "…")
}

// TestDeskCanary: of what Karl holds and chose in secret, no page of another seat, no form's answer, banner, title or
// feed and no notice depends on it: they are the same in two campaigns that differ in that alone. His own are not.
func TestDeskCanary(t *testing.T) {
	t.Parallel()
	these, told := secretly(t, "submarine")
	those, toldToo := secretly(t, "tactical")
	for as := range these {
		own := as == "European Axis"
		was, is := strings.Split(these[as], "\n"), strings.Split(those[as], "\n")
		differ := 0
		for i := range min(len(was), len(is)) {
			if was[i] == is[i] {
				continue
			}
			if differ++; differ < 5 && !own {
				t.Errorf("%s sees\n%s\nor\n%s", as, was[i], is[i])
			}
		}
		if (differ > 0 || len(was) != len(is)) != own {
			t.Errorf("%s sees %d lines that differ, of %d and %d", as, differ, len(was), len(is))
		}
	}
	var x notify.Notice
	if told != toldToo || json.Unmarshal([]byte(told[:strings.Index(told, "}")+1]), &x) != nil ||
		x.Side != "European Axis" {
		t.Errorf("a chat hears\n%s\nor\n%s", told, toldToo)
	}
}
