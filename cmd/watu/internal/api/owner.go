package api

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/verify"
)

// How large a body may be that whoever holds the directory sends, and how long it may take to come: a turn file is
// limited by its parser, which says so better, and a board's files are base64 in JSON.
const (
	mostOwned  = 24 << 20
	ownedComes = 5 * time.Minute
)

// Owner gives the handler for whoever holds the directory, for its socket: the operations that everybody has, without
// bounds and as the umpire of every campaign, and those that nobody else has.
func Owner(f *service.Service) http.Handler {
	x := &api{service: f, owned: true}
	x.who = func(r *http.Request, campaign string) (timeline.Viewer, error) {
		v, err := f.Viewer(campaign, r.URL.Query().Get("as"))
		if err == nil {
			err = f.NoteReading(campaign, v, false)
		}
		return v, err
	}
	mux := http.NewServeMux()
	for _, r := range x.routes() {
		mux.Handle(r.Method+" "+r.Path, x.operation(r))
	}
	x.ownerOnly(owner{mux})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		problemf(http.StatusNotFound, "there is no %s %s", r.Method, r.URL.Path).send(w, r)
	})
	return mux
}

// operation answers as an operation does. It is made ready when it is first asked for: a command asks for one or two.
// The service says what is wrong with a body, as it does for a command line.
func (x *api) operation(of route) http.Handler {
	ready := sync.OnceValue(func() http.Handler {
		c := configuration()
		c.Formats = map[string]huma.Format{"application/json": strict, "json": strict}
		mux := http.NewServeMux()
		of.SkipValidateBody, of.MaxBodyBytes, of.BodyReadTimeout = true, mostOwned, ownedComes
		of.register(humago.New(mux, c), of.Operation)
		return mux
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if p := unread(r); p != nil {
			p.send(w, r)
			return
		}
		e := &exchange{answer: w, service: x.service, owned: true}
		e.take(r, ready()).send(w, r)
	})
}

// strict is JSON without fields that are not known: a misspelt one must not pass for one left out.
var strict = huma.Format{Marshal: huma.DefaultJSONFormat.Marshal, Unmarshal: func(b []byte, into any) error {
	return decode(bytes.NewReader(b), into)
}}

func decode(from io.Reader, into any) error {
	d := json.NewDecoder(from)
	d.DisallowUnknownFields()
	return d.Decode(into)
}

// ownerOnly adds what nobody else may do.
func (x *api) ownerOnly(o owner) {
	f := x.service
	o.get("/status", func(r *http.Request) (any, error) {
		if r.URL.Query().Has("look") {
			return f.Status(r.Context()), nil
		}
		return f.Standing(), nil
	})
	o.get("/directory", func(*http.Request) (any, error) { return f.Directory(), nil })
	o.get("/editions/{system}", func(r *http.Request) (any, error) { return f.Editions(r.PathValue("system")) })
	o.get("/campaigns/{c}/dice", x.dice)
	o.get("/campaigns/{c}/slips", func(r *http.Request) (any, error) { return f.UndoableActs(r.PathValue("c")) })
	o.get("/campaigns/{c}/template", func(r *http.Request) (any, error) { return f.Template(r.PathValue("c")) })
	o.get("/tokens", func(*http.Request) (any, error) { return f.Tokens() })
	o.HandleFunc("DELETE "+root+"/tokens/{id}", answered(func(r *http.Request) (any, error) {
		return f.RevokeToken(r.PathValue("id"))
	}))
	posted(o, "/tokens", func(_ *http.Request, n service.NewToken) (any, error) { return f.IssueToken(n) })
	posted(o, "/campaigns", func(_ *http.Request, n replay.NewCampaign) (any, error) { return f.OpenCampaign(n) })
	posted(o, "/campaigns/{c}/edition", func(r *http.Request, n replay.NewEdition) (any, error) {
		return f.MoveEdition(r.PathValue("c"), n)
	})
	posted(o, "/campaigns/{c}/archive", x.archive)
	posted(o, "/campaigns/{c}/whatif", func(r *http.Request, s timeline.WhatIfRequest) (any, error) {
		return f.WhatIf(r.Context(), r.PathValue("c"), s)
	})
	posted(o, "/campaigns/{c}/invitations", x.invited)
	posted(o, "/campaigns/{c}/cosignatures", func(r *http.Request, in Cosigning) (any, error) {
		return x.cosigned(r, in)
	})
	o.HandleFunc("POST "+root+"/imports", answered(func(r *http.Request) (any, error) {
		return f.Import(http.MaxBytesReader(nil, r.Body, bundle.MaxSize), r.URL.Query().Get("head"))
	}))
	o.HandleFunc("GET "+root+"/campaigns/{c}/log", x.readLog)
	o.HandleFunc("GET "+root+"/campaigns/{c}/export", x.export)
	o.HandleFunc("GET "+root+"/campaigns/{c}/audit", x.audit)
	o.HandleFunc("GET "+root+"/campaigns/{c}/verification", x.verification)
	o.HandleFunc("POST "+root+"/rebuild", x.rebuild)
	o.HandleFunc("POST "+root+"/backup", x.backup)
}

