package web

import (
	"fmt"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
)

// amendForm is where the form of a recorded entry begins.
const amendForm = `<form id="amend"`

// controls are the fields of the form that begins somewhere on a page, with what they hold.
func controls(body, begins string) url.Values {
	form := url.Values{}
	_, body, _ = strings.Cut(body, begins)
	body, _, _ = strings.Cut(body, "</form>")
	for _, m := range regexp.MustCompile(`<input[^>]*>`).FindAllString(body, -1) {
		name := regexp.MustCompile(` name="([^"]*)"`).FindStringSubmatch(m)
		value := regexp.MustCompile(` value="([^"]*)"`).FindStringSubmatch(m)
		if name != nil && value != nil && !strings.Contains(m, "checkbox") {
			form.Set(html.UnescapeString(name[1]), html.UnescapeString(value[1]))
		}
	}
	choices, chosen := regexp.MustCompile(`(?s)<select[^>]* name="([^"]*)".*?</select>`),
		regexp.MustCompile(`<option(?: value="([^"]*)")?(?: lang="en")? selected>([^<]*)`)
	for _, m := range choices.FindAllStringSubmatch(body, -1) {
		if is := chosen.FindStringSubmatch(m[0]); is != nil {
			form.Set(html.UnescapeString(m[1]), html.UnescapeString(is[1]+strings.Repeat(is[2], 1-min(1, len(is[1])))))
		}
	}
	return form
}

// TestCorrectByForm: an entry is corrected in its own form, filled with what it says; what is changed there alone is
// the correction, and it is previewed before it is recorded.
func TestCorrectByForm(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.enters(umpire, "turn: Round 1\n"+
		"entries:\n  - {id: f, facts: {submarines: {Germany: {SZ 7: 1, SZ 8: 2}}, treasury: {UK: 30}}}\n"+
		"  - {id: uk, collect income: UK}")
	event := d.first("submarines_reported")
	page := func(query string) string {
		return d.ask("GET", "/campaigns/west/"+query, "", "Cookie", "__Host-watu="+umpire).body
	}
	link := fmt.Sprintf("/campaigns/west/desk?correct=%d#correct", event)
	if body := page(fmt.Sprintf("events/%d", event)); !strings.Contains(body, link) {
		t.Errorf("no link to correct it: %s", body)
	}
	if a := d.ask("GET", fmt.Sprintf("/campaigns/west/events/%d", event), ""); strings.Contains(a.body, "correct=") {
		t.Error("the public is to correct it")
	}
	form := controls(page(fmt.Sprintf("desk?correct=%d", event)), amendForm)
	boats := ""
	for name := range form {
		if form.Get(name) == "SZ 8" {
			boats = strings.TrimSuffix(name, "/name") + "/is"
		}
	}
	if form.Get(boats) != "2" || form.Get("amends") != "facts" {
		t.Fatalf("the form holds %v", form)
	}
	sends := func(says string, code int) string {
		t.Helper()
		w := d.send(umpire, form)
		if w.Code != code || !strings.Contains(w.Body.String(), says) {
			t.Fatalf("%v: %d without %q: %s", form, w.Code, says, w.Body)
		}
		return w.Body.String()
	}
	form.Set("do", "preview")
	sends("say why the entry is corrected", 422)
	form.Set("reason", "one, not two: counted again")
	sends("nothing is changed in the form", 422)
	form.Set(boats, "1")
	form.Set("code", "misread")
	before := d.events()
	form = controls(sends("It would change", 200), amendForm)
	if d.events() != before || form.Get("code") != "misread" {
		t.Errorf("%d events of a preview, which holds %v", d.events()-before, form)
	}
	form.Set("do", "correct")
	for name := range form {
		if strings.HasPrefix(name, "decide-") {
			form.Set(name, "apply")
		}
	}
	sends("", http.StatusSeeOther)
	c, err := d.service.Find("west")
	if err != nil {
		t.Fatal(err)
	}
	e, err := d.service.Event(c.ID, d.first("corrected"))
	if err != nil {
		t.Fatal(err)
	}
	var p events.Corrected
	if !e.Read(&p) || p.Code != "misread" || p.Reason != "one, not two: counted again" || len(p.Changes) != 1 ||
		p.Changes[0].Field != "facts.submarines.Germany.SZ 8" {
		t.Errorf("corrected: %+v", p)
	}
	form = controls(page(fmt.Sprintf("desk?correct=%d", event)), amendForm)
	if form.Get(boats) != "1" {
		t.Errorf("corrected, the form holds %v", form)
	}
	if body := page("desk?correct=0"); !strings.Contains(body, "type what is right as text") {
		t.Errorf("what has no form: %s", body)
	}
}

// TestRuleByCorrectionByForm: a ruling that corrects has the entry's own form, filled with what stands; what is changed
// there is weighed and recorded as a typed text is, and what is not understood is said beside it.
func TestRuleByCorrectionByForm(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.send(umpire, url.Values{"do": {"enter"}, "text": {"turn: Round 1\n" +
		"entries:\n  - {id: f, facts: {submarines: {Germany: {SZ 7: 1, SZ 8: 2}}, treasury: {UK: 30}}}"}})
	event := d.first("submarines_reported")
	w := d.send(umpire, url.Values{"do": {"dispute"}, "event": {fmt.Sprint(event)}, "claim": {"one, not two"}})
	dispute := strings.TrimPrefix(w.Header().Get("Location"), "/campaigns/west/disputes/")
	form := url.Values{"do": {"weigh"}, "dispute": {dispute}, "ruling": {"corrected"}}
	const begins = `<section id="rule-on">`
	sends := func(code int, says, not string) string {
		t.Helper()
		w := d.send(umpire, form)
		_, body, _ := strings.Cut(w.Body.String(), begins)
		if w.Code != code || !strings.Contains(body, says) || not != "" && strings.Contains(body, not) {
			t.Fatalf("%v: %d without %q, or with %q: %s", form, w.Code, says, not, body)
		}
		return w.Body.String()
	}
	form.Set("right", "one boat")
	sends(422, "it should be a mapping", "Nothing in the record changes")
	form.Del("right")
	filled := controls(sends(422, "say what is right", "Nothing in the record changes"), begins)
	boats := ""
	for name := range filled {
		if filled.Get(name) == "SZ 8" {
			boats = strings.TrimSuffix(name, "/name") + "/is"
		}
	}
	if filled.Get(boats) != "2" || filled.Get("right-of") != dispute {
		t.Fatalf("the form holds %v", filled)
	}
	form = filled
	form.Set("dispute", dispute)
	form.Set("ruling", "corrected")
	form.Set("do", "weigh")
	sends(422, "nothing is changed in the form", "Nothing in the record changes")
	form.Set("more", strings.TrimSuffix(boats, "/1/is"))
	if rows := controls(sends(200, `name="right-of"`, ""), begins); rows.Get(boats) != "2" {
		t.Errorf("with one more row the form holds %v", rows)
	}
	form.Del("more")
	form.Set(boats, "1")
	form = controls(sends(200, "It would change", ""), begins)
	form.Set("dispute", dispute)
	form.Set("ruling", "corrected")
	form.Set("reason", "counted again")
	form.Set("do", "ruling")
	sends(http.StatusSeeOther, "", "")
	d.first("corrected")
	if body := d.sees(umpire); strings.Contains(body, begins) {
		t.Errorf("a dispute is open yet: %s", body)
	}
}
