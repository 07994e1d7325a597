package web

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// TestRefusalOfAnother lets two sides quarrel over the network. What is refused to one is told to it alone: the other
// cannot dispute it, and is answered as if there were none; rule pages name no dispute over it.
func TestRefusalOfAnother(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	heard := d.listen()
	d.post(replay.NewCampaign{Name: "canary", System: "awaw", Seed: "one", Seats: []campaign.Seat{
		{Name: "anna", Sides: []string{"European Axis"}}, {Name: "ben", Sides: []string{"Britain"}},
	}}, &service.Opened{}, "campaigns")
	d.submit("canary", "turn: Spring 1941\n")
	anna, ben := d.token("canary", "European Axis"), d.token("canary", "Britain")
	says := func(token, path string, body any) string {
		text, err := json.Marshal(body)
		if err != nil {
			t.Fatal(err)
		}
		return d.ask(http.MethodPost, "/api/v1/campaigns/canary/"+path, string(text),
			"Authorization", "Bearer "+token, "Content-Type", "application/json").body
	}
	entry := "{id: bought, produce: {side: Britain, project: Ultra, card: tactical}}"
	refused := says(ben, "submissions", map[string]any{"text": entry, "entry": true})
	const rule = "AWAW-48.11-B"
	if !strings.Contains(refused, rule) {
		t.Fatalf("the player is not told why: %s", refused)
	}
	dispute := func(token, of string) string {
		return says(token, "disputes", map[string]any{
			"verb": "dispute", "body": map[string]any{"refused": of, "claim": "let it stand"},
		})
	}
	others, nobodys := dispute(anna, "Spring 1941/bought"), dispute(anna, "Spring 1941/nought")
	if lasting(strings.ReplaceAll(others, "bought", "nought")) != lasting(nobodys) ||
		!strings.Contains(others, "no refusal of") {
		t.Errorf("a refusal of another is answered with %s, and none with %s", others, nobodys)
	}
	if own := dispute(ben, "Spring 1941/bought"); !strings.Contains(own, "dispute_opened") {
		t.Fatalf("the player cannot dispute it: %s", own)
	} else if strings.Contains(own, rule) {
		t.Errorf("the answer to a dispute tells the rule: %s", own)
	}
	d.quarrel(says, anna, ben)
	tellsNobody(t, d, map[string]string{rule: entry})
	for _, token := range []string{"", anna} {
		if a := d.get("/campaigns/canary/rules/"+rule, token); strings.Contains(a.body, "/disputes/") {
			t.Errorf("the page of the rule leads to the dispute: %s", a.body)
		}
	}
	if _, log := joined(heard()); strings.Contains(log, rule) {
		t.Errorf("a guest of the stream reads %s", rule)
	}
	if message := strings.Join(d.lines, "\n"); strings.Contains(message, rule) {
		t.Errorf("the service writes %s to its journal: %s", rule, message)
	}
}

// quarrel argues the last dispute, rules on it, and appeals against the ruling: the appeal is lost.
func (d *testServer) quarrel(says func(token, path string, body any) string, anna, ben string) {
	d.t.Helper()
	last := func() uint64 {
		c, err := d.service.Campaign("canary")
		if err != nil {
			d.t.Fatal(err)
		}
		return c.Events - 1
	}
	first := last()
	for _, token := range []string{anna, ben} {
		text := says(token, "disputes", map[string]any{"verb": "statement", "body": map[string]any{"dispute": first,
			"text": "so it is"}})
		if !strings.Contains(text, "statement_made") {
			d.t.Fatalf("nothing is said: %s", text)
		}
	}
	d.submit("canary", fmt.Sprintf("entries:\n  - {id: k, ruling: {dispute: %d, ruling: void, reason: let it stand}}\n",
		first))
	appeal := says(ben, "disputes", map[string]any{"verb": "dispute", "body": map[string]any{"event": last(),
		"claim": "not so"}})
	if !strings.Contains(appeal, "dispute_opened") {
		d.t.Fatalf("the ruling is not disputed: %s", appeal)
	}
	d.submit("canary", fmt.Sprintf("entries:\n  - {id: a, ruling: {dispute: %d, ruling: upheld, reason: it was}}\n",
		last()))
}
