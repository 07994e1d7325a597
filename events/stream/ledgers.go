package stream

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Found is a ledger whose stream a server has.
type Found struct {
	Ledger ulid.ULID
	Last   uint64 // last sequence of the stream
}

// Streams gives the ledgers whose streams the server has, by their ULIDs. A connection that may
// only read one stream may not ask ([ErrDenied]): the ledger's ULID has to be known then.
func Streams(ctx context.Context, nc *nats.Conn) ([]Found, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return nil, fmt.Errorf("jetstream: %w", err)
	}
	var found []Found
	err = ask(ctx, nc, "$JS.API.STREAM.LIST", func(ctx context.Context) error {
		list := js.ListStreams(ctx)
		for info := range list.Info() {
			ledger, err := ulid.ParseStrict(strings.TrimPrefix(info.Config.Name, "WATU_"))
			if err == nil && info.Config.Name == StreamName(ledger) && foreign(ledger, info.Config.Subjects) == nil {
				found = append(found, Found{Ledger: ledger, Last: info.State.LastSeq})
			}
		}
		return list.Err()
	})
	if errors.Is(err, ErrDenied) {
		return nil, fmt.Errorf("list the streams: %w: name the ledger by its ULID, or connect as someone who may", err)
	}
	slices.SortFunc(found, func(a, b Found) int { return a.Ledger.Compare(b.Ledger) })
	return found, explain("list the streams", err)
}

// Tail calls fn with the published events that w names, in order, up to the last one that the
// stream holds at the call, and returns. A stream that ends before the sequence gives none,
// unless the follower holds that event: then it is waited for, as [Follow] does. The error may
// be [ErrNoStream], [ErrNoLeader], [ErrUnanswered], [ErrNotYet], [ErrGap], or that of fn.
func Tail(ctx context.Context, nc *nats.Conn, w Following, fn func(events.Record) error) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("jetstream: %w", err)
	}
	f := newFollower(nc, w, fn)
	read := f.catchUp
	if !isGuest(nc) { // who may ask, and not only read
		info, err := infoOf(ctx, nc, js, w.Ledger)
		switch {
		case err == nil:
			read = func(ctx context.Context) error { return f.through(ctx, info.State.LastSeq) }
		case !errors.Is(err, ErrDenied):
			return err
		}
	}
	err = f.assured(ctx, read)
	f.trouble(nil)
	return err
}

// through reads up to a sequence that the stream is known to hold. In a cluster a server that
// lags may answer, so it is asked again before the message counts as missing.
func (f *follower) through(ctx context.Context, last uint64) error {
	if !f.begun && f.held > last {
		if err := f.regain(ctx); err != nil {
			return err
		}
		last = f.held
	}
	pause := followSoon
	for f.next <= last {
		batch, _, err := f.fetch(ctx, f.next)
		if err != nil {
			return err
		}
		for _, m := range batch {
			if f.next > last {
				return nil
			}
			if err := f.take(m); err != nil {
				return err
			}
			pause = followSoon
		}
		if len(batch) > 0 {
			continue
		}
		if pause > answerWait {
			return fmt.Errorf("%w: the stream ends at sequence %d and gives nothing from %d on", ErrGap, last, f.next)
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}
