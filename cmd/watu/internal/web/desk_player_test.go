package web

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/all"
)

var (
	offered = regexp.MustCompile(`<button name="form" value="([^"]+)"`)
	textAt  = regexp.MustCompile(`(?s)<textarea id="text".*?>\n(.*?)</textarea>`)
)

// offers are the verbs whose forms a page offers.
func offers(page string) (list []string) {
	for _, m := range offered.FindAllStringSubmatch(page, -1) {
		list = append(list, html.UnescapeString(m[1]))
	}
	slices.Sort(list)
	return list
}

// TestFormsOfASide: whose seat holds a token has the forms of what the interface hears of his side, no other, and they
// enter what he would type.
func TestFormsOfASide(t *testing.T) {
	t.Parallel()
	for _, x := range []struct {
		system, side string
		offers       []string
	}{
		{"aar", "UK", nil}, {"g40", "Japan", nil}, {"eots", "Japan", nil}, // what is its act: nothing is hidden
		{"awaw", "European Axis", []string{"allocate", "produce", "roll", "submarine warfare"}},
	} {
		d := open(t, Options{})
		umpire := d.begin(replay.NewCampaign{System: x.system,
			Seats: []campaign.Seat{{Name: "Karl", Sides: []string{x.side}}}})
		karl, looks := d.token("west", x.side), d.token("west", "commentator:1")
		turn := map[string]string{"awaw": "Spring 1940", "eots": "Turn 2, 1942"}[x.system]
		if turn == "" {
			turn = "Round 1"
		}
		d.send(umpire, url.Values{"do": {"enter"}, "text": {"turn: " + turn}})
		s, _ := rules.Find(all.Systems(), func(s rules.System) bool { return s.Name == x.system })
		if x.offers == nil {
			for _, v := range s.Verbs {
				umpires := []string{"turn", "phase", "facts", "aliases", "compensate"}
				if !slices.Contains(umpires, v.Key) && (v.By == "" || v.By == x.side) {
					x.offers = append(x.offers, v.Key)
				}
			}
			slices.Sort(x.offers)
		}
		if got := offers(d.sees(karl)); !slices.Equal(got, x.offers) {
			t.Errorf("%s: %s is offered %q", x.system, x.side, got)
		}
		for _, v := range campaign.Verbs(s) {
			may := slices.Contains(x.offers, v.Key)
			for token, may := range map[string]bool{karl: may, "": false, looks: false} {
				w := d.send(token, url.Values{"form": {v.Key}})
				body := w.Body.String()
				own := x.system == "awaw" || v.Key == "roll" || v.Key == "purchase" // it says whose act it is
				if may != (w.Code == 200) ||
					may && own && !strings.Contains(body, `<option selected>`+x.side+"</option>") ||
					may && strings.Count(body, " autofocus") != 1 {
					t.Errorf("%s %s, %v: %d %s", x.system, v.Key, may, w.Code, body)
				}
			}
		}
		before := d.events()
		roll := url.Values{"do": {"add"}, "verb": {"roll"}, "f/roll/side": {x.side}, "f/roll/dice": {"2d6"},
			"f/roll/for": {"a battle"}}
		m := textAt.FindStringSubmatch(d.send(karl, roll).Body.String())
		id := "roll-" + strings.ToLower(strings.ReplaceAll(x.side, " ", "-"))
		want := "entries:\n  - {id: " + id + ", roll: {dice: \"2d6\", for: a battle, side: " + x.side + "}}\n"
		if m == nil || html.UnescapeString(m[1]) != want {
			t.Fatalf("%s: %q", x.system, m)
		}
		if w := d.send(karl, url.Values{"do": {"check"}, "text": {want}}); w.Code != 200 || d.events() != before ||
			!strings.Contains(w.Body.String(), "Nothing is wrong") {
			t.Errorf("%s, checked: %d %s", x.system, w.Code, w.Body)
		}
		roll.Set("do", "enter") // the form is open yet: what stands in it is entered, once
		roll.Set("after", strconv.FormatUint(before, 10))
		for range 2 {
			w := d.send(karl, roll)
			if w.Code != 200 || !strings.Contains(w.Body.String(), `<b lang="en">roll</b>`) {
				t.Errorf("%s, entered: %d %s", x.system, w.Code, w.Body)
			}
		}
		log, err := d.service.Log(t.Context(), "west", before, d.events())
		ids := slices.Compact(rules.Each(log, func(l timeline.LogEvent) string { return l.CommandID + " " + l.Seat }))
		if err != nil || !slices.Equal(ids, []string{turn + "/" + id + " Karl"}) {
			t.Errorf("%s: %v: %q", x.system, err, ids)
		}
	}
}

// TestFormsOfASideHoldNoOther: where a name of another side would make an entry another's, none is offered.
func TestFormsOfASideHoldNoOther(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	body := d.send(holds["European Axis"], url.Values{"form": {"submarine warfare"}}).Body.String()
	form, _, _ := strings.Cut(body[strings.Index(body, `<fieldset id="entry">`):], `<div id="picks"`)
	for name, want := range map[string]bool{"Germany": true, "Italy": true, "Atlantic": true, "Britain": false,
		"United States": false, "Japan": false, "f/cards": false} {
		if strings.Contains(form, name) != want {
			t.Errorf("%q: %v\n%s", name, !want, form)
		}
	}
}

