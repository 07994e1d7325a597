package access

import (
	"crypto/sha256"
	"net/http"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// cookie is where a browser keeps its tokens. By its prefix browsers see to it that it was set over a
// connection that they trust, by this host, for all of it.
const cookie = "__Host-watu"

// SendsTokens reports whether a request has tokens, valid or not. Without any its sender is the public.
func SendsTokens(r *http.Request) bool {
	if r.Header.Get("Authorization") != "" {
		return true
	}
	_, err := r.Cookie(cookie)
	return err == nil
}

// Sender tells those who send tokens apart, and holds none of them; it is empty for the public.
func Sender(r *http.Request) string {
	if !SendsTokens(r) {
		return ""
	}
	sum := sha256.Sum256([]byte(r.Header.Get("Authorization") + "\n" + strings.Join(carried(r), ".")))
	return string(sum[:])
}

// most is how many tokens a browser keeps: the first goes when a ninth comes.
const most = 8

// carried are the tokens in the request's cookie.
func carried(r *http.Request) []string {
	c, err := r.Cookie(cookie)
	if err != nil || c.Value == "" {
		return nil
	}
	list := strings.Split(c.Value, ".")
	return list[:min(len(list), most)]
}

// keep has the browser keep these tokens, until the last of them expires.
func keep(w http.ResponseWriter, texts []string, until time.Time) {
	http.SetCookie(w, &http.Cookie{
		Name: cookie, Value: strings.Join(texts, "."), Path: "/", Expires: until,
		MaxAge: int(time.Until(until).Seconds()),
		Secure: true, HttpOnly: true, SameSite: http.SameSiteStrictMode,
	})
}

// forget has the browser forget them all.
func forget(w http.ResponseWriter) {
	http.SetCookie(w, &http.Cookie{Name: cookie, Path: "/", MaxAge: -1, Secure: true, HttpOnly: true,
		SameSite: http.SameSiteStrictMode})
}

// holding sorts out which of the tokens still open something, and what.
func (d *Authenticator) holding(texts []string) (good []string, grants []service.Grant) {
	for _, text := range texts {
		if g, err := d.service.Grant(text); err == nil {
			good, grants = append(good, text), append(grants, g)
		}
	}
	return good, grants
}