// Dice is what a campaign waits for, perhaps a round of a beacon, and what happened from an event on.
type Dice struct {
	Version  int                      `json:"version"`
	Waiting  *timeline.Waiting        `json:"waiting,omitempty"`
	Happened []timeline.NarratedEvent `json:"happened"`
}

// dice says how a roll stands. Whoever asks waits for it: so it is looked after from now on.
func (x *api) dice(r *http.Request) (any, error) {
	out := Dice{Version: maintenance.Version, Happened: []timeline.NarratedEvent{}}
	from := new(uint64)
	_, c, err := x.recorded(r.PathValue("c"))
	if err == nil {
		err = numbers(r, map[string]**uint64{"from": &from})
	}
	if err != nil {
		return out, err
	}
	x.service.RollDice(c.ID)
	if out.Waiting, err = x.service.Waiting(c); err != nil {
		return out, err
	}
	c, err = x.service.Find(r.PathValue("c")) // what led to that is among what happened
	if err == nil && *from < c.Events {
		out.Happened, err = x.service.Narrate(c, *from, c.Events)
	}
	return out, err
}

// owner is where the operations are added that nobody else has. They are described here alone.
type owner struct{ *http.ServeMux }

func (o owner) get(path string, do func(*http.Request) (any, error)) {
	o.HandleFunc("GET "+root+path, answered(do))
}

func posted[B any](o owner, path string, do func(*http.Request, B) (any, error)) {
	o.HandleFunc("POST "+root+path, answered(func(r *http.Request) (any, error) {
		body, err := sent[B](r)
		if err != nil {
			return nil, err
		}
		return do(r, body)
	}))
}

// sent reads the body of a request.
func sent[B any](r *http.Request) (body B, err error) {
	if err = decode(http.MaxBytesReader(nil, r.Body, mostOwned+timeline.MaxBoardBytes/3*4), &body); err != nil {
		err = problemf(http.StatusBadRequest, "the request does not read: %v", err)
	}
	return body, err
}

// answered gives a value, or the problem in its place.
func answered(do func(*http.Request) (any, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		v, err := do(r)
		if err != nil {
			(&exchange{owned: true}).problemOf(err).send(w, r)
			return
		}
		(&lines{w: w, r: r, kind: "application/json"}).write(v)
	}
}

func (x *api) readLog(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	which := timeline.LogRange{Turn: q.Get("turn"), Follow: q.Get("follow") != ""}
	l := &lines{w: w, r: r}
	err := numbers(r, map[string]**uint64{"from": &which.From, "to": &which.To})
	if err == nil {
		err = x.service.ReadLog(r.Context(), r.PathValue("c"), which, func(line timeline.LogEvent) error {
			if err := l.write(line); err != nil || !which.Follow {
				return err
			}
			return l.flush()
		})
	}
	if err != nil && r.Context().Err() == nil {
		l.end(err)
	}
}

// export gives the description of the file in a line, and the file behind it.
func (x *api) export(w http.ResponseWriter, r *http.Request) {
	which := service.ExportRequest{For: r.URL.Query().Get("for")}
	l := &lines{w: w, r: r, kind: "application/octet-stream"}
	err := numbers(r, map[string]**uint64{"from": &which.From, "to": &which.To, "dispute": &which.Dispute})
	if err != nil {
		l.end(err)
		return
	}
	done, file, err := x.service.Export(r.Context(), r.PathValue("c"), which)
	if err != nil {
		l.end(err)
		return
	}
	_ = l.write(done)
	_, _ = w.Write(file) // the client is gone, or has it
}

