package web

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// TestRefusalsKeepSecrets disputes refused card plays. Whoever is not the umpire reads nowhere which rule was broken,
// which would tell a card: in no byte of the log, no message, no page, no answer of the interface and no metric.
// The umpire reads it, and so does everybody once it is disclosed.
func TestRefusalsKeepSecrets(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	heard := d.listen()
	d.campaign("canary", nil)
	d.submit("canary", "turn: Spring 1941\nentries:\n  - {id: ultra, draw: Ultra}\n")
	broken := map[string]string{} // by the rule, the entry
	for i, entry := range []string{
		"submarine warfare: {box: Atlantic, submarines: 8, asw: 8}, cards: [{Britain: submarine}]",
		"produce: {side: Britain, project: Ultra, card: tactical}",
	} {
		var done service.Submitted
		d.post(service.Submission{Name: "e", Text: fmt.Sprintf("{id: no%d, %s}", i, entry), Entry: true}, &done,
			"campaigns", "canary", "submissions")
		if done.Problem == nil || !strings.HasPrefix(done.Problem.Rule, "AWAW-") {
			t.Fatalf("%s is not refused by a rule: %+v", entry, done.Problem)
		}
		broken[done.Problem.Rule] = entry
		d.submit("canary", fmt.Sprintf("entries:\n  - {id: d%d, dispute: {refused: 'Spring 1941/no%d', claim: let "+
			"it stand}}\n", i, i))
	}
	if len(broken) != 2 {
		t.Fatalf("the entries break %v, one rule each is wanted", broken)
	}
	last, err := d.service.Campaign("canary")
	if err != nil {
		t.Fatal(err)
	}
	first := last.Events - 2
	d.submit("canary", fmt.Sprintf("entries:\n  - {id: k, ruling: {dispute: %d, ruling: precedent, reason: it was}}\n",
		first))

	tellsNobody(t, d, broken)
	_, log := joined(heard())
	for rule := range broken {
		if strings.Contains(log, rule) {
			t.Errorf("a guest of the stream reads %s", rule)
		}
	}
	umpire := d.token("canary", timeline.Umpire)
	shown := ""
	for i := range uint64(2) {
		path := fmt.Sprintf("/campaigns/canary/disputes/%d", first+i)
		shown += d.get(path, umpire).body + d.get("/api/v1"+path, umpire).body
		if page := d.get(path, "").body; !strings.Contains(page, "sealed") {
			t.Errorf("nothing says to the public that the rules of %s are sealed", path)
		}
	}
	for rule := range broken {
		if n := strings.Count(shown, rule); n < 2 {
			t.Errorf("the umpire reads %s %d times, on page and interface it should be", rule, n)
		}
	}
	d.submit("canary", fmt.Sprintf("entries:\n  - {id: r, reveal: {event: %d, slot: violations, reason: both "+
		"ask for it}}\n", first))
	if a := d.get(fmt.Sprintf("/api/v1/campaigns/canary/disputes/%d", first), ""); !strings.Contains(a.body,
		`"violations":[{"rule":"AWAW-`) {
		t.Errorf("what was disclosed is not told: %s", a.body)
	}
}

// listedRules are the rules of which a form of a dispute lets one choose: all of the system, whatever was refused.
var listedRules = regexp.MustCompile(`<datalist id="rules">.*?</datalist>`)

// tellsNobody crawls as everybody but the umpire and looks for the ids of rules.
func tellsNobody(t *testing.T, d *testServer, broken map[string]string) {
	t.Helper()
	for _, as := range []string{timeline.Public, "Britain", "European Axis"} {
		answers := d.crawl("canary", d.token("canary", as))
		delete(answers, "/api/v1/rules") // the rules of every campaign, whatever was refused by them
		for path, text := range answers {
			answers[path] = listedRules.ReplaceAllString(text, "")
		}
		for rule, entry := range broken {
			for path, text := range answers {
				if strings.Contains(text, rule) || strings.Contains(path, rule) {
					t.Errorf("as %s, %s tells %s, by which %q was refused", as, path, rule, entry)
				}
			}
			for _, path := range []string{"/api/v1/disputes?rule=",
				"/api/v1/campaigns/canary/disputes?precedents=1&rule="} {
				if a := d.get(path+rule, d.token("canary", as)); !strings.Contains(a.body, `"disputes":[]`) {
					t.Errorf("as %s, %s finds a dispute by the rule: %s", as, path+rule, a.body)
				}
			}
		}
	}
}
