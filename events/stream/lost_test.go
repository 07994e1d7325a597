package stream

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// wire is the way between a connection and the embedded server, on which acknowledgements can
// be lost and which can be cut.
type wire struct {
	server *Server
	mu     sync.Mutex
	last   net.Conn
	lose   func(ack []byte) bool  // nil loses none
	drop   func(head string) bool // of a message with headers; nil drops none
}

// InProcessConn makes a new connection, the first time and whenever one was cut.
func (w *wire) InProcessConn() (net.Conn, error) {
	near, err := w.server.srv.InProcessConn()
	if err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.last = near
	return &wireEnd{Conn: near, wire: w, in: bufio.NewReader(near)}, nil
}

func (w *wire) cut() {
	w.mu.Lock()
	defer w.mu.Unlock()
	_ = w.last.Close()
}

func (w *wire) losing(f func([]byte) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lose = f
}

func (w *wire) lost(body []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.lose != nil && bytes.HasPrefix(body, []byte(`{"stream":`)) && w.lose(body)
}

func (w *wire) dropping(f func(string) bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.drop = f
}

func (w *wire) dropped(message []byte) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	head, _, _ := bytes.Cut(message, []byte("\r\n\r\n"))
	return w.drop != nil && w.drop(string(head)+"\r\n")
}

// wireEnd reads whole protocol messages and leaves out the lost ones.
type wireEnd struct {
	net.Conn
	wire *wire
	in   *bufio.Reader
	rest []byte
}

func (e *wireEnd) Read(b []byte) (int, error) {
	for len(e.rest) == 0 {
		line, err := e.in.ReadBytes('\n')
		if err != nil {
			return 0, err
		}
		fields := strings.Fields(string(line))
		if len(fields) > 3 && fields[0] == "MSG" {
			size, err := strconv.Atoi(fields[len(fields)-1])
			if err != nil {
				return 0, err
			}
			if line, err = e.body(line, size+2); err != nil {
				return 0, err
			}
			if e.wire.lost(line[len(line)-size-2:]) {
				continue
			}
		}
		e.rest = line
		if len(fields) > 3 && fields[0] == "HMSG" {
			size, err := strconv.Atoi(fields[len(fields)-1])
			if err != nil {
				return 0, err
			}
			if e.rest, err = e.body(line, size+2); err != nil {
				return 0, err
			}
			if e.wire.dropped(e.rest) {
				e.rest = nil
			}
		}
	}
	n := copy(b, e.rest)
	e.rest = e.rest[n:]
	return n, nil
}

func (e *wireEnd) body(line []byte, size int) ([]byte, error) {
	for range size {
		c, err := e.in.ReadByte()
		if err != nil {
			return nil, err
		}
		line = append(line, c)
	}
	return line, nil
}

// wired gives a server, a connection of the ledger's over a wire, and one that is sound.
func wired(t *testing.T) (w *wire, over, sound *nats.Conn) {
	s := start(t, ServerOptions{})
	w = &wire{server: s}
	return w, connect(t, s, nats.InProcessServer(w), nats.ReconnectWait(time.Millisecond), nats.ReconnectJitter(0, 0)),
		connect(t, s)
}

// untilStored waits until the stream holds a sequence, acknowledged or not.
func untilStored(t *testing.T, nc *nats.Conn, l *memoryLog, sequence uint64) {
	t.Helper()
	js, err := jetstream.New(nc)
	check(t, err)
	for ctx := soon(t); ; {
		s, err := js.Stream(ctx, StreamName(l.id))
		check(t, err)
		if s.CachedInfo().State.LastSeq >= sequence {
			return
		}
	}
}

// The messages are stored, all acknowledgements after the first few are lost, and then the
// connection goes. Nothing may be sent twice, and nothing left out.
func TestLostAcknowledgementsAndConnection(t *testing.T) {
	t.Parallel()
	w, over, sound := wired(t)
	l := newLog("ledger").write(10, "atlantic").sync()
	box, _ := open(t, over, l, Options{})
	drain(t, box)
	for round := range 12 {
		w.losing(func([]byte) bool { return true })
		l.write(30+round*30, "atlantic").sync()
		untilStored(t, sound, l, l.durable)
		if got := box.Published(); got == l.durable {
			t.Fatalf("round %d: sequence %d counts as published without acknowledgement", round, got)
		}
		w.losing(nil)
		w.cut()
		l.write(7, "pacific").sync()
		drain(t, box)
	}
	wantSame(t, sound, l)
	if s := box.Status(); s.Rebuilds != 0 || s.Trouble != "" {
		t.Errorf("status %+v", s)
	}
}

