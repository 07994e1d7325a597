package stream

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Log is the record as the outbox needs it. Sequences count from 1 and have no holes.
type Log interface {
	// ID names the ledger.
	ID() ulid.ULID
	// Durable is the sequence of the last durable record, 0 for none.
	Durable() uint64
	// Wait returns the durable sequence as soon as it is greater than after.
	Wait(ctx context.Context, after uint64) (uint64, error)
	// After gives the records behind a sequence, in order. Their bytes are the receiver's.
	After(sequence uint64) iter.Seq2[events.Record, error]
}

// Options of an outbox.
type Options struct {
	Logf    func(format string, args ...any) // errors, recoveries and rebuilds, one line each
	AckWait time.Duration                    // until an acknowledgement counts as lost; 5 s when 0
	// Heard reports whether anyone subscribes to a feed subject; nil publishes every feed
	// message. It spares the JSON of events that nobody listens to.
	Heard func(subject string) bool
	// Replicas is how many servers of a cluster keep the stream; 0 makes it with one, and
	// leaves one that is there as it is.
	Replicas int
	// Lease is held while anything is published; nil where no other host can have the ledger.
	Lease *Lease
}

// Status says how far the outbox is.
type Status struct {
	Published uint64 // last sequence that the stream acknowledged
	Durable   uint64 // last durable sequence of the record
	Trouble   string // why nothing is published at the moment; empty while all is well
	Rebuilds  uint64 // how often this outbox found the stream damaged and made it again
	// Diverged is set while the stream knows what the record does not. Nothing is published then
	// and nothing is deleted; the stream is looked at again twice a minute.
	Diverged *DivergedError
}

// Outbox publishes the record, in order. Its methods may be used by several goroutines.
type Outbox struct {
	comparison
	opts   Options
	cancel context.CancelFunc
	done   chan struct{}

	mu      sync.Mutex
	status  Status
	changed chan struct{} // closed and replaced when status changes
}

// Open compares the stream with the record, resumes it, makes it when it is missing and again
// when it is damaged, and begins to publish what it lacks and what becomes durable from now on.
// It fails, having changed nothing, when the stream knows what the record does not
// ([DivergedError]), is someone else's ([ErrForeign]), or when the connection or the server
// cannot serve ([ErrDenied], [ErrNoJetStream], [ErrNoJetStreamForAccount], [ErrReplicas]). The
// connection stays the caller's, who closes it after the outbox.
func Open(ctx context.Context, nc *nats.Conn, log Log, opts Options) (*Outbox, Report, error) {
	o, err := prepare(ctx, nc, log, opts)
	if err != nil {
		return nil, Report{}, err
	}
	report, err := o.align(ctx)
	if err == nil {
		err = o.replicate(ctx)
	}
	if err != nil {
		return nil, report, err
	}
	o.aligned(report)
	o.start()
	return o, report, nil
}

// prepare makes an outbox that does nothing yet, of a connection that may publish.
func prepare(ctx context.Context, nc *nats.Conn, log Log, opts Options) (*Outbox, error) {
	if opts.Logf == nil {
		opts.Logf = func(string, ...any) {}
	}
	opts.AckWait = cmp.Or(opts.AckWait, answerWait)
	if opts.Replicas < 0 || opts.Replicas > 5 {
		return nil, fmt.Errorf("%w: %d; it is 1 to 5", ErrReplicas, opts.Replicas)
	}
	c, err := newComparison(nc, log)
	if err != nil {
		return nil, err
	}
	c.replicas, c.lease = opts.Replicas, opts.Lease
	return &Outbox{
		comparison: c,
		opts:       opts,
		done:       make(chan struct{}),
		changed:    make(chan struct{}),
	}, c.mayPublish(ctx)
}

func (o *Outbox) start() {
	var ctx context.Context
	ctx, o.cancel = context.WithCancel(context.Background())
	go o.run(ctx)
}

// run publishes until the outbox is closed, comparing anew after every failure.
func (o *Outbox) run(ctx context.Context) {
	defer close(o.done)
	pause := time.Duration(0)
	for o.leased(ctx) {
		from := o.Published()
		on, off := o.connected(ctx)
		err := o.publish(on, from)
		off()
		if ctx.Err() != nil {
			return
		}
		if o.Published() > from {
			pause = 0 // it went well for a while
		}
		o.trouble(err)
		for aligned := false; !aligned; {
			if pause = o.pause(ctx, pause); ctx.Err() != nil || !o.leased(ctx) {
				return
			}
			if aligned = o.realign(ctx); !aligned && o.Status().Diverged != nil {
				pause = divergedPause
			}
		}
	}
}

// divergedPause is between two looks at a diverged stream: each reads all of it.
const divergedPause = 30 * time.Second

var errAway = errors.New("not connected to the server")

// connected gives a context that ends when the connection is lost: what was asked for before
// is not answered then. The second result must be called.
func (o *Outbox) connected(ctx context.Context) (context.Context, func()) {
	away := o.nc.StatusChanged(nats.RECONNECTING, nats.CLOSED)
	ctx, cancel := context.WithCancelCause(ctx)
	if !o.nc.IsConnected() {
		cancel(errAway)
	}
	go func() {
		if _, lost := <-away; lost { // else the listener was removed
			cancel(errAway)
		}
	}()
	return ctx, func() {
		o.nc.RemoveStatusListener(away)
		cancel(nil)
	}
}

