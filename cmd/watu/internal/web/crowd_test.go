package web

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

func nobody(*http.Request) []string { return nil }

// Whom a request counts for: its sender, or whom a trusted proxy says; nobody says so of himself.
func TestAsks(t *testing.T) {
	t.Parallel()
	c := crowdOf(Limits{Trusted: []netip.Prefix{netip.MustParsePrefix("127.0.0.1/32"),
		netip.MustParsePrefix("10.0.0.0/8"), netip.MustParsePrefix("2001:db8:99::/48")}}, nobody)
	for _, x := range []struct{ from, through, asks string }{
		{"192.0.2.7:1", "", "192.0.2.7"},
		{"192.0.2.7:1", "198.51.100.1", "192.0.2.7"}, // no proxy of ours
		{"127.0.0.1:1", "", "127.0.0.1"},
		{"127.0.0.1:1", "198.51.100.1", "198.51.100.1"},
		{"127.0.0.1:1", "203.0.113.5, 198.51.100.1", "198.51.100.1"}, // what stands before is anybody's word
		{"127.0.0.1:1", "203.0.113.5, 198.51.100.1, 10.1.2.3", "198.51.100.1"},
		{"127.0.0.1:1", "nonsense, 10.1.2.3", "10.1.2.3"},
		{"127.0.0.1:1", "198.51.100.1:4711", "198.51.100.1"},
		{"127.0.0.1:1", "[2001:db8:1:2:3::9]:4711", "2001:db8:1:2::"},
		{"[::ffff:192.0.2.7]:1", "", "192.0.2.7"},
		{"[2001:db8:1:2:3:4:5:6]:1", "", "2001:db8:1:2::"}, // a network of 64 bits is one host's
		{"[2001:db8:1:2:ffff::1]:1", "", "2001:db8:1:2::"},
		{"[2001:db8:99::1]:1", "2001:db8:1:2:3::9", "2001:db8:1:2::"},
		{"[::1]:1", "198.51.100.1", "::1"}, // not named, so not trusted
	} {
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = x.from
		if x.through != "" {
			r.Header.Set("X-Forwarded-For", x.through)
		}
		if got := c.asks(r).String(); got != x.asks {
			t.Errorf("%s through %q counts for %s, not %s", x.from, x.through, got, x.asks)
		}
	}
}

// tokens are those that a test's request names.
func tokens(r *http.Request) []string { return strings.Fields(r.Header.Get("Authorization")) }

// held answers nobody until it may go on.
type held struct{ begun, goOn chan struct{} }

func (h held) ServeHTTP(http.ResponseWriter, *http.Request) { h.begun <- struct{}{}; <-h.goOn }

// An address has so many requests under way, so many streams, and asks so fast, whatever others do; this machine
// has more.
func TestOneAddress(t *testing.T) {
	t.Parallel()
	for what, wrap := range map[string]func(*crowd, http.Handler) http.Handler{"requests": (*crowd).requests,
		"streams": (*crowd).following} {
		for from, of := range map[string]int{"192.0.2.7:": 2, "[2001:db8:1:2:3::%d]:": 2, "127.0.0.1:": 2 * nearer} {
			c, h := crowdOf(Limits{Connections: 2, Streams: 2}, nobody), held{make(chan struct{}), make(chan struct{})}
			limited := wrap(c, h)
			ask := func(remote string) *httptest.ResponseRecorder {
				r, w := httptest.NewRequest(http.MethodGet, "/api/v1/campaigns", nil), httptest.NewRecorder()
				r.RemoteAddr = remote
				limited.ServeHTTP(w, r)
				return w
			}
			remote := func(n int) string {
				if strings.Contains(from, "%d") {
					return fmt.Sprintf(from+"%d", n, n)
				}
				return fmt.Sprintf("%s%d", from, n)
			}
			done := make(chan struct{})
			for n := range of {
				go func() { ask(remote(1 + n)); done <- struct{}{} }()
				<-h.begun
			}
			w := ask(remote(of + 1))
			if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" ||
				!strings.Contains(w.Body.String(), "urn:watu:problem:busy") {
				t.Errorf("%s of %s, one more: %d %s", what, from, w.Code, w.Body)
			}
			go func() { ask("198.51.100.1:1"); done <- struct{}{} }()
			<-h.begun // others are let in
			close(h.goOn)
			for range of + 1 {
				<-done
			}
			if len(c.underWay)+len(c.streams) != 0 {
				t.Errorf("%s: %v and %v are left", what, c.underWay, c.streams)
			}
		}
	}
}

