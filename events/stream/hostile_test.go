package stream

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// raw is a guest that speaks the protocol itself, and reads only what it wants to.
type raw struct {
	conn net.Conn
	in   *bufio.Reader
	id   uint64 // its number at the server
}

func intrude(t testing.TB, s *Server) *raw {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.URL(), "nats://"))
	check(t, err)
	t.Cleanup(func() { _ = conn.Close() })
	g := &raw{conn: conn, in: bufio.NewReader(conn)}
	line, err := g.in.ReadString('\n')
	check(t, err)
	var info struct {
		ID uint64 `json:"client_id"`
	}
	check(t, json.Unmarshal([]byte(strings.TrimPrefix(line, "INFO ")), &info))
	g.id = info.ID
	g.say("CONNECT {\"verbose\":false,\"headers\":true}\r\n")
	return g
}

// say writes what the server may refuse, or no longer take.
func (g *raw) say(format string, args ...any) { _, _ = fmt.Fprintf(g.conn, format, args...) }

// ask publishes a request, by both ways that a server ever had.
func (g *raw) ask(l *memoryLog, reply, body string) {
	name := StreamName(l.id)
	g.say("PUB $JS.API.DIRECT.GET.%s %s %d\r\n%s\r\n", name, reply, len(body), body)
	g.say("PUB %s %s %d\r\n%s\r\n", readSubject(g.id, name, "x"), reply, len(body), body)
}

// refusals gives the errors that the server sent for what was said so far.
func (g *raw) refusals(t *testing.T) string {
	t.Helper()
	g.say("PING\r\n")
	var all strings.Builder
	for {
		line, err := g.in.ReadString('\n')
		if err != nil || line == "PONG\r\n" {
			return all.String()
		}
		if strings.HasPrefix(line, "-ERR") {
			all.WriteString(line)
		}
	}
}

// hosted is a server that listens, with a record on it.
func hosted(t *testing.T, o ServerOptions, n int) (*Server, *nats.Conn, *memoryLog, *Outbox) {
	t.Helper()
	o.Listen, o.Logf = "127.0.0.1:0", t.Logf
	s := start(t, o)
	nc := connect(t, s)
	l := newLog("ledger").write(n, "atlantic").sync()
	box, _ := open(t, nc, l, Options{Heard: s.Heard})
	drain(t, box)
	return s, nc, l, box
}

func TestGuestsHearNoAnswerButTheirOwn(t *testing.T) {
	t.Parallel()
	s, _, l, _ := hosted(t, ServerOptions{}, 20)
	victim, spy := intrude(t, s), intrude(t, s)
	for _, subject := range []string{
		"_INBOX.>", "watu.answers.>", "watu.answers.*.>", "watu.read.>", answerSubject(victim.id, ">"),
		answerSubject(victim.id, "x"),
	} {
		spy.say("SUB %s 1\r\n", subject)
		if got := spy.refusals(t); !strings.Contains(got, "Permissions Violation for Subscription") {
			t.Errorf("subscribed to %s: %q", subject, got)
		}
	}
	spy.say("PUB %s 9\r\n{\"seq\":1}\r\n", readSubject(victim.id, StreamName(l.id), "x"))
	if got := spy.refusals(t); !strings.Contains(got, "Permissions Violation for Publish") {
		t.Errorf("asked in another's name: %q", got)
	}
}

// The server does not check the reply subject of a request. A guest must not be able to have a
// stored message delivered anywhere by it, neither in the ledger's account nor among guests.
func TestGuestsCannotPublishThroughAReply(t *testing.T) {
	t.Parallel()
	s, nc, l, _ := hosted(t, ServerOptions{}, 20)
	inside, err := nc.SubscribeSync(">")
	check(t, err)
	check(t, nc.Flush())
	out, _ := guest(t, s)
	bystander, err := out.SubscribeSync("watu.v1.>")
	check(t, err)
	other, err := out.GetClientID()
	check(t, err)
	answers, err := out.SubscribeSync(answerSubject(other, ">"))
	check(t, err)
	check(t, out.Flush())
	spy := intrude(t, s)
	for _, reply := range []string{
		LogSubject(l.id, named("atlantic"), "passed"), FeedSubject(l.id, named("atlantic"), "passed"),
		answerSubject(other, "x"), "_INBOX.of.someone",
	} {
		spy.ask(l, reply, `{"seq":3,"batch":5}`)
	}
	spy.refusals(t)
	// An answered read shows that the requests before it were served: each guest has his turn.
	for range guestRequests + 1 {
		_, held, err := newReader(out, StreamName(l.id)).one(soon(t), 20)
		if err != nil || !held {
			t.Fatalf("held %v, %v", held, err)
		}
	}
	check(t, out.Flush())
	check(t, nc.Flush())
	for where, sub := range map[string]*nats.Subscription{"another guest": bystander, "his answers": answers,
		"the ledger": inside} {
		for n, _, _ := sub.Pending(); n > 0; n-- {
			m, err := sub.NextMsg(time.Second)
			check(t, err)
			asked := sub == answers && m.Subject != answerSubject(other, "x") ||
				strings.HasPrefix(m.Subject, "_INBOX.") && m.Subject != "_INBOX.of.someone"
			if m.Header.Get(nats.JSSequence) != "" && !asked && !strings.HasPrefix(m.Subject, "watu.answers.") {
				t.Errorf("a stored message reached %s on %s", where, m.Subject)
			}
		}
	}
	wantSame(t, nc, l)
}

