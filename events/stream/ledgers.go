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

// Tail calls fn with the published events of a ledger from a sequence on, in order, up to the
// last one that the stream holds at the call, and returns. A stream that ends before the
// sequence gives none. The error may be [ErrNoStream], [ErrGap], or that of fn.
func Tail(ctx context.Context, nc *nats.Conn, ledger ulid.ULID, from uint64, fn func(events.Record) error) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return fmt.Errorf("jetstream: %w", err)
	}
	info, err := infoOf(ctx, nc, js, ledger)
	if err != nil && !errors.Is(err, ErrDenied) {
		return err
	}
	r, err := newReader(nc, StreamName(ledger))
	if err != nil {
		return err
	}
	defer r.close()
	f := follower{next: max(1, from), fn: fn}
	if info == nil { // a guest, who may read and not ask
		return f.catchUp(ctx, r)
	}
	return f.through(ctx, r, info.State.LastSeq)
}

// through reads up to a sequence that the stream is known to hold. In a cluster a server that
// lags may answer, so it is asked again before the message counts as missing.
func (f *follower) through(ctx context.Context, r *reader, last uint64) error {
	pause := followSoon
	for f.next <= last {
		batch, err := r.read(ctx, f.next, f.filter, int(min(last-f.next+1, followBatch)))
		if err != nil {
			return err
		}
		for _, m := range batch {
			if err := f.take(m); err != nil {
				return err
			}
			pause = followSoon
		}
		if len(batch) > 0 {
			continue
		}
		if pause > followPoll {
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
