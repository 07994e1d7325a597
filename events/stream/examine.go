package stream

import (
	"bytes"
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"iter"
	"strconv"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/watu-ledger/watu/events"
)

// examine looks at every message that the stream holds, since a stream that is not clean is
// deleted unless it knows something: was says what is amiss already, report what holds when
// nothing is. Bytes that are no event are damage, and so is a message that cannot be read; an
// event that the record does not hold there is knowledge.
func (c *comparison) examine(ctx context.Context, info *jetstream.StreamInfo, was string,
	report Report) (Report, error) {
	e := examination{comparison: c, report: report, was: was}
	if info.State.Msgs > 0 {
		if err := e.all(ctx, info.State.FirstSeq, info.State.LastSeq); err != nil {
			return Report{}, err
		}
	}
	switch {
	case e.report.Diverged():
		e.report.Published = e.report.At - 1
	case e.was != "":
		e.report.State, e.report.Was, e.report.Published = Damaged, e.was, 0
	}
	return e.report, nil
}

// examination is what was found so far.
type examination struct {
	*comparison
	report Report
	was    string // the first damage
}

func (e *examination) all(ctx context.Context, first, last uint64) error {
	record, stop := iter.Pull2(e.log.After(first - 1))
	defer stop()
	for m, err := range stored(ctx, e.nc, e.name, first, last) {
		if err != nil {
			return err
		}
		if m.Sequence > e.report.Durable {
			if e.beyond(m) {
				return nil
			}
			continue
		}
		r, err, more := record()
		switch {
		case !more:
			return fmt.Errorf("the record ends before its durable sequence %d", e.report.Durable)
		case err != nil:
			return fmt.Errorf("record behind sequence %d: %w", m.Sequence-1, err)
		case r.Sequence != m.Sequence:
			return fmt.Errorf("the record gives sequence %d where %d is due", r.Sequence, m.Sequence)
		}
		if other, err := e.differs(m, r); other || err != nil {
			return err
		}
	}
	return nil
}

// differs notes what is wrong with a message of a sequence that the record has, and reports
// whether it is another event.
func (e *examination) differs(m message, r events.Record) (bool, error) {
	if m.Body != nil && bytes.Equal(m.Body, r.Bytes) {
		placed, err := e.placed(m)
		if !placed && err == nil {
			e.damage("message %d of the stream has the subject %s", m.Sequence, m.Subject)
		}
		return false, err
	}
	if !e.isEvent(m) {
		return false, nil
	}
	e.report.State, e.report.At = Other, m.Sequence
	e.report.Stream, e.report.Record = events.LeafHash(m.Body), r.Hash()
	e.report.Was = fmt.Sprintf("message %d of the stream is another event than the record's: hash %s, not %s",
		m.Sequence, e.report.Stream, e.report.Record)
	return true, nil
}

// beyond notes what is wrong with a message behind the end of the record, and reports whether
// it is an event.
func (e *examination) beyond(m message) bool {
	if !e.isEvent(m) {
		return false
	}
	e.report.State, e.report.At, e.report.Stream = Longer, m.Sequence, events.LeafHash(m.Body)
	e.report.Was = fmt.Sprintf("the stream goes on to sequence %d, the record ends at %d", e.report.Last,
		e.report.Durable)
	return true
}

// isEvent reports whether a message holds an event, and notes the damage when not.
func (e *examination) isEvent(m message) bool {
	if m.Body == nil {
		e.damage("message %d of the stream cannot be read", m.Sequence)
		return false
	}
	// Decode takes bytes that are cut between two fields, even none.
	_, err := events.Decode(m.Body)
	if _, unnamed := identify(m.Body); err != nil || unnamed != nil {
		e.damage("message %d of the stream holds bytes that are no event", m.Sequence)
		return false
	}
	return true
}

func (e *examination) damage(format string, args ...any) {
	if e.was == "" {
		e.was = fmt.Sprintf(format, args...)
	}
}

// storedBatch is how many messages are asked for at a time.
const storedBatch = 256

// stored gives what a stream holds at each sequence from first to last, in order; Body is nil
// where it holds nothing that can be read. Unlike [reader.read] it asks the leader of a
// cluster, which has all that was ever acknowledged, and it can ask any stream.
func stored(ctx context.Context, nc *nats.Conn, name string, first, last uint64) iter.Seq2[message, error] {
	return func(yield func(message, error) bool) {
		for from := first; from <= last; from += storedBatch {
			batch, err := storedFew(ctx, nc, name, from, min(last, from+storedBatch-1))
			if err != nil {
				yield(message{}, explain(fmt.Sprintf("read %s from %d", name, from), err))
				return
			}
			for _, m := range batch {
				if !yield(m, nil) {
					return
				}
			}
		}
	}
}

// storedFew asks for one message after the other and then takes the answers, which come in any
// order.
func storedFew(ctx context.Context, nc *nats.Conn, name string, first, last uint64) ([]message, error) {
	subject := "$JS.API.STREAM.MSG.GET." + name
	ctx, off := undenied(ctx, nc, subject)
	defer off()
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	inbox := inboxPrefix(nc) + rand.Text() + "."
	sub, err := nc.SubscribeSync(inbox + "*")
	if err != nil {
		return nil, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	places := map[string]uint64{} // by the inbox of its own that each request has
	for sequence := first; sequence <= last; sequence++ {
		own := inbox + rand.Text()
		places[own] = sequence - first
		request := strconv.AppendUint([]byte(`{"seq":`), sequence, 10)
		if err := nc.PublishRequest(subject, own, append(request, '}')); err != nil {
			return nil, err
		}
	}
	batch := make([]message, last-first+1)
	for range batch {
		m, err := sub.NextMsgWithContext(ctx)
		if err != nil {
			return nil, caused(ctx, err)
		}
		at, asked := places[m.Subject]
		if !asked {
			return nil, fmt.Errorf("an answer on %s", m.Subject)
		}
		delete(places, m.Subject)
		if batch[at], err = storedOne(m.Data, first+at); err != nil {
			return nil, err
		}
	}
	return batch, nil
}

// storedOne reads one answer; a message that is not there has no body.
func storedOne(answer []byte, sequence uint64) (message, error) {
	var got struct {
		Error   *jetstream.APIError `json:"error"`
		Message *struct {
			Subject string `json:"subject"`
			Data    []byte `json:"data"`
		} `json:"message"`
	}
	if err := json.Unmarshal(answer, &got); err != nil {
		return message{}, fmt.Errorf("message %d: %w", sequence, err)
	}
	switch {
	case got.Error != nil && got.Error.ErrorCode == jetstream.JSErrCodeMessageNotFound:
		return message{Sequence: sequence}, nil
	case got.Error != nil:
		return message{}, got.Error
	case got.Message == nil:
		return message{}, fmt.Errorf("message %d: an empty answer", sequence)
	}
	m := message{Sequence: sequence, Subject: got.Message.Subject, Body: got.Message.Data}
	if m.Body == nil {
		m.Body = []byte{} // stored, and empty
	}
	return m, nil
}
