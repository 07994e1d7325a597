// Package live streams new events to readers: server-sent events, one for each event of the
// record, in order and without gaps. It holds public text alone, for the log holds no secret.
//
// # What is sent
//
// A stream begins with where the record stands, and goes on with what is recorded behind that:
//
//	retry: 2000
//
//	id: 57
//	event: head
//	data: {"index":57,"sequence":161}
//
//	id: 58
//	event: event
//	data: {"index":58,"type":"dice_rolled","turn":"Winter 1941","phase":"…","text":"…","rules":["48.42"],
//	       "campaign":"atlantic","sequence":162,"hash":"…"}
//
// The id is the event's index in the campaign or, on the stream of all campaigns, its sequence in the
// record. Who comes back with the last id that he saw, in the header Last-Event-ID or the query's
// "last", begins with the event behind it: his head carries no id, since he is not there yet. Who asks with
// the query's "from" begins with the event of that id, and from=0 gives every event from the first. An id
// beyond the head, as after a restore, is that of another record: his head carries the id where this
// one stands. A comment is sent when nothing else was for a while.
//
// # Who pulls
//
// Nothing is queued for anybody. One goroutine follows the record and makes one frame of each event,
// shared by all; the newest lie in a ring of limited size. It wakes the readers in groups, one after the other.
// A reader is a cursor: it takes what lies behind it from the ring, or reads a page of the record when it is
// further back. So the memory is that of the ring, and of a handful of frames for each reader, however slow readers
// are. For a page each waits his turn, so that no number of readers who begin at the first event keeps those waiting
// who play: who waits long is behind for longer.
//
// A reader who does not take what is written to him for some time is dropped. He has lost nothing: he
// comes back with the last id that he saw.
package live

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// Options of [New]. The zero value is ready for use.
type Options struct {
	Readers   int           // at a time; 0 is 16,384
	Patience  time.Duration // how long a reader may leave what is written to him; 0 is 10 s
	Heartbeat time.Duration // a comment is sent when nothing else was for so long; 0 is 15 s
	Pause     time.Duration // at least so long between two wakings of the readers; 0 is 50 ms

	// Turn waits until a reader who is behind may have a handful read for him from the record, until leave is called;
	// nil for at once. The error is the context's.
	Turn func(ctx context.Context) (leave func(), err error)
}

func (o Options) withDefaults() Options {
	if o.Readers == 0 {
		o.Readers = 16384
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.Turn == nil {
		o.Turn = func(context.Context) (func(), error) { return func() {}, nil }
	}
	if o.Pause == 0 {
		o.Pause = 50 * time.Millisecond
	}
	return o
}

// Feed is the streams of one ledger. It is safe for concurrent use.
type Feed struct {
	service *service.Service
	opts    Options
	ring    *ring

	mu      sync.Mutex
	readers map[*reader]struct{}
	closed  bool

	open    context.Context // ends when Close begins
	stop    context.CancelFunc
	running sync.WaitGroup // the follower and the readers

	entered, drops, made, sent atomic.Uint64
}

// Stats is what has come of the streams.
type Stats struct {
	Readers int    // now
	Held    int    // bytes of frames in the ring
	Frames  uint64 // made, one for each event
	Sent    uint64 // frames written, to all readers
	Drops   uint64 // readers who were too slow
}

// New follows the service's record, until Close.
func New(f *service.Service, o Options) *Feed {
	ctx, stop := context.WithCancel(context.Background())
	w := &Feed{
		service: f, opts: o.withDefaults(), ring: newRing(f.Durable()), readers: map[*reader]struct{}{},
		open: ctx, stop: stop,
	}
	w.running.Go(func() { w.follow(ctx) })
	return w
}

// follow makes a frame of each event that becomes durable, and wakes the readers: at once where nothing was for a
// while, and else when half as long has passed again as waking all of them took. So those who append have a third of
// the time at least, however many read, and what a burst brings costs each reader one write.
func (f *Feed) follow(ctx context.Context) {
	at := f.ring.last
	for {
		if _, err := f.service.Wait(ctx, at); err != nil {
			f.ring.fail(err)
			return
		}
		var frames []frame
		for b, err := range f.service.PublicEventsAfter(at) {
			if err != nil {
				f.ring.fail(err)
				return
			}
			frames, at = append(frames, frameOf(b)), b.Sequence
			if len(frames) == handful {
				f.made.Add(handful)
				f.ring.add(frames)
				frames = frames[:0]
			}
		}
		f.made.Add(uint64(len(frames)))
		f.ring.add(frames)
		began := time.Now()
		f.ring.wake()
		select {
		case <-time.After(max(f.opts.Pause, time.Since(began)/2)):
		case <-ctx.Done():
		}
	}
}

// Err is why the record is followed no more; nil while it is.
func (f *Feed) Err() error { return f.ring.failure() }

// Stats counts.
func (f *Feed) Stats() Stats {
	f.mu.Lock()
	n := len(f.readers)
	f.mu.Unlock()
	return Stats{Readers: n, Held: f.ring.held(), Frames: f.made.Load(), Sent: f.sent.Load(), Drops: f.drops.Load()}
}

var errClosed = errors.New("the streams are closed")

// Close ends every reader's stream, at once even for those who do not read, and waits for them.
func (f *Feed) Close() error {
	f.mu.Lock()
	if !f.closed {
		f.closed = true
		f.stop()
		for r := range f.readers {
			r.cut()
		}
	}
	f.mu.Unlock()
	f.running.Wait()
	return nil
}
