package stream

import (
	"errors"
	"strings"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/watu-ledger/watu/events"
)

// fork gives the records of a ledger of which one event is another.
func fork(l *memoryLog, sequence uint64) []events.Record {
	return spoilt(l.records, sequence, newLog("x").write(1, "forged").records[0].Bytes)
}

// divergences are streams that know what the record of 200 events does not, each made by hand.
// The record is one campaign, so that a longer one of the same campaign begins with it.
var divergences = []struct {
	name, was string
	state     State
	at, last  uint64
	held      func(l *memoryLog) []events.Record
	change    func(c *jetstream.StreamConfig)
}{
	{name: "longer by one", was: "goes on to sequence 201, the record ends at 200", state: Longer, at: 201, last: 201,
		held: func(*memoryLog) []events.Record { return newLog("").write(201, "atlantic").records }},
	{name: "much longer", was: "goes on to sequence 3000", state: Longer, at: 201, last: 3000,
		held: func(*memoryLog) []events.Record { return newLog("").write(3000, "atlantic").records }},
	{name: "longer and open to deletion", was: "goes on to sequence 203", state: Longer, at: 201, last: 203,
		held:   func(*memoryLog) []events.Record { return newLog("").write(203, "atlantic").records },
		change: func(c *jetstream.StreamConfig) { c.DenyDelete = false }},
	{name: "longer and read by its leader alone", was: "goes on to sequence 203", state: Longer, at: 201, last: 203,
		held:   func(*memoryLog) []events.Record { return newLog("").write(203, "atlantic").records },
		change: func(c *jetstream.StreamConfig) { c.AllowDirect = false }},
	{name: "longer behind junk", was: "goes on to sequence 203", state: Longer, at: 203, last: 203,
		held: func(*memoryLog) []events.Record {
			r := newLog("").write(203, "atlantic").records
			return spoilt(spoilt(r, 201, []byte("junk")), 202, nil)
		}},
	{name: "other in the middle", was: "message 99 of the stream is another event", state: Other, at: 99, last: 200,
		held: func(l *memoryLog) []events.Record { return fork(l, 99) }},
	{name: "other behind junk", was: "message 99 of the stream is another event", state: Other, at: 99, last: 200,
		held: func(l *memoryLog) []events.Record {
			return spoilt(fork(l, 99), 20, []byte("junk"))
		}},
	{name: "other at the end", was: "message 150 of the stream is another event", state: Other, at: 150, last: 150,
		held: func(l *memoryLog) []events.Record { return append(l.records[:149:149], l.records[0]) }},
	{name: "other and longer", was: "message 7 of the stream is another event", state: Other, at: 7, last: 300,
		held: func(*memoryLog) []events.Record {
			l := newLog("").write(300, "atlantic")
			return fork(l, 7)
		}},
	{name: "from the first event on", was: "message 1 of the stream is another event", state: Other, at: 1, last: 120,
		held: func(*memoryLog) []events.Record { return newLog("").write(120, "elsewhere").records }},
}

func TestDivergedStreamIsLeftAlone(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	for _, d := range divergences {
		t.Run(d.name, func(t *testing.T) {
			l := newLog(d.name).write(200, "atlantic").sync()
			held := d.held(l)
			fill(t, js, l, held, d.change)
			want := Report{State: d.state, Published: d.at - 1, Last: d.last, Durable: 200, At: d.at,
				Stream: events.LeafHash(held[d.at-1].Bytes)}
			if d.state == Other {
				want.Record = l.records[d.at-1].Hash()
			}
			before, err := Compare(soon(t), nc, l)
			if !strings.Contains(before.Was, d.was) {
				t.Errorf("was %q", before.Was)
			}
			want.Was = before.Was
			if err != nil || before != want || !before.Diverged() {
				t.Fatalf("compared: %+v, %v, want %+v", before, err, want)
			}
			_, report, err := Open(soon(t), nc, l, Options{Logf: t.Logf})
			wantDiverged(t, err, want)
			if report != want {
				t.Errorf("report %+v", report)
			}
			wantHolds(t, nc, StreamName(l.id), d.last)
			wantRebuilt(t, nc, l, d.last)
		})
	}
}

func wantDiverged(t *testing.T, err error, want Report) {
	t.Helper()
	var diverged *DivergedError
	if !errors.As(err, &diverged) || diverged.Report != want || !errors.Is(err, ErrDiverged) {
		t.Fatalf("%v, want %+v", err, want)
	}
	if errors.Is(err, ErrForeign) != (want.At == 1) {
		t.Errorf("foreign: %v", err)
	}
	if !strings.Contains(err.Error(), want.Was) || !strings.Contains(err.Error(), diverged.Name) {
		t.Errorf("says %v", err)
	}
}