func (x *api) audit(w http.ResponseWriter, r *http.Request) {
	var from *uint64
	err := numbers(r, map[string]**uint64{"from": &from})
	watched(w, r, func(progress maintenance.Progress) (*service.Audit, error) {
		if err != nil {
			return nil, err
		}
		if from == nil {
			from = new(uint64)
		}
		return x.service.Audit(r.Context(), r.PathValue("c"), r.URL.Query().Get("edition"), *from, progress)
	})
}

func (x *api) verification(w http.ResponseWriter, r *http.Request) {
	watched(w, r, func(progress maintenance.Progress) (*verify.Verification, error) {
		v, err := x.service.Verification(r.Context(), r.PathValue("c"), r.URL.Query().Get("head"), progress)
		if err != nil {
			return nil, err
		}
		return &v, nil
	})
}

func (x *api) rebuild(w http.ResponseWriter, r *http.Request) {
	watched(w, r, func(progress maintenance.Progress) (*maintenance.Rebuilt, error) {
		return x.service.Rebuild(r.Context(), progress)
	})
}

func (x *api) backup(w http.ResponseWriter, r *http.Request) {
	l := &lines{w: w, r: r}
	keys, err := sent[maintenance.Keys](r)
	var done maintenance.BackedUp
	if err == nil {
		done, err = x.service.Backup(l, keys)
	}
	if err != nil {
		l.end(err)
		return
	}
	_ = l.write(ProgressLine[maintenance.BackedUp]{Result: &done})
}

// numbers reads those parameters of the query that are given.
func numbers(r *http.Request, into map[string]**uint64) error {
	for name, at := range into {
		text := r.URL.Query().Get(name)
		if text == "" {
			continue
		}
		n, err := strconv.ParseUint(text, 10, 64)
		if err != nil {
			return problemf(http.StatusBadRequest, "%s is the index of an event, a whole number, not %q", name, text)
		}
		*at = &n
	}
	return nil
}

// ProgressLine is one of an answer of many lines: how far it is, a piece of a file, or at last the result, or what is
// wrong; both where a result is not as it should be.
type ProgressLine[T any] struct {
	Done    uint64           `json:"done,omitempty"`
	Total   uint64           `json:"total,omitempty"`
	Piece   []byte           `json:"piece,omitempty"` // base64 in JSON
	Result  *T               `json:"result,omitempty"`
	Problem *problem.Problem `json:"problem,omitempty"`
}

// watched answers with what takes long: a line for each hundredth of the way.
func watched[T any](w http.ResponseWriter, r *http.Request, do func(maintenance.Progress) (*T, error)) {
	l, reported := &lines{w: w, r: r}, uint64(0)
	result, err := do(func(done, total uint64) {
		if (done-reported)*100 >= total {
			reported = done
			_ = l.write(ProgressLine[T]{Done: done, Total: total})
			_ = l.flush()
		}
	})
	if result == nil {
		l.end(err)
		return
	}
	_ = l.write(ProgressLine[T]{Result: result, Problem: problem.Of(err)})
}

// lines is an answer of a value a line. Its status is sent with the first.
type lines struct {
	w    http.ResponseWriter
	r    *http.Request
	kind string // the content type; empty for NDJSON
	to   *json.Encoder
}

func (l *lines) write(v any) error {
	if l.to == nil {
		if l.kind == "" {
			l.kind = "application/x-ndjson"
		}
		l.w.Header().Set("Content-Type", l.kind)
		l.w.WriteHeader(http.StatusOK)
		l.to = json.NewEncoder(l.w)
		l.to.SetEscapeHTML(false)
	}
	return l.to.Encode(v)
}

func (l *lines) flush() error { return http.NewResponseController(l.w).Flush() }

// Write implements io.Writer: each piece of a file is a line.
func (l *lines) Write(b []byte) (int, error) {
	if err := l.write(ProgressLine[struct{}]{Piece: b}); err != nil {
		return 0, err
	}
	return len(b), nil
}

// end ends an answer that came to nothing: with a problem, or behind lines with one more.
func (l *lines) end(err error) {
	if l.to == nil {
		(&exchange{owned: true}).problemOf(err).send(l.w, l.r)
		return
	}
	_ = l.write(ProgressLine[struct{}]{Problem: problem.Of(err)})
}
