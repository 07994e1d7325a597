package web

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
)

// What a request may bring, in bytes. What it is for may take less: a login 4 KiB, a turn file 2 MiB.
const (
	longestHead = 16 << 10
	longestBody = 4 << 20
)

// bringing is how long a body may take to come.
const bringing = 10 * time.Second

// headers stand on every answer. A page takes from this server alone, runs nothing that stands in it, and
// shows in no other's frame; what a browser may read of an answer from another's page is nothing.
var headers = map[string]string{
	"Content-Security-Policy": "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; " +
		"font-src 'self'; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
	"X-Content-Type-Options":       "nosniff",
	"Referrer-Policy":              "same-origin",
	"Cross-Origin-Opener-Policy":   "same-origin",
	"Cross-Origin-Resource-Policy": "same-origin",
	"Permissions-Policy":           "camera=(), display-capture=(), geolocation=(), microphone=(), payment=(), usb=()",
	"Vary":                         "Cookie, Authorization",
}

// methods are those that anything here is asked with.
var methods = []string{http.MethodGet, http.MethodHead, http.MethodPost}

// guard stands before everything that answers. hosts are the names that the server goes by, beside those of
// this machine.
func guard(hosts []string, next http.Handler) http.Handler {
	origins := http.NewCrossOriginProtection()
	origins.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		deny(w, r, "this was sent by a page of another site, and is not taken", http.StatusForbidden)
	}))
	next = origins.Handler(next)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for name, value := range headers {
			w.Header().Set(name, value)
		}
		host := hostOf(r.Host)
		switch {
		case !answersFor(r.Context(), hosts, host):
			deny(w, r, fmt.Sprintf("this server does not go by the name %q: whoever runs it may start it "+
				"with --host %s", host, host), http.StatusMisdirectedRequest)
			return
		case !slices.Contains(methods, r.Method):
			w.Header().Set("Allow", strings.Join(methods, ", "))
			deny(w, r, "nothing here is asked with "+r.Method, http.StatusMethodNotAllowed)
			return
		}
		if r.TLS != nil && !thisMachine(host) { // else other servers on this machine would be bound by it
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		readers.LimitBodyTime(w, r, bringing)
		r.Body = http.MaxBytesReader(w, r.Body, longestBody)
		next.ServeHTTP(w, r)
	})
}

// deny says why a request is not let in, to a program in its own form.
func deny(w http.ResponseWriter, r *http.Request, why string, status int) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		api.Refuse(w, status, why)
		return
	}
	http.Error(w, why, status)
}

// hostOf is a Host header without its port, as names are compared.
func hostOf(header string) string {
	if host, _, err := net.SplitHostPort(header); err == nil {
		header = host
	}
	return strings.ToLower(strings.Trim(strings.TrimSuffix(header, "."), "[]"))
}

// answersFor reports whether the server goes by a name. Others are not answered: a stranger's page could
// give its own name to the address of this server, and read it as if it were its own (DNS rebinding). An
// address is no name; that at which the connection came in is right.
func answersFor(ctx context.Context, hosts []string, host string) bool {
	if thisMachine(host) || slices.Contains(hosts, host) {
		return true
	}
	asked, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	at, ok := ctx.Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return ok && at.AddrPort().Addr().Unmap() == asked.Unmap()
}

// thisMachine reports whether a host is this machine, called by itself.
func thisMachine(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.Unmap().IsLoopback()
}
