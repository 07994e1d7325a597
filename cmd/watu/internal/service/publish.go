package service

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/stream"
)

// publish reaches the stream and opens the outbox, which compares stream and record.
func (f *Service) publish(ctx context.Context, o Options) (err error) {
	if f.tenure.away = o.awayFrom(ctx, f.dir, f.ledger); f.tenure.away != nil && !o.Steps && o.Listen == "" {
		return nil // it is read
	} else if f.tenure.away != nil {
		return f.tenure.away
	}
	if err := o.leave(ctx, f.ledger, false); err != nil {
		return err
	}
	if f.place, err = reach(ctx, f.dir, o); err != nil {
		return err
	}
	f.closing(streamBy, "the stream is not closed", func(context.Context) error { f.place.close(); return nil })
	if f.tenure.lease, err = o.takeLease(ctx, f.place, f.ledger); err != nil {
		return err
	}
	f.closing(streamBy, "the lease is not released", func(context.Context) error { f.tenure.release(); return nil })
	outbox, found, err := f.place.open(ctx, published{f.ledger}, o.stream(f.place, f.tenure.lease))
	if err != nil {
		return unpublished(ctx, f, o, err)
	}
	f.outbox, f.found, f.tenure.outbox = outbox, found.String(), outbox
	f.closing(publishedBy, "not all of the record is published", f.closeOutbox)
	if err := o.settle(ctx, f.place, f.ledger, f.tenure.lease); err != nil {
		return err
	}
	if f.place.server != nil {
		f.admit()
	}
	if found.State == stream.Rebuilt {
		f.say("the stream was not a clean part of the record and is made again: " + found.Was)
	}
	return nil
}

// admit lets guests read as soon as the stream holds what is recorded now: one that is only being
// published again would look like a record that was put back.
func (f *Service) admit() {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		err := f.outbox.Drain(ctx)
		if err == nil {
			err = f.place.server.Admit()
		}
		if err != nil && ctx.Err() == nil {
			f.say(fmt.Sprintf("nobody can follow: %v", err))
		}
	}()
	f.closing(publishedBy, "guests are not let go", func(context.Context) error { cancel(); <-done; return nil })
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
func (o Options) stream(p *place, lease *stream.Lease) stream.Options {
	s := stream.Options{Logf: o.logf, Replicas: o.Replicas, Lease: lease}
	if p.server != nil {
		s.Heard = p.server.Heard
	}
	return s
}

// unpublished says why the outbox did not open.
func unpublished(ctx context.Context, f *Service, o Options, err error) error {
	var diverged *stream.DivergedError
	var short *stream.ShortError
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.As(err, &diverged):
		return o.apart(ctx, f.dir, f.place, f.ledger, diverged.Report)
	case errors.As(err, &short):
		return o.lacking(f.place, short)
	case f.place.server != nil:
		return problem.New(problem.Diverged, "stream and record cannot be compared: %v; the stream is a copy: if "+
			"it stays so, "+
			"move %s aside and start again", err, f.place.where)
	}
	return err
}

// publishWait is how long Close lets the outbox go on; what is left is published by the next
// one.
const publishWait = 10 * time.Second

func (f *Service) closeOutbox(late context.Context) error {
	err := f.drain(late)
	f.outbox.Close()
	return err
}

// drain waits until all that is recorded is published, but not long. For a server that is away it does not.
func (f *Service) drain(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, publishWait)
	defer cancel()
	external := f.place.server == nil
	if s := f.outbox.Status(); external && !f.place.connected() && s.Published < s.Durable {
		return problem.New(problem.Unreachable, "recorded, but only %d of %d events are published: %s is not "+
			"connected; the next "+
			"start publishes the rest", s.Published, s.Durable, f.place.where)
	}
	err := f.outbox.Drain(ctx)
	if err == nil {
		return nil
	}
	kind := problem.Diverged
	if external && f.outbox.Status().Diverged == nil && !errors.Is(err, stream.ErrLeaseLost) {
		kind = problem.Unreachable
	}
	return problem.New(kind, "recorded, but not all of it is published yet: %v; the next start publishes the rest", err)
}

// Standing says how the service stands; see [Ledger].
func (f *Service) Standing() Ledger {
	out := Ledger{
		Version: Version, Ledger: f.ledger.ID().String(), Directory: f.dir, PID: os.Getpid(), Stream: f.found,
		Durable: f.ledger.Durable(), Damaged: f.damaged(),
	}
	if last := f.lastLook.Load(); last != nil {
		out.Strays = last.strays
	}
	for _, c := range f.ledger.Campaigns() {
		n, _ := f.openDisputes(c) // a record that does not read is not for this to say
		out.OpenDisputes += n
	}
	if m := f.ledger.ReadOnly(); m != nil {
		out.ReadOnly = m.Error()
	} else if err := f.Failed(); err != nil {
		out.ReadOnly = err.Error()
	}
	if out.ReadOnly == "" {
		out.Home, out.Lease = placed(f.ledger.Home()), f.tenure.leased()
	}
	if err := f.tenure.May(); err != nil {
		out.Stopped = err.Error()
	}
	if f.following != nil {
		out.Following, out.NATS, out.External = f.following.stand(), f.place.where, true
	}
	if f.outbox == nil {
		return out
	}
	v := f.Vitals()
	out.Published, out.Trouble = v.Published, v.Trouble
	if out.Lease != nil && out.Lease.Lost { // what came after that was answered to nobody
		out.Published = min(v.Published, f.tenure.lease.Confirmed())
	}
	if out.External = f.place.server == nil; out.External {
		out.NATS = f.place.where
	} else {
		out.NATS = f.place.server.URL()
	}
	return out
}

// walk gives a campaign's events from a sequence on as they become durable, until ctx ends.
func (f *Service) walk(ctx context.Context, campaign ulid.ULID, from uint64, fn func(events.Record) error) error {
	for at := from - 1; ; {
		for r, err := range f.ledger.After(at) {
			if err != nil {
				return err
			}
			if at = r.Sequence; r.Campaign != campaign {
				continue
			}
			if err := fn(r); err != nil {
				return err
			}
		}
		if _, err := f.ledger.Wait(ctx, at); err != nil {
			return err
		}
	}
}
