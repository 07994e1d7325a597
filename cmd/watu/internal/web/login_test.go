package web

import (
	"crypto/tls"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
)

// enter brings a token to the login, from an address, with what the browser has already.
func (d *testServer) enter(token, from string, secured bool, cookies ...*http.Cookie) *httptest.ResponseRecorder {
	r := httptest.NewRequest("POST", "http://localhost/login", strings.NewReader(url.Values{"token": {token}}.Encode()))
	r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	if r.RemoteAddr, r.TLS = from, nil; secured {
		r.TLS = &tls.ConnectionState{}
	}
	for _, c := range cookies {
		r.AddCookie(c)
	}
	w := httptest.NewRecorder()
	d.server.http.Handler.ServeHTTP(w, r)
	return w
}

// look says who looks at the campaign with a cookie, as the page says it.
func (d *testServer) look(path, from string, headers ...string) (status int, viewer string) {
	r := httptest.NewRequest("GET", "http://localhost"+path, nil)
	r.RemoteAddr = from
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	d.server.http.Handler.ServeHTTP(w, r)
	_, after, _ := strings.Cut(w.Body.String(), "seen by ")
	viewer, _, _ = strings.Cut(after, " · ")
	return w.Code, viewer
}

const here, there = "127.0.0.1:5000", "192.0.2.9:5000"

func (d *testServer) issue(n service.NewToken) service.IssuedToken {
	d.t.Helper()
	var issued service.IssuedToken
	d.post(n, &issued, "tokens")
	return issued
}

func (d *testServer) revoke(id string) {
	d.t.Helper()
	if err := d.client.Delete(d.t.Context(), &service.Token{}, "tokens", id); err != nil {
		d.t.Fatal(err)
	}
}

func TestLogin(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.campaign("canary", nil)
	britain := d.issue(service.NewToken{As: "Britain"})
	w := d.enter(britain.Text, here, false)
	if w.Code != http.StatusSeeOther || w.Header().Get("Location") != "/campaigns/canary/desk" {
		t.Fatalf("%d to %q: %s", w.Code, w.Header().Get("Location"), w.Body)
	}
	c := w.Result().Cookies()
	if len(c) != 1 {
		t.Fatalf("%d cookies", len(c))
	}
	k := c[0]
	if k.Name != "__Host-watu" || !k.Secure || !k.HttpOnly || k.SameSite != http.SameSiteStrictMode || k.Path != "/" ||
		k.Domain != "" || !k.Expires.Equal(britain.Expires) {
		t.Errorf("the cookie is %s", w.Header().Get("Set-Cookie"))
	}
	sent := k.Name + "=" + k.Value
	for _, x := range []struct {
		path, viewer string
		status       int
	}{
		{"/campaigns/canary", "Britain", 200}, {"/campaigns/canary?as=public", "the public", 200},
		{"/campaigns/canary?as=britain", "Britain", 200},
		{"/campaigns/canary?as=umpire", "", 403}, {"/campaigns/canary?as=commentator", "", 403},
		{"/campaigns/canary?as=Japan", "", 403},
	} {
		if status, viewer := d.look(x.path, here, "Cookie", sent); status != x.status || viewer != x.viewer {
			t.Errorf("%s: %d, seen by %q", x.path, status, viewer)
		}
	}
	// In clear, from elsewhere, it counts for nothing, and is not taken.
	if _, viewer := d.look("/campaigns/canary", there, "Cookie", sent); viewer != "the public" {
		t.Errorf("in clear seen by %q", viewer)
	}
	if status, _ := d.look("/campaigns/canary", there, "Authorization",
		"Bearer "+britain.Text); status != http.StatusForbidden {
		t.Errorf("a token in clear: %d", status)
	}
	for _, x := range []struct {
		from    string
		secured bool
		status  int
	}{{there, false, 403}, {there, true, 303}, {"[::1]:5000", false, 303}, {"[::ffff:127.0.0.1]:5000", false, 303},
		{"@", false, 403}, {"", false, 403}} {
		w := d.enter(britain.Text, x.from, x.secured)
		if w.Code != x.status || (len(w.Result().Cookies()) > 0) != (x.status == 303) {
			t.Errorf("login from %q, TLS %v: %d", x.from, x.secured, w.Code)
		}
	}
	d.revoke(britain.ID)
	if _, viewer := d.look("/campaigns/canary", here, "Cookie", sent); viewer != "the public" {
		t.Errorf("revoked, and seen by %q", viewer)
	}
	if status, _ := d.look("/campaigns/canary", here, "Authorization",
		"Bearer "+britain.Text); status != http.StatusForbidden {
		t.Errorf("a revoked token: %d", status)
	}
	if w := d.enter(britain.Text, here, false); w.Code != http.StatusForbidden || len(w.Result().Cookies()) > 0 ||
		!strings.Contains(w.Body.String(), "was revoked on") {
		t.Errorf("a revoked token: %d %s", w.Code, w.Body)
	}
}

// A token holds until it expires, for those who are logged in too.
func TestExpiry(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.campaign("canary", nil)
	short := d.issue(service.NewToken{As: timeline.Umpire, For: 2 * time.Second})
	sent := "__Host-watu=" + short.Text
	for deadline := short.Expires; ; time.Sleep(50 * time.Millisecond) {
		late := time.Now().After(deadline)
		_, viewer := d.look("/campaigns/canary", here, "Cookie", sent)
		if late {
			if viewer != "the public" {
				t.Errorf("expired, and seen by %q", viewer)
			}
			break
		}
	}
	if a := d.get("/campaigns/canary", short.Text); a.status != http.StatusForbidden ||
		!strings.Contains(a.body, "expired on") {
		t.Errorf("an expired token: %d", a.status)
	}
}

