package api

import (
	"bufio"
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/live"
)

// The stream comes event by event while it goes on, and a problem where there is none.
func TestStream(t *testing.T) {
	feed := live.New(played, live.Options{})
	server := httptest.NewServer(newSite(played, feed))
	defer server.Close()
	defer func() {
		if err := feed.Close(); err != nil {
			t.Error(err)
		}
	}()
	at := server.URL + root + "/campaigns/" + first(t).Name + "/live"
	ctx, end := context.WithCancel(t.Context())
	defer end()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, at, nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Last-Event-ID", "3")
	w, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Body.Close() }()
	if w.StatusCode != http.StatusOK || w.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d %s", w.StatusCode, w.Header)
	}
	var ids []string
	for lines := bufio.NewScanner(w.Body); len(ids) < 3 && lines.Scan(); {
		if id, ok := strings.CutPrefix(lines.Text(), "id: "); ok {
			ids = append(ids, id)
		}
	}
	if strings.Join(ids, " ") != "4 5 6" {
		t.Errorf("behind event 3 come %v", ids)
	}
	k, s := newContract(t), newSite(played, feed)
	for path, status := range map[string]int{"/campaigns/nobody/live": http.StatusNotFound, "/campaigns/" +
		first(t).Name + "/live?last=x": http.StatusBadRequest} {
		w := get(t, s, path)
		isProblem(t, k, path, w)
		if w.Code != status {
			t.Errorf("%s: %d %s", path, w.Code, w.Body)
		}
	}
}
