package web

import (
	"net/url"
	"strconv"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// TestDeskDisputes: a dispute names its rule by a choice or a paragraph, the umpire sees what a ruling would change
// before it is recorded, and whoever opened the dispute reads how it ended.
func TestDeskDisputes(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	for {
		c, err := d.service.Find("west")
		if err != nil {
			t.Fatal(err)
		}
		w, err := d.service.Waiting(c)
		if err != nil {
			t.Fatal(err)
		}
		if w == nil {
			break
		}
		if _, err := d.service.Submit(t.Context(), "west", timeline.Viewer{As: timeline.Umpire}, service.Submission{
			Text: "{answer: {" + w.Of + ": pass}}", Entry: true}); err != nil {
			t.Fatal(err)
		}
	}
	next := func() string { return strconv.FormatUint(d.events(), 10) }
	does := func(as, says, leads string, form url.Values) {
		t.Helper()
		before := d.events()
		w := d.send(holds[as], form)
		if at := w.Header().Get("Location"); at != leads || !strings.Contains(w.Body.String(), says) {
			t.Fatalf("%v: %d, to %q, not %q, without %q:\n%s", form, w.Code, at, leads, says, w.Body)
		}
		if leads == "" && d.events() != before {
			t.Fatalf("%v left %d events", form, d.events()-before)
		}
	}
	reads := func(token, path, says string, want bool) {
		t.Helper()
		body := d.ask("GET", path, "", "Cookie", "__Host-watu="+token).body
		if strings.Contains(body, says) != want {
			t.Errorf("%s, %q %v:\n%s", path, says, !want, body)
		}
	}
	const desk, disputes = "/campaigns/west/desk", "/campaigns/west/disputes/"
	contest := func(claim, other, again string) url.Values {
		return url.Values{"do": {"dispute"}, "event": {"6"}, "claim": {claim}, "other": {other}, "again": {again}}
	}
	does("Britain", "no rule and no paragraph", "", contest("one", "99.Z", ""))
	does("Britain", `<option value="AWAW-48.21-A"`, "", contest("one", "48.21", ""))
	first := next()
	does("Britain", "", disputes+first, contest("one", "48.62", ""))
	reads("", disputes+first, "AWAW-48.62", true)
	does("Britain", "#6 is disputed already, in dispute #"+first, "", contest("another", "", ""))
	second := next()
	does("Britain", "", disputes+second, contest("another", "", "yes"))
	reads(holds["Britain"], desk+"?event=6", "It is disputed already", true)
	reads(holds["Britain"], disputes+first, "bring evidence", true)
	reads(holds["Britain"], disputes+first, "#rule-on", false)
	reads(holds["Britain"], desk, `id="rule-on"`, false)
	reads(holds[timeline.Umpire], disputes+first, "#rule-on", true)

	void := url.Values{"do": {"ruling"}, "dispute": {first}, "ruling": {"void"}, "reason": {"counted wrongly"}}
	does(timeline.Umpire, "This would not stand any more", "", void)
	void.Set("seen", "void")
	void.Set("after", "1")
	does(timeline.Umpire, "Nothing is recorded yet", "", void)
	void.Set("after", next())
	does(timeline.Umpire, "", disputes+first, void)
	does(timeline.Umpire, "#6 is struck out already", "", url.Values{"do": {"ruling"}, "dispute": {second},
		"ruling": {"void"}, "reason": {"so too"}})
	does(timeline.Umpire, "Nothing in the record changes", "", url.Values{"do": {"weigh"}, "dispute": {second},
		"ruling": {"upheld"}})
	does(timeline.Umpire, "say what is right", "", url.Values{"do": {"weigh"}, "dispute": {second},
		"ruling": {"corrected"}})

	reads(holds["Britain"], desk, ", ruled: what was contested is struck out.</b>", true)
	reads(holds["European Axis"], desk, `id="ruled"`, false)
	reads(holds["Britain"], "/login", "Dispute #"+first+", ruled: what was contested is struck out", true)
	reads(holds["Britain"], disputes+first, "bring evidence", false)
	reads("", disputes+first, "opened by Anna: what was contested is struck out", true)

	does("Britain", "", disputes+second, url.Values{"do": {"withdraw"}, "dispute": {second}})
	reads(holds["Britain"], desk, "Withdraw it", false)
	reads(holds[timeline.Umpire], desk, "Close as withdrawn", true)
	does(timeline.Umpire, "", disputes+second, url.Values{"do": {"ruling"}, "dispute": {second}, "ruling": {"upheld"},
		"reason": {"Withdrawn by Anna."}})

	// A ruling that strikes out the ruling brings back what that took.
	list, err := d.service.Disputes("west", timeline.DisputeFilter{})
	if err != nil {
		t.Fatal(err)
	}
	third := next()
	does("European Axis", "", disputes+third, url.Values{"do": {"dispute"}, "claim": {"it was right"},
		"event": {strconv.FormatUint(list.Disputes[0].Ruling.Event, 10)}})
	does(timeline.Umpire, "This would stand again", "", url.Values{"do": {"weigh"}, "dispute": {third},
		"ruling": {"void"}})
}

// TestSidesOfAReader: who holds several sides goes from one to the other on every page of the campaign.
func TestSidesOfAReader(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	holds := d.asked()
	both := "__Host-watu=" + holds["Britain"] + "." + holds["Japan"]
	for path, want := range map[string]string{
		"/campaigns/west?as=Britain":        `<a href="/campaigns/west?as=Japan">look as Japan</a>`,
		"/campaigns/west/events/6?as=Japan": `<a href="/campaigns/west/events/6?as=Britain">look as Britain</a>`,
		"/campaigns/west/desk?as=Japan":     `<a href="/campaigns/west/desk?as=Britain">look as Britain</a>`,
	} {
		if a := d.ask("GET", path, "", "Cookie", both); !strings.Contains(a.body, want) {
			t.Errorf("%s has no %s:\n%s", path, want, a.body)
		}
	}
	if a := d.ask("GET", "/campaigns/west", "", "Cookie", "__Host-watu="+holds["Japan"]); strings.Contains(a.body,
		"look as") {
		t.Error("who holds one side is offered another")
	}
}