// TestBusyDeskKeepsForms: where others were before him a player finds again what he typed, in a form too.
func TestBusyDeskKeepsForms(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	dispute := strconv.FormatUint(d.events(), 10)
	d.send(holds["Britain"], url.Values{"do": {"dispute"}, "event": {"6"}, "claim": {"so"}})
	d.server.readers.Close(t.Context()) // from here on everything has to wait
	for as, form := range map[string]url.Values{
		"Britain": {"do": {"enter"}, "verb": {"allocate"}, "f/allocate/side": {"Britain"}, "f/allocate/points": {"7"},
			"f/allocate/project": {"Ul & tra"}, "text": {""}},
		timeline.Umpire: {"do": {"check"}, "verb": {"declare war"}, "f/declare war/usjt": {"7"}, "text": {"turn: & so"},
			"f/declare war/by": {"Japan"}},
	} {
		w := d.send(holds[as], form)
		for _, says := range map[string][]string{
			"Britain":       {"too many ask", `value="7"`, "Ul &amp; tra"},
			timeline.Umpire: {"turn: &amp; so"},
		}[as] {
			if !strings.Contains(w.Body.String(), says) {
				t.Errorf("%s, without %q: %d %s", as, says, w.Code, w.Body)
			}
		}
	}
	for says, form := range map[string]url.Values{
		"say &amp; so</textarea>": {"do": {"statement"}, "dispute": {dispute}, "text": {"say & so"}},
		`value="what &amp; shows"`: {"do": {"evidence"}, "dispute": {dispute}, "events": {"6"},
			"note": {"what & shows"}},
	} {
		w := d.send(holds["European Axis"], form)
		if w.Code != http.StatusServiceUnavailable || !strings.Contains(w.Body.String(), says) {
			t.Errorf("%d without %q: %s", w.Code, says, w.Body)
		}
	}
}

// TestCorrectionSentTwice: who presses twice is led twice to the correction that stands, however often the same was
// corrected before, and it is recorded once.
func TestCorrectionSentTwice(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	for range 2 {
		d.send(holds[timeline.Umpire], url.Values{"do": {"answer"}, "choice": {"pass"},
			"asked": {strconv.FormatUint(d.question().Index, 10)}})
	}
	later := regexp.MustCompile(`name="(decide-\d+)"`)
	for _, cves := range []string{"9", "6", "9"} {
		form := url.Values{"do": {"preview"}, "event": {"6"}, "text": {"code: typo\r\nreason: counted\r\n" +
			"replace: {facts: {cves: {Atlantic: " + cves + "}}}"}}
		decides := later.FindStringSubmatch(d.send(holds[timeline.Umpire], form).Body.String())
		if decides == nil {
			t.Fatal("nothing follows from it")
		}
		form.Set(decides[1], "apply")
		form.Set("do", "correct")
		form.Set("seen", form.Get("text"))
		form.Set("seen-event", "6")
		form.Set("after", strconv.FormatUint(d.events(), 10))
		var both sync.WaitGroup
		for range 2 {
			both.Go(func() {
				w := d.send(holds[timeline.Umpire], form)
				if at := w.Header().Get("Location"); at != "/campaigns/west/events/"+form.Get("after") {
					t.Errorf("%s: %d to %q: %s", cves, w.Code, at, w.Body)
				}
			})
		}
		both.Wait()
	}
	log, err := d.service.Log(t.Context(), "west", 0, d.events())
	n := len(slices.DeleteFunc(log, func(l timeline.LogEvent) bool { return l.Type != "corrected" }))
	if err != nil || n != 6 { // each with what follows from it
		t.Errorf("%v: %d corrections", err, n)
	}
}

// TestRuleAndRevealByForm: the umpire rules on an option and discloses a secret by forms.
func TestRuleAndRevealByForm(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "awaw"})
	body := d.send(umpire, url.Values{"form": {"rule"}}).Body.String()
	for _, says := range []string{`<option>us_entry</option>`, `<optgroup label="us_entry">`,
		`<option value="exclusive">exclusive: `} {
		if !strings.Contains(body, says) {
			t.Errorf("without %q: %s", says, body)
		}
	}
	d.send(umpire, url.Values{"do": {"enter"}, "text": {"turn: Spring 1940\nentries:\n" +
		"  - {id: a, allocate: {side: Britain, project: Ultra, points: 4}}"}})
	event := strconv.FormatUint(d.first("research_allocated"), 10)
	for _, x := range []struct {
		form url.Values
		kind events.Type
	}{
		{url.Values{"verb": {"rule"}, "f/rule/option": {"us_entry"}, "f/rule/value": {"exclusive"},
			"f/rule/reason": {"a line for each"}}, "option_ruled"},
		{url.Values{"verb": {"reveal"}, "f/reveal/event": {event}, "f/reveal/reason": {"for all"}}, "opened"},
	} {
		x.form.Set("do", "add")
		m := textAt.FindStringSubmatch(d.send(umpire, x.form).Body.String())
		if m == nil {
			t.Fatalf("%v makes no text", x.form)
		}
		d.send(umpire, url.Values{"do": {"enter"}, "text": {html.UnescapeString(m[1])}})
		d.first(x.kind)
	}
}
