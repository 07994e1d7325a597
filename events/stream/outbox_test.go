package stream

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

func TestEverySequenceIsTheLedgers(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	l := newLog("ledger").write(700, "atlantic", "pacific").sync()
	box, report := open(t, nc, l, Options{})
	if report != (Report{State: New, Durable: 1400}) {
		t.Errorf("report %+v", report)
	}
	drain(t, box)
	for range 20 { // and while it grows, in small steps and large ones
		l.write(1, "atlantic").sync()
		l.write(40, "pacific", "atlantic", "third").sync()
	}
	drain(t, box)
	wantSame(t, nc, l)
	if s := box.Status(); s != (Status{Published: l.durable, Durable: l.durable}) {
		t.Errorf("status %+v", s)
	}
}

func TestSeveralLedgersShareAServer(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	a, b := newLog("a").write(50, "atlantic").sync(), newLog("b").write(30, "atlantic").sync()
	boxA, _ := open(t, nc, a, Options{})
	boxB, _ := open(t, nc, b, Options{})
	drain(t, boxA)
	drain(t, boxB)
	wantSame(t, nc, a)
	wantSame(t, nc, b)
}

func TestResumeAfterRestart(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	l := newLog("ledger").write(300, "atlantic").sync()
	for _, want := range []Report{
		{State: New, Durable: 300},
		{State: InStep, Published: 300, Last: 300, Durable: 300},
		{State: Resumed, Published: 300, Last: 300, Durable: 500},
	} {
		if want.Durable > l.durable {
			l.write(200, "pacific").sync()
		}
		s := start(t, ServerOptions{StoreDir: dir})
		nc := connect(t, s)
		box, report := open(t, nc, l, Options{})
		if report != want {
			t.Errorf("report %+v, want %+v", report, want)
		}
		drain(t, box)
		wantSame(t, nc, l)
		box.Close()
		nc.Close()
		s.Shutdown()
	}
}

// damages are streams as they must never be found, each made by hand, and the words by
// which the report tells. The record has 200 events.
var damages = []struct {
	name, was string
	make      func(t *testing.T, nc *nats.Conn, js jetstream.JetStream, l *memoryLog)
}{
	{"emptied", "was emptied", func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
		s := fill(t, js, l, l.records, func(c *jetstream.StreamConfig) { c.DenyPurge = false })
		check(t, s.Purge(soon(t)))
	}},
	{"beginning lost", "begins at sequence 11", func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
		s := fill(t, js, l, l.records, func(c *jetstream.StreamConfig) { c.DenyPurge = false })
		check(t, s.Purge(soon(t), jetstream.WithPurgeSequence(11)))
	}},
	{"holed", "has holes", func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
		s := fill(t, js, l, l.records, func(c *jetstream.StreamConfig) { c.DenyDelete = false })
		check(t, s.DeleteMsg(soon(t), 77))
	}},
	{"no event in the middle", "message 99 of the stream holds bytes that are no event",
		func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
			fill(t, js, l, spoilt(l.records, 99, []byte("\x0a\x10sixteen bytes is.\xff")), nil)
		}},
	{"an empty message", "message 7 of the stream holds bytes that are no event",
		func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
			fill(t, js, l, spoilt(l.records[:9], 7, nil), nil)
		}},
	{"junk behind the end", "message 201 of the stream holds bytes that are no event",
		func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
			fill(t, js, l, append(l.records[:200:200],
				events.Record{Campaign: named("atlantic"), Bytes: []byte("junk")}), nil)
		}},
	{"right bytes on a wrong subject", "has the subject",
		func(t *testing.T, nc *nats.Conn, js jetstream.JetStream, l *memoryLog) {
			fill(t, js, l, nil, nil)
			_, err := js.Publish(soon(t), LogSubject(l.id, named("atlantic"), "Not.A.Token"), l.records[0].Bytes)
			check(t, err)
		}},
	{"limited", "had limits", func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
		fill(t, js, l, l.records[:10], func(c *jetstream.StreamConfig) { c.MaxMsgs = 1000 })
	}},
	{"read by its leader alone", "configured by someone else",
		func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
			fill(t, js, l, l.records, func(c *jetstream.StreamConfig) { c.AllowDirect = false })
		}},
	{"open to deletion", "allowed messages to be deleted",
		func(t *testing.T, _ *nats.Conn, js jetstream.JetStream, l *memoryLog) {
			fill(t, js, l, l.records[:10], func(c *jetstream.StreamConfig) { c.DenyDelete = false })
		}},
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// configOf is the configuration of a ledger's stream.
func configOf(l *memoryLog) jetstream.StreamConfig {
	return (&comparison{log: l, name: StreamName(l.id)}).config()
}

// fill makes a stream of the ledger's name by hand.
func fill(t *testing.T, js jetstream.JetStream, l *memoryLog, records []events.Record,
	change func(*jetstream.StreamConfig)) jetstream.Stream {
	t.Helper()
	config := configOf(l)
	if change != nil {
		change(&config)
	}
	s, err := js.CreateStream(soon(t), config)
	check(t, err)
	for _, r := range records {
		subject := LogSubject(l.id, r.Campaign, otherType) // of what is no event
		if id, err := identify(r.Bytes); err == nil {
			subject = LogSubject(l.id, id.Campaign, id.Type)
		}
		_, err = js.Publish(soon(t), subject, r.Bytes)
		check(t, err)
	}
	return s
}

// spoilt gives records of which one has other bytes.
func spoilt(records []events.Record, sequence uint64, bytes []byte) []events.Record {
	records = append([]events.Record(nil), records...)
	records[sequence-1].Bytes = bytes
	return records
}

