package dashboard

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"

	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

func pageOf(t testing.TB, d *Dashboard, path string) string {
	t.Helper()
	w := httptest.NewRecorder()
	d.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d: %s", path, w.Code, w.Body)
	}
	return w.Body.String()
}

// A page stays light however long its campaign is: of 330 rounds of convoy raids, and of a war with a
// hundred results in each of its turns.
func TestPageOfALongCampaignIsLight(t *testing.T) {
	longrun.Only(t)
	f, c := deskOf(t)
	playRounds(t, c, "rounds", 330)
	playWar(t, c, "war", 24, 51)
	for _, name := range []string{"rounds", "war"} {
		labels, err := f.Campaign(name)
		if err != nil {
			t.Fatal(err)
		}
		if labels.Events < 10_000 {
			t.Errorf("%s has only %d events", name, labels.Events)
		}
		for _, as := range []string{timeline.Public, timeline.Umpire} {
			_, _, drawn := seenAt(t, f, labels, as, labels.Events)
			page := pageOf(t, New(f, everyone(as), readers.New(readers.Options{})), "/campaigns/"+name)
			t.Logf("%s, %s, %d events: %d bytes of panels, %d of the page", name, as, labels.Events, len(drawn),
				len(page))
			if len(drawn) > 120<<10 || len(page) > 300<<10 {
				t.Errorf("%s, %s: %d bytes of panels, %d of the page", name, as, len(drawn), len(page))
			}
		}
		rulesAreLight(t, f, labels)
	}
}

// rulesAreLight weighs the list of a campaign's rules, and the page of the one applied most often.
func rulesAreLight(t *testing.T, f *service.Service, c timeline.Campaign) {
	t.Helper()
	all, err := f.RulesApplied(t.Context(), c.ID, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	most := all.Rules[0]
	for _, r := range all.Rules {
		if r.Events > most.Events {
			most = r
		}
	}
	if most.Events < 1000 {
		t.Errorf("%s: %s is applied only %d times", c.Name, most.ID, most.Events)
	}
	for _, path := range []string{pathTo("campaigns", c.Name, "rules"), ruleTo(c.Name, most.ID).Path} {
		page := pageOf(t, New(f, everyone(timeline.Public), readers.New(readers.Options{})), path)
		t.Logf("%s: %d bytes, %s applied %d times", path, len(page), most.ID, most.Events)
		if len(page) > 300<<10 {
			t.Errorf("%s: %d bytes", path, len(page))
		}
	}
}
