package stream

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/oklog/ulid/v2"
)

// The bounds of guests. Together they bound what guests can make the process hold: connections
// times what waits for each.
const (
	// DefaultGuests is how many guests may be connected at a time unless [ServerOptions] says
	// otherwise.
	DefaultGuests = 64

	guestSubscriptions = 32                 // of one connection
	guestRequests      = 8                  // of one connection that wait for their turn
	guestPayload       = 4 << 10            // bytes of one request
	guestPending       = maxMessage * 3 / 2 // bytes that wait for one connection: more than the largest message
	guestBacklog       = 1 << 20            // with so many bytes waiting, no read is answered
)

// embeddedName is what an embedded server calls itself: whoever connects reads as a guest.
const embeddedName = "watu-embedded"

// statusNoStream is the status of an answer to a guest when there is no such stream.
const statusNoStream = "410"

// readSubject is where a guest asks for messages, and answerSubject where they come. Both hold
// the number that the server gave to the connection, and the server lets a connection use no
// other's: the one is permitted to publish to, the other to subscribe to.
func readSubject(guest uint64, name, token string) string {
	return fmt.Sprintf("watu.read.%d.%s.%s", guest, name, token)
}

func answerSubject(guest uint64, token string) string {
	return fmt.Sprintf("watu.answers.%d.%s", guest, token)
}

// Check admits a connection: the ledger's own by its password, and as a guest whoever gives no
// credentials. It is called by the server.
func (s *Server) Check(c server.ClientAuthentication) bool {
	o := c.GetOpts()
	user := &server.User{Username: "ledger"}
	account := ledgerAccount
	switch {
	case o.Username == user.Username && subtle.ConstantTimeCompare([]byte(o.Password), []byte(s.secret)) == 1:
	case o.Username == "" && o.Password == "" && o.Token == "" && o.Nkey == "" && o.JWT == "":
		account, user.Username = guestAccount, "guest"
		user.Permissions = &server.Permissions{
			Publish:   &server.SubjectPermission{Allow: []string{readSubject(c.GetID(), "*", "*")}},
			Subscribe: &server.SubjectPermission{Allow: []string{"watu.v1.>", answerSubject(c.GetID(), ">")}},
		}
	default:
		return false
	}
	var err error
	if user.Account, err = s.srv.LookupAccount(account); err != nil {
		return false
	}
	c.RegisterUser(user)
	return true
}

// gate reads the stream for guests. They may not ask JetStream themselves: the server does not
// check the reply subject of a request, so that whoever may ask can have stored messages
// delivered to anybody. The gate answers on the subject that belongs to the number on which it
// was asked, and to no other. It reads for one guest at a time, each in turn, so that what one
// asks for delays neither the others for long nor the outbox.
type gate struct {
	server *Server
	nc     *nats.Conn
	cancel context.CancelFunc
	done   chan struct{}

	mu    sync.Mutex
	asked map[uint64][]question // the last few of each guest
	turns []uint64              // guests who wait, in their order
	wake  chan struct{}
}

// question is one request of a guest.
type question struct {
	name, token string
	body        []byte
}

// Admit lets guests read, from the call on. It is for when the stream is known to be the
// record's: a guest takes a stream that is shorter than before for a record that was put back.
func (s *Server) Admit() error {
	if s.URL() == "" || s.gate != nil {
		return nil
	}
	nc, err := s.Connect()
	if err != nil {
		return err
	}
	g := &gate{server: s, nc: nc, done: make(chan struct{}), asked: map[uint64][]question{},
		wake: make(chan struct{}, 1)}
	if _, err := nc.Subscribe("watu.read.*.*.*", g.hear); err != nil {
		nc.Close()
		return fmt.Errorf("reads of guests: %w", err)
	}
	var ctx context.Context
	ctx, g.cancel = context.WithCancel(context.Background())
	s.gate = g
	go g.run(ctx)
	return nil
}

func (g *gate) close() {
	g.cancel()
	<-g.done
	g.nc.Close()
}

