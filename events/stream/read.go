package stream

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// errLost is wrapped by the error of a read whose answer came incomplete, as when the
// connection was lost and came back meanwhile.
var errLost = errors.New("messages of the answer were lost on the way")

// oddError is what is wrong with an answer that the server would not give in good order. The
// answer may be another's, who guessed or saw the inbox, so it proves nothing until the same
// request was made again.
type oddError struct{ error }

func (e *oddError) Unwrap() error { return e.error }

// unreadError is a failure to read, which may pass, and not one of what was read.
type unreadError struct{ error }

func (e *unreadError) Unwrap() error { return e.error }

// answerWait bounds the wait for one answer of the server, or for the next message of it.
const answerWait = 5 * time.Second

// readBytes bounds an answer: no message is sent after so many bytes.
const readBytes = 1 << 20

// message is one message as the stream keeps it.
type message struct {
	Sequence uint64
	Subject  string
	Body     []byte
}

// reader reads a stream by requests that create nothing on the server: direct gets, or the
// reads that an embedded server grants to its guests.
type reader struct {
	nc   *nats.Conn
	name string
}

func newReader(nc *nats.Conn, name string) *reader { return &reader{nc: nc, name: name} }

type getRequest struct {
	Sequence uint64 `json:"seq,omitempty"`
	Subject  string `json:"next_by_subj,omitempty"`
	Last     string `json:"last_by_subj,omitempty"`
	Batch    int    `json:"batch,omitempty"`
	Bytes    int    `json:"max_bytes,omitempty"`
}

// read gives up to limit messages from a sequence on, in order: those that match filter, or all
// for "". None is no error; a stream that does not exist is ([ErrNoStream]). The second result
// says that the stream holds more.
func (r *reader) read(ctx context.Context, from uint64, filter string, limit int) ([]message, bool, error) {
	got, more, err := r.ask(ctx, getRequest{Sequence: from, Subject: filter, Batch: limit, Bytes: readBytes})
	if err == nil && len(got) > 0 && got[0].Sequence < from {
		err = &oddError{fmt.Errorf("sequence %d, which comes before", got[0].Sequence)}
	}
	if err != nil {
		return nil, false, fmt.Errorf("read %s from %d: %w", r.name, from, err)
	}
	return got, more, nil
}

// last gives the sequence of the last message that matches a subject, 0 for none.
func (r *reader) last(ctx context.Context, subject string) (uint64, error) {
	got, _, err := r.ask(ctx, getRequest{Last: subject})
	if err != nil {
		return 0, fmt.Errorf("read the end of %s: %w", r.name, err)
	}
	if len(got) == 0 {
		return 0, nil
	}
	return got[len(got)-1].Sequence, nil
}

// ask makes a request. An embedded server that is just starting lets nobody read yet: it is asked
// again for as long as an answer would be waited for.
func (r *reader) ask(ctx context.Context, request getRequest) ([]message, bool, error) {
	for begun := time.Now(); ; {
		got, more, err := r.askOnce(ctx, request)
		if !errors.Is(err, ErrNotYet) || time.Since(begun) > answerWait {
			return got, more, err
		}
		select {
		case <-ctx.Done():
			return nil, false, ctx.Err()
		case <-time.After(followSoon):
		}
	}
}

// askOnce makes a request on an inbox of its own.
func (r *reader) askOnce(ctx context.Context, request getRequest) ([]message, bool, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return nil, false, err
	}
	p, err := pathOf(r.nc, r.name)
	if err != nil {
		return nil, false, err
	}
	sub, err := r.nc.SubscribeSync(p.inbox)
	if err != nil {
		return nil, false, err
	}
	defer func() { _ = sub.Unsubscribe() }()
	if err := r.nc.PublishRequest(p.subject, p.inbox, body); err != nil {
		return nil, false, err
	}
	on, off := undenied(ctx, r.nc, p.subject)
	defer off()
	a := answer{name: r.name, batch: request.Batch}
	err = caused(on, a.collect(on, sub))
	switch {
	case errors.Is(err, ErrDenied) && p.stale(r.nc):
		err = errLost // the connection came back as another guest's, who may not ask in our name
	case errors.Is(err, nats.ErrNoResponders) && p.guest != 0:
		err = ErrNotYet
	case errors.Is(err, nats.ErrNoResponders):
		err = unanswered(ctx, r.nc, r.name)
	}
	return a.got, a.more, err
}