// wantRebuilt makes the stream anew, on purpose, and opens it then.
func wantRebuilt(t *testing.T, nc *nats.Conn, l *memoryLog, last uint64) {
	t.Helper()
	report, err := Rebuild(soon(t), nc, l, Options{Logf: t.Logf})
	if err != nil || report != (Report{State: Rebuilt, Published: l.durable, Last: last, Durable: l.durable}) {
		t.Fatalf("rebuilt: %+v, %v", report, err)
	}
	wantSame(t, nc, l)
	box, report := open(t, nc, l, Options{})
	defer box.Close()
	if report.State != InStep {
		t.Errorf("opened then: %+v", report)
	}
}

func TestRebuildOfNoneAndOfNothing(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	l := newLog("ledger").write(100, "atlantic").sync()
	report, err := Rebuild(soon(t), nc, l, Options{})
	if err != nil || report != (Report{State: New, Published: 100, Durable: 100}) {
		t.Errorf("%+v, %v", report, err)
	}
	wantSame(t, nc, l)
	wantRebuilt(t, nc, l, 100)
	empty := newLog("empty")
	report, err = Rebuild(soon(t), nc, empty, Options{})
	if err != nil || report != (Report{State: New}) {
		t.Errorf("%+v, %v", report, err)
	}
}

// A record that lost its end, or all of it, finds the stream longer.
func TestLostRecordFindsItsStream(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	whole := newLog("ledger").write(500, "atlantic").sync()
	box, _ := open(t, nc, whole, Options{})
	drain(t, box)
	box.Close()
	for _, kept := range []int{0, 1, 499} {
		l := newLog("ledger").write(kept, "atlantic").sync()
		_, report, err := Open(soon(t), nc, l, Options{})
		if !errors.Is(err, ErrDiverged) || errors.Is(err, ErrForeign) || report.State != Longer ||
			report.At != uint64(kept)+1 || report.Last != 500 {
			t.Errorf("%d kept: %+v, %v", kept, report, err)
		}
		var got []events.Record
		check(t, Tail(soon(t), nc, Following{Ledger: l.id, From: l.durable + 1},
			func(r events.Record) error { got = append(got, r); return nil }))
		wantRecords(t, got, whole.records[kept:])
	}
	wantSame(t, nc, whole)
}

// An event that is none of ours appears on the stream while the outbox runs: it stops, says so
// and leaves everything as it is.
func TestDivergesWhileRunning(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	l := newLog("ledger").write(100, "atlantic").sync()
	box, _ := open(t, nc, l, Options{})
	drain(t, box)
	forged := newLog("x").write(1, "forged").records[0]
	_, err = js.Publish(soon(t), LogSubject(l.id, forged.Campaign, "passed"), forged.Bytes)
	check(t, err)
	l.write(50, "atlantic").sync()
	err = box.Drain(soon(t))
	found := box.Status().Diverged.Report // what was sent behind the foreign event may be stored
	want := Report{
		State: Other, Published: 100, Last: found.Last, Durable: 150, At: 101,
		Stream: forged.Hash(), Record: l.records[100].Hash(), Was: found.Was,
	}
	wantDiverged(t, err, want)
	if s := box.Status(); s.Published != 100 || s.Rebuilds != 0 || !strings.Contains(s.Trouble, "message 101") ||
		found != want {
		t.Errorf("status %+v", s)
	}
	box.Close()
	held := published(t, nc, l)
	if len(held) < 101 || string(held[100].Body) != string(forged.Bytes) {
		t.Errorf("%d messages are left", len(held))
	}
	wantRebuilt(t, nc, l, uint64(len(held)))
}

// Whoever compares while the record grows and the outbox runs sees no divergence.
func TestCompareWhileItGrows(t *testing.T) {
	t.Parallel()
	s := start(t, ServerOptions{})
	nc, beside := connect(t, s), connect(t, s)
	l := newLog("ledger")
	box, _ := open(t, nc, l, Options{})
	written := make(chan struct{})
	go func() {
		defer close(written)
		for range 400 {
			l.write(10, "atlantic", "pacific").sync()
		}
	}()
	for done := false; !done; {
		select {
		case <-written:
			done = true
		default:
		}
		report, err := Compare(soon(t), beside, l)
		if err != nil || report.State != Resumed && report.State != InStep {
			t.Fatalf("%+v, %v", report, err)
		}
	}
	drain(t, box)
	wantSame(t, nc, l)
}
