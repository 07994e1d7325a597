package web

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/access"
)

// hostName is a host of an origin. Names in other letters are written as browsers send them, xn--…
var hostName = regexp.MustCompile(`^[a-z0-9_-]+(\.[a-z0-9_-]+)*$`)

// ParseOrigin reads the origin of another site as browsers send it: https://example.org, without a path. The error says
// in words what is wrong.
func ParseOrigin(text string) (string, error) {
	u, err := url.Parse(text)
	switch {
	case text == "*" || strings.Contains(text, "*"):
		return "", fmt.Errorf("takes no pattern: name each site, such as https://example.org, in place of %q", text)
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "":
		return "", fmt.Errorf("takes a scheme and a host, such as https://example.org, not %q", text)
	case u.User != nil || u.Path != "" || u.RawQuery != "" || u.Fragment != "" || strings.ContainsAny(text, "?#"):
		return "", fmt.Errorf("takes no user, path or query: %s://%s in place of %q", u.Scheme, u.Host, text)
	}
	name, port := strings.ToLower(u.Hostname()), u.Port()
	if address, err := netip.ParseAddr(name); err == nil && address.Zone() == "" {
		name = address.String()
	} else if !hostName.MatchString(name) {
		return "", fmt.Errorf("takes a host in letters of ASCII, such as https://example.org, not %q", text)
	}
	if _, err := strconv.ParseUint(port, 10, 16); port != "" && err != nil || strings.HasSuffix(u.Host, ":") {
		return "", fmt.Errorf("takes a port from 1 to 65535, not that of %q", text)
	}
	return addressed(u.Scheme, name, port), nil
}

// addressed is an origin as browsers write it: without the port that the scheme has anyway.
func addressed(scheme, name, port string) string {
	if strings.Contains(name, ":") {
		name = "[" + name + "]"
	}
	if port == "" || port == map[string]string{"http": "80", "https": "443"}[scheme] {
		return scheme + "://" + name
	}
	return scheme + "://" + name + ":" + port
}

// elsewhere lets the sites that the keeper lists show what is made for their frames, and read what is public.
func elsewhere(frame, read []string, next http.Handler) http.Handler {
	if len(frame)+len(read) == 0 {
		return next
	}
	framed := strings.Replace(headers["Content-Security-Policy"], "frame-ancestors 'none'",
		"frame-ancestors "+strings.Join(frame, " "), 1)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(frame) > 0 && strings.HasPrefix(r.URL.Path, "/embed/") {
			w.Header().Set("Content-Security-Policy", framed)
			w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
		}
		if len(read) > 0 && forAll(r.URL.Path) {
			b := &byOrigin{ResponseWriter: w}
			defer b.begin() // of an answer without a body
			w = b
			if from := r.Header.Get("Origin"); slices.Contains(read, from) && readable(r) {
				w.Header().Set("Access-Control-Allow-Origin", from)
				w.Header().Set("Access-Control-Expose-Headers", "ETag, Link, Watu-Hash")
				w.Header().Set("Cross-Origin-Resource-Policy", "cross-origin")
			}
		}
		next.ServeHTTP(w, r)
	})
}

// forAll reports whether what stands at a path says the same to everybody who brings no token. What the server says to
// this machine alone is nothing of the kind: it is asked by the browser of somebody on it.
func forAll(path string) bool {
	for _, begins := range []string{"/api/v1/", "/campaigns/", "/embed/"} {
		if strings.HasPrefix(path, begins) {
			return true
		}
	}
	return path == "/" || path == "/live"
}

// readable reports whether a request is of the public: it changes nothing, and brings no token.
func readable(r *http.Request) bool {
	return (r.Method == http.MethodGet || r.Method == http.MethodHead) && !access.SendsTokens(r)
}

// byOrigin notes on an answer that it is another for other sites, whatever the answer says that it varies by.
type byOrigin struct {
	http.ResponseWriter
	begun bool
}

// Unwrap gives what a stream is flushed by.
func (b *byOrigin) Unwrap() http.ResponseWriter { return b.ResponseWriter }

func (b *byOrigin) begin() {
	if !b.begun {
		b.begun = true
		b.Header().Add("Vary", "Origin")
	}
}

// WriteHeader begins the answer.
func (b *byOrigin) WriteHeader(status int) {
	b.begin()
	b.ResponseWriter.WriteHeader(status)
}

// Write goes on with it.
func (b *byOrigin) Write(data []byte) (int, error) {
	b.begin()
	return b.ResponseWriter.Write(data)
}

// site is the address by which a request was sent, for links from elsewhere: https://watu.example.org. A proxy on this
// machine, or one that is trusted, says whether it was asked over TLS; one that stands for a name of the server and
// says nothing was.
func (s *Server) site(r *http.Request) string {
	name := hostOf(r.Host)
	_, port, err := net.SplitHostPort(r.Host)
	if _, bad := strconv.ParseUint(port, 10, 16); err != nil || bad != nil {
		port = ""
	}
	if r.TLS != nil {
		return addressed("https", name, port)
	}
	from, err := netip.ParseAddrPort(r.RemoteAddr)
	if peer := from.Addr().Unmap(); err == nil && (peer.IsLoopback() || s.crowd.trusts(peer)) {
		by := strings.ToLower(r.Header.Get("X-Forwarded-Proto"))
		if by == "https" || by == "" && slices.Contains(s.options.Hosts, name) {
			return addressed("https", name, port)
		}
	}
	return addressed("http", name, port)
}
