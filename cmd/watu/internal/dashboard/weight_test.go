package dashboard

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
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

func everyone(as string) Who {
	return func(*http.Request, string) (office.Viewer, error) { return office.Viewer{As: as}, nil }
}

// A page stays light however long its campaign is.
func TestPageOfALongCampaignIsLight(t *testing.T) {
	f, c := deskOf(t)
	began := time.Now()
	playRounds(t, c, "rounds", 300)
	fmt.Println("rounds", time.Since(began))
	playWar(t, c, "war", 24, 50)
	fmt.Println("war", time.Since(began))
	for _, name := range []string{"rounds", "war"} {
		for _, as := range []string{office.Public, office.Umpire} {
			d := New(f, everyone(as))
			told, err := f.Campaign(name)
			if err != nil {
				t.Fatal(err)
			}
			began := time.Now()
			page := pageOf(t, d, "/campaigns/"+name)
			fmt.Println(name, as, told.Events, len(page), time.Since(began))
		}
	}
}
