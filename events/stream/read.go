package stream

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go"
)

// ErrNoStream is wrapped by the error of a reader whose stream does not exist.
var ErrNoStream = errors.New("no such stream")

// answerWait bounds the wait for one answer of the server.
const answerWait = 5 * time.Second

// message is one message as the stream keeps it.
type message struct {
	Sequence uint64
	Subject  string
	Body     []byte
}

// reader reads a stream by direct gets: requests that create nothing on the server.
type reader struct {
	nc    *nats.Conn
	name  string
	inbox string
	sub   *nats.Subscription
	asked uint64
}

// newReader makes a reader of the named stream, which the caller closes.
func newReader(nc *nats.Conn, name string) (*reader, error) {
	r := &reader{nc: nc, name: name, inbox: nc.NewInbox() + "."}
	sub, err := nc.SubscribeSync(r.inbox + "*")
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	r.sub = sub
	return r, nil
}

func (r *reader) close() { _ = r.sub.Unsubscribe() }

type getRequest struct {
	Sequence uint64 `json:"seq"`
	Subject  string `json:"next_by_subj,omitempty"`
	Batch    int    `json:"batch"`
}

// read gives up to limit messages from a sequence on, in order: those that match filter, or
// all for "". None is no error; ErrNoStream is.
func (r *reader) read(ctx context.Context, from uint64, filter string, limit int) ([]message, error) {
	request, err := json.Marshal(getRequest{Sequence: from, Subject: filter, Batch: limit})
	if err != nil {
		return nil, err
	}
	r.asked++
	// Answers to an earlier request that was given up arrive on another subject.
	inbox := r.inbox + strconv.FormatUint(r.asked, 10)
	if err := r.nc.PublishRequest("$JS.API.DIRECT.GET."+r.name, inbox, request); err != nil {
		return nil, fmt.Errorf("read %s: %w", r.name, err)
	}
	got, err := r.collect(ctx, inbox)
	if err != nil {
		return nil, fmt.Errorf("read %s from %d: %w", r.name, from, err)
	}
	return got, nil
}

func (r *reader) collect(ctx context.Context, inbox string) ([]message, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	var got []message
	for {
		m, err := r.sub.NextMsgWithContext(ctx)
		if errors.Is(err, nats.ErrNoResponders) {
			return nil, ErrNoStream
		}
		if err != nil {
			return nil, err
		}
		if m.Subject != inbox {
			continue
		}
		switch status := m.Header.Get("Status"); {
		case status == "204" || status == "404": // end of the batch, nothing found
			return got, nil
		case status != "":
			return nil, fmt.Errorf("the server answers %s %s", status, m.Header.Get("Description"))
		}
		sequence, err := strconv.ParseUint(m.Header.Get(nats.JSSequence), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("a message without a sequence: %w", err)
		}
		got = append(got, message{Sequence: sequence, Subject: m.Header.Get(nats.JSSubject), Body: m.Data})
	}
}

// isTimeout reports whether the server did not answer in time.
func isTimeout(err error) bool {
	return errors.Is(err, context.DeadlineExceeded) || errors.Is(err, nats.ErrTimeout)
}
