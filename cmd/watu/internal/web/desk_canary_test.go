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

// viewer is somebody who looks at the desk.
type viewer struct {
	token string
	as    string // as whom he asks to look; empty for all that the token opens
	side  string // in whose name he would enter something
	knows string // the side whose secrets he knows; "all", or none
}

// secretly plays with a card in the pool of a side that nobody else knows, up to where Karl has answered in secret. It
// gives what everybody sees of it meanwhile, by viewer, and what is posted to a chat.
func secretly(t *testing.T, side, card string) (seen map[string]string, knows map[string]bool, posted string) {
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
	enters := func(text string) {
		d.post(service.Submission{Text: text}, &service.Submitted{}, "campaigns", "west", "submissions")
	}
	umpire := d.token("west", timeline.Umpire)
	holds := map[string]viewer{timeline.Public: {side: "Britain"}, timeline.Umpire: {umpire, "", "Britain", "all"},
		"commentator": {d.token("west", "commentator:1"), "", "Britain", ""}}
	for _, as := range []string{"Britain", "European Axis", "Japan"} {
		holds[as] = viewer{d.token("west", as), "", as, as}
		holds["the umpire as "+as] = viewer{umpire, as, as, as}
	}
	seen, knows = map[string]string{}, map[string]bool{}
	asked := "0"
	look := func() {
		for name, x := range holds {
			knows[name] = x.knows == side || x.knows == "all"
			for _, path := range []string{"/campaigns/west", "/campaigns/west/desk", "/campaigns/west/events"} {
				a := d.ask("GET", looked(path, x.as), "", "Cookie", "__Host-watu="+x.token)
				seen[name] += path + " " + strconv.Itoa(a.status) + "\n" + a.body + "\n"
			}
			for _, path := range []string{"/campaigns/west?lang=de", "/campaigns/west/desk?event=6", "/login",
				"/campaigns/west/feed.atom", "/campaigns/west/feed.atom?lang=de"} {
				if x.as == "" {
					a := d.ask("GET", path, "", "Cookie", "__Host-watu="+x.token)
					seen[name] += path + " " + strconv.Itoa(a.status) + "\n" + a.body + "\n"
				}
			}
			if knows[name] {
				continue
			}
			for _, form := range tries(x.side, asked) {
				w := d.sendAs(x.token, x.as, form)
				seen[name] += form.Encode() + " " + strconv.Itoa(w.Code) + " " + w.Header().Get("Location") + "\n" +
					w.Body.String() + "\n"
			}
		}
	}
	enters("turn: Spring 1940\nfacts: {cves: {Atlantic: 7}}\nentries:\n" +
		"  - {id: r, allocate: {side: " + side + ", project: Ultra, points: 4}}\n" +
		"  - {id: p, produce: {side: " + side + ", project: Ultra, card: " + card + "}}\n  - {id: d, draw: Ultra}\n")
	look()
	enters("entries:\n  - {id: a, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}}\n")
	asked = strconv.FormatUint(d.question().Index, 10)
	look()
	posted = <-heard
	options := chosen.FindAllStringSubmatch(d.ask("GET", "/campaigns/west/desk", "", "Cookie",
		"__Host-watu="+holds["European Axis"].token).body, -1)
	own := options[len(options)-1][1]
	if w := d.send(holds["European Axis"].token, url.Values{"do": {"answer"}, "asked": {asked},
		"choice": {own}}); w.Code != http.StatusSeeOther {
		t.Fatalf("%s: %d %s", own, w.Code, w.Body)
	}
	seen["European Axis"] += own
	look()
	posted += <-heard
	return seen, knows, accidental.ReplaceAllString(posted, "…")
}

// tries are forms by which a side would find out what it may not know.
func tries(side, asked string) []url.Values {
	list := []url.Values{
		{"do": {"answer"}, "asked": {asked}, "choice": {"tactical"}},
		{"do": {"check"}, "text": {"{answer: {European Axis: tactical}}"}},
		{"do": {"enter"}, "text": {"{hand: {side: European Axis, deck: Ultra}}"}},
		{"do": {"undo"}, "event": {asked}, "reason": {"x"}, "after": {"9"}},
		{"do": {"preview"}, "event": {"6"}, "text": {"code: typo\nreason: x\nreplace: {cves: {Atlantic: 9}}"}},
		{"do": {"add"}, "verb": {"produce"}, "f/produce/side": {side}, "f/produce/project": {"Ultra"}},
		{"do": {"enter"}, "verb": {"produce"}, "f/produce/side": {side}, "f/produce/card": {"tactical"}},
	}
	for _, verb := range []string{"allocate", "produce", "roll", "submarine warfare", "contest", "facts", "reveal",
		"harbor attack", "strategic bombing", "pearl harbor"} {
		list = append(list, url.Values{"form": {verb}})
	}
	for _, of := range []string{"Britain", "European Axis", "Japan"} {
		for _, entry := range []string{"allocate: {project: Ultra, points: -4, side: ",
			"allocate: {project: Magic, side: ", "produce: {project: Ultra, card: tactical, side: ",
			"produce: {project: Ultra, card: submarine, side: ",
			"submarine warfare: {box: Atlantic, submarines: 8, asw: 34, side: ",
			"contest: {kind: naval, acting: ", "roll: {dice: 2d6, for: a battle, side: "} {
			list = append(list, url.Values{"do": {"check"}, "text": {"entries:\n  - {id: x, " + entry + of + "}}"}})
		}
	}
	return list
}

// TestDeskCanary: of what a side holds and chose in secret, no page of another seat, no form of an entry with its
// lists, no finding of a check and no other form's answer, no banner, title, feed or notice depends on it, nor what the
// umpire sees when he looks as another: they are the same in two campaigns that differ in that alone. The side's own
// are not, and not the umpire's. The commentator knows of a turn when it is over.
func TestDeskCanary(t *testing.T) {
	t.Parallel()
	for _, side := range []string{"European Axis", "Britain"} {
		card := map[string]string{"European Axis": "submarine", "Britain": "asw"}[side]
		these, knows, posted := secretly(t, side, card)
		those, _, postedToo := secretly(t, side, "tactical")
		for as := range these {
			was, is := strings.Split(these[as], "\n"), strings.Split(those[as], "\n")
			differ := 0
			for i := range min(len(was), len(is)) {
				if was[i] == is[i] ||
					accidental.ReplaceAllString(was[i], "…") == accidental.ReplaceAllString(is[i], "…") {
					continue
				}
				if differ++; differ < 5 && !knows[as] {
					t.Errorf("%s sees of %s\n%s\nor\n%s", as, side, was[i], is[i])
				}
			}
			if (differ > 0 || len(was) != len(is)) != knows[as] {
				t.Errorf("%s sees %d lines that differ of %s, of %d and %d", as, differ, side, len(was), len(is))
			}
		}
		for _, says := range []string{`data-line="2"`, "/rules/AWAW-", "Nothing is wrong",
			"for the umpire to enter"} {
			if as := "the umpire as Britain"; side != "Britain" && !strings.Contains(these[as], says) {
				t.Errorf("%s tries in vain: nothing says %q", as, says)
			}
		}
		var x notify.Notice
		if posted != postedToo || json.Unmarshal([]byte(posted[:strings.Index(posted, "}")+1]), &x) != nil ||
			x.Side != "European Axis" {
			t.Errorf("a chat hears\n%s\nor\n%s", posted, postedToo)
		}
	}
}
