package web

import (
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// TestDisputeSettledByCorrection: reported facts that a contested event names are offered as evidence, and a dispute
// whose event was corrected before its ruling reads as settled by that, wherever it is listed.
func TestDisputeSettledByCorrection(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar", Seats: []campaign.Seat{{Name: "Karl", Sides: []string{"UK"}}}})
	d.enters(umpire, "turn: Round 1\nentries:\n"+
		"  - {id: b, facts: {submarines: {Germany: {SZ 8: 2}}, treasury: {UK: 30, Russia: 9}}}\n"+
		"  - {id: uk, collect income: UK}")
	karl := d.token("west", "UK")
	report, income := d.first("submarines_reported"), d.first("income_collected")
	w := d.send(karl, url.Values{"do": {"dispute"}, "event": {fmt.Sprint(income)}, "claim": {"one boat, not two"}})
	dispute := strings.TrimPrefix(w.Header().Get("Location"), "/campaigns/west/disputes/")
	offers, _, _ := strings.Cut(d.sees(karl), `<section id="correct">`)
	for what, want := range map[string]bool{fmt.Sprintf(`name="events" value="%d"> #%[1]d`, report): true,
		"Reported: treasury, UK": true, "Reported: treasury, Russia": false} {
		if strings.Contains(offers, what) != want {
			t.Errorf("as evidence, %q: %v\n%s", what, !want, offers)
		}
	}
	form := url.Values{"do": {"preview"}, "event": {fmt.Sprint(income)},
		"text": {"code: typo\nreason: counted\nreplace: {collect income: {power: UK, base: 20}}"}}
	d.send(umpire, form)
	form.Set("do", "correct")
	form.Set("seen", form.Get("text"))
	form.Set("seen-event", fmt.Sprint(income))
	form.Set("after", fmt.Sprint(d.events()))
	if w := d.send(umpire, form); w.Header().Get("Location") == "" {
		t.Fatal(w.Body)
	}
	d.send(umpire, url.Values{"do": {"ruling"}, "dispute": {dispute}, "ruling": {"upheld"}, "reason": {"corrected"}})
	says := fmt.Sprintf("ettled by correction #%d", d.first("corrected"))
	for _, path := range []string{"/campaigns/west/desk", "/campaigns/west/disputes/" + dispute, "/campaigns/west",
		"/login", fmt.Sprintf("/campaigns/west/events/%d", income)} {
		body := d.ask("GET", path, "", "Cookie", "__Host-watu="+karl).body
		if !strings.Contains(body, says) || strings.Contains(body, "what was contested stands.</b>") ||
			strings.Contains(body, "opened by Karl: what") ||
			strings.Contains(body, "ruled: what was contested stands") ||
			strings.Contains(body, `</a></span> <span class="mark corrected">`) {
			t.Errorf("%s does not say %q: %s", path, says, body)
		}
	}
}
