package web

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
)

// everywhere are addresses of every kind: those that are there, those that are not, and wrong questions.
var everywhere = []string{
	"/", "/league", "/login", "/campaigns/canary", "/campaigns/canary?at=nonsense", "/campaigns/canary?as=umpire",
	"/campaigns/canary?as=nobody",
	"/campaigns/canary/events/0", "/campaigns/canary/events/999", "/campaigns/nowhere", "/campaigns/nowhere/live",
	"/nowhere",
	"/static/0/watu.css", "/api/v1/campaigns", "/api/v1/campaigns/nowhere", "/api/v1/openapi.json", "/api/v1/nowhere",
	"/api/", "/metrics", "/healthz", "/readyz", "//", "/..",
}

// Every answer carries the policies, whatever it is.
func TestPolicies(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	d.campaign("canary", nil)
	statuses := map[int]bool{}
	check := func(what string, a response) {
		t.Helper()
		statuses[a.status] = true
		for name, value := range headers {
			if got := a.header.Get(name); got != value &&
				!(name == "Vary" && strings.Contains(strings.Join(a.header.Values(name), ", "), value)) {
				t.Errorf("%s (%d): %s is %q", what, a.status, name, got)
			}
		}
		for _, name := range []string{"Access-Control-Allow-Origin", "Strict-Transport-Security", "Server"} {
			if got := a.header.Get(name); got != "" {
				t.Errorf("%s (%d): %s is %q", what, a.status, name, got)
			}
		}
	}
	for _, path := range everywhere {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE", "PROPFIND"} {
			check(method+" "+path, d.ask(method, path, ""))
		}
		check("from elsewhere "+path, d.ask("POST", path, "", "Origin", "https://evil.example"))
		check("by another name "+path, d.ask("GET", path, "", "Host", "evil.example"))
	}
	for _, status := range []int{200, 403, 404, 405, 421} {
		if !statuses[status] {
			t.Errorf("nothing was answered with %d", status)
		}
	}
}

// The policy of contents lets in nothing but what this server has.
func TestContents(t *testing.T) {
	t.Parallel()
	policy := headers["Content-Security-Policy"]
	for _, part := range strings.Split(policy, "; ") {
		if name, from, _ := strings.Cut(part, " "); from != "'self'" && from != "'none'" {
			t.Errorf("%s lets in %s", name, from)
		}
	}
	if !strings.HasPrefix(policy, "default-src 'none'; ") {
		t.Error("what is not named is not kept out")
	}
}

// A server answers to its own names alone.
func TestHosts(t *testing.T) {
	t.Parallel()
	d := open(t, Options{Hosts: []string{"watu.example.org"}})
	at := strings.TrimSuffix(strings.TrimPrefix(d.server.URL(), "http://"), "/")
	_, port, _ := net.SplitHostPort(at)
	for host, status := range map[string]int{
		at: 200, "localhost": 200, "localhost:1": 200, "LOCALHOST.:" + port: 200, "127.0.0.2": 200,
		"[::1]:" + port: 200, "[::1]": 200,
		"watu.example.org": 200, "Watu.Example.Org:443": 200,
		"evil.example": 421, "evil.watu.example.org": 421, "watu.example.org.evil.example": 421,
		"localhost.evil.example": 421,
		"127.0.0.1.evil.example": 421, "192.0.2.7": 421, "0.0.0.0": 421, "[2001:db8::1]": 421, "2130706433": 421,
	} {
		if a := d.ask("GET", "/", "", "Host", host); a.status != status {
			t.Errorf("Host %s: %d %s", host, a.status, a.body)
		} else if status == 421 && !strings.Contains(a.body, "--host") {
			t.Errorf("Host %s: what to do is not said: %s", host, a.body)
		}
	}
}

// An address on which a connection came in is the server's own, if it listens on all.
func TestOwnAddress(t *testing.T) {
	t.Parallel()
	h := guard(nil, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(http.StatusNoContent)
	}))
	for host, status := range map[string]int{"192.0.2.7:4848": 204, "192.0.2.8:4848": 421} {
		r := httptest.NewRequest("GET", "http://"+host+"/", nil)
		r = r.WithContext(context.WithValue(r.Context(), http.LocalAddrContextKey,
			&net.TCPAddr{IP: net.IPv4(192, 0, 2, 7), Port: 4848}))
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != status {
			t.Errorf("%s: %d", host, w.Code)
		}
	}
}

