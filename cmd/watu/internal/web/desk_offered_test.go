package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
)

// TestCorrectionOffers: of what a correction of boats changes later, where a person would see it the umpire decides; a
// count in a derivation alone goes with it. Dice that no figure decides are left to him by name.
func TestCorrectionOffers(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	umpire := d.begin(replay.NewCampaign{System: "aar"})
	d.enters(umpire, `turn: Round 1
facts:
  submarines:
    Germany: {SZ 8: 2, U-96: SZ 9}
    US: {SZ 60: 3}
entries:
  - {id: early, roll: {dice: 1d6, for: a landing, side: UK}}
  - {id: uk, collect income: UK}
  - {id: japan, collect income: Japan}
  - {id: silent, sub detection: {zone: SZ 60, attacker: US}}
  - {id: shots, call shots: {zone: SZ 60, targets: {carrier: 1, transport: 1}}}
  - {id: dice, roll: {dice: 2d6, for: the shots, side: US}}
  - {id: us, collect income: US}
`)
	shots, us := d.first("shots_called"), d.events()-1
	form := url.Values{"event": {fmt.Sprint(d.first("submarines_reported"))}}
	shows := func(boats string) string {
		form.Set("do", "preview")
		form.Set("text", "code: typo\nreason: counted\nreplace: {facts: {submarines: "+boats+"}}")
		_, body, _ := strings.Cut(d.send(umpire, form).Body.String(), `<div id="previewed"`)
		body, _, _ = strings.Cut(body, "</form>")
		return body
	}
	body := shows("{US: {SZ 60: 1}}")
	for says, want := range map[string]bool{fmt.Sprintf(`<select name="decide-%d">`, shots): true,
		"dice were thrown by entries of their own": true, "The shots, US": true, "A landing, UK": false} {
		if strings.Contains(body, says) != want {
			t.Errorf("%q: %v: %s", says, !want, body)
		}
	}
	body = shows("{Germany: {SZ 8: 1, U-96: SZ 9}}")
	quiet := fmt.Sprintf(`<input type="hidden" name="decide-%d" value="apply">`, us)
	if !strings.Contains(body, quiet) || strings.Contains(body, "step 2 of the derivation") {
		t.Errorf("without %s: %s", quiet, body)
	}
	for _, m := range hiddenField.FindAllStringSubmatch(body, -1) {
		form.Set(m[1], m[2])
	}
	form.Set("seen", form.Get("text"))
	form.Set("do", "correct")
	form.Set(fmt.Sprintf("decide-%d", us), "apply")
	if w := d.send(umpire, form); w.Code != http.StatusSeeOther {
		t.Fatalf("%d: %s", w.Code, w.Body)
	}
	got := queue.FindString(d.sees(umpire))
	if !strings.Contains(got, "Round 1/uk") || strings.Contains(got, "Round 1/us") {
		t.Errorf("what waits: %s", got)
	}
}