// A hostile guest has wrong events delivered to every inbox that he hears of, and to those that
// he expects next. The follower must neither stop nor stay behind.
func TestFollowerAmongForgedAnswers(t *testing.T) {
	t.Parallel()
	s, _, l, _ := hosted(t, ServerOptions{}, 50)
	ended := make(chan error, 1)
	var seen atomic.Uint64
	out, _ := guest(t, s)
	const last = 100
	closed := make(chan struct{})
	spy, err := nats.Connect(s.URL(), nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
		nats.ClosedHandler(func(*nats.Conn) { close(closed) }))
	check(t, err)
	t.Cleanup(func() { spy.Close(); <-closed })
	number, err := spy.GetClientID()
	check(t, err)
	forge := func(inbox string) {
		for _, subject := range []string{"$JS.API.DIRECT.GET." + StreamName(l.id),
			readSubject(number, StreamName(l.id), "x")} {
			_ = spy.PublishRequest(subject, inbox, []byte(`{"seq":3}`))
		}
	}
	_, err = spy.Subscribe("_INBOX.>", func(m *nats.Msg) {
		base, count, _ := strings.Cut(strings.TrimPrefix(m.Subject, "_INBOX."), ".")
		n, err := strconv.Atoi(count)
		if err != nil || m.Header.Get(nats.JSSequence) == "3" {
			return
		}
		for i := range 3 {
			forge(fmt.Sprintf("_INBOX.%s.%d", base, n+i+1))
		}
	})
	check(t, err)
	check(t, spy.Flush())
	victim, err := out.GetClientID()
	check(t, err)
	go func() {
		ended <- Follow(soon(t), out, Following{Ledger: l.id, From: 1}, func(r events.Record) error {
			seen.Store(r.Sequence)
			if r.Sequence == last {
				return errEnough
			}
			return nil
		})
	}()
	for i := range 500 {
		forge(answerSubject(victim, strconv.Itoa(i)))
		if i%10 == 9 {
			l.write(1, "atlantic").sync()
			time.Sleep(20 * time.Millisecond)
		}
	}
	if err := <-ended; !errors.Is(err, errEnough) {
		t.Fatalf("after sequence %d: %v", seen.Load(), err)
	}
}

// most watches how many bytes wait for all connections together, until the result is called.
func most(t testing.TB, s *Server) func() int {
	end, most := make(chan struct{}), make(chan int)
	go func() {
		peak := 0
		for look := time.NewTicker(5 * time.Millisecond); ; {
			z, err := s.srv.Connz(&server.ConnzOptions{})
			if err != nil {
				t.Error(err)
			}
			now := 0
			for _, c := range z.Conns {
				now += c.Pending
			}
			peak = max(peak, now)
			select {
			case <-look.C:
			case <-end:
				look.Stop()
				most <- peak
				return
			}
		}
	}()
	return func() int { close(end); return <-most }
}

// Guests ask for all there is, again and again, and take nothing of it.
func TestGuestsWhoTakeNothing(t *testing.T) {
	t.Parallel()
	s, nc, l, box := hosted(t, ServerOptions{}, 40_000)
	const hostile = 8
	peak := most(t, s)
	for range hostile {
		g := intrude(t, s)
		g.say("SUB _INBOX.%d.> 1\r\nSUB %s 2\r\nPING\r\n", g.id, answerSubject(g.id, ">"))
		for range 40 {
			g.ask(l, fmt.Sprintf("_INBOX.%d.x", g.id), `{"seq":1,"batch":1000000}`)
		}
	}
	out, _ := guest(t, s)
	var got []events.Record
	check(t, Tail(soon(t), out, Following{Ledger: l.id, From: 1},
		func(r events.Record) error { got = append(got, r); return nil }))
	wantRecords(t, got, l.records)
	l.write(500, "atlantic").sync()
	drain(t, box)
	wantSame(t, nc, l)
	waiting := peak()
	t.Logf("%d bytes waited for guests", waiting)
	if bound := (hostile + 2) * (guestBacklog + readBytes); waiting > bound {
		t.Errorf("%d bytes waited for guests, more than %d", waiting, bound)
	}
}

