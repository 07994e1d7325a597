package stream

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"

	"github.com/watu-ledger/watu/events"
)

// The window bounds what was sent and is not acknowledged. The server queues 10,000
// messages and 128 MB for a stream and drops the rest.
const (
	groupSize    = 64      // records that are sent and settled together
	groupBytes   = 1 << 20 // their bytes, about
	groupsFlying = 32      // groups sent and not settled
)

// window is one run of publishing: from a sequence on which stream and record agree, to the
// first error. Acknowledgements come in the order of the records.
type window struct {
	*Outbox
	acks    chan *nats.Msg
	flying  chan []events.Record // groups sent, oldest first
	out     nats.Msg             // reused: the connection copies what it sends
	lastIs  []string             // the value of its one header
	stored  []byte               // how an acknowledgement begins, but for its sequence
	patient *time.Timer
}

// publish sends all records behind the sequence after, and what becomes durable, until ctx
// ends or something fails. It never returns nil.
func (o *Outbox) publish(ctx context.Context, after uint64) error {
	w := &window{
		Outbox: o, lastIs: []string{""},
		flying:  make(chan []events.Record, groupsFlying),
		acks:    make(chan *nats.Msg, groupSize*(groupsFlying+2)),
		stored:  []byte(`{"stream":"` + o.name + `","seq":`),
		patient: time.NewTimer(o.opts.AckWait),
	}
	// An inbox of its own: an acknowledgement of an earlier window means nothing here.
	acks, err := o.nc.ChanSubscribe(o.nc.NewInbox(), w.acks)
	if err != nil {
		return err
	}
	defer func() { _ = acks.Unsubscribe() }()
	w.out = nats.Msg{Header: nats.Header{nats.ExpectedLastSeqHdr: w.lastIs}, Reply: acks.Subject}
	ctx, stop := context.WithCancelCause(ctx)
	settled := make(chan struct{})
	go func() {
		defer close(settled)
		stop(w.settle(ctx))
	}()
	stop(w.send(ctx, after))
	<-settled
	return context.Cause(ctx)
}

// send follows the record.
func (w *window) send(ctx context.Context, after uint64) error {
	for {
		durable, err := w.log.Wait(ctx, after)
		if err != nil {
			return fmt.Errorf("wait for the record: %w", err)
		}
		if after, err = w.sendThrough(ctx, after, durable); err != nil {
			return err
		}
	}
}

// sendThrough sends the records behind after up to durable, and gives the last one's
// sequence.
func (w *window) sendThrough(ctx context.Context, after, durable uint64) (uint64, error) {
	var group []events.Record
	size := 0
	for r, err := range w.log.After(after) {
		switch {
		case err != nil:
			return after, fmt.Errorf("read the record behind %d: %w", after, err)
		case r.Sequence != after+1:
			return after, fmt.Errorf("the record gives sequence %d behind %d", r.Sequence, after)
		}
		group, size = append(group, r), size+len(r.Bytes)
		full := len(group) == groupSize || size >= groupBytes || r.Sequence == durable
		if full {
			select {
			case w.flying <- group:
			case <-ctx.Done():
				return after, ctx.Err()
			}
			group, size = nil, 0
		}
		if err := w.sendOne(r); err != nil {
			return after, err
		}
		if after = r.Sequence; after == durable {
			return after, nil
		}
	}
	return after, fmt.Errorf("the read of the record stopped at event %d, but %d are durable", after, durable)
}

// sendOne sends one record. The header makes the server refuse it unless it comes next.
func (w *window) sendOne(r events.Record) error {
	if w.lease != nil {
		if err := w.lease.Valid(); err != nil {
			return fmt.Errorf("publish sequence %d: %w", r.Sequence, err)
		}
	}
	id, err := identify(r.Bytes)
	if err != nil {
		return fmt.Errorf("record at sequence %d: %w", r.Sequence, err)
	}
	w.lastIs[0] = strconv.FormatUint(r.Sequence-1, 10)
	w.out.Subject, w.out.Data = LogSubject(w.log.ID(), id.Campaign, id.Type), r.Bytes
	err = w.nc.PublishMsg(&w.out)
	switch {
	case errors.Is(err, nats.ErrMaxPayload):
		return fmt.Errorf("publish sequence %d: its %d bytes are too many for the server, whose max_payload is %d: %w",
			r.Sequence, len(r.Bytes), w.nc.MaxPayload(), err)
	case err != nil:
		return fmt.Errorf("publish sequence %d: %w", r.Sequence, err)
	}
	return nil
}

