package web

import (
	"fmt"
	"net/http"
	"net/netip"
	"strings"

	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/watu-ledger/watu/cmd/watu/internal/live"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// watched adds what an operator's machines ask: /metrics, /healthz and /readyz.
func (s *Server) watched(mux *http.ServeMux, f *service.Service, metrics bool) {
	figures := promhttp.HandlerFor(s.gauges.registry, promhttp.HandlerOpts{})
	mux.HandleFunc("GET /metrics", func(w http.ResponseWriter, r *http.Request) {
		if !metrics && !near(r) {
			http.Error(w, "the metrics are for this machine alone; --metrics lets others read them",
				http.StatusForbidden)
			return
		}
		figures.ServeHTTP(w, r)
	})
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "up") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, r *http.Request) {
		lacks := unready(f.Health(), s.feed)
		switch {
		case len(lacks) == 0:
			say(w, http.StatusOK, "ready")
		case near(r):
			say(w, http.StatusServiceUnavailable, "not ready: "+strings.Join(lacks, "; "))
		default: // the trouble would describe the host
			say(w, http.StatusServiceUnavailable, "not ready")
		}
	})
}

func say(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	_, _ = fmt.Fprintln(w, text) // who asked is gone, or has it
}

// lagging is by how many events the views may be behind and still answer: what comes at once in a
// large step, and is caught up with at once.
const lagging = 5000

// unready says in words what keeps the server from answering as it should; nothing if it is ready. A
// ledger that takes no steps is ready to be read; a campaign that takes none because something is damaged
// wants somebody to look.
func unready(v maintenance.Health, feed *live.Feed) []string {
	var lacks []string
	if v.Failure != nil {
		lacks = append(lacks, v.Failure.Error())
	}
	if len(v.Damaged) > 0 {
		lacks = append(lacks, maintenance.DamageText(v.Damaged))
	}
	if n := unseen(v); n > lagging {
		lacks = append(lacks, fmt.Sprintf("the views are %d events behind the record", n))
	}
	if v.Stopped != nil {
		lacks = append(lacks, "no steps are taken: "+v.Stopped.Error())
	}
	if v.Trouble != "" && (v.Stopped == nil || v.Trouble != v.Stopped.Error()) {
		lacks = append(lacks, "the stream: "+v.Trouble)
	}
	if err := feed.Err(); err != nil && v.Failure == nil {
		lacks = append(lacks, "the record is followed no more: "+err.Error())
	}
	return lacks
}

// near reports whether a request comes from this machine itself: over loopback, called by a name of
// loopback, and not carried on by a proxy for somebody else.
func near(r *http.Request) bool {
	for _, carried := range []string{"Forwarded", "X-Forwarded-For", "X-Real-Ip", "Via"} {
		if r.Header.Get(carried) != "" {
			return false
		}
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	return err == nil && from.Addr().Unmap().IsLoopback() && thisMachine(hostOf(r.Host))
}
