package stream

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/watu-ledger/watu/events"
)

// wantNotOpened fails unless Open and Rebuild fail at once, for a reason and with some words.
func wantNotOpened(t *testing.T, nc *nats.Conn, l *memoryLog, o Options, reason error, words ...string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
	defer cancel()
	box, _, err := Open(ctx, nc, l, o)
	if err == nil {
		box.Close()
		t.Fatal("opened")
	}
	t.Log(err)
	_, again := Rebuild(ctx, nc, l, o)
	for _, err := range []error{err, again} {
		if !errors.Is(err, reason) || ctx.Err() != nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%v", err)
		}
		for _, w := range words {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%v: does not say %q", err, w)
			}
		}
	}
}

func TestServerWithoutJetStream(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", false), ""))
	l := newLog("ledger").write(5, "atlantic").sync()
	wantNotOpened(t, nc, l, Options{}, ErrNoJetStream, StreamName(l.id), "-js")
	if _, err := Streams(soon(t), nc); !errors.Is(err, ErrNoJetStream) {
		t.Error(err)
	}
	if _, err := Compare(soon(t), nc, l); !errors.Is(err, ErrNoJetStream) {
		t.Error(err)
	}
}

func TestAccountWithoutJetStream(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, `accounts {
		CLUB { jetstream: enabled, users: [{user: club, password: p}] }
		BARE { users: [{user: bare, password: p}] }
	}`, true)
	l := newLog("ledger").write(5, "atlantic").sync()
	nc := dialled(t, urlOf(s, "bare:p"))
	wantNotOpened(t, nc, l, Options{}, ErrNoJetStreamForAccount, StreamName(l.id))
	if _, err := Streams(soon(t), nc); !errors.Is(err, ErrNoJetStreamForAccount) {
		t.Error(err)
	}
}

func TestAccountThatIsFull(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, `accounts { CLUB { jetstream: {max_streams: 1}, users: [{user: club, password: p}] } }`, true)
	nc := dialled(t, urlOf(s, "club:p"))
	box, _ := open(t, nc, newLog("first").write(5, "atlantic").sync(), Options{})
	drain(t, box)
	l := newLog("second").write(5, "atlantic").sync()
	_, _, err := Open(soon(t), nc, l, Options{})
	if codeOf(err) != codeTooManyStreams || !strings.Contains(err.Error(), StreamName(l.id)) {
		t.Error(err)
	}
}

// TestDeletionUnanswered has what is asked to delete a stream go where nobody answers.
func TestDeletionUnanswered(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, `mappings {"$JS.API.STREAM.DELETE.*": "void.$1"}`, true)
	l := newLog("ledger").write(5, "atlantic").sync()
	nc := dialled(t, urlOf(s, ""))
	box, _ := open(t, nc, l, Options{})
	drain(t, box)
	box.Close()
	_, err := nc.Subscribe("void.*", func(*nats.Msg) {}) // else the server says that nobody is there
	check(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Second)
	defer cancel()
	if _, err = Rebuild(ctx, nc, l, Options{}); !errors.Is(err, ErrSilent) || !strings.Contains(err.Error(),
		"delete stream "+StreamName(l.id)) {
		t.Error(err)
	}
}

// reading lists users that lack one permission each, but for the first who has all.
const reading = `
authorization { users: [
	{user: all, password: p}
	{user: reader, password: p, permissions: {publish: ["$JS.API.DIRECT.GET.*"], subscribe: ["watu.v1.>", "_INBOX.>"]}}
	{user: asker, password: p, permissions: {publish: ["$JS.API.>"], subscribe: ">"}}
	{user: maker, password: p, permissions: {publish: {deny: ["$JS.API.STREAM.CREATE.>"]}}}
	{user: deaf, password: p, permissions: {publish: ">", subscribe: "watu.v1.>"}}
]}`

