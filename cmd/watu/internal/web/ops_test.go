package web

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/replay"
)

// served opens a service in a fresh directory, with one campaign, and its pages.
func served(t *testing.T, o Options) (*Server, *api.Client) {
	t.Helper()
	s, c, _ := servedFrom(t, o, maintenance.Options{})
	return s, c
}

// servedFrom is served of a service that is opened with m.
func servedFrom(t *testing.T, o Options, m maintenance.Options) (*Server, *api.Client, *service.Service) {
	t.Helper()
	m.Begin = true
	f, err := service.New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"), m))
	must(t, err)
	c := api.InProcess(f)
	o.Address = "127.0.0.1:0"
	s, err := Listen(o)
	if err != nil {
		t.Fatal(errors.Join(err, c.Close()))
	}
	s.Serve(f)
	t.Cleanup(func() { must(t, errors.Join(s.Close(), c.Close())) })
	must(t, c.Post(t.Context(), replay.NewCampaign{Name: "patrol", System: "eots"}, &service.Opened{}, "campaigns"))
	return s, c, f
}

// asked gives the answer to a request, and its body.
func asked(t *testing.T, s *Server, path string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(s.URL(), "/")+path, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	if host := r.Header.Get("Host"); host != "" {
		r.Host = host
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	answer, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer, string(body)
}

// figure reads one figure of /metrics.
func figure(t *testing.T, metrics, name string) float64 {
	t.Helper()
	m := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + ` (\S+)$`).FindStringSubmatch(metrics)
	if m == nil {
		t.Fatalf("there is no %s in\n%s", name, metrics)
	}
	v, err := strconv.ParseFloat(m[1], 64)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// The figures are those of the record, the streams and the requests; none is made up.
func TestMetrics(t *testing.T) {
	t.Parallel()
	s, c := served(t, Options{})
	stream, err := net.Dial("tcp", s.listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	fmt.Fprintf(stream, "GET /campaigns/patrol/live HTTP/1.1\r\nHost: localhost\r\n\r\n")
	lines := bufio.NewReader(stream)
	until(t, lines, "event: head")
	n := replay.NewCampaign{Name: "second", System: "eots"}
	if err := c.Post(t.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		t.Fatal(err)
	}
	asked(t, s, "/campaigns/patrol")
	asked(t, s, "/campaigns/nowhere?at=secret")
	asked(t, s, "/no/such/page")
	asked(t, s, "/api/v1/campaigns/patrol/events?limit=1")
	answer, text := asked(t, s, "/metrics")
	if answer.StatusCode != http.StatusOK {
		t.Fatal(answer.Status, text)
	}
	var stands service.Status
	if err := c.Get(t.Context(), &stands, "status"); err != nil {
		t.Fatal(err)
	}
	durable := float64(stands.Durable)
	for name, want := range map[string]float64{
		"watu_events_durable": durable, "watu_events_appended_total": durable, "watu_steps_appended_total": 2,
		"watu_append_seconds_count": 2, "watu_live_readers": 1, "watu_live_drops_total": 0, "watu_stream_trouble": 0,
		"watu_ledger_failed": 0,
		`watu_http_requests_total{method="GET",route="/campaigns/{c}",status="200"}`:               1,
		`watu_http_requests_total{method="GET",route="/campaigns/{c}",status="404"}`:               1,
		`watu_http_requests_total{method="GET",route="/",status="404"}`:                            1,
		`watu_http_requests_total{method="GET",route="/api/v1/campaigns/{c}/events",status="200"}`: 1,
		`watu_http_request_seconds_count{route="/campaigns/{c}"}`:                                  2,
	} {
		if got := figure(t, text, name); got != want {
			t.Errorf("%s is %v, not %v", name, got, want)
		}
	}
	for _, name := range []string{"watu_events_unpublished", "watu_checkpoint_age_seconds", "watu_views_behind_events",
		"watu_live_frames_total", "go_goroutines"} {
		if got := figure(t, text, name); got < 0 {
			t.Errorf("%s is %v", name, got)
		}
	}
	if strings.Contains(text, "secret") || strings.Contains(text, "patrol") {
		t.Errorf("the metrics tell what was asked:\n%s", text)
	}
}

// until reads lines until one that begins so.
func until(t *testing.T, lines *bufio.Reader, begins string) {
	t.Helper()
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("before %q: %v", begins, err)
		}
		if strings.HasPrefix(line, begins) {
			return
		}
	}
}

