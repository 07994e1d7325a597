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

// errLost is wrapped by the error of a read whose answer came incomplete, as when the
// connection was lost and came back meanwhile.
var errLost = errors.New("messages of the answer were lost on the way")

// errAnswer is wrapped by the error of a read that the server understands otherwise than meant.
var errAnswer = errors.New("the server answers")

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
	return r, sub.SetPendingLimits(-1, -1) // the server bounds an answer
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
	subject := "$JS.API.DIRECT.GET." + r.name
	if err := r.nc.PublishRequest(subject, inbox, request); err != nil {
		return nil, fmt.Errorf("read %s: %w", r.name, err)
	}
	ctx, off := undenied(ctx, r.nc, subject)
	defer off()
	got, err := r.collect(ctx, inbox)
	if err = caused(ctx, err); err != nil {
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
			return nil, fmt.Errorf("%w %s %s", errAnswer, status, m.Header.Get("Description"))
		}
		sequence, err := strconv.ParseUint(m.Header.Get(nats.JSSequence), 10, 64)
		if err != nil {
			return nil, fmt.Errorf("a message without a sequence: %w", err)
		}
		// Each message names the one before it in the answer. What was lost is asked for again.
		before, _ := strconv.ParseUint(m.Header.Get("Nats-Last-Sequence"), 10, 64)
		switch {
		case len(got) == 0 && before != 0:
			return nil, errLost
		case len(got) > 0 && before != got[len(got)-1].Sequence:
			return got, nil
		}
		got = append(got, message{Sequence: sequence, Subject: m.Header.Get(nats.JSSubject), Body: m.Data})
	}
}
