package stream

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// ErrGap is wrapped by the error of a follower that was given an event out of its order, or finds
// that the stream no longer holds what it held.
var ErrGap = errors.New("published events are not what they were, or out of order")

const (
	followBatch = 256                   // messages asked for at a time
	followPoll  = time.Second           // look again, should a word of the feed be lost
	followSoon  = 50 * time.Millisecond // look again after a word: a server that lags may have answered

	// oddTimes is how often an odd answer is asked for again before it is believed; the pauses
	// between double from followSoon.
	oddTimes = 5

	// A stream that ends before what was read there has been put back when it stays so for a
	// while, without growing. An embedded server lets nobody read before its stream is the
	// record's. Elsewhere a server may have lost the end, and its ledger still be on its way.
	backLooks  = 6
	backPause  = time.Second / backLooks
	backHere   = time.Second
	backAbroad = 15 * time.Second
)

// Following says what a follower wants and what it has.
type Following struct {
	Ledger   ulid.ULID
	Campaign ulid.ULID // zero for all campaigns
	From     uint64    // the first sequence that is wanted; 0 is 1
	// Holds says that the follower has the event at From already, so that the stream had it.
	Holds bool
	// Trouble is called with what keeps the follower from reading, when that changes, and with
	// nil when it reads again. It may be nil.
	Trouble func(error)
}