func TestDamagedStreamIsRebuiltAndSaid(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	for _, d := range damages {
		t.Run(d.name, func(t *testing.T) {
			l := newLog(d.name).write(200, "atlantic").sync()
			d.make(t, nc, js, l)
			before, err := Compare(soon(t), nc, l)
			if err != nil || before.State != Damaged || !strings.Contains(before.Was, d.was) {
				t.Fatalf("compared: %+v, %v", before, err)
			}
			box, report := open(t, nc, l, Options{})
			if report.State != Rebuilt || report.Was != before.Was || report.Published != 0 {
				t.Errorf("report %+v", report)
			}
			drain(t, box)
			wantSame(t, nc, l)
			if box.Status().Rebuilds != 1 {
				t.Errorf("status %+v", box.Status())
			}
		})
	}
}

// A stream whose last messages are missing is a clean prefix, like one that fell behind.
func TestCutStreamIsResumed(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	for _, kept := range []int{0, 1, 2, 66, 199} {
		l := newLog(fmt.Sprint(kept)).write(200, "atlantic").sync()
		fill(t, js, l, l.records[:kept], nil)
		box, report := open(t, nc, l, Options{})
		if report != (Report{State: Resumed, Published: uint64(kept), Last: uint64(kept), Durable: 200}) {
			t.Errorf("%d kept: report %+v", kept, report)
		}
		drain(t, box)
		wantSame(t, nc, l)
	}
}

// The server may bring the old messages back when a stream is made soon after one of its
// name was deleted.
func TestRemadeStreamIsEmpty(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	l := newLog("ledger").write(10, "atlantic").sync()
	c, err := newComparison(nc, l)
	check(t, err)
	for i := range 60 {
		check(t, c.create(soon(t), i > 0))
		report, err := c.compare(soon(t))
		if err != nil || report != (Report{State: Resumed, Durable: 10}) {
			t.Fatalf("remade %d times: %+v, %v", i, report, err)
		}
		for _, r := range l.records {
			_, err = js.Publish(soon(t), LogSubject(l.id, r.Campaign, "passed"), r.Bytes)
			check(t, err)
		}
	}
}

// A stream spoilt while the outbox runs is found out by the next publication.
func TestSpoiltWhileRunning(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	l := newLog("ledger").write(100, "atlantic").sync()
	box, _ := open(t, nc, l, Options{})
	drain(t, box)

	_, err = js.Publish(soon(t), LogSubject(l.id, named("atlantic"), "passed"), []byte("not ours"))
	check(t, err)
	l.write(100, "atlantic").sync()
	drain(t, box)
	wantSame(t, nc, l)

	check(t, js.DeleteStream(soon(t), StreamName(l.id)))
	l.write(100, "pacific").sync()
	drain(t, box)
	wantSame(t, nc, l)
}

func TestOnlyDurableIsPublished(t *testing.T) {
	t.Parallel()
	s := start(t, ServerOptions{})
	nc := connect(t, s)
	l := newLog("ledger").write(10, "atlantic").sync()
	box, _ := open(t, nc, l, Options{Heard: s.Heard})
	drain(t, box)

	type seen struct {
		subject  string
		sequence uint64
		durable  uint64 // when it was seen
	}
	var mu sync.Mutex
	var fed []seen
	done := make(chan struct{})
	reading := newReader(nc, StreamName(l.id))
	sub, err := nc.Subscribe(allSubjects(l.id, "feed", ulid.ULID{}), func(m *nats.Msg) {
		mu.Lock()
		defer mu.Unlock()
		var v events.View
		if err := json.Unmarshal(m.Data, &v); err != nil {
			t.Errorf("feed: %v", err)
		}
		if v.Sequence <= 10 {
			return // the end of what was drained: its feed comes after its acknowledgement
		}
		_, held, err := reading.one(context.Background(), v.Sequence)
		if err != nil || !held {
			t.Errorf("sequence %d was fed and is not in the stream: %v", v.Sequence, err)
		}
		fed = append(fed, seen{subject: m.Subject, sequence: v.Sequence, durable: l.Durable()})
		if len(fed) == 150 {
			close(done)
		}
	})
	check(t, err)
	defer func() { _ = sub.Unsubscribe() }()
	check(t, nc.Flush())

	l.write(100, "atlantic").sync()
	drain(t, box)
	l.write(50, "pacific") // written and not durable
	check(t, box.Drain(soon(t)))
	if got := box.Published(); got != 110 {
		t.Errorf("published %d, durable %d", got, l.Durable())
	}
	l.sync()
	select {
	case <-done:
	case <-soon(t).Done():
		t.Fatal("the feed did not come")
	}
	mu.Lock()
	defer mu.Unlock()
	for i, f := range fed {
		r := l.records[10+i]
		e, _ := events.Decode(r.Bytes)
		if f.sequence != r.Sequence || f.subject != FeedSubject(l.id, e.Campaign, e.Type) || f.sequence > f.durable {
			t.Fatalf("feed %d: %+v", i, f)
		}
	}
}

func TestFeedIsTheViewOfTheEvent(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	l := newLog("ledger")
	sub, err := nc.SubscribeSync(allSubjects(l.id, "feed", named("atlantic")))
	check(t, err)
	open(t, nc, l, Options{})
	l.write(3, "pacific", "atlantic").sync()
	for i := range 3 {
		m, err := sub.NextMsgWithContext(soon(t))
		check(t, err)
		r := l.records[2*i+1]
		e, _ := events.Decode(r.Bytes)
		want := events.ViewOf(&e, r.Hash())
		want.Sequence = r.Sequence
		body, _ := json.Marshal(want)
		if string(m.Data) != string(body) || !strings.Contains(string(body), fmt.Sprintf(`"sequence":%d`, r.Sequence)) {
			t.Errorf("fed %s, want %s", m.Data, body)
		}
	}
}
