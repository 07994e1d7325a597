package access

import (
	"context"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// So many wrong tokens wait for their answer; one more is sent away at once, and none is remembered.
func TestWrongTokensWait(t *testing.T) {
	statuses := make(chan int, waiting+2)
	d := &Authenticator{slow: make(chan struct{}, waiting), wait: time.Hour}
	d.SetLoginPage(func(_ http.ResponseWriter, _ *http.Request, code int, _ Login) { statuses <- code })
	ctx, leave := context.WithCancel(t.Context())
	wrong := func(ctx context.Context) {
		r := httptest.NewRequestWithContext(ctx, http.MethodPost, "/login", nil)
		d.turnAway(httptest.NewRecorder(), r, refused("no"))
	}
	var waits sync.WaitGroup
	for range waiting {
		waits.Go(func() { wrong(ctx) })
	}
	for len(d.slow) < waiting {
		time.Sleep(time.Millisecond)
	}
	wrong(t.Context())
	if s := <-statuses; s != http.StatusTooManyRequests {
		t.Errorf("one more is answered with %d", s)
	}
	leave()
	waits.Wait()
	for range waiting {
		if s := <-statuses; s != http.StatusForbidden {
			t.Errorf("a wrong token is answered with %d", s)
		}
	}
	if len(d.slow) != 0 {
		t.Errorf("%d places are held", len(d.slow))
	}
	d.wait = 0
	wrong(t.Context())
	if s := <-statuses; s != http.StatusForbidden {
		t.Errorf("later, %d", s)
	}
}