// A browser keeps several tokens: the umpire's counts first, then the last; the first goes when there are too many.
func TestSeveral(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.campaign("canary", nil)
	d.post(replay.NewCampaign{Name: "other", System: "awaw"}, &service.Opened{}, "campaigns")
	var cookies []*http.Cookie
	for _, x := range []struct{ campaign, as, sees string }{
		{"other", "Japan", "the public"}, {"canary", "Japan", "Japan"},
		{"canary", "commentator:3", "the commentator, 3 turns late"},
		{"canary", "umpire", "the umpire"}, {"canary", "Britain", "the umpire"},
	} {
		cookies = d.enter(d.token(x.campaign, x.as), here, false, cookies...).Result().Cookies()
		if _, viewer := d.look("/campaigns/canary", here, "Cookie", cookies[0].Name+"="+
			cookies[0].Value); viewer != x.sees {
			t.Errorf("with one more, of %s in %s, seen by %q", x.as, x.campaign, viewer)
		}
	}
	sent := cookies[0].Name + "=" + cookies[0].Value
	for as, viewer := range map[string]string{"Britain": "Britain", "commentator:9": "the commentator, 9 turns late",
		"commentator:1": "the commentator, 1 turn late"} {
		if _, got := d.look("/campaigns/canary?as="+as, here, "Cookie", sent); got != viewer {
			t.Errorf("as %s seen by %q", as, got)
		}
	}
	for range 9 {
		cookies = d.enter(d.token("canary", "Japan"), here, false, cookies...).Result().Cookies()
	}
	if n := len(strings.Split(cookies[0].Value, ".")); n != 8 {
		t.Errorf("%d tokens are kept", n)
	}
	if _, viewer := d.look("/campaigns/other", here, "Cookie", cookies[0].Name+"="+
		cookies[0].Value); viewer != "the public" {
		t.Errorf("the first token is kept: seen by %q", viewer)
	}
}

// A commentator may look later than he is told, never sooner; and no token opens another campaign.
func TestNeverMore(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.campaign("canary", nil)
	d.post(replay.NewCampaign{Name: "other", System: "awaw"}, &service.Opened{}, "campaigns")
	token := d.token("canary", "commentator:3")
	for as, status := range map[string]int{"public": 200, "commentator:3": 200, "commentator:4": 200,
		"commentator": 403, "commentator:2": 403, "umpire": 403, "Britain": 403} {
		if a := d.get("/campaigns/canary?as="+as, token); a.status != status {
			t.Errorf("as %s: %d", as, a.status)
		}
	}
	if a := d.get("/campaigns/other", d.token("canary", "umpire")); !strings.Contains(a.body, "seen by the public") {
		t.Error("the umpire of one campaign sees another as more than the public")
	}
	for _, header := range []string{"Bearer nothing", "Basic dTpw", "Bearer", token} {
		if a := d.ask("GET", "/campaigns/canary", "", "Authorization", header); a.status < 400 || a.status >= 500 {
			t.Errorf("Authorization %q: %d", header, a.status)
		}
	}
}

// Another site's page changes nothing here, and nothing changes by looking.
func TestNothingChangesByLooking(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.campaign("canary", nil)
	token := d.token("canary", "umpire")
	before, list := d.service.Durable(), fmt.Sprint(d.service.Tokens())
	for _, path := range everywhere {
		for _, method := range []string{"GET", "HEAD"} {
			a := d.ask(method, path, "", "Cookie", "__Host-watu="+token)
			if got := a.header.Get("Set-Cookie"); got != "" {
				t.Errorf("%s %s sets %s", method, path, got)
			}
		}
	}
	for _, path := range []string{"/login?token=" + token, "/logout", "/api/v1/campaigns/canary/submissions",
		"/api/v1/campaigns/canary/undo"} {
		a := d.ask("GET", path, "", "Cookie", "__Host-watu="+token)
		form := fmt.Sprintf(`<input type="hidden" name="token" value="%s">`, token) // of a link, for its button
		if a.header.Get("Set-Cookie") != "" || strings.Contains(strings.Replace(a.body, form, "", 1), token) {
			t.Errorf("GET %s: %d", path, a.status)
		}
	}
	for _, path := range []string{"/login", "/logout", "/api/v1/campaigns/canary/submissions",
		"/api/v1/campaigns/canary/corrections", "/api/v1/campaigns/canary/disputes", "/api/v1/campaigns/canary/undo"} {
		for _, from := range [][]string{{"Origin", "https://evil.example"}, {"Origin", "null"},
			{"Sec-Fetch-Site", "cross-site"}, {"Sec-Fetch-Site", "same-site"}} {
			a := d.ask("POST", path, `{"reason":"x","text":"turn: Spring 1941","verb":"dispute","body":{},"event":1}`,
				append(from, "Cookie", "__Host-watu="+token, "Content-Type", "application/json")...)
			if a.status != http.StatusForbidden || a.header.Get("Set-Cookie") != "" {
				t.Errorf("POST %s with %v: %d %s", path, from, a.status, a.body)
			}
		}
	}
	if after, now := d.service.Durable(), fmt.Sprint(d.service.Tokens()); after != before || now != list {
		t.Errorf("%d events were recorded, tokens %s", after-before, now)
	}
	if a := d.ask("POST", "/logout", "", "Cookie", "__Host-watu="+token); a.status != http.StatusSeeOther ||
		!strings.Contains(a.header.Get("Set-Cookie"), "Max-Age=0") {
		t.Errorf("logout: %d, %v", a.status, a.header)
	}
}
