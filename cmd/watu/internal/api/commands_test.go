package api

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

// seated is a new campaign with seats for two sides; the umpire plays the others.
func seated(t *testing.T) (*site, *service.Service, string) {
	t.Helper()
	f := withCampaign(t, replay.NewCampaign{
		Name: "west", System: "awaw", Seed: "west",
		Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"European Axis"}},
			{Name: "Ben", Sides: []string{"Britain"}}},
	})
	return newSite(f, nil), f, "/campaigns/west"
}

// withCampaign is a new ledger with one campaign.
func withCampaign(t *testing.T, n replay.NewCampaign) *service.Service {
	t.Helper()
	f, err := service.New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"),
		maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	c := InProcess(f)
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	if err := c.Post(t.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
	return f
}

// entry hands in one entry for a viewer.
func entry(t *testing.T, h *site, at, token, text string) *httptest.ResponseRecorder {
	t.Helper()
	return post(t, h, at+"/submissions", service.Submission{Text: text, Entry: true}, "Authorization", "Bearer "+token)
}

const opening = `turn: Winter 1940
facts: {axis controls: []}
entries:
  - {id: bletchley, allocate: {side: Britain, project: Ultra, points: 9}}
`

// The umpire hands in a file, checks and undoes; what was answered is as the document says.
func TestUmpireSubmits(t *testing.T) {
	k := newContract(t)
	h, _, at := seated(t)
	send := func(s service.Submission) service.Submitted {
		w := post(t, h, at+"/submissions", s, "Authorization", "Bearer umpire")
		k.holds(t, "submit", w)
		if w.Header().Get("Cache-Control") != never {
			t.Errorf("an answer to the umpire is kept %q", w.Header().Get("Cache-Control"))
		}
		return into[service.Submitted](t, w)
	}
	if out := send(service.Submission{Text: opening, Check: true}); out.Problem != nil || out.Recorded != 0 ||
		!out.Check {
		t.Fatalf("checked: %+v", out)
	}
	if out := send(service.Submission{Text: opening}); out.Problem != nil || out.Recorded == 0 {
		t.Fatalf("submitted: %+v", out)
	}
	if out := send(service.Submission{Text: opening}); out.Problem != nil || out.Recorded != 0 {
		t.Fatalf("submitted again: %+v", out)
	}
	refused := send(service.Submission{Name: "late.yaml", Text: "{id: x, produce: {side: Britain, project: Ultra, " +
		"card: elephant}}", Entry: true})
	if refused.Problem == nil || !strings.HasPrefix(refused.Problem.Where, "late.yaml:1") {
		t.Errorf("an elephant is no card: %+v", refused.Problem)
	}
	w := post(t, h, at+"/undo", service.Undo{Reason: "typed for the wrong side"}, "Authorization", "Bearer umpire")
	k.holds(t, "undo", w)
	if out := into[service.Undone](t, w); len(out.Happened) == 0 {
		t.Error("nothing is undone")
	}
	w = post(t, h, at+"/corrections", service.CorrectionRequest{Event: 0, Text: "reason: x"},
		"Authorization", "Bearer umpire")
	k.holds(t, "correct", w)
	isProblem(t, k, "a correction of the opening", w)
	if w.Code < 400 {
		t.Errorf("the opening was corrected: %s", w.Body)
	}
}

// A side says through its seat what is its own, and nothing that another's secrets would judge: not
// that side's entries, not with its cards, not by the name of an entry that stands.
func TestSideSubmits(t *testing.T) {
	k := newContract(t)
	h, f, at := seated(t)
	if out := into[service.Submitted](t, post(t, h, at+"/submissions", service.Submission{Text: opening},
		"Authorization", "Bearer umpire")); out.Problem != nil {
		t.Fatal(out.Problem)
	}
	own := entry(t, h, at, "European Axis", "{id: b-dienst, allocate: {side: European Axis, project: Ultra, "+
		"points: 3}}")
	k.holds(t, "submit", own)
	out := into[service.Submitted](t, own)
	if out.Problem != nil || out.Recorded == 0 {
		t.Fatalf("its own: %+v", out)
	}
	list, err := f.Log(t.Context(), "west", out.Entries[0].Happened[0].Index, out.Entries[0].Happened[0].Index+1)
	if err != nil || list[0].Seat != "Anna" {
		t.Errorf("it was said by %q, %v", list[0].Seat, err)
	}
	before := f.Durable()
	for _, text := range []string{
		// would stand, and so tell that it was 9
		"{id: bletchley, allocate: {side: Britain, project: Ultra, points: 9}}",
		"{id: bletchley, allocate: {side: Britain, project: Ultra, points: 8}}",
		"{id: p, produce: {side: Britain, project: Ultra, card: asw}}",
		"{id: p, produce: {side: European Axis, Side: Britain, project: Ultra, card: asw}}",
		"{id: p, produce: {side: British, project: Ultra, card: asw}}",
		"{id: p, produce: {side: [Britain], project: Ultra, card: asw}}",
		"{id: s, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, cards: [{Britain: asw}]}",
		"{id: s, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}}",
		"{id: a, answer: {Britain: asw}}",
		"{id: a, answer: {European Axis: pass, Britain: asw}}",
		"{id: f, facts: {ireland: 5}}", "{id: d, draw: Ultra}", "{id: r, rule: {option: x, value: y}}",
		"{id: v, reveal: {event: 3}}",
	} {
		for _, check := range []bool{false, true} {
			w := post(t, h, at+"/submissions", service.Submission{Text: text, Entry: true, Check: check},
				"Authorization", "Bearer European Axis")
			isProblem(t, k, text, w)
			if w.Code != http.StatusUnprocessableEntity && w.Code != http.StatusBadRequest ||
				strings.Contains(w.Body.String(), "holds") {
				t.Errorf("%s is answered %d: %s", text, w.Code, w.Body)
			}
		}
	}
	if f.Durable() != before {
		t.Error("something of that was recorded")
	}
	for _, token := range []string{"Japan", "commentator"} { // no seat; only looks
		if w := entry(t, h, at, token, "{id: x, dispute: {event: 2, claim: no}}"); w.Code < 400 || w.Code >= 500 {
			t.Errorf("%s is answered %d: %s", token, w.Code, w.Body)
		}
	}
}

// The same words of one side are judged alike, whatever the other holds: an answer shows nothing of it.
func TestSideLearnsNothing(t *testing.T) {
	asked := []string{
		"{id: 1, allocate: {side: European Axis, project: Ultra, points: 3}}",
		"{id: 2, produce: {side: European Axis, project: Ultra, card: submarine}}",
		"{id: 3, produce: {side: Britain, project: Ultra, card: asw}}",
		"{id: bletchley, allocate: {side: Britain, project: Ultra, points: 9}}",
	}
	var reported []string
	for _, points := range []string{"9", "2"} {
		h, _, at := seated(t)
		into[service.Submitted](t, post(t, h, at+"/submissions",
			service.Submission{Text: strings.ReplaceAll(opening, "9}", points+"}")}, "Authorization", "Bearer umpire"))
		message := ""
		for _, text := range asked {
			for _, check := range []bool{true, false} {
				w := post(t, h, at+"/submissions", service.Submission{Text: text, Entry: true, Check: check},
					"Authorization", "Bearer European Axis")
				message += fmt.Sprintln(w.Code, w.Body)
			}
		}
		reported = append(reported, message)
	}
	if reported[0] != reported[1] {
		t.Errorf("with 9 points of Britain\n%s\nand with 2\n%s", reported[0], reported[1])
	}
}

// A dispute is opened, argued and ruled on over the interface.
func TestDisputeOverTheInterface(t *testing.T) {
	k := newContract(t)
	h, _, at := seated(t)
	into[service.Submitted](t, post(t, h, at+"/submissions", service.Submission{Text: opening}, "Authorization",
		"Bearer umpire"))
	say := func(token, verb string, body map[string]any) *httptest.ResponseRecorder {
		return post(t, h, at+"/disputes", service.DisputeEntry{Verb: verb, Body: body}, "Authorization",
			"Bearer "+token)
	}
	w := say("European Axis", "dispute", map[string]any{"event": 3, "claim": "this was never told <b>so</b>"})
	k.holds(t, "plead", w)
	out := into[service.Submitted](t, w)
	if out.Problem != nil || out.Recorded != 1 {
		t.Fatalf("%+v", out)
	}
	index := out.Entries[0].Happened[0].Index
	if out := into[service.Submitted](t, say("Britain", "statement", map[string]any{"dispute": index,
		"text": "it was"})); out.Problem != nil {
		t.Fatal(out.Problem)
	}
	if w := say("Britain", "ruling", map[string]any{"dispute": index, "finding": "stands",
		"text": "mine"}); w.Code != http.StatusUnprocessableEntity {
		t.Errorf("a side rules: %d %s", w.Code, w.Body)
	}
	shown := get(t, h, fmt.Sprintf("%s/disputes/%d", at, index))
	k.holds(t, "dispute", shown)
	var d service.DisputeDetails
	if err := json.Unmarshal(shown.Body.Bytes(), &d); err != nil || d.Dispute.By != "Anna" ||
		len(d.Dispute.Statements) != 1 || d.Dispute.Statements[0].By != "Ben" {
		t.Errorf("%+v, %v", d.Dispute, err)
	}
	for _, path := range []string{"/corrections", "/undo"} {
		w := post(t, h, at+path, map[string]any{"event": 3, "text": "x", "reason": "x"}, "Authorization",
			"Bearer Britain")
		isProblem(t, k, path, w)
		if w.Code < 400 {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
	w = post(t, h, at+"/undo", service.Undo{Reason: "x"}, "Authorization", "Bearer Britain")
	if w.Code != http.StatusForbidden {
		t.Errorf("a side undoes: %d %s", w.Code, w.Body)
	}
}
