package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

const (
	// samples is how many messages between the first and the tail are compared.
	samples = 64
	// tail is how many last messages are all compared: more than ever were under way, since
	// what an outbox had no acknowledgement of is what may be amiss.
	tail = groupSize * (groupsFlying + 2)
)

// Compare reports how the stream stands to the record and changes nothing: InStep, Resumed
// (a clean prefix), New (there is none), Damaged, Longer or Other. A stream that is someone
// else's is an error, [ErrForeign].
func Compare(ctx context.Context, nc *nats.Conn, log Log) (Report, error) {
	c, err := newComparison(nc, log)
	if err != nil {
		return Report{}, err
	}
	return c.compare(ctx)
}

// comparison looks at one stream and one record.
type comparison struct {
	nc       *nats.Conn
	js       jetstream.JetStream
	log      Log
	name     string
	replicas int    // asked for; 0 leaves it as it is
	lease    *Lease // nil where no other host can have the ledger
}

func newComparison(nc *nats.Conn, log Log) (comparison, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return comparison{}, fmt.Errorf("jetstream: %w", err)
	}
	return comparison{nc: nc, js: js, log: log, name: StreamName(log.ID())}, nil
}

// config is the stream's configuration: it keeps everything, and lets nobody take any away.
func (c *comparison) config() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:        c.name,
		Description: "watu: published events of a ledger, in its order",
		Subjects:    []string{everySubject(c.log.ID())},
		Storage:     jetstream.FileStorage,
		Retention:   jetstream.LimitsPolicy,
		MaxMsgs:     -1, MaxBytes: -1, MaxMsgSize: -1, MaxMsgsPerSubject: -1, MaxConsumers: -1,
		DenyDelete: true, DenyPurge: true,
		AllowDirect: true,
		Replicas:    max(1, c.replicas),
	}
}

// compare judges the stream by its figures and a sample of its messages, and by all of them
// before it says anything but good.
func (c *comparison) compare(ctx context.Context) (Report, error) {
	info, err := c.led(ctx)
	if errors.Is(err, ErrNoStream) {
		return Report{State: New, Durable: c.log.Durable()}, nil
	}
	if err != nil {
		return Report{}, err
	}
	// The record is asked last: whatever was published was durable before, also what is still
	// on its way from a connection that was lost.
	durable, last := c.log.Durable(), info.State.LastSeq
	report := Report{State: Resumed, Published: last, Last: last, Durable: durable}
	if last == durable {
		report.State = InStep
	}
	was := c.amiss(info)
	if was == "" && last <= durable {
		clean, err := c.sample(ctx, last)
		if clean || err != nil {
			return report, err
		}
	}
	return c.examine(ctx, info, was, report)
}

// led asks for the figures of the stream, and waits for a cluster that is choosing a leader:
// another's figures may lag, and nothing can be published meanwhile.
func (c *comparison) led(ctx context.Context) (*jetstream.StreamInfo, error) {
	for begun := time.Now(); ; {
		info, err := infoOf(ctx, c.nc, c.js, c.log.ID())
		switch {
		case err != nil || !leaderless(info):
			return info, err
		case time.Since(begun) > answerWait:
			return nil, fmt.Errorf("ask for stream %s: %w", c.name, ErrNoLeader)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(100 * time.Millisecond):
		}
	}
}

// amiss says what is wrong with the stream's own figures and settings.
func (c *comparison) amiss(info *jetstream.StreamInfo) string {
	if was := shapeOf(info.State); was != "" {
		return was
	}
	return c.leak(info.Config)
}

// shapeOf judges the stream's own figures.
func shapeOf(s jetstream.StreamState) string {
	switch {
	case s.Msgs == 0 && s.LastSeq > 0:
		return fmt.Sprintf("the stream was emptied: it stands at sequence %d and holds nothing", s.LastSeq)
	case s.LastSeq > 0 && s.FirstSeq != 1:
		return fmt.Sprintf("the stream begins at sequence %d", s.FirstSeq)
	case s.Msgs != s.LastSeq || s.NumDeleted != 0:
		return fmt.Sprintf("the stream has holes: it holds %d messages up to sequence %d", s.Msgs, s.LastSeq)
	}
	return ""
}

// leak says by which setting the stream could lose or mix messages.
func (c *comparison) leak(got jetstream.StreamConfig) string {
	want := c.config()
	switch {
	case !got.DenyDelete || !got.DenyPurge:
		return "the stream allowed messages to be deleted or purged"
	case got.MaxMsgs > 0 || got.MaxBytes > 0 || got.MaxAge > 0 || got.MaxMsgsPerSubject > 0 || got.MaxMsgSize > 0:
		return "the stream had limits, by which messages go"
	case got.Storage != want.Storage || got.Retention != want.Retention || !got.AllowDirect || got.NoAck:
		return "the stream was configured by someone else"
	case got.Mirror != nil || len(got.Sources) > 0 || got.SubjectTransform != nil:
		return "the stream took messages from elsewhere"
	}
	return ""
}

// sample compares the first message, some after it, and the tail with the record, and reports
// whether all of them were there and the same. In a cluster a server that lags may answer, so
// that no is not the last word.
func (c *comparison) sample(ctx context.Context, last uint64) (bool, error) {
	if last == 0 {
		return true, nil
	}
	r := newReader(c.nc, c.name)
	end := last - min(last, tail)
	for _, sequence := range spread(end) {
		if clean, err := c.stretch(ctx, r, sequence, sequence); !clean || err != nil {
			return false, err
		}
	}
	return c.stretch(ctx, r, end+1, last)
}

// stretch compares the messages from one sequence to another, both included.
func (c *comparison) stretch(ctx context.Context, r *reader, from, to uint64) (bool, error) {
	var batch []message
	next := from
	for record, err := range c.log.After(from - 1) {
		switch {
		case err != nil:
			return false, fmt.Errorf("record behind sequence %d: %w", next-1, err)
		case record.Sequence != next:
			return false, fmt.Errorf("the record gives sequence %d where %d is due", record.Sequence, next)
		}
		if len(batch) == 0 {
			if batch, _, err = r.read(ctx, next, "", int(min(to-next+1, followBatch))); err != nil {
				return false, err
			}
		}
		if len(batch) == 0 || batch[0].Sequence != next || !bytes.Equal(batch[0].Body, record.Bytes) {
			return false, nil
		}
		if clean, err := c.placed(batch[0]); !clean || err != nil || next == to {
			return clean, err
		}
		batch, next = batch[1:], next+1
	}
	return false, fmt.Errorf("the record ends before its durable sequence %d", to)
}

// placed reports whether a message that holds the record's bytes has the subject that is due.
func (c *comparison) placed(m message) (bool, error) {
	id, err := identify(m.Body)
	if err != nil {
		return false, fmt.Errorf("record at sequence %d: %w", m.Sequence, err)
	}
	return m.Subject == LogSubject(c.log.ID(), id.Campaign, id.Type), nil
}

// spread gives 1, last, and up to samples sequences evenly between, rising, none twice;
// nothing for 0.
func spread(last uint64) []uint64 {
	if last == 0 {
		return nil
	}
	var at []uint64
	// 1 + (last-1)·i/(samples+1), written so that it does not overflow.
	whole, part := (last-1)/(samples+1), (last-1)%(samples+1)
	for i := uint64(0); i <= samples+1; i++ {
		s := 1 + whole*i + part*i/(samples+1)
		if len(at) == 0 || at[len(at)-1] != s {
			at = append(at, s)
		}
	}
	return at
}
