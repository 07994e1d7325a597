package web

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

func TestParseOrigin(t *testing.T) {
	for text, want := range map[string]string{
		"https://example.org": "https://example.org", "HTTPS://Example.Org": "https://example.org",
		"https://example.org:443": "https://example.org", "http://example.org:80": "http://example.org",
		"https://example.org:8443": "https://example.org:8443", "http://127.0.0.1:3000": "http://127.0.0.1:3000",
		"http://[::1]:3000": "http://[::1]:3000", "https://xn--bcher-kva.example": "https://xn--bcher-kva.example",
	} {
		if got, err := ParseOrigin(text); got != want || err != nil {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
	for text, says := range map[string]string{
		"": "https://example.org", "*": "no pattern", "https://*.example.org": "no pattern", "example.org": "a scheme",
		"null": "a scheme", "file:///x": "a scheme", "javascript:alert(1)": "a scheme", "https://": "a scheme",
		"https://example.org/": "in place of", "https://example.org/a": "in place of",
		"https://example.org?a": "in place of", "https://example.org#": "in place of",
		"https://a@example.org": "in place of", "https://example.org; script-src *": "",
		"https://bücher.example": "ASCII",
		"https://exam ple.org":   "", "https://example.org,https://b.example": "", "https://example.org:0x50": "",
		"https://example.org:": "port", "https://example.org:70000": "port", "https://a..example": "ASCII",
		"https://example.org\r\nX: y": "",
	} {
		if got, err := ParseOrigin(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q is %q, %v", text, got, err)
		}
	}
}

func begun(t *testing.T, o Options) (*testServer, string) {
	t.Helper()
	d := open(t, o)
	d.campaign("canary", nil)
	return d, d.token("canary", timeline.Umpire)
}

// Only what is made for frames is shown in frames, by the sites that are listed and no others, and by none where none
// is listed.
func TestFrames(t *testing.T) {
	t.Parallel()
	none, _ := begun(t, Options{})
	some, _ := begun(t, Options{Frame: []string{"https://example.org", "http://localhost:3000"}})
	for _, path := range append([]string{"/embed/canary", "/embed/nowhere"}, everywhere...) {
		for d, framed := range map[*testServer]bool{none: false, some: strings.HasPrefix(path, "/embed/")} {
			policy := d.ask("GET", path, "").header.Get("Content-Security-Policy")
			want := "frame-ancestors 'none'"
			if framed {
				want = "frame-ancestors https://example.org http://localhost:3000"
			}
			if !strings.HasSuffix(policy, "; "+want) || strings.Count(policy, "frame-ancestors") != 1 {
				t.Errorf("%s, %v: %s", path, framed, policy)
			}
		}
	}
}

// Pages of the sites that are listed read what is public; nothing that a token opens, nothing that is said to this
// machine alone, and nothing from elsewhere.
func TestReadFromElsewhere(t *testing.T) {
	t.Parallel()
	d, token := begun(t, Options{Read: []string{"https://example.org"}})
	allowed := func(method, path string, headers ...string) bool {
		t.Helper()
		a := d.ask(method, path, "", headers...)
		if a.header.Get("Access-Control-Allow-Credentials") != "" {
			t.Errorf("%s goes with credentials", path)
		}
		varies := strings.Contains(strings.Join(a.header.Values("Vary"), ", "), "Origin")
		if (method == "GET" || method == "HEAD") && forAll(path) && !varies {
			t.Errorf("%s %s does not vary by the origin: %v", method, path, a.header.Values("Vary"))
		}
		got := a.header.Get("Access-Control-Allow-Origin")
		if got != "" && got != "https://example.org" {
			t.Errorf("%s is read by %s", path, got)
		}
		return got != ""
	}
	public := []string{"/", "/campaigns/canary", "/campaigns/canary/events/0", "/api/v1/campaigns",
		"/api/v1/openapi.json", "/campaigns/canary/feed.atom", "/campaigns/canary/preview.png", "/embed/canary",
		"/api/v1/nowhere"}
	for _, path := range public {
		for _, method := range []string{"GET", "HEAD"} {
			if !allowed(method, path, "Origin", "https://example.org") {
				t.Errorf("%s %s is not read", method, path)
			}
		}
		for what, headers := range map[string][]string{
			"nobody":         {},
			"another":        {"Origin", "https://evil.example"},
			"one below":      {"Origin", "https://a.example.org"},
			"another scheme": {"Origin", "http://example.org"},
			"none":           {"Origin", "null"},
			"a token":        {"Origin", "https://example.org", "Authorization", "Bearer " + token},
			"a cookie":       {"Origin", "https://example.org", "Cookie", "__Host-watu=" + token},
		} {
			if allowed("GET", path, headers...) {
				t.Errorf("%s is read by %s", path, what)
			}
		}
		if allowed("OPTIONS", path, "Origin", "https://example.org", "Access-Control-Request-Method", "GET") {
			t.Errorf("%s is asked for beforehand", path)
		}
	}
	for _, path := range []string{"/login", "/join", "/metrics", "/healthz", "/readyz", "/logout", "/nowhere"} {
		if allowed("GET", path, "Origin", "https://example.org") {
			t.Errorf("%s is read from elsewhere", path)
		}
	}
	if allowed("POST", "/api/v1/campaigns/canary/submissions", "Origin", "https://example.org") {
		t.Error("another site says something")
	}
	none, _ := begun(t, Options{})
	if a := none.ask("GET", "/campaigns/canary", "", "Origin", "https://example.org"); a.header.Get(
		"Access-Control-Allow-Origin") != "" {
		t.Error("a site reads that is not listed")
	}
}

// A stream is read from elsewhere too, and begins as everywhere.
func TestStreamFromElsewhere(t *testing.T) {
	t.Parallel()
	d, _ := begun(t, Options{Read: []string{"https://example.org"}})
	r, err := http.NewRequestWithContext(t.Context(), "GET", d.server.URL()+"live?from=0", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Origin", "https://example.org")
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b := make([]byte, 4096)
	var text []byte
	for !bytes.Contains(text, []byte("event: event")) {
		n, err := a.Body.Read(b)
		if text = append(text, b[:n]...); err != nil {
			t.Fatalf("%v behind %s", err, text)
		}
	}
	if a.Header.Get("Access-Control-Allow-Origin") == "" || !bytes.Contains(text, []byte("id: 1\n")) {
		t.Errorf("%v: %s", a.Header, text)
	}
}

// The address of a page for others is that by which it was asked for; a proxy nearby says whether it speaks TLS.
func TestSite(t *testing.T) {
	t.Parallel()
	s := &Server{options: Options{Hosts: []string{"watu.example.org"}}, crowd: crowdOf(Limits{}, nil)}
	for _, c := range []struct{ host, from, proto, want string }{
		{"localhost:4848", "127.0.0.1:5", "", "http://localhost:4848"},
		{"LOCALHOST.:80", "127.0.0.1:5", "", "http://localhost"},
		{"[::1]:4848", "[::1]:5", "", "http://[::1]:4848"},
		{"watu.example.org", "127.0.0.1:5", "", "https://watu.example.org"},
		{"watu.example.org", "127.0.0.1:5", "http", "http://watu.example.org"},
		{"watu.example.org:8443", "127.0.0.1:5", "https", "https://watu.example.org:8443"},
		{"watu.example.org", "192.0.2.1:5", "https", "http://watu.example.org"},
		{"watu.example.org:x\"", "127.0.0.1:5", "", "https://watu.example.org"},
	} {
		r := httptest.NewRequest("GET", "/", nil)
		r.Host, r.RemoteAddr = c.host, c.from
		r.Header.Set("X-Forwarded-Proto", c.proto)
		if got := s.site(r); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
	// A page that was drawn for one name is not given to who asks by another.
	d, _ := begun(t, Options{Hosts: []string{"watu.example.org"}})
	canonical := regexp.MustCompile(`rel="canonical" href="([^"]*)"`)
	for range 2 {
		for host, want := range map[string]string{"localhost:99": "http://localhost:99",
			"watu.example.org": "https://watu.example.org"} {
			a := d.ask("GET", "/campaigns/canary", "", "Host", host)
			if m := canonical.FindStringSubmatch(a.body); m == nil || m[1] != want+"/campaigns/canary" {
				t.Errorf("asked by %s: %v", host, m)
			}
		}
	}
}

// Two campaigns that differ in what is sealed alone look the same elsewhere: in pictures and frames, whoever asks.
func TestSecretsStayHere(t *testing.T) {
	t.Parallel()
	a, _ := played(t, "1", "2")
	b, _ := played(t)
	tokens := map[*testServer]string{a: a.token("canary", timeline.Umpire), b: b.token("canary", "Britain")}
	for _, path := range []string{"/campaigns/canary/preview.png", "/campaigns/canary/preview.png?at=3",
		"/campaigns/canary/events/5/preview.png", "/embed/canary"} {
		want := a.get(path, "")
		if want.status != http.StatusOK {
			t.Fatalf("%s: %d", path, want.status)
		}
		for d, token := range tokens {
			for _, with := range []string{"", token} {
				if got := d.get(path, with); got.body != want.body {
					t.Errorf("%s is another where other things are sealed, or for who knows more", path)
				}
			}
		}
	}
	for d, token := range tokens {
		const feed = "/campaigns/canary/feed.atom"
		if x, y := d.get(feed, ""), d.get(feed, token); x.body != y.body {
			t.Error("the feed is another for who knows more")
		}
	}
}