// path is where a request goes and where its answer comes.
type path struct {
	subject, inbox string
	guest          uint64 // number of the connection at an embedded server, 0 elsewhere
}

// isGuest reports whether the connection is a guest's of an embedded server.
func isGuest(nc *nats.Conn) bool {
	return nc.Opts.InProcessServer == nil && nc.ConnectedServerName() == embeddedName
}

// pathOf gives the path of one request to a stream. An inbox is never used twice, and its name
// cannot be guessed: whoever knows it can have stored messages delivered there.
func pathOf(nc *nats.Conn, name string) (path, error) {
	token := rand.Text()
	switch {
	case nc.Opts.InProcessServer == nil && nc.ConnectedServerName() == "":
		return path{}, errAway
	case !isGuest(nc):
		return path{subject: "$JS.API.DIRECT.GET." + name, inbox: inboxPrefix(nc) + token}, nil
	}
	guest, err := nc.GetClientID()
	if err != nil {
		return path{}, err
	}
	return path{subject: readSubject(guest, name, token), inbox: answerSubject(guest, token), guest: guest}, nil
}

// stale reports whether the connection has another number at the server than when p was made.
func (p path) stale(nc *nats.Conn) bool {
	now, err := nc.GetClientID()
	return p.guest != 0 && (err != nil || now != p.guest)
}

// inboxPrefix is where the answers to a connection come. Elsewhere than at an embedded server
// it is the operator's business that nobody else subscribes there.
func inboxPrefix(nc *nats.Conn) string {
	if own := nc.Opts.InboxPrefix; own != "" {
		return strings.TrimSuffix(own, ".") + "."
	}
	return nats.InboxPrefix
}

// unanswered says why nobody answers for a stream, as far as the connection may ask.
func unanswered(ctx context.Context, nc *nats.Conn, name string) error {
	js, err := jetstream.New(nc)
	if err != nil {
		return err
	}
	_, err = askInfo(ctx, nc, js, name)
	switch {
	case err == nil:
		return ErrNoLeader
	case errors.Is(err, ErrDenied):
		return ErrUnanswered
	}
	return err
}

// answer is what came of one request.
type answer struct {
	name  string
	batch int // messages asked for; 0 for a request of one message
	got   []message
	more  bool // the stream holds messages behind them
}

// collect takes the messages of an answer until it ends. What is not in good order ends it.
func (a *answer) collect(ctx context.Context, sub *nats.Subscription) error {
	for {
		m, err := next(ctx, sub)
		if err != nil {
			return err
		}
		switch status := m.Header.Get("Status"); status {
		case "":
		case "204", "404": // end of the batch, nothing found
			a.more = a.more || len(a.got) > 0 && pending(m) > 0
			return nil
		case statusNoStream:
			return ErrNoStream
		default:
			return &oddError{fmt.Errorf("the server answers %s %s", status, m.Header.Get("Description"))}
		}
		if done, err := a.take(m); done || err != nil {
			return err
		}
	}
}

// next waits for one message of an answer.
func next(ctx context.Context, sub *nats.Subscription) (*nats.Msg, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWait)
	defer cancel()
	return sub.NextMsgWithContext(ctx)
}

// pending is how many messages the server says it has behind the answer.
func pending(m *nats.Msg) uint64 {
	n, _ := strconv.ParseUint(m.Header.Get(jetNumPending), 10, 64)
	return n
}

// take adds one message, and reports whether the answer ends with it. In a batch each names the
// one before it: where one is missing, what came before is the answer, and the rest is asked for
// again.
func (a *answer) take(m *nats.Msg) (done bool, err error) {
	sequence, err := strconv.ParseUint(m.Header.Get(nats.JSSequence), 10, 64)
	if err != nil || m.Header.Get(nats.JSStream) != a.name {
		return true, &oddError{errors.New("a message that is not the stream's")}
	}
	before, _ := strconv.ParseUint(m.Header.Get(jetLastSequence), 10, 64)
	switch n := len(a.got); {
	case n == 0 && before != 0:
		return true, errLost
	case n > 0 && (before != a.got[n-1].Sequence || sequence <= before || n >= a.batch):
		a.more = true
		return true, nil
	}
	a.got = append(a.got, message{Sequence: sequence, Subject: m.Header.Get(nats.JSSubject), Body: m.Data})
	return a.batch == 0, nil
}

// Headers of an answer that nats.go does not name.
const (
	jetLastSequence = "Nats-Last-Sequence"
	jetNumPending   = "Nats-Num-Pending"
)