// One acknowledgement is lost and the connection stays. On a busy machine the one in question may
// come too late to be waited for, and is never read: then another run of events is sent.
func TestOneLostAcknowledgement(t *testing.T) {
	t.Parallel()
	w, over, sound := wired(t)
	l := newLog("ledger").write(10, "atlantic").sync()
	box, _ := open(t, over, l, Options{AckWait: 200 * time.Millisecond})
	drain(t, box)
	for _, at := range []int{1, 100, 190} { // the first of a run, one within, the last
		for lost := false; !lost; {
			sought := fmt.Appendf(nil, `"seq":%d}`, len(l.records)+at)
			w.losing(func(ack []byte) bool {
				hit := !lost && bytes.Contains(ack, sought)
				lost = lost || hit
				return hit
			})
			l.write(190, "atlantic").sync()
			drain(t, box)
			w.losing(nil)
		}
	}
	l.write(100, "pacific").sync()
	drain(t, box)
	wantSame(t, sound, l)
	if s := box.Status(); s.Rebuilds != 0 || s.Trouble != "" {
		t.Errorf("status %+v", s)
	}
}

// The connection is cut again and again while much is sent: messages are lost on the way,
// stored without acknowledgement, or half written.
func TestConnectionCutAtAnyMoment(t *testing.T) {
	t.Parallel()
	w, over, sound := wired(t)
	l := newLog("ledger")
	box, _ := open(t, over, l, Options{})
	rounds := 15
	if !longrun.On() {
		rounds = 5
	}
	for round := range rounds {
		l.write(1500, "atlantic", "pacific").sync()
		for target := box.Published() + uint64(100*round); box.Published() < min(target, l.durable); {
			_, changed := box.look()
			if box.Published() < min(target, l.durable) {
				<-changed
			}
		}
		w.cut()
	}
	drain(t, box)
	wantSame(t, sound, l)
	if s := box.Status(); s.Rebuilds != 0 || s.Trouble != "" {
		t.Errorf("status %+v", s)
	}
}

// Messages of an answer are lost, as when a connection comes back at another server of a
// cluster: the first, some within, the last.
func TestFollowWhenAnswersAreIncomplete(t *testing.T) {
	t.Parallel()
	w, over, sound := wired(t)
	l := newLog("ledger").write(400, "atlantic", "pacific").sync()
	box, _ := open(t, sound, l, Options{})
	drain(t, box)
	missing := map[string]bool{"1": true, "7": true, "8": true, "90": true, "256": true, "257": true, "799": true}
	w.dropping(func(head string) bool {
		_, rest, _ := strings.Cut(head, "Nats-Sequence: ")
		sequence, _, _ := strings.Cut(rest, "\r\n")
		lost := missing[sequence]
		delete(missing, sequence)
		return lost
	})
	var got []events.Record
	enough := errors.New("enough")
	err := Follow(soon(t), over, Following{Ledger: l.id, From: 1}, func(r events.Record) error {
		if got = append(got, r); len(got) == len(l.records) {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || len(missing) != 0 {
		t.Errorf("%v, not lost: %v", err, missing)
	}
	wantRecords(t, got, l.records)
}

func TestDrainSaysWhatKeepsIt(t *testing.T) {
	t.Parallel()
	w, over, _ := wired(t)
	l := newLog("ledger").write(10, "atlantic").sync()
	box, _ := open(t, over, l, Options{})
	drain(t, box)
	w.losing(func([]byte) bool { return true })
	l.write(5, "atlantic").sync()
	ctx, cancel := context.WithCancel(soon(t))
	cancel()
	if err := box.Drain(ctx); err == nil || !strings.Contains(err.Error(), "published 10 of 15 events") {
		t.Error(err)
	}
	box.Close()
	if err := box.Drain(soon(t)); err == nil || !strings.Contains(err.Error(), "closed") {
		t.Error(err)
	}
}
