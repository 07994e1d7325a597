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

// ErrGap is wrapped by the error of a follower that was given an event out of its order.
var ErrGap = errors.New("published events are out of order")

const (
	followBatch = 256                   // messages asked for at a time
	followPoll  = 5 * time.Second       // look again, should a word of the feed be lost
	followSoon  = 50 * time.Millisecond // look again after a word: a server that lags may have answered
)

// Follow calls fn with the published events of a campaign, or of all campaigns for the zero
// ULID, in order: those from the given sequence on, then those to come. It returns when ctx
// ends, fn fails, the connection is closed or may not read ([ErrDenied]), the stream does not
// exist at the call ([ErrNoStream]), or an event is out of its order ([ErrGap]). A stream that
// is made again meanwhile, a server that restarts, a cluster that changes its leader, and a
// connection that comes back are waited for: nothing is left out and nothing comes twice.
func Follow(ctx context.Context, nc *nats.Conn, ledger, campaign ulid.ULID, from uint64, fn func(events.Record) error) error {
	f := follower{campaign: campaign, next: max(1, from), fn: fn}
	if !campaign.IsZero() {
		f.filter = allSubjects(ledger, "log", campaign)
	}
	// The feed comes after the log, so a word of it means that there is something to read.
	// It is subscribed to before the first reading: nothing falls between the two.
	word := make(chan struct{}, 1)
	feed, err := nc.Subscribe(allSubjects(ledger, "feed", campaign), func(*nats.Msg) {
		select {
		case word <- struct{}{}:
		default:
		}
	})
	if err != nil {
		return fmt.Errorf("follow: %w", err)
	}
	defer func() { _ = feed.Unsubscribe() }()
	r, err := newReader(nc, StreamName(ledger))
	if err != nil {
		return err
	}
	defer r.close()
	return f.follow(ctx, r, word)
}

func (f *follower) follow(ctx context.Context, r *reader, word <-chan struct{}) error {
	wait, failed := followPoll, false
	for read := false; ; {
		err := f.catchUp(ctx, r)
		unread := (*unreadError)(nil)
		switch passing := errors.As(err, &unread); {
		case err == nil:
			read, failed = true, false
		case passing && ctx.Err() != nil:
			return ctx.Err()
		case !passing || r.nc.IsClosed() || !read && !f.begun && errors.Is(err, ErrNoStream):
			return err
		case !failed:
			wait, failed = followSoon, true
		}
		look := time.NewTimer(wait)
		select {
		case <-ctx.Done():
		case <-word:
			wait = followSoon
		case <-look.C:
			wait = min(2*wait, followPoll)
		}
		look.Stop()
	}
}

// follower is a place in the stream.
type follower struct {
	campaign ulid.ULID
	filter   string
	next     uint64 // sequence to read from
	index    uint64 // index that comes next in the campaign, once begun
	begun    bool
	last     uint64      // sequence of what was handed on last, once begun
	hash     events.Hash // and its hash
	fn       func(events.Record) error
}

// unreadError is a failure to read, which may pass, and not one of what was read.
type unreadError struct{ error }

func (e *unreadError) Unwrap() error { return e.error }

// catchUp reads until the stream holds no more. What was handed on last is read again each time:
// a stream that was put back to an earlier state and went on otherwise is not the one followed.
func (f *follower) catchUp(ctx context.Context, r *reader) error {
	for {
		from := f.next
		if f.begun {
			from = f.last
		}
		batch, err := r.read(ctx, from, f.filter, followBatch)
		switch {
		case errors.Is(err, ErrDenied), errors.Is(err, errAnswer):
			return err
		case err != nil:
			return &unreadError{err}
		}
		if len(batch) > 0 && f.begun {
			if batch[0].Sequence != f.last || events.LeafHash(batch[0].Body) != f.hash {
				return fmt.Errorf("%w: sequence %d holds another event than was read there before", ErrGap, f.last)
			}
			batch = batch[1:]
		}
		if len(batch) == 0 {
			return nil
		}
		for _, m := range batch {
			if err := f.take(m); err != nil {
				return err
			}
		}
	}
}

// take hands one message on, if it is the one that comes next.
func (f *follower) take(m message) error {
	id, err := identify(m.Body)
	if err != nil {
		return fmt.Errorf("stream sequence %d: %w", m.Sequence, err)
	}
	switch {
	case f.campaign.IsZero() && m.Sequence != f.next:
		return fmt.Errorf("%w: sequence %d where %d was due", ErrGap, m.Sequence, f.next)
	case !f.campaign.IsZero() && (id.Campaign != f.campaign || f.begun && id.Index != f.index):
		return fmt.Errorf("%w: index %d of %s where index %d of %s was due",
			ErrGap, id.Index, id.Campaign, f.index, f.campaign)
	}
	f.next, f.index, f.begun = m.Sequence+1, id.Index+1, true
	f.last, f.hash = m.Sequence, events.LeafHash(m.Body)
	return f.fn(events.Record{Sequence: m.Sequence, Campaign: id.Campaign, Index: id.Index, Bytes: m.Body})
}
