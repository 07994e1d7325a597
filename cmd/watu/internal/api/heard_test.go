package api

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// What sides say, and what anybody has checked, waits for its turn, and of too many each is sent away; the umpire's
// entries wait for none of it.
func TestSidesWaitForTheirTurn(t *testing.T) {
	_, f, at := seated(t)
	crowd := readers.New(readers.Options{CommandQueue: 1})
	defer crowd.Close(context.Background())
	h := &site{New(f, access.New(f).Viewer, crowd, nil), f, map[string]string{}}
	begun, goOn, left := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		left <- crowd.DoCommand(t.Context(), func(context.Context) {
			close(begun)
			<-goOn
		})
	}()
	<-begun
	own := service.Submission{Text: "{allocate: {side: Britain, project: Ultra, points: 3}}", Entry: true}
	check := own
	check.Check = true
	says := map[string]func() *httptest.ResponseRecorder{}
	as := func(what, viewer, path string, body any) {
		h.token(root+at, viewer)
		says[what] = func() *httptest.ResponseRecorder {
			return post(t, h, at+path, body, "Authorization", "Bearer "+viewer)
		}
	}
	as("what a side says", "Britain", "/submissions", own)
	as("what a side has checked", "Britain", "/submissions", check)
	as("what a side disputes", "Britain", "/disputes", service.DisputeEntry{Verb: "dispute",
		Body: map[string]any{"event": 1,
			"claim": "no"}})
	as("what the umpire has checked", "umpire", "/submissions", check)
	for name, say := range says {
		answers := make(chan *httptest.ResponseRecorder, 3)
		for range 3 {
			go func() { answers <- say() }()
		}
		for range 2 { // one of the three may wait, unless another does
			w := <-answers
			if w.Code != http.StatusServiceUnavailable || w.Header().Get("Retry-After") == "" ||
				!strings.Contains(w.Body.String(), "urn:watu:problem:busy") {
				t.Errorf("%s, one too many: %d %s", name, w.Code, w.Body)
			}
		}
	}
	entered := into[service.Submitted](t, post(t, h, at+"/submissions", service.Submission{Text: opening},
		"Authorization", "Bearer umpire"))
	if entered.Problem != nil || entered.Recorded == 0 {
		t.Errorf("the umpire enters %+v", entered)
	}
	close(goOn)
	if err := <-left; err != nil {
		t.Error(err)
	}
	for name, say := range says {
		if w := say(); w.Code == http.StatusServiceUnavailable {
			t.Errorf("%s, later: %d %s", name, w.Code, w.Body)
		}
	}
}
