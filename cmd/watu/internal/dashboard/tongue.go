package dashboard

import (
	"cmp"
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// tongueCookie keeps the language that a reader chose by the switch of a page.
const tongueCookie = "watu-lang"

// tongued reads a request that names no language as one that asks for the reader's: the one that he chose, or else the
// first of those that his browser asks for. What he chooses on a page of this site is kept for a year.
func tongued(w http.ResponseWriter, r *http.Request) *http.Request {
	q := r.URL.Query()
	kept, err := r.Cookie(tongueCookie)
	if q.Has("lang") {
		chosen := story.LanguageOf(q.Get("lang")).Tag
		// A link from elsewhere is no choice.
		here := cmp.Or(r.Header.Get("Sec-Fetch-Site"), "same-origin") == "same-origin"
		if here && (err != nil || kept.Value != chosen) {
			http.SetCookie(w, &http.Cookie{Name: tongueCookie, Value: chosen, Path: "/", MaxAge: 365 * 24 * 60 * 60,
				SameSite: http.SameSiteLaxMode})
		}
		return r
	}
	in := story.Preferred(r.Header.Get("Accept-Language"))
	if err == nil {
		in = story.LanguageOf(kept.Value)
	}
	if in == story.English {
		return r
	}
	q.Set("lang", in.Tag)
	u := *r.URL
	u.RawQuery = q.Encode()
	as := *r
	as.URL, as.Form = &u, nil
	return &as
}
