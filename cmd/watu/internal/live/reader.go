package live

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/readers"
)

// again is how long a client has to wait before it comes back.
const again = 2 * time.Second

// ServeHTTP sends the events of the campaign that the path's {c} names; of all campaigns where the
// path names none.
func (f *Feed) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	next, given, err := wanted(r)
	if err == nil {
		_, err = readers.CheckQuery(r.URL, "last", "from")
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	c, h := cursor{}, head{}
	if name := r.PathValue("c"); name == "" {
		c, h = f.start(next, given)
	} else {
		there, err := f.service.Extent(name)
		if err != nil {
			http.Error(w, problem.Of(err).Error(), http.StatusNotFound)
			return
		}
		if c, h, err = f.startIn(there, next, given); err != nil {
			http.Error(w, problem.Of(err).Error(), http.StatusInternalServerError)
			return
		}
	}
	out := &reader{w: w, rc: http.NewResponseController(w), patience: f.opts.Patience, shared: r.ProtoMajor > 1}
	if !f.enter(out) {
		w.Header().Set("Retry-After", "30")
		http.Error(w, "too many follow already, or the server stops; try again later", http.StatusServiceUnavailable)
		return
	}
	defer f.leave(out)
	c.group = int(f.entered.Add(1) % groups)
	w.Header().Set("Content-Type", "text/event-stream")
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("X-Accel-Buffering", "no") // nginx would hold it back
	if r.Method == http.MethodHead {
		return
	}
	if err := f.stream(r.Context(), out, c, h); errors.Is(err, errSlow) {
		f.drops.Add(1)
	}
}

// enter counts a reader in, unless there are too many.
func (f *Feed) enter(r *reader) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || len(f.readers) >= f.opts.Readers {
		return false
	}
	f.readers[r] = struct{}{}
	f.running.Add(1)
	return true
}

func (f *Feed) leave(r *reader) {
	f.mu.Lock()
	delete(f.readers, r)
	f.mu.Unlock()
	// What was cut short may still end as it should, if somebody reads.
	_ = r.rc.SetWriteDeadline(time.Now().Add(min(r.patience, time.Second)))
	f.running.Done()
}

// stream writes until the reader goes, is dropped or the feed closes.
func (f *Feed) stream(ctx context.Context, out *reader, c cursor, h head) error {
	if err := out.begin(h); err != nil {
		return err
	}
	beat := time.NewTicker(f.opts.Heartbeat)
	defer beat.Stop()
	var some []frame
	for {
		t := f.ring.take(&c, some)
		if some = t.frames; t.behind {
			var err error
			if some, err = f.catchUp(ctx, out, &c, some); err != nil {
				return err
			}
		}
		switch {
		case len(some) > 0:
			if err := out.send(&c, some); err != nil {
				return err
			}
			f.sent.Add(uint64(len(some)))
			clear(some) // the ring may let go of them
			beat.Reset(f.opts.Heartbeat)
		case t.err != nil:
			return t.err
		case !t.behind:
			if err := f.pause(ctx, out, t.moved, beat.C); err != nil {
				return err
			}
		}
		select {
		case <-f.open.Done():
			return errClosed
		case <-ctx.Done():
			return ctx.Err()
		default:
		}
	}
}

// catchUp reads a handful of frames from the record when it is the reader's turn. He hears a comment meanwhile
// where that is long.
func (f *Feed) catchUp(ctx context.Context, out *reader, c *cursor, some []frame) ([]frame, error) {
	for {
		turn, cancel := context.WithTimeout(ctx, f.opts.Heartbeat)
		closed := context.AfterFunc(f.open, cancel)
		leave, err := f.opts.Turn(turn)
		closed()
		cancel()
		switch {
		case err == nil:
			defer leave()
			return f.page(c, some)
		case ctx.Err() != nil:
			return some, ctx.Err()
		case f.open.Err() != nil:
			return some, errClosed
		}
		if err := out.write([]byte(":\n\n")); err != nil {
			return some, err
		}
	}
}

// pause waits until it is worth looking again.
func (f *Feed) pause(ctx context.Context, out *reader, moved <-chan struct{}, beat <-chan time.Time) error {
	select {
	case <-moved:
		return nil
	case <-beat:
		return out.write([]byte(":\n\n"))
	case <-ctx.Done():
		return ctx.Err()
	case <-f.open.Done():
		return errClosed
	}
}

// reader writes to one who reads.
type reader struct {
	w        http.ResponseWriter
	rc       *http.ResponseController
	patience time.Duration
	shared   bool // the connection has other streams: HTTP/2

	mu    sync.Mutex // guards the deadline
	done  bool       // cut short by Close
	since time.Time  // when the last write began
}

// begin says how long to wait before coming back, and where the record stands.
func (r *reader) begin(h head) error {
	text, err := json.Marshal(h)
	if err != nil {
		return err
	}
	b := append([]byte("retry: "), strconv.FormatInt(again.Milliseconds(), 10)...)
	b = append(b, "\n\n"...)
	if !h.resumes {
		b = append(append(append(b, "id: "...), strconv.FormatUint(h.id(), 10)...), '\n')
	}
	b = append(append(append(b, "event: head\ndata: "...), text...), "\n\n"...)
	return r.write(b)
}

// letters are what is written at once to a reader, which costs fewer calls of the system than frame by
// frame. One is held while it is written.
var letters = sync.Pool{New: func() any { return new([]byte) }}

// send writes frames, each with its id.
func (r *reader) send(c *cursor, frames []frame) error {
	letter := letters.Get().(*[]byte)
	defer letters.Put(letter)
	b := (*letter)[:0]
	for _, f := range frames {
		b = append(strconv.AppendUint(append(b, "id: "...), c.id(f), 10), '\n')
		b = append(b, f.body...)
	}
	if cap(b) <= 2*handfulBytes { // a frame that is larger is rare
		*letter = b
	}
	return r.write(b)
}

var errSlow = errors.New("the reader did not take what was written")

// write sends bytes on their way, within the reader's patience.
func (r *reader) write(b []byte) error {
	if err := r.arm(); err != nil {
		return err
	}
	_, err := r.w.Write(b)
	if err == nil {
		err = r.rc.Flush()
	}
	if err != nil && time.Since(r.since) >= r.patience {
		return errSlow
	}
	return cmp.Or(err, r.disarm())
}

// arm sets the deadline of what is written next.
func (r *reader) arm() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return errClosed
	}
	r.since = time.Now()
	return r.rc.SetWriteDeadline(r.since.Add(r.patience))
}

// disarm takes the deadline away: over HTTP/2 one that passes ends the stream though nothing is written. Elsewhere the
// next write sets another.
func (r *reader) disarm() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.done {
		return errClosed
	}
	if !r.shared {
		return nil
	}
	return r.rc.SetWriteDeadline(time.Time{})
}

// cut ends a write that waits, and lets none follow. The feed's lock is held, so the reader has not left.
func (r *reader) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.done = true
	_ = r.rc.SetWriteDeadline(time.Now()) // a connection that is gone needs none
}