// What is too large is not read.
func TestLimits(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	if a := d.ask("GET", "/", "", "X-Large",
		strings.Repeat("x", longestHead+8<<10)); a.status != http.StatusRequestHeaderFieldsTooLarge {
		t.Errorf("a large header: %d", a.status)
	}
	if a := d.ask("POST", "/login", "token="+strings.Repeat("x", 5<<10), "Content-Type",
		"application/x-www-form-urlencoded"); a.status != http.StatusRequestEntityTooLarge {
		t.Errorf("a large login: %d", a.status)
	}
	if a := d.ask("POST", "/api/v1/campaigns/canary/submissions", strings.Repeat("x", longestBody+1), "Content-Type",
		"application/json"); a.status < 400 || a.status >= 500 {
		t.Errorf("a large submission: %d", a.status)
	}
}

// With a certificate the pages are there over TLS alone, no older than 1.2, and a token is taken from
// everywhere.
func TestTLS(t *testing.T) {
	t.Parallel()
	cert, key := certified(t)
	d := open(t, Options{Certificate: cert, Key: key, Hosts: []string{"watu.example.org"}})
	if !strings.HasPrefix(d.server.URL(), "https://") || d.server.Warning() != "" {
		t.Errorf("%s, %s", d.server.URL(), d.server.Warning())
	}
	address := d.server.listener.Addr().String()
	if c, err := tls.Dial("tcp", address, &tls.Config{InsecureSkipVerify: true, MaxVersion: tls.VersionTLS11,
		MinVersion: tls.VersionTLS10}); err == nil {
		c.Close()
		t.Error("TLS 1.1 is spoken")
	}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	for host, bound := range map[string]bool{"watu.example.org": true, "localhost": false} {
		r, _ := http.NewRequestWithContext(t.Context(), "GET", d.server.URL(), nil)
		r.Host = host
		a, err := client.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		a.Body.Close()
		if got := a.Header.Get("Strict-Transport-Security") != ""; got != bound || a.StatusCode != 200 {
			t.Errorf("%s: bound to TLS %v, %s", host, got, a.Status)
		}
	}
	everywhere := open(t, Options{Address: "0.0.0.0:0", Certificate: cert, Key: key,
		Hosts: []string{"watu.example.org"}}).server
	if u := everywhere.URL(); !strings.HasPrefix(u, "https://watu.example.org:") {
		t.Errorf("reached from everywhere, by a name: %s", u)
	}
	for _, o := range []Options{{Certificate: cert}, {Key: key}, {Certificate: key, Key: cert},
		{Certificate: "missing", Key: key}} {
		o.Address = "127.0.0.1:0"
		if s, err := Listen(o); err == nil {
			t.Errorf("%+v is taken: %v", o, s.Close())
		} else if problem.Of(err).Kind != problem.Input {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// Where everybody can reach the server without TLS, that nobody can log in is said.
func TestWarning(t *testing.T) {
	t.Parallel()
	if w := open(t, Options{}).server.Warning(); w != "" {
		t.Errorf("of this machine alone it is said: %s", w)
	}
	s := open(t, Options{Address: "0.0.0.0:0"}).server
	if w := s.Warning(); !strings.Contains(w, "nobody can log in") {
		t.Errorf("it is said: %q", w)
	}
	if a, _ := asked(t, s, "/healthz"); a.StatusCode != http.StatusOK {
		t.Errorf("at %s, as it says, the server answers %s", s.URL(), a.Status)
	}
}

// certified writes a certificate for the test, and its key.
func certified(t *testing.T) (cert, key string) {
	t.Helper()
	k, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	now := time.Now()
	template := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: now.Add(-time.Hour),
		NotAfter: now.Add(time.Hour), DNSNames: []string{"watu.example.org"}}
	der, err := x509.CreateCertificate(rand.Reader, template, template, &k.PublicKey, k)
	if err != nil {
		t.Fatal(err)
	}
	private, err := x509.MarshalPKCS8PrivateKey(k)
	if err != nil {
		t.Fatal(err)
	}
	cert, key = filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	for name, block := range map[string]*pem.Block{cert: {Type: "CERTIFICATE", Bytes: der},
		key: {Type: "PRIVATE KEY", Bytes: private}} {
		if err := os.WriteFile(name, pem.EncodeToMemory(block), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return cert, key
}

// deadlined notes until when a request may be read.
type deadlined struct {
	*httptest.ResponseRecorder
	read time.Time
}

func (d *deadlined) SetReadDeadline(until time.Time) error { d.read = until; return nil }

// A body that does not come holds no connection; a stream, which has none, may be read for as long as one likes.
func TestBodiesCome(t *testing.T) {
	t.Parallel()
	h := guard(nil, http.NotFoundHandler())
	for body, held := range map[string]bool{"": false, "half a form": true} {
		w := &deadlined{ResponseRecorder: httptest.NewRecorder()}
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "http://localhost/", strings.NewReader(body)))
		if w.read.IsZero() == held {
			t.Errorf("with the body %q the request may be read until %v", body, w.read)
		}
	}
}
