package web

import (
	"bytes"
	"context"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// Who hangs up is counted and logged as such: no fault of the server's. A fault is one though.
func TestHangUpIsNoFault(t *testing.T) {
	t.Parallel()
	d := open(t, Options{})
	var text bytes.Buffer
	log := slog.New(slog.NewTextHandler(&text, &slog.HandlerOptions{Level: slog.LevelDebug}))
	for _, x := range []struct {
		gone, silent bool
		want         string
	}{
		{gone: true, want: "level=DEBUG msg=request method=GET path=/x route=/x status=499"},
		{gone: true, silent: true, want: "level=DEBUG msg=request method=GET path=/x route=/x status=499"},
		{want: "level=WARN msg=request method=GET path=/x route=/x status=500"},
		{silent: true, want: "level=DEBUG msg=request method=GET path=/x route=/x status=200"},
	} {
		ctx, hangUp := context.WithCancel(t.Context())
		mux := http.NewServeMux()
		mux.HandleFunc("GET /x", func(w http.ResponseWriter, _ *http.Request) {
			if x.gone {
				hangUp()
			}
			if !x.silent {
				http.Error(w, "no", http.StatusInternalServerError)
			}
		})
		text.Reset()
		d.server.gauges.meter(log, mux).ServeHTTP(httptest.NewRecorder(), httptest.NewRequestWithContext(ctx,
			http.MethodGet, "/x", nil))
		hangUp()
		if !strings.Contains(text.String(), x.want) {
			t.Errorf("%+v is logged as %s", x, text.String())
		}
	}
	figures := d.get("/metrics", "").body
	for _, line := range []string{`status="499"} 2`, `status="500"} 1`, `status="200"} 1`} {
		if !strings.Contains(figures, `watu_http_requests_total{method="GET",route="/x",`+line+"\n") {
			t.Errorf("what is counted lacks %s", line)
		}
	}
}
