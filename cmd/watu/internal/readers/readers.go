// Package readers keeps those who look from getting in the way of those who play. What costs much to answer,
// a page or a report of a long campaign, is made by few at a time (a gate), once for all who ask for the same
// ([Answers]), under a key made of what the page knows of the address ([Known], [Key]), and not at all for who has gone.
//
// # A gate
//
// So many pass at a time, and so many wait for it, none longer than a while; of more, each is sent away with
// [ErrBusy], and learns when to come back. Nobody who plays passes here: entries are never behind a gate. Those who
// hold a token that opens something have a gate of their own, so that no crowd shuts them out.
//
// # An answer
//
// An answer of the public is kept until what it is of goes on: the record, or its campaign. Whoever asks while it is
// made waits for it; requests that arrive before drawing starts share one drawing. When the last who waits has gone,
// the context of the making ends. Kept answers are bounded in bytes, pages and those of the interface together; the
// longest unused goes first. So are those that are still being written to slow readers, beyond which nothing new is
// made.
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

// again is when who was sent away may come back.
const again = 5 * time.Second

// Retry says when whoever is sent away may come back.
func Retry(w http.ResponseWriter) {
	w.Header().Set("Retry-After", strconv.Itoa(int(again/time.Second)))
}

// Options of [New]. The zero value is ready for use.
type Options struct {
	Places  int                      // of a gate; 0 for half the processors, at least one
	Waiting int                      // how many wait at most before each gate; 0 is 512
	Holds   func(*http.Request) bool // whether who asks holds a token that opens something; nil for nobody

	// For tests.
	patience time.Duration // how long anybody waits; 0 is 10 s
	kept     int           // bytes of all answers that are kept; 0 is 64 MiB
	written  int           // bytes of all answers that are kept no more, and still written; 0 is 128 MiB
}

func (o Options) withDefaults() Options {
	if o.Places == 0 {
		o.Places = max(1, runtime.GOMAXPROCS(0)/2)
	}
	if o.Waiting == 0 {
		o.Waiting = 512
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
	if o.Holds == nil {
		o.Holds = func(*http.Request) bool { return false }
	}
	return o
}

// Readers are all who look at one server. It is safe for concurrent use.
type Readers struct {
	opts    Options
	public  *gate
	holders *gate

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
	r := &Readers{opts: o, public: newGate(o.Places, o.Waiting, o.patience), holders: newGate(1, o.Waiting, o.patience)}
	r.held.unused = list.New()
	r.ctx, r.cancel = context.WithCancel(context.Background())
	return r
}

// Do makes what one viewer alone may see, when it is his turn. The context of the making ends with the
// request's, and with the server.
func (r *Readers) Do(req *http.Request, do func(ctx context.Context)) error {
	if !r.begin() {
		return ErrBusy
	}
	defer r.making.Done()
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	defer context.AfterFunc(r.ctx, cancel)()
	at := r.public
	if r.opts.Holds(req) {
		at = r.holders
	}
	leave, err := at.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	defer memory.hold()()
	do(ctx)
	if r.ctx.Err() != nil { // the server stops: it is not whole
		return ErrBusy
	}
	return nil
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
