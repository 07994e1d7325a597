package maintenance

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
)

// publish reaches the stream and opens the outbox, which compares stream and record.
func (h *Host) publish(ctx context.Context, o Options) (err error) {
	if h.lease.away = o.awayFrom(ctx, h.dir, h.ledger); h.lease.away != nil && !o.Steps && o.Listen == "" {
		return nil // it is read
	} else if h.lease.away != nil {
		return h.lease.away
	}
	if err := o.leave(ctx, h.ledger, false); err != nil {
		return err
	}
	if h.server, err = reach(ctx, h.dir, o); err != nil {
		return err
	}
	h.closing(streamBy, "the stream is not closed", func(context.Context) error { h.server.close(); return nil })
	if h.lease.lease, err = o.takeLease(ctx, h.server, h.ledger); err != nil {
		return err
	}
	h.closing(streamBy, "the lease is not released", func(context.Context) error { h.lease.release(); return nil })
	outbox, found, err := h.server.open(ctx, published{h.ledger}, o.stream(h.server, h.lease.lease))
	if err != nil {
		return unpublished(ctx, h, o, err)
	}
	h.outbox, h.found, h.lease.outbox = outbox, found.String(), outbox
	h.closing(publishedBy, "not all of the record is published", h.closeOutbox)
	if err := o.settle(ctx, h.server, h.ledger, h.lease.lease); err != nil {
		return err
	}
	if h.server.server != nil {
		h.admit()
	}
	if found.State == stream.Rebuilt {
		h.say("the stream was not a clean part of the record and is made again: " + found.Was)
	}
	return nil
}

// admit lets guests read as soon as the stream holds what is recorded now: one that is only being
// published again would look like a record that was put back.
func (h *Host) admit() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := h.outbox.Drain(ctx)
		if err == nil {
			err = h.server.server.Admit()
		}
		if err != nil && ctx.Err() == nil {
			h.say(fmt.Sprintf("nobody can follow: %v", err))
		}
	}()
	h.closing(publishedBy, "guests are not let go", func(context.Context) error { cancel(); <-done; return nil })
}

// published is the record as the outbox reads it. A ledger that has failed grows no more, and what it has
// is published; to ask it again and again gives nothing.
type published struct{ *ledger.Ledger }

// Wait implements [stream.Log].
func (l published) Wait(ctx context.Context, after uint64) (uint64, error) {
	n, err := l.Ledger.Wait(ctx, after)
	if errors.Is(err, ledger.ErrFailed) {
		<-ctx.Done()
		err = ctx.Err()
	}
	return n, err
}

// stream gives the options of an outbox at a place, under a lease if there is one.
func (o Options) stream(p *server, lease *stream.Lease) stream.Options {
	s := stream.Options{Logf: o.logf, Replicas: o.Replicas, Lease: lease}
	if p.server != nil {
		s.Heard = p.server.Heard
	}
	return s
}

// unpublished says why the outbox did not open.
func unpublished(ctx context.Context, f *Host, o Options, err error) error {
	var diverged *stream.DivergedError
	var short *stream.ShortError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &diverged):
		return o.divergedFrom(ctx, f.dir, f.server, f.ledger, diverged.Report)
	case errors.As(err, &short):
		return o.lacking(f.server, short)
	case f.server.server != nil:
		return problem.New(problem.Diverged, "stream and record cannot be compared: %v; the stream is a copy: if it "+
			"stays so, move %s aside and start again", err, f.server.where)
	}
	return err
}

// publishWait is how long Close lets the outbox go on; what is left is published by the next
// one.
const publishWait = 10 * time.Second

func (h *Host) closeOutbox(late context.Context) error {
	err := h.drain(late)
	h.outbox.Close()
	return err
}

// drain waits until all that is recorded is published, but not long. For a server that is away it does not.
func (h *Host) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, publishWait)
	defer cancel()
	external := h.server.server == nil
	if s := h.outbox.Status(); external && !h.server.connected() && s.Published < s.Durable {
		return problem.New(problem.Unreachable, "recorded, but only %d of %d events are published: %s is not "+
			"connected; the next start publishes the rest", s.Published, s.Durable, h.server.where)
	}
	err := h.outbox.Drain(ctx)
	if err == nil {
		return nil
	}
	kind := problem.Diverged
	if external && h.outbox.Status().Diverged == nil && !errors.Is(err, stream.ErrLeaseLost) {
		kind = problem.Unreachable
	}
	return problem.New(kind, "recorded, but not all of it is published yet: %v; the next start publishes the rest", err)
}

// Standing is how a directory stands: which ledger it holds, who holds it, how far the record is published or how far
// it has followed.
type Standing struct {
	Version   int        `json:"version"`
	Ledger    string     `json:"ledger"`        // ULID
	Key       string     `json:"key,omitempty"` // that signs its checkpoints, for watu witness
	Directory string     `json:"directory"`
	PID       int        `json:"pid"`
	NATS      string     `json:"nats,omitempty"`     // where guests connect, or the server elsewhere; empty: nowhere
	External  bool       `json:"external,omitempty"` // NATS is elsewhere
	Stream    string     `json:"stream,omitempty"`   // what start-up found when it compared stream and record
	Home      string     `json:"home,omitempty"`     // where the stream lives, which LEDGER remembers; empty for a copy
	Lease     *Lease     `json:"lease,omitempty"`    // by which steps are taken, where the stream is elsewhere
	Stopped   string     `json:"stopped,omitempty"`  // why no step can be taken
	Durable   uint64     `json:"durable"`            // events in the record
	Published uint64     `json:"published"`          // of them on the stream
	Trouble   string     `json:"trouble,omitempty"`  // why nothing is published at the moment
	ReadOnly  string     `json:"read_only,omitempty"`
	Following *Following `json:"following,omitempty"` // of a follower

	Damaged []CheckedFile `json:"damaged,omitempty"` // or missing, beside the record
	Strays  []string      `json:"strays,omitempty"`  // files there that belong to nothing in the record
}

// Standing says how the directory stands.
func (h *Host) Standing() Standing {
	out := Standing{
		Version: Version, Ledger: h.ledger.ID().String(), Directory: h.dir, PID: os.Getpid(), Stream: h.found,
		Durable: h.ledger.Durable(), Damaged: h.damaged(),
	}
	if last := h.lastLook.Load(); last != nil {
		out.Strays = last.strays
	}
	if key, err := h.readKey(); err == nil && key != nil { // what is wrong with it, Damaged says
		out.Key = key.Verifier().String()
	}
	if m := h.ledger.ReadOnly(); m != nil {
		out.ReadOnly = m.Error()
	} else if err := h.Failed(); err != nil {
		out.ReadOnly = err.Error()
	}
	if out.ReadOnly == "" {
		out.Home, out.Lease = placed(h.ledger.Home()), h.lease.leased()
	}
	if err := h.lease.May(); err != nil {
		out.Stopped = err.Error()
	}
	if h.following != nil {
		out.Following, out.NATS, out.External = h.following.standing(), h.server.where, true
	}
	if h.outbox == nil {
		return out
	}
	v := h.Health()
	out.Published, out.Trouble = v.Published, v.Trouble
	if out.Lease != nil && out.Lease.Lost { // what came after that was answered to nobody
		out.Published = min(v.Published, h.lease.lease.Confirmed())
	}
	if out.External = h.server.server == nil; out.External {
		out.NATS = h.server.where
	} else {
		out.NATS = h.server.server.URL()
	}
	return out
}
