package stream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// State says how a stream stood to the record.
type State string

// The states of a stream.
const (
	InStep   State = "in step"  // it held all that was durable
	Resumed  State = "resumed"  // it was a clean prefix of the record
	Rebuilt  State = "rebuilt"  // it was not, and is deleted and made again
	New      State = "new"      // there was none
	Diverged State = "diverged" // it is not a clean prefix; given by Compare alone
)

// Report says what a comparison of stream and record found.
type Report struct {
	State     State
	Was       string // what was wrong, in a sentence; empty unless Rebuilt or Diverged
	Published uint64 // sequence up to which the stream now agrees with the record
	Durable   uint64 // sequence up to which the record was durable
}

// String says it in a line.
func (r Report) String() string {
	line := fmt.Sprintf("%s, %d of %d events published", r.State, r.Published, r.Durable)
	if r.Was != "" {
		line += ": " + r.Was
	}
	return line
}

const (
	// samples is how many messages between the first and the tail are compared.
	samples = 64
	// tail is how many last messages are all compared: more than ever were under way, since
	// what an outbox had no acknowledgement of is what may be amiss.
	tail = groupSize * (groupsFlying + 2)
)

// Compare tells how the stream stands to the record and changes nothing: InStep, Resumed
// (a clean prefix), New (there is none) or Diverged.
func Compare(ctx context.Context, nc *nats.Conn, log Log) (Report, error) {
	js, err := jetstream.New(nc)
	if err != nil {
		return Report{}, fmt.Errorf("jetstream: %w", err)
	}
	c := comparison{nc: nc, js: js, log: log, name: StreamName(log.ID())}
	return c.compare(ctx)
}

// comparison looks at one stream and one record.
type comparison struct {
	nc   *nats.Conn
	js   jetstream.JetStream
	log  Log
	name string
}

// config is the stream's configuration: it keeps everything, and lets nobody take any away.
func (c *comparison) config() jetstream.StreamConfig {
	return jetstream.StreamConfig{
		Name:        c.name,
		Description: "watu: published events of a ledger, in its order",
		Subjects:    []string{allSubjects(c.log.ID(), "log", ulid.ULID{})},
		Storage:     jetstream.FileStorage,
		Retention:   jetstream.LimitsPolicy,
		MaxMsgs:     -1, MaxBytes: -1, MaxMsgSize: -1, MaxMsgsPerSubject: -1, MaxConsumers: -1,
		DenyDelete: true, DenyPurge: true,
		AllowDirect: true,
		Replicas:    1,
	}
}

func (c *comparison) compare(ctx context.Context) (Report, error) {
	durable := c.log.Durable()
	ctx, cancel := context.WithTimeout(ctx, 4*answerWait)
	defer cancel()
	s, err := c.js.Stream(ctx, c.name)
	if errors.Is(err, jetstream.ErrStreamNotFound) {
		return Report{State: New, Durable: durable}, nil
	}
	if err != nil {
		return Report{}, fmt.Errorf("ask for stream %s: %w", c.name, err)
	}
	info := s.CachedInfo() // asked for by Stream just now
	was, err := c.difference(ctx, info, durable)
	switch {
	case err != nil:
		return Report{}, err
	case was != "":
		return Report{State: Diverged, Was: was, Durable: durable}, nil
	case info.State.LastSeq == durable:
		return Report{State: InStep, Published: durable, Durable: durable}, nil
	}
	return Report{State: Resumed, Published: info.State.LastSeq, Durable: durable}, nil
}

// difference says in a sentence why the stream is no clean prefix of the record, or nothing.
func (c *comparison) difference(ctx context.Context, info *jetstream.StreamInfo, durable uint64) (string, error) {
	if was := shapeOf(info.State, durable); was != "" {
		return was, nil
	}
	if was := c.leak(info.Config); was != "" {
		return was, nil
	}
	if info.State.LastSeq == 0 {
		return "", nil
	}
	return c.sample(ctx, info.State.LastSeq)
}

