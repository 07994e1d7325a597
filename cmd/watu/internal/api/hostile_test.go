package api

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
)

// hostile are names and numbers as nobody means them.
var hostile = []string{
	"", "nobody", "..", "../..", "%2e%2e%2f", "%00", "%ff%fe", "a/b", "%2F", "-1", "18446744073709551615",
	"18446744073709551616",
	"99999999999999999999999999", "1e3", "0x10", " 7", "+7", "７", "NaN", "{c}", "<script>alert(1)</script>",
	"' OR 1=1 --",
	strings.Repeat("a", 4000), "turn:", "turn:nowhere", "dispute:", "dispute:0", "#", "##1", "#99999999999999999999",
	"commentator:", "commentator:0",
	"commentator:99999999999999999999", "\u202eevil", "1/0", "-1/3", "1e-99999999",
}

// isProblem wants an answer that is no fault of watu's: what was asked for, or a problem.
func isProblem(t *testing.T, k contract, asked string, w *httptest.ResponseRecorder) {
	t.Helper()
	switch {
	case w.Code >= 500:
		t.Errorf("%.200s is answered %d: %.300s", asked, w.Code, w.Body)
	case w.Code >= 400:
		if w.Header().Get("Content-Type") != "application/problem+json" {
			t.Fatalf("%.200s is answered %d with %q", asked, w.Code, w.Header().Get("Content-Type"))
		}
		var p ProblemDetails
		if err := json.Unmarshal(w.Body.Bytes(), &p); err != nil || p.Status != w.Code || p.Detail == "" ||
			p.Title == "" || !strings.HasPrefix(p.Type, "urn:watu:problem:") {
			t.Errorf("%.200s: %v, %s", asked, err, w.Body)
		}
		if p.Rule == "" && w.Code != http.StatusTooManyRequests && w.Code != http.StatusConflict {
			t.Errorf("%.200s is refused without a rule: %s", asked, w.Body)
		}
		k.fits(t, asked, "#/components/schemas/ProblemDetails", w.Body.Bytes())
	}
}

// Whatever stands in a path or a query, the answer is a problem in words or what was asked for.
func TestHostileRequests(t *testing.T) {
	k, c := newContract(t), first(t)
	for _, x := range hostile {
		in := url.PathEscape(x)
		for _, path := range []string{
			"/" + in, "/campaigns/" + in, "/campaigns/" + in + "/events", "/campaigns/" + c.Name + "/events/" + in,
			"/campaigns/" + c.Name + "/events/" + in + "/bytes",
			"/campaigns/" + c.Name + "/events/" + in + "/explanation", "/campaigns/" + c.Name + "/disputes/" + in,
			"/campaigns/" + c.Name + "/views/" + in,
		} {
			isProblem(t, k, path, get(t, front, path))
		}
		q := url.QueryEscape(x)
		for _, path := range []string{
			"/events?from=Q", "/events?limit=Q", "/events?turn=Q", "/moment?at=Q", "/moment?by=Q", "/moment?from=Q",
			"/moment?back=Q", "/moment?by=unlikely&unlikely=Q",
			"/moment?as=Q", "/views/pools?at=Q", "/views/pools?as=Q", "/difference?from=Q&to=3",
			"/difference?from=1&to=Q", "/report?turn=Q", "/report?from=Q", "/report?to=Q&as=Q",
			"/disputes?rule=Q", "/disputes?open=Q", "/rulings?Q=1",
		} {
			path = "/campaigns/" + c.Name + strings.ReplaceAll(path, "Q", q)
			isProblem(t, k, path, get(t, front, path))
			isProblem(t, k, path, get(t, front, path, "Authorization", "Bearer "+strings.Trim(q, "%")))
		}
	}
}

// What is wrong is said with the status for it.
func TestProblems(t *testing.T) {
	k, c := newContract(t), first(t)
	at := "/campaigns/" + c.Name
	for _, x := range []struct {
		method, path, body, kind string
		status                   int
		says                     string
	}{
		{"GET", "/nowhere", "", "", 404, "begin at /api/v1/"},
		{"GET", "/campaigns/nobody", "", "", 404, c.Name},
		{"GET", at + "/events/999999", "", "", 404, "its last is"},
		{"GET", at + "/events/-1", "", "", 400, "path.index"},
		{"GET", at + "/views/weather", "", "", 404, "pools"},
		{"GET", at + "/views/pools?at=999999", "", "", 404, "its last is"},
		{"GET", at + "/views/pools?att=9", "", "", 400, "query.att"},
		{"GET", at + "/events?limit=501", "", "", 400, "500"},
		{"GET", at + "/events?turn=never", "", "", 404, "its turns are"},
		{"GET", at + "/difference?from=1", "", "", 400, "query.to"},
		{"GET", at + "/moment?from=x", "", "", 400, "whole number"},
		{"GET", at + "/disputes/0", "", "", 404, "dispute"},
		{"DELETE", at, "", "", 405, "DELETE"},
		{"POST", "/campaigns", "{}", "application/json", 405, "POST"},
		{"POST", at + "/submissions", "{}", "text/plain", 415, "application/json"},
		{"POST", at + "/submissions", "{}", "", 415, "application/json"},
		{"POST", at + "/submissions", "{", "application/json", 400, "body"},
		{"POST", at + "/submissions", `{"text":"x","seat":"umpire"}`, "application/json", 400, "seat"},
		{"POST", at + "/submissions", `{"text":"` + strings.Repeat("x", 3<<20) + `"}`, "application/json", 413,
			"too large"},
		{"POST", at + "/submissions", `{"text":"x"}`, "application/json", 401, "token"},
		{"POST", at + "/undo", `{"reason":"x"}`, "application/json", 401, "token"},
	} {
		r := httptest.NewRequest(x.method, root+x.path, strings.NewReader(x.body))
		if x.kind != "" {
			r.Header.Set("Content-Type", x.kind)
		}
		w := ask(t, front, r)
		isProblem(t, k, x.method+" "+x.path, w)
		if w.Code != x.status || !strings.Contains(w.Body.String(), x.says) ||
			w.Header().Get("Cache-Control") != "no-store" {
			t.Errorf("%s %s is answered %d: %.500s", x.method, x.path, w.Code, w.Body)
		}
		if (w.Header().Get("Allow") != "") != (x.status == http.StatusMethodNotAllowed) {
			t.Errorf("%s %s allows %q", x.method, x.path, w.Header().Get("Allow"))
		}
	}
}

// FuzzRequests asks for whatever comes to mind.
func FuzzRequests(f *testing.F) {
	f.Add("GET", "/campaigns/x/events", "from=1&limit=2", "")
	f.Add("GET", "/campaigns/x/moment", "at=%23&by=turn;&as=%zz", "")
	f.Add("POST", "/campaigns/x/disputes", "", `{"verb":"dispute","body":{"event":1}}`)
	f.Fuzz(func(t *testing.T, method, path, query, body string) {
		if method != "GET" {
			method = "POST"
		}
		r := httptest.NewRequest(method, root+"/", strings.NewReader(body))
		r.URL.Path, r.URL.RawQuery = root+"/"+strings.TrimPrefix(path, "/"), query
		r.Header.Set("Content-Type", "application/json")
		w := ask(t, front, r, "Authorization", "Bearer Japan")
		if w.Code >= 500 || w.Code >= 400 && w.Header().Get("Content-Type") != "application/problem+json" {
			t.Errorf("%s %q?%q: %d %s", method, path, query, w.Code, w.Body)
		}
	})
}
