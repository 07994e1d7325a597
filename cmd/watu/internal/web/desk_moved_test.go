package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

var hiddenField = regexp.MustCompile(
	`<input type="hidden" name="(after|seen|seen-event|seen-right|shown)" value="([^"]*)">`)

var boxedAfter = regexp.MustCompile(`<form id="turn" [^>]*><input type="hidden" name="after" value="(\d+)">`)

// TestShownAndRecordedMeanwhile: a correction and a ruling whose changes were shown are recorded though somebody
// entered something meanwhile, if they change what was shown; else what they would change now is shown, and nothing is
// recorded.
func TestShownAndRecordedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, what := range []string{"correct", "ruling"} {
		for meanwhile, moved := range map[string]bool{
			"{id: m, roll: {dice: 1d6, for: a battle, side: Russia}}": false, "{id: m, collect income: UK}": true} {
			d := open(t, Options{})
			umpire := d.begin(replay.NewCampaign{System: "aar"})
			d.enters(umpire, "turn: Round 1\nfacts: {submarines: {Germany: {SZ 8: 2}}}\nentries:\n"+
				"  - {id: r, collect income: Russia}\n  - {id: g, collect income: Germany}")
			reported := d.first("submarines_reported")
			form, show := url.Values{"event": {fmt.Sprint(reported)}, "text": {"code: typo\nreason: counted\n" +
				"replace: {facts: {submarines: {Germany: {SZ 8: 1}}}}"}}, "preview"
			if what == "ruling" {
				w := d.send(umpire, url.Values{"do": {"dispute"}, "event": {fmt.Sprint(reported)}, "claim": {"none"}})
				form, show = url.Values{"dispute": {w.Header().Get("Location")[len("/campaigns/west/disputes/"):]},
					"ruling": {"void"}, "reason": {"nobody saw it"}}, "weigh"
			}
			form.Set("do", show)
			page, _, _ := strings.Cut(d.send(umpire, form).Body.String(), `<section id="slips">`)
			for _, m := range hiddenField.FindAllStringSubmatch(page, -1) {
				if m[1] != "seen" || what == "ruling" {
					form.Set(m[1], m[2])
				}
			}
			form.Set("seen", map[string]string{"correct": form.Get("text"), "ruling": "void"}[what])
			d.enters(umpire, meanwhile)
			before := d.events()
			form.Set("do", what)
			w := d.send(umpire, form)
			says := strings.Contains(w.Body.String(), "The campaign went on meanwhile")
			recorded := d.events() > before
			if recorded == moved || says != moved || w.Code == http.StatusUnprocessableEntity {
				t.Errorf("%s, and meanwhile %s: %d, recorded %v, %s", what, meanwhile, w.Code, recorded, w.Body)
			}
		}
	}
}

// TestProposedMeanwhile: whoever proposes an entry sees what others entered since his page was drawn, whichever
// button he presses. Nothing is refused for it, and nothing of his own is listed.
func TestProposedMeanwhile(t *testing.T) {
	t.Parallel()
	for _, x := range []url.Values{{"do": {"check"}}, {"do": {"enter"}}, {"form": {"purchase"}}} {
		d := open(t, Options{})
		umpire := d.begin(replay.NewCampaign{System: "aar", Seats: []campaign.Seat{{Name: "Ben",
			Sides: []string{"UK"}}}})
		d.enters(umpire, "turn: Round 1\nentries:\n  - {id: r, collect income: Russia}")
		drawn := d.events()
		d.enters(d.token("west", "UK"), "{id: b, roll: {dice: 1d6, for: a convoy, side: UK}}")
		theirs := d.events()
		d.enters(umpire, "{id: g, collect income: Germany}")
		if form := boxedAfter.FindStringSubmatch(d.sees(umpire)); form == nil || form[1] != fmt.Sprint(d.events()) {
			t.Fatalf("the form is drawn of %q", form)
		}
		x.Set("text", "{id: mine, roll: {dice: 1d6, for: a battle, side: Russia}}")
		for after, says := range map[uint64]bool{drawn: true, theirs: false} {
			x.Set("after", fmt.Sprint(after))
			w := d.send(umpire, x)
			_, told, _ := strings.Cut(w.Body.String(), `<section id="meanwhile"`)
			told, _, _ = strings.Cut(told, "</section>")
			ben := fmt.Sprintf(`<b>Ben</b>: <a href="/campaigns/west/events/%d">#%[1]d</a>`, drawn)
			if w.Code != http.StatusOK || strings.Contains(told, ben) != says || strings.Contains(told, "Germany") ||
				strings.Count(told, "<li>") > 1 {
				t.Errorf("%v: %d, told %q", x, w.Code, told)
			}
		}
	}
}

// TestTakenBackAsShown: an act is taken back though something was entered meanwhile, if what goes with it is what was
// listed; else nothing is, and the page lists what would go now. What is sent twice is answered as it was.
func TestTakenBackAsShown(t *testing.T) {
	t.Parallel()
	listed := regexp.MustCompile(`name="event" value="(\d+)">` +
		`<input type="hidden" name="after" value="(\d+)"><input type="hidden" name="shown" value="([0-9a-f]+)">`)
	for _, goneToo := range []bool{true, false} {
		d := open(t, Options{})
		umpire := d.begin(replay.NewCampaign{System: "aar"})
		d.enters(umpire, "turn: Round 1\nentries:\n  - {id: r, collect income: Russia}")
		shows := func(page string) url.Values {
			m := listed.FindStringSubmatch(page)
			if m == nil {
				t.Fatalf("nothing can be taken back: %s", page)
			}
			return url.Values{"do": {"undo"}, "event": m[1:2], "after": m[2:3], "shown": m[3:], "reason": {"too early"}}
		}
		form := shows(d.sees(umpire))
		d.enters(umpire, "{id: g, collect income: Germany}")
		if goneToo {
			last := shows(d.sees(umpire))
			d.send(umpire, last)
		}
		before := d.events()
		for again := range 2 {
			w := d.send(umpire, form)
			if (d.events() > before) != goneToo || again > 0 && d.events() > before+1 {
				t.Errorf("taken back meanwhile: %v, sent %d times: %d events more, %d: %s", goneToo, again+1,
					d.events()-before, w.Code, w.Body)
			}
			at, taken := w.Header().Get("Location"), fmt.Sprintf("/campaigns/west/desk?taken=%d", before)
			if goneToo && at != taken ||
				!goneToo && (w.Code != http.StatusUnprocessableEntity ||
					!strings.Contains(w.Body.String(), "went on since this was shown")) {
				t.Errorf("sent %d times: %d, to %s", again+1, w.Code, at)
			}
		}
	}
}
