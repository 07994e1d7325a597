package access

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// longestForm is how many bytes a login may have.
const longestForm = 4 << 10

// waiting is how many wrong tokens wait for their answer at a time; of more, each is sent away at once. A
// right one never waits, whoever tries wrong ones meanwhile: nobody is locked out, and there is nothing to
// remember of anybody.
const waiting = 16

// LoginForm is GET /login: the form, and what the browser holds. A link brings a token with it, /login?token=TOKEN: the
// page says what that opens, and its button sends it. To open a link does nothing by itself, for programs that show a
// preview of it open it too.
func (d *Authenticator) LoginForm(w http.ResponseWriter, r *http.Request) {
	if !private(r) {
		d.draw(w, r, http.StatusForbidden, Login{Wrong: wrong(errClear)})
		return
	}
	l := Login{Held: d.held(carried(r))}
	if text := strings.TrimSpace(r.URL.Query().Get("token")); text != "" {
		if _, err := d.granted(text); err != nil {
			d.turnAway(w, r, err)
			return
		}
		l.Token, l.Opens = text, d.held(service.LinkTokens(text))
	}
	d.draw(w, r, http.StatusOK, l)
}

// Login is POST /login: a right token goes into the browser's cookie, and its holder to the campaign.
func (d *Authenticator) Login(w http.ResponseWriter, r *http.Request) {
	if !private(r) {
		d.draw(w, r, http.StatusForbidden, Login{Wrong: wrong(errClear)})
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, longestForm)
	if err := r.ParseForm(); err != nil {
		d.draw(w, r, http.StatusRequestEntityTooLarge, Login{
			Wrong: "the form does not read, or is longer than a token"})
		return
	}
	g, err := d.granted(r.PostForm.Get("token"))
	if err != nil {
		d.turnAway(w, r, err)
		return
	}
	fresh := service.LinkTokens(r.PostForm.Get("token"))
	texts := slices.DeleteFunc(carried(r), func(t string) bool { return slices.Contains(fresh, t) })
	good, grants := d.holding(append(texts, fresh...))
	good, grants = good[max(0, len(good)-most):], grants[max(0, len(grants)-most):]
	until := g.Expires
	for _, other := range grants {
		if other.Expires.After(until) {
			until = other.Expires
		}
	}
	keep(w, good, until)
	_, brought := d.holding(fresh)
	http.Redirect(w, r, d.landing(r.Context(), g, brought), http.StatusSeeOther)
}

// granted is what the last of some tokens opens, with a dot between as a link for a seat with several sides has them.
// All must open something.
func (d *Authenticator) granted(text string) (g service.Grant, err error) {
	for _, one := range service.LinkTokens(text) {
		if g, err = d.service.Grant(one); err != nil {
			return g, err
		}
	}
	return g, nil
}

// turnAway answers a wrong token, after a while.
func (d *Authenticator) turnAway(w http.ResponseWriter, r *http.Request, err error) {
	select {
	case d.slow <- struct{}{}:
		defer func() { <-d.slow }()
	default:
		w.Header().Set("Retry-After", "10")
		d.draw(w, r, http.StatusTooManyRequests, Login{
			Wrong: "too many wrong tokens are tried at the moment; wait a little"})
		return
	}
	select {
	case <-time.After(d.wait):
	case <-r.Context().Done():
	}
	d.draw(w, r, http.StatusForbidden, Login{Held: d.held(carried(r)), Wrong: wrong(err)})
}

// Logout is POST /logout: the browser forgets its tokens. They hold on elsewhere until they are revoked.
func (d *Authenticator) Logout(w http.ResponseWriter, r *http.Request) {
	forget(w)
	http.Redirect(w, r, "/", http.StatusSeeOther)
}

// landing is the path to which a login leads: where its holder acts, as the side that is asked now, or else whose turn
// it is, if one of the tokens that he brought is its. Who only looks comes to the campaign.
func (d *Authenticator) landing(ctx context.Context, g service.Grant, brought []service.Grant) string {
	whole, err := d.service.Campaign(g.Campaign)
	if err != nil {
		return "/"
	}
	path := "/campaigns/" + url.PathEscape(whole.Name)
	if !g.Speaks() || whole.Imported != "" {
		return path
	}
	path += "/desk"
	var called []string
	if c, err := d.service.Find(whole.ID); err == nil {
		if w, err := d.service.Waiting(c); err == nil && w != nil {
			called = append(called, w.Of)
		}
	}
	if side, err := d.service.OnTurn(ctx, whole); err == nil {
		called = append(called, side)
	}
	for _, side := range called {
		if slices.ContainsFunc(brought, func(g service.Grant) bool { return g.As == side }) {
			return path + "?" + url.Values{"as": {side}}.Encode()
		}
	}
	return path
}

// held lists the tokens that still open something.
func (d *Authenticator) held(texts []string) (list []HeldToken) {
	_, grants := d.holding(texts)
	for _, g := range grants {
		if c, err := d.service.Campaign(g.Campaign); err == nil {
			list = append(list, HeldToken{Campaign: c.Name, Viewer: g.Viewer, Expires: g.Expires})
		}
	}
	return list
}
