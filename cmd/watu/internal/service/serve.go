package service

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay"
)

// OpenCampaign opens a campaign.
func (f *Service) OpenCampaign(n NewCampaign) (Opened, error) {
	out := Opened{Version: Version}
	if err := f.mayStep(); err != nil {
		return out, err
	}
	s, known := f.systems[n.System]
	if known && n.Edition != "" {
		var names []string
		known = false
		for _, e := range s.Editions {
			names, known = append(names, e.Name), known || e.Name == n.Edition
		}
		if !known {
			return out, problem.New(problem.Input, "%s has no edition %q; it has %s", s.Name, n.Edition, listed(names))
		}
	}
	c, violations, err := f.umpire.Open(replay.Opening{
		Name: n.Name, System: n.System, Edition: n.Edition, Options: n.Options, Note: n.Note, Seed: n.Seed,
		Dice: n.Dice, Seats: seats(n), Board: n.board(),
		SideNamed: func(sides []string, name string) (string, bool) { return sideOf(s, sides, name) },
	})
	if errors.Is(err, replay.ErrBoardless) {
		err = problem.New(problem.Input, "%v; name its file with --board", err)
	}
	if err == nil && len(violations) > 0 {
		err = problem.OfViolations("", violations)
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
func (f *Service) Serve(ctx context.Context, handler http.Handler, ready func(socket string)) error {
	l, path, err := listen(f.dir)
	if err != nil {
		return fmt.Errorf("socket: %w", err)
	}
	base, end := context.WithCancel(context.Background())
	defer end()
	s := &http.Server{
		Handler: patient(handler), ReadHeaderTimeout: patience, IdleTimeout: idle,
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
