package web

import (
	"bufio"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// listening opens a stream over the network, and gives what waits for its end once it has begun.
func (d *testServer) listening(path string, headers ...string) (end func() error) {
	d.t.Helper()
	r, err := http.NewRequestWithContext(d.t.Context(), http.MethodGet, strings.TrimSuffix(d.server.URL(), "/")+path,
		nil)
	if err != nil {
		d.t.Fatal(err)
	}
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil {
		d.t.Fatal(err)
	}
	d.t.Cleanup(func() { a.Body.Close() })
	body := bufio.NewReader(a.Body)
	if first, err := body.ReadString('\n'); a.StatusCode != http.StatusOK || err != nil || first != "retry: 2000\n" {
		d.t.Fatalf("%s: %d %q, %v", path, a.StatusCode, first, err)
	}
	return func() error {
		_, err := io.Copy(io.Discard, body)
		return err
	}
}

// A stream ends when a token of its reader is revoked or expires, so that the page looks again; those of
// others go on.
func TestStreamsEndWithTheirToken(t *testing.T) {
	longrun.Only(t)
	t.Parallel()
	d := open(t, Options{})
	d.campaign("canary", nil)
	kept := d.issue(service.NewToken{As: "Japan"})
	others := make(chan error, 5)
	for _, headers := range [][]string{nil, {"Cookie", "__Host-watu=" + kept.Text}} {
		end := d.listening("/campaigns/canary/live", headers...)
		go func() { others <- end() }()
	}
	for _, path := range []string{"/campaigns/canary/live", "/live", "/api/v1/campaigns/canary/live"} {
		britain := d.issue(service.NewToken{As: "Britain"})
		browser := d.listening(path, "Cookie", "__Host-watu="+kept.Text+"."+britain.Text)
		program := d.listening(path, "Authorization", "Bearer "+britain.Text)
		d.revoke(britain.ID)
		for _, end := range []func() error{browser, program} {
			if err := end(); err != nil {
				t.Errorf("%s: %v", path, err)
			}
		}
		again := d.listening(path, "Cookie", "__Host-watu="+kept.Text+"."+britain.Text) // with what is left
		short := d.issue(service.NewToken{As: timeline.Umpire, For: 2 * time.Second})
		expiring := d.listening(path, "Cookie", "__Host-watu="+short.Text)
		if err := expiring(); err != nil || time.Now().Before(short.Expires) {
			t.Errorf("%s: ended before it expired, %v", path, err)
		}
		go func() { others <- again() }()
	}
	select {
	case err := <-others:
		t.Errorf("a stream ended whose token holds: %v", err)
	default:
	}
}
