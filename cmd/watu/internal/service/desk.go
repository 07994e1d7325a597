package service

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
)

// most is how large a request may be, in bytes: a turn file is limited to 1 MiB by its parser,
// which says so better, and base64 adds a third.
const most = 24 << 20

// Handler answers for the service; see the package comment.
func (f *Service) Handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/ledger", f.getLedger)
	mux.HandleFunc("GET /v1/directory", f.getDirectory)
	mux.HandleFunc("GET /v1/campaigns", f.getCampaigns)
	mux.HandleFunc("POST /v1/campaigns", f.steps(f.postCampaign))
	mux.HandleFunc("GET /v1/campaigns/{c}", f.getCampaign)
	mux.HandleFunc("POST /v1/campaigns/{c}/submissions", f.steps(f.postSubmission))
	mux.HandleFunc("POST /v1/campaigns/{c}/corrections", f.steps(f.postCorrection))
	mux.HandleFunc("GET /v1/campaigns/{c}/pending", f.getPending)
	mux.HandleFunc("POST /v1/campaigns/{c}/pending", f.steps(f.postPending))
	mux.HandleFunc("GET /v1/campaigns/{c}/slips", f.getSlips)
	mux.HandleFunc("POST /v1/campaigns/{c}/undo", f.steps(f.postUndo))
	mux.HandleFunc("GET /v1/campaigns/{c}/log", f.getLog)
	mux.HandleFunc("GET /v1/campaigns/{c}/views/{p}", f.getView)
	mux.HandleFunc("GET /v1/campaigns/{c}/events/{index}", f.getEvent)
	mux.HandleFunc("GET /v1/campaigns/{c}/rulings", f.getRulings)
	mux.HandleFunc("GET /v1/disputes", f.getDisputes)
	mux.HandleFunc("GET /v1/campaigns/{c}/disputes", f.getDisputes)
	mux.HandleFunc("GET /v1/campaigns/{c}/disputes/{index}", f.getDispute)
	mux.HandleFunc("POST /v1/campaigns/{c}/disputes", f.steps(f.postDispute))
	mux.HandleFunc("GET /v1/campaigns/{c}/moments", f.getMoment)
	mux.HandleFunc("GET /v1/campaigns/{c}/difference", f.getDifference)
	mux.HandleFunc("POST /v1/campaigns/{c}/whatif", f.postWhatIf)
	mux.HandleFunc("GET /v1/campaigns/{c}/report", f.getReport)
	mux.HandleFunc("GET /v1/campaigns/{c}/export", f.getExport)
	mux.HandleFunc("GET /v1/campaigns/{c}/verification", f.getVerification)
	mux.HandleFunc("POST /v1/imports", f.steps(f.postImport))
	mux.HandleFunc("GET /v1/campaigns/{c}/audit", f.getAudit)
	mux.HandleFunc("POST /v1/campaigns/{c}/edition", f.steps(f.postEdition))
	mux.HandleFunc("GET /v1/editions/{s}", f.getEditions)
	mux.HandleFunc("POST /v1/rebuild", f.postRebuild)
	mux.HandleFunc("POST /v1/backup", f.postBackup)
	mux.HandleFunc("GET /v1/tokens", f.getTokens)
	mux.HandleFunc("POST /v1/tokens", f.postToken)
	mux.HandleFunc("DELETE /v1/tokens/{id}", f.deleteToken)
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
		fail(w, problem(Input, "there is no %s %s", r.Method, r.URL.Path))
	})
	return mux
}

// steps lets through what appends to the ledger, if that takes steps.
func (f *Service) steps(do http.HandlerFunc) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		if err := f.Failed(); err != nil { // before anything beside the record is written
			fail(w, err)
			return
		}
		if m := f.ledger.ReadOnly(); m != nil {
			fail(w, m)
			return
		}
		if err := f.tenure.May(); err != nil {
			fail(w, err)
			return
		}
		if err := f.takesSteps(r.PathValue("c")); err != nil {
			fail(w, err)
			return
		}
		do(w, r)
	}
}

// read decodes a request's body and reports whether it could.
func read(w http.ResponseWriter, r *http.Request, into any) bool { return readMost(w, r, into, most) }

func readMost(w http.ResponseWriter, r *http.Request, into any, most int64) bool {
	d := json.NewDecoder(http.MaxBytesReader(w, r.Body, most))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		fail(w, problem(Input, "the request does not read: %v", err))
		return false
	}
	return true
}

// give answers with a value or the error in its place.
func give(w http.ResponseWriter, v any, err error) {
	if err != nil {
		fail(w, err)
		return
	}
	reply(w, http.StatusOK, v)
}

func (f *Service) getCampaigns(w http.ResponseWriter, _ *http.Request) {
	list, err := f.Campaigns()
	give(w, list, err)
}

func (f *Service) getCampaign(w http.ResponseWriter, r *http.Request) {
	told, err := f.Campaign(r.PathValue("c"))
	give(w, told, err)
}