func TestGuestsAreBounded(t *testing.T) {
	t.Parallel()
	const places = 6
	s, nc, l, box := hosted(t, ServerOptions{Guests: places}, 20)
	out, _ := guest(t, s)
	ended := make(chan error, 1)
	go func() {
		ended <- Follow(soon(t), out, Following{Ledger: l.id, From: 1}, func(r events.Record) error {
			if r.Sequence == 60 {
				return errEnough
			}
			return nil
		})
	}()
	refused, late := 0, []*raw{}
	for range 5 * places {
		g := intrude(t, s)
		if got := g.refusals(t); strings.Contains(got, "connections exceeded") {
			refused++
		} else {
			late = append(late, g)
		}
	}
	if refused != 4*places+1 {
		t.Errorf("%d of %d connections refused", refused, 5*places)
	}
	_, err := nats.Connect(s.URL())
	if !errors.Is(err, nats.ErrMaxAccountConnectionsExceeded) {
		t.Errorf("one guest more: %v", err)
	}
	many := late[0]
	for i := range guestSubscriptions + 1 {
		many.say("SUB watu.v1.> %d\r\n", i+1)
	}
	if got := many.refusals(t); !strings.Contains(got, "maximum subscriptions exceeded") {
		t.Errorf("%d subscriptions: %q", guestSubscriptions+1, got)
	}
	large := late[1]
	large.say("PUB %s %d\r\n%s\r\n", readSubject(large.id, StreamName(l.id), "x"), guestPayload+1,
		strings.Repeat("x", guestPayload+1))
	if got := large.refusals(t); !strings.Contains(got, "Maximum Payload Violation") {
		t.Errorf("%d bytes: %q", guestPayload+1, got)
	}
	own := connect(t, s) // the ledger's own connections are not counted
	for range 2 * guestSubscriptions {
		_, err := own.SubscribeSync("watu.v1.>")
		check(t, err)
	}
	check(t, own.Flush())
	l.write(40, "atlantic").sync()
	drain(t, box)
	if err := <-ended; !errors.Is(err, errEnough) {
		t.Error(err)
	}
	wantSame(t, nc, l)
}

func TestRequestsOfGuests(t *testing.T) {
	t.Parallel()
	l, other := newLog("ledger"), named("other")
	name, every, one := StreamName(l.id), everySubject(l.id), allSubjects(l.id, "log", named("atlantic"))
	for body, want := range map[string]getRequest{
		`{"seq":7,"batch":1000000}`:                          {Sequence: 7, Batch: followBatch, Bytes: readBytes},
		`{"seq":7,"batch":-5,"max_bytes":900000000}`:         {Sequence: 7, Batch: 1, Bytes: readBytes},
		`{"seq":7,"batch":9,"next_by_subj":"` + one + `"}`:   {Sequence: 7, Batch: 9, Bytes: readBytes, Subject: one},
		`{"seq":7,"batch":9,"next_by_subj":"` + every + `"}`: {Sequence: 7, Batch: 9, Bytes: readBytes, Subject: every},
		`{"last_by_subj":"` + one + `"}`:                     {Last: one},
	} {
		if got, ok := (question{name: name, body: []byte(body)}).request(); !ok || got != want {
			t.Errorf("%s became %+v, %v", body, got, ok)
		}
	}
	for _, q := range []question{
		{name: name}, {name: name, body: []byte("{}")}, {name: name, body: []byte("[")},
		{name: name, body: []byte(`{"seq":-1}`)},
		{name: "EVENTS", body: []byte(`{"seq":1}`)}, {name: "WATU_x", body: []byte(`{"seq":1}`)},
		{name: name, body: []byte(`{"seq":1,"next_by_subj":"watu.v1.*.log.*.passed"}`)},
		{name: name, body: []byte(`{"seq":1,"next_by_subj":">"}`)},
		{name: name, body: []byte(`{"seq":1,"next_by_subj":"` + allSubjects(other, "log", ulid.ULID{}) + `"}`)},
		{name: name, body: []byte(`{"seq":1,"last_by_subj":"` + every + `"}`)},
	} {
		if got, ok := q.request(); ok {
			t.Errorf("%s of %s became %+v", q.body, q.name, got)
		}
	}
}