// Who asks faster than he may waits, and is sent away where he would wait for long; a token's holder is not
// counted.
func TestPace(t *testing.T) {
	longrun.Only(t)
	c := crowdOf(Limits{Rate: 1}, tokens)
	answered := c.requests(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	ask := func(token string) int {
		r, w := httptest.NewRequest(http.MethodGet, "/", nil), httptest.NewRecorder()
		r.RemoteAddr = "192.0.2.7:1"
		if token != "" {
			r.Header.Set("Authorization", token)
		}
		answered.ServeHTTP(w, r)
		return w.Code
	}
	statuses := make(chan int)
	const n = 30
	for range n {
		go func() { statuses <- ask("") }()
	}
	count := map[int]int{}
	for range n {
		count[<-statuses]++
	}
	if count[http.StatusOK] < 2 || count[http.StatusTooManyRequests] < n/2 {
		t.Errorf("of %d at once, %v", n, count)
	}
	gone, leave := context.WithCancel(t.Context())
	leave()
	r, w := httptest.NewRequestWithContext(gone, http.MethodGet, "/", nil), httptest.NewRecorder()
	r.RemoteAddr = "192.0.2.7:1"
	answered.ServeHTTP(w, r)
	if !strings.Contains(w.Body.String(), "your address may ask 1 times a second; ask more slowly") {
		t.Errorf("it says %s", w.Body)
	}
	if s := ask("Bearer good"); s != http.StatusOK {
		t.Errorf("a holder is answered %d", s)
	}
}

// A token has so many requests under way, from wherever they come and whatever comes beside it; another has its own.
func TestOneToken(t *testing.T) {
	t.Parallel()
	c, h := crowdOf(Limits{Held: 2}, tokens), held{make(chan struct{}), make(chan struct{})}
	limited := c.requests(h)
	ask := func(from, with string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(http.MethodPost, "/api/v1/campaigns/west/submissions", nil), httptest.NewRecorder()
		r.RemoteAddr = from
		r.Header.Set("Authorization", with)
		limited.ServeHTTP(w, r)
		return w
	}
	done := make(chan struct{})
	for _, from := range []string{"192.0.2.7:1", "198.51.100.1:1"} {
		go func() { ask(from, "anna"); done <- struct{}{} }()
		<-h.begun
	}
	for _, with := range []string{"anna", "ben anna"} {
		w := ask("127.0.0.1:1", with)
		if w.Code != http.StatusTooManyRequests || w.Header().Get("Retry-After") == "" ||
			!strings.Contains(w.Body.String(), "your token has 2 requests under way") {
			t.Errorf("%s, one more: %d %s", with, w.Code, w.Body)
		}
	}
	for range 2 {
		go func() { ask("192.0.2.7:1", "ben"); done <- struct{}{} }()
		<-h.begun
	}
	close(h.goOn)
	for range 4 {
		<-done
	}
	if len(c.with) != 0 {
		t.Errorf("%v are left", c.with)
	}
}

// An address has so many connections. Some more are answered so, and closed; of more, each is closed at once.
func TestConnections(t *testing.T) {
	t.Parallel()
	const limit = 2
	d := open(t, Options{Limits: Limits{Connections: limit}})
	at := d.server.listener.Addr().String()
	dial := func() net.Conn {
		c, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = c.Close() })
		_ = c.SetDeadline(time.Now().Add(time.Minute))
		return c
	}
	ask := func(c net.Conn) (*http.Response, error) {
		fmt.Fprint(c, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
		return http.ReadResponse(bufio.NewReader(c), nil)
	}
	var all []net.Conn
	for n := range nearer * limit {
		all = append(all, dial())
		if a, err := ask(all[n]); err != nil || a.StatusCode != http.StatusOK {
			t.Fatalf("connection %d: %v, %v", n, a, err)
		}
	}
	for n := range spare {
		a, err := ask(dial())
		if err != nil || a.StatusCode != http.StatusTooManyRequests || a.Header.Get("Retry-After") == "" || !a.Close {
			t.Fatalf("connection %d too many: %+v, %v", n, a, err)
		}
	}
	untilCounted(t, d.server, nearer*limit) // those that were closed are counted out as the server sees it
	idle := make([]net.Conn, spare)
	for n := range idle {
		idle[n] = dial()
	}
	untilCounted(t, d.server, nearer*limit+spare)
	if a, err := ask(dial()); err == nil {
		t.Errorf("a connection far too many is answered %s", a.Status)
	}
	for _, c := range append(all, idle...) {
		_ = c.Close()
	}
	for {
		if a, err := ask(dial()); err == nil && a.StatusCode == http.StatusOK {
			break // it has room again
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// untilCounted waits until a server counts so many connections of this machine.
func untilCounted(t *testing.T, s *Server, want int) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(time.Millisecond) {
		s.crowd.mu.Lock()
		n := s.crowd.open[netip.MustParseAddr("127.0.0.1")]
		s.crowd.mu.Unlock()
		if n == want {
			return
		}
		if time.Now().After(end) {
			t.Fatalf("%d connections are counted, want %d", n, want)
		}
	}
}
