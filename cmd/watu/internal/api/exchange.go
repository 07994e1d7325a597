package api

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"maps"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// How an answer may be kept.
const (
	forever = "public, max-age=31536000, immutable" // what cannot change
	asked   = "no-cache"                            // asked for again, with its entity tag
	never   = "private, no-store"                   // what is for one viewer
)

// exchange is a request and its answer, which is held back until it is whole: then it has its entity
// tag, and whatever went wrong is answered as a problem.
type exchange struct {
	request *http.Request
	answer  http.ResponseWriter // whose deadlines may be set; nil for an answer to many
	header  http.Header
	status  int
	body    bytes.Buffer
	tag     string          // entity tag; empty for none
	keep    string          // one of the constants above
	looked  bool            // the answer depends on who looks
	problem *ProblemDetails // why it came to nothing
	service *service.Service
	owned   bool // whoever holds the directory asks, who may see everything
}

type exchangeKey struct{}

// take has a handler answer a request into the exchange.
func (e *exchange) take(r *http.Request, next http.Handler) *exchange {
	e.header, e.keep = http.Header{}, asked
	e.request = r.WithContext(context.WithValue(r.Context(), exchangeKey{}, e))
	next.ServeHTTP(e, e.request)
	if e.problem == nil && e.status >= http.StatusBadRequest { // of the mux, in its own words
		e.problem = unfound(e.request, e.status)
	}
	if e.problem == nil && e.keep != never && e.status < http.StatusMultipleChoices && r.Method != http.MethodPost {
		e.tag = tagOf(e.body.Bytes())
	}
	return e
}

// size is how many bytes it holds.
func (e *exchange) size() int { return e.body.Cap() }

// unread says why a request is not read at all.
func unread(r *http.Request) *ProblemDetails {
	if r.Method != http.MethodPost {
		return nil
	}
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || kind != "application/json" {
		return problemf(http.StatusUnsupportedMediaType, "what is sent here is JSON: say Content-Type: "+
			"application/json")
	}
	return nil
}

// Header is the answer's.
func (e *exchange) Header() http.Header { return e.header }

// WriteHeader notes the status.
func (e *exchange) WriteHeader(status int) { e.status = status }

// Write notes what is answered.
func (e *exchange) Write(b []byte) (int, error) { return e.body.Write(b) }

// Unwrap gives what the answer is sent by, whose deadlines may be set.
func (e *exchange) Unwrap() http.ResponseWriter { return e.answer }

// send sends the answer, to one of those who asked for it.
func (e *exchange) send(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	maps.Copy(h, e.header)
	if e.looked {
		h.Set("Vary", "Cookie, Authorization")
	}
	if e.problem != nil {
		e.problem.send(w, r)
		return
	}
	h.Set("Cache-Control", e.keep)
	h.Set("X-Content-Type-Options", "nosniff")
	if e.tag != "" {
		h.Set("ETag", e.tag)
		if matches(r.Header.Values("If-None-Match"), e.tag) {
			h.Del("Content-Type")
			w.WriteHeader(http.StatusNotModified)
			return
		}
	}
	flush(w, r, e.status, e.body.Bytes())
}

func flush(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	if status != 0 {
		w.WriteHeader(status)
	}
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the reader is gone, or has it
	}
}

// tagOf is the strong entity tag of a body.
func tagOf(body []byte) string {
	sum := sha256.Sum256(body)
	return `"` + base64.RawURLEncoding.EncodeToString(sum[:18]) + `"`
}

// matches reports whether a client has the body of that tag (RFC 9110, 13.1.2).
func matches(headers []string, tag string) bool {
	for _, line := range headers {
		for one := range strings.SplitSeq(line, ",") {
			if one = strings.TrimSpace(one); one == "*" || strings.TrimPrefix(one, "W/") == tag {
				return true
			}
		}
	}
	return false
}

// handler makes of a function what huma calls.
func handler[I, O any](do func(*exchange, *I) (O, error)) func(context.Context, *I) (*answerOf[O], error) {
	return func(ctx context.Context, in *I) (*answerOf[O], error) {
		e := ctx.Value(exchangeKey{}).(*exchange)
		out, err := do(e, in)
		if err != nil {
			e.problem = e.problemOf(err)
			return nil, e.problem
		}
		return &answerOf[O]{Body: out}, nil
	}
}

// answerOf is an answer as huma wants it.
type answerOf[O any] struct{ Body O }

// campaign finds a campaign by its name or ULID; one that is not here is not found.
func (x *api) campaign(name string) (timeline.Campaign, error) {
	c, err := x.service.Campaign(name)
	return c, unknown(err)
}

// looks finds a campaign, and who looks at it.
func (x *api) looks(e *exchange, name string) (timeline.Campaign, timeline.Viewer, error) {
	c, err := x.campaign(name)
	if err != nil {
		return c, timeline.Viewer{}, err
	}
	e.looked = true
	v, err := x.who(e.request, c.ID)
	if err != nil {
		return c, v, x.denied(e.request, err)
	}
	if v.As != timeline.Public {
		e.keep = never
	}
	return c, v, nil
}

// settled says that an answer will never be another. Only under a ULID: the name of a campaign may
// be another's in another ledger at the same address.
func (e *exchange) settled(called string, c timeline.Campaign) {
	if e.keep == asked && called == c.ID {
		e.keep = forever
	}
}
