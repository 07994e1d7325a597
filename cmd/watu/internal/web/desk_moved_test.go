package web

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/replay"
)

var hiddenField = regexp.MustCompile(
	`<input type="hidden" name="(after|seen|seen-event|seen-right|shown)" value="([^"]*)">`)

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
			for _, m := range hiddenField.FindAllStringSubmatch(d.send(umpire, form).Body.String(), -1) {
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