// shapeOf judges the stream's own figures.
func shapeOf(s jetstream.StreamState, durable uint64) string {
	switch {
	case s.LastSeq > durable:
		return fmt.Sprintf("the stream goes on to sequence %d, the record ends at %d", s.LastSeq, durable)
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
	case len(got.Subjects) != 1 || got.Subjects[0] != want.Subjects[0]:
		return fmt.Sprintf("the stream's subjects are %q", got.Subjects)
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

// sample compares subject and bytes of the first message, of some after it, and of the tail.
func (c *comparison) sample(ctx context.Context, last uint64) (string, error) {
	r, err := newReader(c.nc, c.name)
	if err != nil {
		return "", err
	}
	defer r.close()
	end := last - min(last, tail)
	for _, sequence := range spread(end) {
		if was, err := c.stretch(ctx, r, sequence, sequence); was != "" || err != nil {
			return was, err
		}
	}
	return c.stretch(ctx, r, end+1, last)
}

// stretch compares the messages from one sequence to another, both included.
func (c *comparison) stretch(ctx context.Context, r *reader, from, to uint64) (string, error) {
	var batch []message
	next := from
	for record, err := range c.log.After(from - 1) {
		switch {
		case err != nil:
			return "", fmt.Errorf("record behind sequence %d: %w", next-1, err)
		case record.Sequence != next:
			return "", fmt.Errorf("the record gives sequence %d where %d is due", record.Sequence, next)
		}
		if len(batch) == 0 {
			if batch, err = r.read(ctx, next, "", int(min(to-next+1, followBatch))); err != nil {
				return "", err
			}
		}
		if len(batch) == 0 || batch[0].Sequence != next {
			return fmt.Sprintf("message %d of the stream cannot be read", next), nil
		}
		if was, err := c.same(batch[0], record); was != "" || err != nil || next == to {
			return was, err
		}
		batch, next = batch[1:], next+1
	}
	return "", fmt.Errorf("the record ends before its durable sequence %d", to)
}

// same compares one message with its record.
func (c *comparison) same(m message, r events.Record) (string, error) {
	if !bytes.Equal(m.Body, r.Bytes) {
		return fmt.Sprintf("message %d of the stream holds other bytes than the record: hash %s, not %s",
			m.Sequence, events.LeafHash(m.Body), r.Hash()), nil
	}
	id, err := identify(r.Bytes)
	if err != nil {
		return "", fmt.Errorf("record at sequence %d: %w", r.Sequence, err)
	}
	if m.Subject != LogSubject(c.log.ID(), id.Campaign, id.Type) {
		return fmt.Sprintf("message %d of the stream has the subject %s", m.Sequence, m.Subject), nil
	}
	return "", nil
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

// align makes the stream a clean prefix of the record: it is made when missing, kept when
// clean, and made again otherwise.
func (c *comparison) align(ctx context.Context) (Report, error) {
	report, err := c.compare(ctx)
	switch {
	case err != nil:
		return report, err
	case report.State == Diverged:
		report.State = Rebuilt
		return report, c.remake(ctx, true)
	case report.State == New:
		return report, c.remake(ctx, false)
	}
	return report, nil
}

// remake makes an empty stream, in the place of one that is there. The server removes the
// files of a deleted stream in the background: a stream of the same name that is made at
// that moment may fail, or come back with the old messages (nats-server 2.15.2). So it is
// deleted and made until it is empty.
func (c *comparison) remake(ctx context.Context, there bool) error {
	ctx, cancel := context.WithTimeout(ctx, 4*answerWait)
	defer cancel()
	pause := 5 * time.Millisecond
	for {
		if there {
			if err := c.js.DeleteStream(ctx, c.name); err != nil && !errors.Is(err, jetstream.ErrStreamNotFound) {
				return fmt.Errorf("delete stream %s: %w", c.name, err)
			}
		}
		there = true
		s, err := c.js.CreateStream(ctx, c.config())
		if err == nil && s.CachedInfo().State.LastSeq == 0 && c.leak(s.CachedInfo().Config) == "" {
			return nil
		}
		select {
		case <-time.After(pause):
			pause *= 2
		case <-ctx.Done():
			if err == nil {
				err = errors.New("it keeps coming back with messages")
			}
			return fmt.Errorf("create stream %s: %w", c.name, err)
		}
	}
}