func (f *Service) postCampaign(w http.ResponseWriter, r *http.Request) {
	var n NewCampaign
	if !readMost(w, r, &n, most+MostBoard/3*4) {
		return
	}
	opened, err := f.openCampaign(n)
	give(w, opened, err)
}

func (f *Service) openCampaign(n NewCampaign) (Opened, error) {
	out := Opened{Version: Version}
	s, known := f.systems[n.System]
	if known && n.Edition != "" {
		var names []string
		known = false
		for _, e := range s.Editions {
			names, known = append(names, e.Name), known || e.Name == n.Edition
		}
		if !known {
			return out, problem(Input, "%s has no edition %q; it has %s", s.Name, n.Edition, listed(names))
		}
	}
	c, violations, err := f.umpire.Open(replay.Opening{
		Name: n.Name, System: n.System, Edition: n.Edition, Options: n.Options, Note: n.Note, Seed: n.Seed,
		Dice: n.Dice, Seats: seats(n), Board: n.board(),
		SideNamed: func(sides []string, name string) (string, bool) { return sideOf(s, sides, name) },
	})
	if errors.Is(err, replay.ErrBoardless) {
		err = problem(Input, "%v; name its file with --board", err)
	}
	if err == nil && len(violations) > 0 {
		err = ofViolations("", violations)
	}
	if err != nil {
		return out, err
	}
	if out.Campaign, err = f.describe(c); err != nil {
		return out, err
	}
	out.Happened, err = f.lines(c, 0, c.Events)
	return out, err
}

// lines tells the events from <= index < to.
func (f *Service) lines(c ledger.Campaign, from, to uint64) ([]Line, error) {
	return f.linesOf(c, from, to, func(uint64) bool { return true })
}

// linesOf is lines of the wanted events alone.
func (f *Service) linesOf(c ledger.Campaign, from, to uint64, wanted func(index uint64) bool) ([]Line, error) {
	list := []Line{}
	for r, err := range f.ledger.Walk(c.ID, from, to) {
		if err != nil {
			return nil, err
		}
		if !wanted(r.Index) {
			continue
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, fmt.Errorf("event #%d: %w", r.Index, err)
		}
		previous, err := f.correctedBefore(c, &e)
		if err != nil {
			return nil, err
		}
		list = append(list, lineOf(&e, previous))
	}
	return list, nil
}

// lineOf tells an event; previous is that of [narrator.TellAfter].
func lineOf(e *events.Event, previous uint64) Line {
	ids := narrator.Rules(e.Derivation)
	if ids == nil {
		ids = []string{}
	}
	return Line{
		Index: e.Index, Type: e.Type, Turn: e.Turn.Label, Phase: e.Phase, Side: e.Side,
		Text: narrator.TellAfter(e, previous), Rules: ids,
	}
}

// number reads a number of the query, otherwise where it is not given.
func number(r *http.Request, name string, otherwise uint64) (uint64, error) {
	text := r.URL.Query().Get(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return 0, problem(Input, "%s is the index of an event, a whole number, not %q", name, text)
	}
	return n, nil
}

// patience is how long a client may take to send a request's head.
const patience = 10 * time.Second

// bringing is how long a body may take to come: a board, or a file that is imported, from a slow disk. idle is
// how long a connection may stay that asks nothing.
const (
	bringing = 5 * time.Minute
	idle     = 2 * time.Minute
)

// patient has next wait for bodies, and not for ever.
func patient(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		readers.Bring(w, r, bringing)
		next.ServeHTTP(w, r)
	})
}

// Serve answers on the directory's socket until ctx ends, then lets requests under way finish:
// a turn file up to the end of an entry. ready is told the socket's path. If the ledger fails meanwhile,
// that is said, reading goes on, and it is the error at the end.
func (f *Service) Serve(ctx context.Context, ready func(socket string)) error {
	l, path, err := listen(f.dir)
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	base, end := context.WithCancel(context.Background())
	defer end()
	s := &http.Server{
		Handler: patient(f.Handler()), ReadHeaderTimeout: patience, IdleTimeout: idle,
		BaseContext: func(net.Listener) context.Context { return base },
	}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	late, cancel := after(ctx, RequestsBy)
	ready(path)
	select {
	case err := <-done:
		cancel()
		removeSocket(f.dir)
		return fmt.Errorf("socket: %w", err)
	case <-f.failing:
		f.say(f.Failed().Error() + "; what is recorded can be read until then")
		<-ctx.Done()
	case <-ctx.Done():
	}
	end() // those who follow the log would never finish
	// A step that waits for a stream which does not come is answered that it is not confirmed.
	defer time.AfterFunc(patience/5, f.tenure.hasten).Stop()
	shut := closer{late, cancel, "the socket is not closed", func(late context.Context) error {
		defer removeSocket(f.dir)
		if s.Shutdown(late) != nil { // a client that stopped reading must not hold the ledger for ever
			_ = s.Close()
		}
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			return err
		}
		return nil
	}}
	if err := shut.end(); err != nil || f.reads {
		return err
	}
	return f.Failed()
}
