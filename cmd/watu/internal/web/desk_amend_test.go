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

// controls are the fields of a form that a page shows, with what they hold.
func controls(body string) url.Values {
	form := url.Values{}
	_, body, _ = strings.Cut(body, `<form id="amend"`)
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
	d.send(umpire, url.Values{"do": {"enter"}, "text": {"turn: Round 1\n" +
		"entries:\n  - {id: f, facts: {submarines: {Germany: {SZ 7: 1, SZ 8: 2}}, treasury: {UK: 30}}}\n" +
		"  - {id: uk, collect income: UK}"}})
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
	form := controls(page(fmt.Sprintf("desk?correct=%d", event)))
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
	form = controls(sends("It would change", 200))
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
	form = controls(page(fmt.Sprintf("desk?correct=%d", event)))
	if form.Get(boats) != "1" {
		t.Errorf("corrected, the form holds %v", form)
	}
	if body := page("desk?correct=0"); !strings.Contains(body, "type what is right as text") {
		t.Errorf("what has no form: %s", body)
	}
}