// hear notes a request. Of a guest who has too many waiting the oldest is forgotten.
func (g *gate) hear(m *nats.Msg) {
	part := strings.Split(m.Subject, ".")
	guest, err := strconv.ParseUint(part[2], 10, 64)
	if err != nil {
		return
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	waiting := g.asked[guest]
	switch len(waiting) {
	case 0:
		g.turns = append(g.turns, guest)
	case guestRequests:
		waiting = waiting[1:]
	}
	g.asked[guest] = append(waiting, question{name: part[3], token: part[4], body: m.Data})
	select {
	case g.wake <- struct{}{}:
	default:
	}
}

// turn gives the next request: one of each guest, and then again.
func (g *gate) turn() (guest uint64, q question, ok bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if len(g.turns) == 0 {
		return 0, question{}, false
	}
	guest, g.turns = g.turns[0], g.turns[1:]
	waiting := g.asked[guest]
	if q = waiting[0]; len(waiting) > 1 {
		g.asked[guest], g.turns = waiting[1:], append(g.turns, guest)
	} else {
		delete(g.asked, guest)
	}
	return guest, q, true
}

// run answers until ctx ends. After each answer it rests for as long as that took: guests get
// half of a processor at most.
func (g *gate) run(ctx context.Context) {
	defer close(g.done)
	for {
		guest, q, ok := g.turn()
		if !ok {
			select {
			case <-ctx.Done():
				return
			case <-g.wake:
			}
			continue
		}
		begun := time.Now()
		g.answer(ctx, guest, q)
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Since(begun)):
		}
	}
}

// answer reads for a guest, unless he does not take what he was sent before.
func (g *gate) answer(ctx context.Context, guest uint64, q question) {
	if g.backlog(guest) > guestBacklog {
		return
	}
	subject := answerSubject(guest, q.token)
	say := func(status string) {
		_ = g.nc.PublishMsg(&nats.Msg{Subject: subject, Header: nats.Header{"Status": []string{status}}})
	}
	request, ok := q.request()
	if !ok {
		say("408")
		return
	}
	r := newReader(g.nc, q.name)
	got, more, err := r.ask(ctx, request)
	switch {
	case errors.Is(err, ErrNoStream):
		say(statusNoStream)
		return
	case err != nil:
		return // he asks again
	}
	before := uint64(0)
	for _, m := range got {
		header := nats.Header{
			nats.JSStream: []string{q.name}, nats.JSSubject: []string{m.Subject},
			nats.JSSequence: []string{strconv.FormatUint(m.Sequence, 10)},
			jetLastSequence: []string{strconv.FormatUint(before, 10)},
		}
		if err := g.nc.PublishMsg(&nats.Msg{Subject: subject, Header: header, Data: m.Body}); err != nil {
			return
		}
		before = m.Sequence
	}
	end := nats.Header{"Status": []string{"204"}}
	if more {
		end[jetNumPending] = []string{"1"}
	}
	_ = g.nc.PublishMsg(&nats.Msg{Subject: subject, Header: end})
}

// backlog is how many bytes wait for a guest who does not take them.
func (g *gate) backlog(guest uint64) int {
	z, err := g.server.srv.Connz(&server.ConnzOptions{CID: guest})
	if err != nil || len(z.Conns) == 0 {
		return guestPending // gone
	}
	return z.Conns[0].Pending
}

// request reads what a guest asks for, and reports whether it may be asked: messages of one
// ledger's stream from a sequence on, all or those of a campaign, or the last of them.
func (q question) request() (getRequest, bool) {
	var r getRequest
	ledger, err := ulid.ParseStrict(strings.TrimPrefix(q.name, "WATU_"))
	if err != nil || q.name != StreamName(ledger) || json.Unmarshal(q.body, &r) != nil {
		return r, false
	}
	filter := r.Subject + r.Last
	if filter != "" && filter != everySubject(ledger) && !ofCampaign(ledger, filter) {
		return r, false
	}
	switch {
	case r.Last != "":
		return getRequest{Last: r.Last}, r.Subject == "" && r.Sequence == 0
	case r.Sequence == 0:
		return r, false
	}
	r.Batch, r.Bytes = min(max(r.Batch, 1), followBatch), readBytes
	return r, true
}

// ofCampaign reports whether a filter matches the log subjects of one campaign.
func ofCampaign(ledger ulid.ULID, filter string) bool {
	name, ok := strings.CutPrefix(filter, strings.TrimSuffix(everySubject(ledger), ">"))
	if !ok {
		return false
	}
	campaign, err := ulid.ParseStrict(strings.TrimSuffix(name, ".>"))
	return err == nil && filter == allSubjects(ledger, "log", campaign)
}
