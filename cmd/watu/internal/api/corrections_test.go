package api

import (
	"net/http"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// convoys is a campaign in which #4 reports a boat that was not there, which raids in #12 and #17.
func convoys(t *testing.T) *site {
	t.Helper()
	n := replay.NewCampaign{Name: "convoys", System: "aar", Seed: "boat"}
	files, _ := fixtures.Board("straits")
	for _, file := range files {
		n.Board = append(n.Board, rules.BoardFile{Name: file.Name, Data: file.Data})
	}
	return newSite(withCampaign(t, n), nil)
}

const raided = `turn: Round 1
facts: {submarines: {Germany: {SZ 8: 2, SZ 9: 1}}}
entries:
  - {id: uk, collect income: UK}
  - {id: us, collect income: US}
`

const bought = `turn: Round 2
entries:
  - {id: yards, purchase: {power: UK, units: {destroyer: 1}}}
`

// A correction is previewed, recorded in part, listed as pending to the public, applied, and taken back.
func TestCorrectionsOverTheInterface(t *testing.T) {
	k := newContract(t)
	h := convoys(t)
	const at = "/campaigns/convoys"
	out := into[service.Submitted](t, post(t, h, at+"/submissions", service.Submission{Text: raided}, "Authorization",
		"Bearer umpire"))
	if out.Problem != nil {
		t.Fatal(out.Problem)
	}
	more := into[service.Submitted](t, post(t, h, at+"/submissions", service.Submission{Text: bought}, "Authorization",
		"Bearer umpire"))
	if more.Problem != nil {
		t.Fatal(more.Problem)
	}
	boat := out.Entries[1].Happened[0].Index
	correct := func(a service.CorrectionRequest) service.Corrected {
		t.Helper()
		w := post(t, h, at+"/corrections", a, "Authorization", "Bearer umpire")
		k.holds(t, "correct", w)
		return into[service.Corrected](t, w)
	}
	a := service.CorrectionRequest{
		Event: boat, Text: "{code: mistyped, reason: no boat, replace: {facts.submarines.Germany: {SZ 9: null}}}",
		Rest: "apply", Preview: true,
	}
	plan := correct(a)
	if len(plan.Happened) != 0 || len(plan.Consequences) != 3 || len(plan.Changes) != 1 {
		t.Fatalf("%+v", plan)
	}
	uk := plan.Consequences[0]
	if uk.Decision != review.Apply || !strings.HasPrefix(uk.Results[0].Text, "UK collects 11 → 12 IPCs") ||
		!strings.HasPrefix(uk.Results[1].Text, "would not happen: ") {
		t.Errorf("%+v", uk)
	}
	a.Preview, a.After = false, plan.Events-1
	w := post(t, h, at+"/corrections", a, "Authorization", "Bearer umpire")
	isProblem(t, k, at, w)
	if w.Code != http.StatusUnprocessableEntity || !strings.Contains(w.Body.String(), "the campaign went on") {
		t.Errorf("a preview that was overtaken is recorded: %d %s", w.Code, w.Body)
	}
	a.After, a.Decisions = plan.Events, service.Decisions{999: "keep"}
	if w := post(t, h, at+"/corrections", a, "Authorization", "Bearer umpire"); w.Code != http.StatusBadRequest {
		t.Errorf("what does not follow is decided on: %d %s", w.Code, w.Body)
	}
	a.Decisions = service.Decisions{uk.Event: review.Keep}
	done := correct(a)
	if len(done.Consequences) != 2 || done.Consequences[0].Decision != review.Keep || len(done.Later) == 0 ||
		len(done.Happened) != 4 {
		t.Fatalf("%+v", done)
	}
	pending := func() service.Pending {
		t.Helper()
		w := get(t, h, at+"/pending")
		k.holds(t, "pending", w)
		return into[service.Pending](t, w)
	}
	left := pending()
	if len(left.Pending) != 1 || left.Pending[0].Event != uk.Event || left.Causes[0].Index != done.Happened[0].Index ||
		left.Causes[0].Reason != "no boat" {
		t.Fatalf("%+v", left)
	}
	w = post(t, h, at+"/pending", service.KeepRequest{Event: uk.Event, Reason: "x"}, "Authorization", "Bearer umpire")
	if isProblem(t, k, at, w); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("what is kept is kept again: %d %s", w.Code, w.Body)
	}
	if w := post(t, h, at+"/pending", service.KeepRequest{Event: uk.Event, Reason: "x"}, "Authorization",
		"Bearer UK"); w.Code != http.StatusForbidden {
		t.Errorf("a side decides: %d %s", w.Code, w.Body)
	}
	if later := correct(service.CorrectionRequest{Event: uk.Event, Rest: "apply"}); len(later.Consequences) != 1 ||
		len(pending().Pending) != 0 {
		t.Errorf("%+v", later)
	}
	undone := into[service.Undone](t, post(t, h, at+"/undo", service.Undo{Reason: "not yet"}, "Authorization",
		"Bearer umpire"))
	if len(undone.Restored) != 3 || len(pending().Pending) != 1 {
		t.Errorf("%+v", undone)
	}
}
