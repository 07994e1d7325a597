package web

import (
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	// answering is how long an answer may take to be written, but for streams: who reads slower than
	// that is not waited for.
	answering = time.Minute
	// sending is how much of an answer the system holds for one connection, in bytes: it would hold
	// megabytes for each reader of a stream that has stopped reading.
	sending = 128 << 10
)

// narrow is a listener whose connections hold little that nobody reads.
type narrow struct{ net.Listener }

// Accept waits for the next connection.
func (l narrow) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if t, ok := c.(*net.TCPConn); ok {
		_ = t.SetWriteBuffer(sending) // else it holds what the system likes
	}
	return c, err
}

// noted notes what a request is answered with.
type noted struct {
	http.ResponseWriter
	status int
}

// WriteHeader notes the status.
func (a *noted) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

// Write notes the status 200 where none was set.
func (a *noted) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (a *noted) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// streams reports whether the answer was a stream, which lasts as long as it is read.
func (a *noted) streams() bool { return a.Header().Get("Content-Type") == "text/event-stream" }

// hungUp is the status of a request whose sender has gone before he was answered, as many servers write it.
const hungUp = 499

// meter counts what is answered, and writes the log. What stands behind a "?" is not logged, nor what a
// header holds: either may be a token.
func (g *gauges) meter(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a, began := &noted{ResponseWriter: w}, time.Now()
		_ = http.NewResponseController(w).SetWriteDeadline(began.Add(answering)) // a stream sets its own
		next.ServeHTTP(a, r)
		took := time.Since(began)
		switch {
		case r.Context().Err() != nil && (a.status == 0 || a.status >= http.StatusInternalServerError):
			a.status = hungUp // an answer that nobody reads is no fault
		case a.status == 0:
			a.status = http.StatusOK
		}
		route := routeOf(r.Pattern)
		g.requests.WithLabelValues(route, methodOf(r), strconv.Itoa(a.status)).Inc()
		if !a.streams() {
			g.took.WithLabelValues(route).Observe(took.Seconds())
		}
		level := slog.LevelDebug
		// nothing is wrong where many ask
		if a.status >= http.StatusInternalServerError && a.Header().Get("Retry-After") == "" {
			level = slog.LevelWarn
		}
		log.LogAttrs(r.Context(), level, "request", slog.String("method", r.Method), slog.String("path", r.URL.Path),
			slog.String("route", route), slog.Int("status", a.status), slog.Duration("took", took))
	})
}

// routeOf is a pattern's path, such as "/campaigns/{c}".
func routeOf(pattern string) string {
	_, path, found := strings.Cut(pattern, " ")
	if !found {
		path = pattern
	}
	if path == "" {
		return "none" // turned away at the door
	}
	return path
}