// pause waits, longer each time: a server that is away, full or written to by someone else
// must not be asked without end.
func (o *Outbox) pause(ctx context.Context, d time.Duration) time.Duration {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return min(max(2*d, 20*time.Millisecond), time.Second)
}

// realign compares stream and record again, and reports whether they agree now.
func (o *Outbox) realign(ctx context.Context) bool {
	on, off := o.connected(ctx)
	report, err := o.align(on)
	if cause := context.Cause(on); cause != nil {
		err = cause
	}
	off()
	var diverged *DivergedError
	switch {
	case ctx.Err() != nil:
		return false
	case errors.As(err, &diverged):
		o.trouble(err)
		o.change(func(s *Status) { s.Diverged = diverged })
		if o.lease != nil {
			o.lease.Lose(err, "start it again, and it says what each holds")
		}
		return false
	case err != nil:
		o.trouble(err)
		if isTimeout(err) {
			// A connection on which nothing comes back is no connection.
			_ = o.nc.ForceReconnect()
		}
		return false
	}
	if was := o.Published(); report.Published > was || report.State != Resumed {
		o.opts.Logf("stream %s: %s", o.name, report)
	}
	o.aligned(report)
	return true
}

// trouble notes what went wrong, and says it once.
func (o *Outbox) trouble(err error) {
	if s, _ := o.look(); s.Trouble != err.Error() {
		o.opts.Logf("stream %s: %v", o.name, err)
	}
	o.change(func(s *Status) { s.Trouble = err.Error() })
}

// aligned notes that the stream is a prefix of the record. What kept the rest out of it is over when more comes in.
func (o *Outbox) aligned(r Report) {
	o.change(func(s *Status) {
		if r.Published > s.Published || r.Published == r.Durable {
			s.Trouble = ""
		}
		s.Published, s.Diverged = r.Published, nil
		if r.State == Rebuilt {
			s.Rebuilds++
		}
	})
}

func (o *Outbox) change(f func(*Status)) {
	o.mu.Lock()
	defer o.mu.Unlock()
	f(&o.status)
	close(o.changed)
	o.changed = make(chan struct{})
}

func (o *Outbox) look() (Status, <-chan struct{}) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.status, o.changed
}

// Published is the last sequence that the stream acknowledged.
func (o *Outbox) Published() uint64 {
	s, _ := o.look()
	return s.Published
}

// Status says how far the outbox is and what keeps it.
func (o *Outbox) Status() Status {
	s, _ := o.look()
	s.Durable = o.log.Durable()
	return s
}

// Drain waits until the stream acknowledged everything that is durable at the call. When ctx
// ends first, its error says what kept the outbox; a diverged stream is not waited for.
func (o *Outbox) Drain(ctx context.Context) error {
	want := o.log.Durable()
	for {
		s, changed := o.look()
		switch {
		case s.Published >= want:
			return nil
		case s.Diverged != nil:
			return fmt.Errorf("published %d of %d events: %w", s.Published, want, s.Diverged)
		case o.lease != nil && errors.Is(o.lease.Valid(), ErrLeaseLost):
			return fmt.Errorf("published %d of %d events: %w", s.Published, want, o.lease.Valid())
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return fmt.Errorf("published %d of %d events (%s): %w", s.Published, want, s.Trouble, ctx.Err())
		case <-o.done:
			return fmt.Errorf("published %d of %d events: outbox closed", s.Published, want)
		}
	}
}

// leased waits until the lease is valid, and reports whether there is anything to go on with.
func (o *Outbox) leased(ctx context.Context) bool {
	for o.lease != nil && ctx.Err() == nil {
		changed, _ := o.lease.await()
		err := o.lease.Valid()
		if err == nil {
			break
		}
		o.trouble(err)
		select {
		case <-changed:
		case <-ctx.Done():
		}
	}
	return ctx.Err() == nil
}

// Confirm waits until an event is known to stand in the one line of its ledger: the stream has
// acknowledged it, and after that the lease was renewed, with a value that says so. Whoever takes the lease
// next finds the event in the stream, and its hash in the lease even if the stream was deleted. Without a lease nobody
// else can have the ledger, and there is nothing to wait for. It fails when the lease is over, with [ErrLeaseLapsed] or
// [ErrLeaseLost], when the outbox is closed, when ctx ends, and when the stream does not take the event for two terms.
func (o *Outbox) Confirm(ctx context.Context, sequence uint64) error {
	if o.lease == nil {
		return nil
	}
	patient := time.NewTimer(2 * o.lease.term)
	defer patient.Stop()
	for {
		s, changed := o.look()
		renewed, lapses := o.lease.await()
		if err := o.lease.Valid(); err != nil || s.Published >= sequence && o.lease.confirm(sequence) {
			return err
		}
		lapse := time.NewTimer(lapses)
		select {
		case <-changed:
		case <-renewed:
		case <-lapse.C:
		case <-patient.C:
			return fmt.Errorf("the stream has %d of %d events and takes no more (%s)", s.Published, sequence, s.Trouble)
		case <-ctx.Done():
			return fmt.Errorf("the stream has %d of %d events, and the ledger is closed: %w", s.Published, sequence,
				ctx.Err())
		case <-o.done:
			return fmt.Errorf("the stream has %d of %d events, and nothing more is published", s.Published, sequence)
		}
		lapse.Stop()
	}
}

// Close stops publishing. What is not published yet is published by the next outbox.
func (o *Outbox) Close() {
	o.cancel()
	<-o.done
}