// Follow calls fn with the published events that w names, in order: those that the stream has,
// then those to come. It returns when ctx ends, fn fails, the connection is closed or may not
// read ([ErrDenied]), the stream does not exist at the call ([ErrNoStream], [ErrUnanswered]), an
// event is out of its order or no longer what it was, or the stream was put back to before what
// was read ([ErrGap]). Such a finding is made several times before it counts. A stream that is
// made again meanwhile, a server that restarts, a cluster that changes its leader, and a
// connection that comes back are waited for: nothing is left out and nothing comes twice.
func Follow(ctx context.Context, nc *nats.Conn, w Following, fn func(events.Record) error) error {
	f := newFollower(nc, w, fn)
	// The feed comes after the log, so a word of it means that there is something to read.
	// It is subscribed to before the first reading: nothing falls between the two.
	word := make(chan struct{}, 1)
	feed, err := nc.Subscribe(allSubjects(w.Ledger, "feed", w.Campaign), func(*nats.Msg) {
		select {
		case word <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	defer func() { _ = feed.Unsubscribe() }()
	return f.follow(ctx, word)
}

// follower is a place in the stream.
type follower struct {
	Following
	*reader
	filter      string
	next        uint64 // sequence to read from
	index       uint64 // index that comes next in the campaign, once begun
	begun       bool
	held        uint64      // sequence of what was handed on last, or that the follower has; 0 for none
	hash        events.Hash // and its hash, once begun
	fn          func(events.Record) error
	lastTrouble string // the trouble that was passed on last
}

func newFollower(nc *nats.Conn, w Following, fn func(events.Record) error) *follower {
	f := &follower{Following: w, reader: newReader(nc, StreamName(w.Ledger)), next: max(1, w.From), fn: fn}
	if !w.Campaign.IsZero() {
		f.filter = f.subject()
	}
	if w.Holds {
		f.held = f.next
	}
	return f
}

// subject matches what is followed.
func (f *follower) subject() string { return allSubjects(f.Ledger, "log", f.Campaign) }

// trouble passes on what keeps the follower.
func (f *follower) trouble(err error) {
	text := ""
	if err != nil {
		text = err.Error()
	}
	if f.Trouble != nil && text != f.lastTrouble {
		f.Trouble(err)
	}
	f.lastTrouble = text
}

func (f *follower) follow(ctx context.Context, word <-chan struct{}) error {
	back := f.nc.StatusChanged(nats.CONNECTED) // a server that was away may be another
	defer f.nc.RemoveStatusListener(back)
	wait, failed := followPoll, 0
	for read := false; ; {
		err := f.assured(ctx, f.catchUp)
		unread := (*unreadError)(nil)
		switch passing := errors.As(err, &unread); {
		case err == nil:
			read, failed = true, 0
			f.trouble(nil)
		case passing && ctx.Err() != nil:
			return ctx.Err()
		case !passing || f.nc.IsClosed() || !read && f.held == 0 &&
			(errors.Is(err, ErrNoStream) || errors.Is(err, ErrUnanswered)):
			return err
		default:
			if failed++; failed == 1 {
				wait = followSoon
			} else { // once may be a word lost on the way
				f.trouble(err)
			}
		}
		look := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-word:
			wait = followSoon
		case <-back:
			wait = followSoon
		case <-look.C:
			wait = min(2*wait, followPoll)
		}
		look.Stop()
	}
}

// assured reads, and again when what came is odd: whoever knows an inbox may have sent it. Each
// time the inbox is another, and only what comes several times is believed.
func (f *follower) assured(ctx context.Context, read func(context.Context) error) error {
	pause := followSoon
	for i := 0; ; i++ {
		err := read(ctx)
		odd := (*oddError)(nil)
		if !errors.As(err, &odd) || i == oddTimes {
			return err
		}
		f.trouble(fmt.Errorf("an odd answer, asked for again: %w", odd))
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(pause):
			pause *= 2
		}
	}
}

// fetch reads a batch. That it cannot be read may pass, unless the server forbids it.
func (f *follower) fetch(ctx context.Context, from uint64) ([]message, bool, error) {
	batch, more, err := f.read(ctx, from, f.filter, followBatch)
	return batch, more, passing(err)
}

// passing marks what may pass of the errors of a read.
func passing(err error) error {
	odd := (*oddError)(nil)
	if err == nil || errors.Is(err, ErrDenied) || errors.As(err, &odd) {
		return err
	}
	return &unreadError{err}
}

// catchUp reads until the stream holds no more. What was handed on last is read again each time:
// a stream that was put back to an earlier state and went on otherwise is not the one followed.
func (f *follower) catchUp(ctx context.Context) error {
	if !f.begun && f.held > 0 {
		if err := f.regain(ctx); err != nil {
			return err
		}
	}
	for again := f.begun; ; again = f.begun {
		batch, more, err := f.fetchOn(ctx, again)
		if err != nil {
			return err
		}
		if len(batch) == 0 && again && more { // the last one fills an answer by itself
			batch, more, err = f.fetch(ctx, f.next)
			if err != nil {
				return err
			}
		}
		for _, m := range batch {
			if err := f.take(m); err != nil {
				return err
			}
		}
		if !more {
			return nil
		}
	}
}

// fetchOn reads what comes next, and with again sees to it that what was handed on last is still
// there.
func (f *follower) fetchOn(ctx context.Context, again bool) ([]message, bool, error) {
	if !again {
		return f.fetch(ctx, f.next)
	}
	batch, more, err := f.fetch(ctx, f.held)
	switch {
	case err != nil:
		return nil, false, err
	case len(batch) == 0:
		if err = f.regain(ctx); err == nil {
			err = &unreadError{errLost} // a server that lagged; the next may not
		}
		return nil, false, err
	case batch[0].Sequence != f.held || events.LeafHash(batch[0].Body) != f.hash:
		return nil, false,
			&oddError{fmt.Errorf("%w: sequence %d holds another event than was read there before", ErrGap, f.held)}
	}
	return batch[1:], more, nil
}

// regain waits until the stream holds again what the follower has, if it grows. When it does
// not, its record was put back: the follower knows more.
func (f *follower) regain(ctx context.Context) error {
	patience := backAbroad
	if isGuest(f.nc) {
		patience = backHere
	}
	end, looks, since := uint64(0), 0, time.Now()
	for {
		last, err := f.last(ctx, f.subject())
		switch {
		case err != nil:
			return passing(err)
		case last >= f.held:
			return nil
		case last == 0 || last != end: // it is made again, and grows
			end, looks, since = last, 0, time.Now()
		}
		ends := fmt.Errorf("the stream ends at sequence %d and held %d before", last, f.held)
		switch looks++; {
		case looks > backLooks && time.Since(since) >= patience:
			return fmt.Errorf("%w: %w: its record was put back", ErrGap, ends)
		case looks > 1:
			f.trouble(ends)
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(backPause):
		}
	}
}

// take hands one message on, if it is the one that comes next.
func (f *follower) take(m message) error {
	id, err := identify(m.Body)
	if err != nil {
		return &oddError{fmt.Errorf("stream sequence %d: %w", m.Sequence, err)}
	}
	switch {
	case f.Campaign.IsZero() && m.Sequence != f.next:
		return &oddError{fmt.Errorf("%w: sequence %d where %d was due", ErrGap, m.Sequence, f.next)}
	case !f.Campaign.IsZero() && (id.Campaign != f.Campaign || f.begun && id.Index != f.index):
		return &oddError{fmt.Errorf("%w: index %d of %s where index %d of %s was due",
			ErrGap, id.Index, id.Campaign, f.index, f.Campaign)}
	}
	f.next, f.index, f.begun = m.Sequence+1, id.Index+1, true
	f.held, f.hash = m.Sequence, events.LeafHash(m.Body)
	return f.fn(events.Record{Sequence: m.Sequence, Campaign: id.Campaign, Index: id.Index, Bytes: m.Body})
}