// What tells of the host is for this machine: not for whom a proxy on it carries here, nor for a page
// that calls this machine by another name.
func TestMetricsAreForThisMachine(t *testing.T) {
	t.Parallel()
	s, _ := served(t, Options{Hosts: []string{"watu.example.org"}})
	for _, header := range [][]string{
		{"X-Forwarded-For", "192.0.2.7"}, {"Forwarded", "for=192.0.2.7"}, {"Via", "1.1 proxy"},
		{"Host", "watu.example.org"},
	} {
		if answer, _ := asked(t, s, "/metrics", header...); answer.StatusCode != http.StatusForbidden {
			t.Errorf("with %v: %s", header, answer.Status)
		}
		if answer, _ := asked(t, s, "/healthz", header...); answer.StatusCode != http.StatusOK {
			t.Errorf("with %v the server is not healthy: %s", header, answer.Status)
		}
	}
	open, _ := served(t, Options{Metrics: true})
	if answer, _ := asked(t, open, "/metrics", "X-Forwarded-For", "192.0.2.7"); answer.StatusCode != http.StatusOK {
		t.Errorf("where it is allowed: %s", answer.Status)
	}
}

// A server is ready once its views have caught up, and says in words what is wrong, to this machine.
func TestReady(t *testing.T) {
	t.Parallel()
	s, _ := served(t, Options{})
	if answer, text := asked(t, s, "/readyz"); answer.StatusCode != http.StatusOK || text != "ready\n" {
		t.Errorf("%s %q", answer.Status, text)
	}
	for _, c := range []struct {
		v    maintenance.Health
		want string
	}{
		{maintenance.Health{Durable: 9000, Views: 9000, Publishes: true, Published: 9000}, ""},
		{maintenance.Health{Durable: 9000, Views: 8999}, ""}, // a ledger that only follows
		{maintenance.Health{Durable: 9000, Views: 10}, "the views are 8990 events behind the record"},
		{maintenance.Health{Trouble: "not connected to the server"}, "the stream: not connected to the server"},
		{maintenance.Health{Damaged: []maintenance.CheckedFile{{Name: "secrets/01J", Campaign: "atlantic"},
			{Name: "tokens"}}},
			"damaged or missing beside the record: secrets of campaign atlantic, tokens"},
		{maintenance.Health{Stopped: errors.New("the lease is lost")}, "no steps are taken: the lease is lost"},
		{maintenance.Health{Failure: errors.New("the disk refuses")}, "the disk refuses"},
	} {
		if got := strings.Join(unready(c.v, s.feed), "; "); got != c.want {
			t.Errorf("%+v lacks %q, not %q", c.v, got, c.want)
		}
	}
}

// The log has requests and troubles, and nothing that may be a token.
func TestLogTellsNoSecret(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var output bytes.Buffer
	log := slog.New(slog.NewTextHandler(writer(func(b []byte) (int, error) {
		mu.Lock()
		defer mu.Unlock()
		return output.Write(b)
	}), &slog.HandlerOptions{Level: slog.LevelDebug}))
	s, _ := served(t, Options{Log: log})
	asked(t, s, "/campaigns/patrol?token=sealed", "Cookie", "__Host-watu=sealed", "Authorization", "Bearer sealed")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	mu.Lock()
	defer mu.Unlock()
	if text := output.String(); !strings.Contains(text, "path=/campaigns/patrol") ||
		!strings.Contains(text, "status=") {
		t.Errorf("the log does not tell the request: %s", text)
	}
	if strings.Contains(output.String(), "sealed") {
		t.Errorf("the log tells a secret: %s", &output)
	}
}

type writer func([]byte) (int, error)

func (w writer) Write(b []byte) (int, error) { return w(b) }

// Close ends streams, lets a request that is under way finish, and leaves nothing running; then the
// ledger can be closed.
func TestGracefulStop(t *testing.T) {
	running := goleak.IgnoreCurrent()
	f, err := service.New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"),
		maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	s, err := Listen(Options{Address: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	s.Serve(f)
	address := s.listener.Addr().String()
	stream, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer stream.Close()
	fmt.Fprintf(stream, "GET /live HTTP/1.1\r\nHost: localhost\r\n\r\n")
	until(t, bufio.NewReader(stream), "event: head")
	// The server says that a request goes on once somebody there reads its body.
	slow, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer slow.Close()
	fmt.Fprintf(slow, "POST /login HTTP/1.1\r\nHost: localhost\r\nContent-Type: "+
		"application/x-www-form-urlencoded\r\nContent-Length: 7\r\nExpect: 100-continue\r\n\r\n")
	answer := bufio.NewReader(slow)
	until(t, answer, "HTTP/1.1 100 ")
	closed := make(chan error, 1)
	go func() { closed <- s.Close() }()
	if _, err := io.Copy(io.Discard, stream); err != nil { // the stream ends, though a request is under way
		t.Error(err)
	}
	fmt.Fprint(slow, "token=x")
	until(t, answer, "HTTP/1.1 4") // there is no such token
	if err := errors.Join(<-closed, f.Close()); err != nil {
		t.Error(err)
	}
	if _, err := net.DialTimeout("tcp", address, time.Second); err == nil {
		t.Error("the address is still taken")
	}
	goleak.VerifyNone(t, running)
}