// settle takes the acknowledgements of one group after another, and then feeds the group.
func (w *window) settle(ctx context.Context) error {
	for {
		var group []events.Record
		select {
		case <-ctx.Done():
			return ctx.Err()
		case group = <-w.flying:
		}
		w.patient.Reset(w.opts.AckWait)
		for _, r := range group {
			// Each is asked for: had someone else put a message in the place of one of ours,
			// only that one would be refused.
			if err := w.await(ctx, r.Sequence); err != nil {
				return err
			}
		}
		last := group[len(group)-1]
		if w.lease != nil {
			w.lease.reached(last)
		}
		w.change(func(s *Status) { s.Published, s.Trouble = last.Sequence, "" })
		if err := w.feed(group); err != nil {
			return err
		}
	}
}

var errAckLost = errors.New("acknowledgement lost")

// await takes the next acknowledgement, which must be that of the given sequence.
func (w *window) await(ctx context.Context, sequence uint64) error {
	select {
	case m := <-w.acks:
		if !w.plain(m.Data, sequence) {
			return w.judge(m, sequence)
		}
		return nil
	case <-w.patient.C:
		return fmt.Errorf("sequence %d: %w", sequence, errAckLost)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// plain reports whether an acknowledgement is, to the byte, the one that is due, so that
// nothing needs to be parsed.
func (w *window) plain(ack []byte, sequence uint64) bool {
	rest, ok := bytes.CutPrefix(ack, w.stored)
	if !ok {
		return false
	}
	var due [21]byte
	return bytes.Equal(rest, append(strconv.AppendUint(due[:0], sequence, 10), '}'))
}

// judge reads an acknowledgement in full.
func (w *window) judge(m *nats.Msg, sequence uint64) error {
	var ack struct {
		Stream   string         `json:"stream"`
		Sequence uint64         `json:"seq"`
		Error    *nats.APIError `json:"error"`
	}
	if m.Header.Get("Status") == "503" {
		return fmt.Errorf("sequence %d: %w", sequence, ErrUnanswered)
	}
	if err := json.Unmarshal(m.Data, &ack); err != nil {
		return fmt.Errorf("sequence %d: acknowledgement: %w", sequence, err)
	}
	switch {
	case ack.Error != nil && ack.Error.Description == fmt.Sprint("wrong last sequence: ", sequence-1):
		// The refused one came after it.
		return fmt.Errorf("sequence %d: %w", sequence, ErrNotStored)
	case ack.Error != nil: // 10071: another message came in between
		return fmt.Errorf("sequence %d refused: %w", sequence, ack.Error)
	case ack.Stream != w.name || ack.Sequence != sequence:
		return fmt.Errorf("sequence %d was stored as %d of %s", sequence, ack.Sequence, ack.Stream)
	}
	return nil
}

// feed publishes the JSON views of records that the stream holds. The feed is a courtesy: an
// event that has no view, or one too large for the server, is logged and passed over. An
// error is one of the connection.
func (w *window) feed(group []events.Record) error {
	for _, r := range group {
		subject, body, err := w.view(r)
		if err == nil && subject != "" {
			err = w.nc.Publish(subject, body)
			if err != nil && !errors.Is(err, nats.ErrMaxPayload) {
				return fmt.Errorf("feed sequence %d: %w", r.Sequence, err)
			}
		}
		if err != nil {
			w.opts.Logf("stream %s: no feed of sequence %d: %v", w.name, r.Sequence, err)
		}
	}
	return nil
}

// view gives the feed message of a record; no subject means that nobody wants it.
func (w *window) view(r events.Record) (subject string, body []byte, err error) {
	id, err := identify(r.Bytes)
	if err != nil {
		return "", nil, err
	}
	subject = FeedSubject(w.log.ID(), id.Campaign, id.Type)
	if w.opts.Heard != nil && !w.opts.Heard(subject) {
		return "", nil, nil
	}
	e, err := events.Decode(r.Bytes)
	if err != nil {
		return "", nil, err
	}
	view := events.ViewOf(&e, r.Hash())
	view.Sequence = r.Sequence
	body, err = json.Marshal(view)
	return subject, body, err
}
