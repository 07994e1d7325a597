// Package readers keeps readers from slowing down those who play. What costs much to answer,
// a page or a report of a long campaign, is made by few at a time (a gate), once for all who ask for the same
// ([Cache]), under a key made of what the page knows of the address ([CheckQuery], [Key]), and not at all for who has
// gone.
//
// # A gate
//
// So many pass at a time, and so many wait for it, none longer than a while; of more, each is sent away with [ErrBusy],
// and learns when to come back. The umpire who plays passes none: what he enters waits for nobody here. Those who hold
// a token that opens something have a gate of their own, so that no crowd shuts them out. What sides say, and what
// anybody has checked, has another ([Readers.DoCommand]), and so has who may be a player who signs
// ([Readers.DoStranger]). Who catches up on a stream takes turns with what is made for
// the public ([Readers.Turn]).
//
// What takes too long to make is given up, with [ErrLong], so that no one keeps the others out.
//
// # An answer
//
// An answer of the public is kept until what it is of goes on: the record, or its campaign. Whoever asks while it is
// made waits for it; requests that arrive before drawing starts share one drawing. When the last who waits has gone,
// the context of the making ends. Kept answers are bounded in bytes, pages and those of the interface together; the
// longest unused goes first. So are those that are still being written to slow readers, beyond which nothing new is
// made; those for holders of tokens alone have a bound of their own.
package readers

import (
	"container/list"
	"context"
	"errors"
	"net/http"
	"runtime"
	"strconv"
	"sync"
	"time"
)

// ErrBusy says that too many ask at the moment.
var ErrBusy = errors.New("too many ask for something at the moment; ask again in a few seconds")

// ErrLong says that an answer takes longer to make than anybody may have.
var ErrLong = errors.New("this takes too long to make while others wait; ask for less, such as fewer turns or events")

// again is when who was sent away may come back.
const again = 5 * time.Second

// SetRetryAfter says when whoever is sent away may come back.
func SetRetryAfter(w http.ResponseWriter) {
	w.Header().Set("Retry-After", strconv.Itoa(int(again/time.Second)))
}

// Options of [New]. The zero value is ready for use.
type Options struct {
	Parallel     int                      // of a gate; 0 for half the processors, at least one
	Queue        int                      // how many wait at most before each gate; 0 is 512
	CommandQueue int                      // how many wait at most for a command to be heard or a file checked; 0 is 64
	Timeout      time.Duration            // how long one answer may take to make; 0 is 30 s
	HasToken     func(*http.Request) bool // whether who asks holds a token that opens something; nil for nobody

	// For tests.
	patience time.Duration // how long anybody waits; 0 is 10 s
	kept     int           // bytes of all answers that are kept; 0 is 64 MiB
	written  int           // bytes of all answers that are kept no more, and still written; 0 is 128 MiB
	own      int           // bytes of all answers that are written to holders alone; 0 is 64 MiB
}

func (o Options) withDefaults() Options {
	if o.Parallel == 0 {
		o.Parallel = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if o.Queue == 0 {
		o.Queue = 512
	}
	if o.CommandQueue == 0 {
		o.CommandQueue = 64
	}
	if o.Timeout == 0 {
		o.Timeout = 30 * time.Second
	}
	if o.patience == 0 {
		o.patience = 10 * time.Second
	}
	if o.kept == 0 {
		o.kept = 64 << 20
	}
	if o.written == 0 {
		o.written = 128 << 20
	}
	if o.own == 0 {
		o.own = 64 << 20
	}
	if o.HasToken == nil {
		o.HasToken = func(*http.Request) bool { return false }
	}
	return o
}

// Readers are all who look at one server. It is safe for concurrent use.
type Readers struct {
	opts      Options
	public    *gate
	holders   *gate
	saying    *gate
	strangers *gate

	held held

	ctx    context.Context // of all that is made
	cancel context.CancelFunc
	making sync.WaitGroup
	mu     sync.Mutex // guards closed
	closed bool
}

// New gives the bounds that all share.
func New(o Options) *Readers {
	o = o.withDefaults()
	r := &Readers{
		opts: o, public: newGate(o.Parallel, o.Queue, o.patience), holders: newGate(1, o.Queue, o.patience),
		saying: newGate(1, o.CommandQueue, o.patience), strangers: newGate(1, o.CommandQueue, o.patience),
	}
	r.held.unused = list.New()
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// DoPrivate makes what one viewer alone may see, when it is his turn. The context of the making ends with the
// request's, and with the server.
func (r *Readers) DoPrivate(req *http.Request, do func(ctx context.Context)) error {
	at := r.public
	if r.opts.HasToken(req) {
		at = r.holders
	}
	return r.pass(req.Context(), at, func(ctx context.Context) error {
		ctx, done := r.limited(ctx)
		defer done()
		defer memory.hold()()
		do(ctx)
		switch {
		case errors.Is(context.Cause(ctx), ErrLong):
			return ErrLong
		case r.ctx.Err() != nil: // the server stops: it is not whole
			return ErrBusy
		}
		return nil
	})
}

// DoCommand has something heard that a side says, or checked, when it is its turn. How far that goes is for do to say:
// what is recorded stands though nobody waits for the answer any more.
func (r *Readers) DoCommand(ctx context.Context, do func(ctx context.Context)) error {
	return r.pass(ctx, r.saying, func(ctx context.Context) error {
		do(ctx)
		return nil
	})
}

// DoStranger finds out who somebody is, of whom nothing is known yet, when it is its turn: so strangers keep out
// strangers alone.
func (r *Readers) DoStranger(ctx context.Context, do func()) error {
	return r.pass(ctx, r.strangers, func(context.Context) error {
		do()
		return nil
	})
}

// Turn waits for a place among those for whom the public's answers are made, so that somebody who catches up reads a
// little at a time; leave gives the place back. Each who waits has his turn. The error is the context's.
func (r *Readers) Turn(ctx context.Context) (leave func(), err error) { return r.public.turn(ctx) }

// pass has something done behind a gate, as long as the request's context and the server last.
func (r *Readers) pass(ctx context.Context, at *gate, do func(ctx context.Context) error) error {
	if !r.begin() {
		return ErrBusy
	}
	defer r.making.Done()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	defer context.AfterFunc(r.ctx, cancel)()
	leave, err := at.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	return do(ctx)
}

// limited gives the context of something that is made: it ends when that takes too long.
func (r *Readers) limited(ctx context.Context) (limited context.Context, done func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	late := time.AfterFunc(r.opts.Timeout, func() { cancel(ErrLong) })
	return ctx, func() { late.Stop(); cancel(nil) }
}

// begin counts something in that is made; false once the server closes.
func (r *Readers) begin() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.closed {
		r.making.Add(1)
	}
	return !r.closed
}

// Close ends whatever is made, and waits for it until ctx ends. Nothing is made from then on.
func (r *Readers) Close(ctx context.Context) {
	r.mu.Lock()
	r.closed = true
	r.mu.Unlock()
	r.cancel()
	done := make(chan struct{})
	go func() { r.making.Wait(); close(done) }()
	select {
	case <-done:
	case <-ctx.Done():
	}
}
