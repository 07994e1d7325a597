package dashboard

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestFirstLanguage: who has chosen no language gets the first of his browser's that there is; what he chose, by the
// switch of a page or earlier, wins. A link from elsewhere chooses for its page alone.
func TestFirstLanguage(t *testing.T) {
	d, _ := pages(t)
	for _, x := range []struct {
		query, accepts, kept, from string
		german                     bool
		sets                       string
	}{
		{"", "", "", "", false, ""},
		{"", "de-AT,de;q=0.9,en;q=0.5", "", "", true, ""},
		{"", "en-US,en;q=0.9,de;q=0.5", "", "", false, ""},
		{"", "fr,de;q=0.5,en;q=0.4", "", "", true, ""},
		{"", "!!", "", "", false, ""},
		{"", "de", "en", "", false, ""},
		{"", "en", "de", "", true, ""},
		{"?lang=en", "de", "", "same-origin", false, "en"},
		{"?lang=de", "en", "en", "same-origin", true, "de"},
		{"?lang=de", "en", "", "cross-site", true, ""},
	} {
		r := httptest.NewRequest(http.MethodGet, "/campaigns/straits-1942"+x.query, nil)
		r.Header.Set("Accept-Language", x.accepts)
		r.Header.Set("Sec-Fetch-Site", x.from)
		if x.kept != "" {
			r.AddCookie(&http.Cookie{Name: tongueCookie, Value: x.kept})
		}
		w := httptest.NewRecorder()
		d.ServeHTTP(w, r)
		sets := ""
		for _, c := range w.Result().Cookies() {
			sets = c.Value
		}
		if german := strings.Contains(w.Body.String(), "Einkommen"); german != x.german || sets != x.sets {
			t.Errorf("%+v: German %v, the cookie %q", x, german, sets)
		}
		if !strings.Contains(w.Header().Get("Vary"), "Accept-Language") {
			t.Errorf("Vary: %s", w.Header().Get("Vary"))
		}
	}
}