func TestConnectionThatMayNot(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, reading, true)
	l := newLog("ledger").write(20, "atlantic").sync()
	name := StreamName(l.id)
	as := func(user string) *nats.Conn { return dialled(t, urlOf(s, user+":p")) }
	wantNotOpened(t, as("maker"), l, Options{}, ErrDenied, "$JS.API.STREAM.CREATE."+name)
	wantNotOpened(t, as("deaf"), l, Options{}, ErrDenied, "_INBOX")
	all := as("all")
	box, _ := open(t, all, l, Options{})
	drain(t, box)
	box.Close()
	for _, user := range []string{"reader", "asker"} {
		nc := as(user)
		wantNotOpened(t, nc, l, Options{}, ErrDenied, "publish to "+subjectRoot+l.id.String()+".log.")
		var got []events.Record
		check(t, Tail(soon(t), nc, Following{Ledger: l.id, From: 1},
			func(r events.Record) error { got = append(got, r); return nil }))
		wantRecords(t, got, l.records)
	}
	if _, err := Streams(soon(t), as("reader")); !errors.Is(err, ErrDenied) || !strings.Contains(err.Error(), "ULID") {
		t.Error(err)
	}
	if _, err := Compare(soon(t), as("reader"), l); !errors.Is(err, ErrDenied) || !strings.Contains(err.Error(),
		"STREAM.INFO."+name) {
		t.Error(err)
	}
	ended := Follow(soon(t), as("deaf"), Following{Ledger: l.id, Campaign: named("atlantic"), From: 1},
		func(events.Record) error { return errors.New("read") })
	if !errors.Is(ended, ErrDenied) {
		t.Error(ended)
	}
	wantSame(t, all, l)
}

func TestForeignStreams(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	js, err := jetstream.New(nc)
	check(t, err)
	l := newLog("named like ours").write(20, "atlantic").sync()
	fill(t, js, l, nil, func(c *jetstream.StreamConfig) { c.Subjects = []string{"stock.>"} })
	_, err = js.Publish(soon(t), "stock.soap", []byte("12"))
	check(t, err)
	wantNotOpened(t, nc, l, Options{}, ErrForeign, StreamName(l.id), "stock.>")
	if _, err := Compare(soon(t), nc, l); !errors.Is(err, ErrForeign) {
		t.Error(err)
	}
	wantHolds(t, nc, StreamName(l.id), 1)

	over := newLog("overlapped").write(20, "atlantic").sync()
	_, err = js.CreateStream(soon(t), jetstream.StreamConfig{Name: "EVERYTHING", Subjects: []string{"watu.v1.*.log.>"}})
	check(t, err)
	wantNotOpened(t, nc, over, Options{}, ErrForeign, "EVERYTHING", over.id.String())
	wantHolds(t, nc, "EVERYTHING", 0)
}

// wantHolds fails unless a stream holds a number of messages.
func wantHolds(t *testing.T, nc *nats.Conn, name string, n uint64) {
	t.Helper()
	js, err := jetstream.New(nc)
	check(t, err)
	s, err := js.Stream(soon(t), name)
	check(t, err)
	if got := s.CachedInfo().State.Msgs; got != n {
		t.Errorf("stream %s holds %d messages, not %d", name, got, n)
	}
}

func TestReplicasThatCannotBe(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	l := newLog("ledger").write(20, "atlantic").sync()
	wantNotOpened(t, nc, l, Options{Replicas: 3}, ErrReplicas, StreamName(l.id), "3")
	wantNotOpened(t, nc, l, Options{Replicas: 7}, ErrReplicas, "7")
	box, _ := open(t, nc, l, Options{Replicas: 1})
	drain(t, box)
	box.Close()
	_, report, err := Open(soon(t), nc, l, Options{Replicas: 3})
	if !errors.Is(err, ErrReplicas) || report.State != InStep {
		t.Errorf("%v, %v", report, err)
	}
	wantSame(t, nc, l)
}
