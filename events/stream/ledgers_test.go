package stream

import (
	"errors"
	"slices"
	"testing"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/watu-ledger/watu/events"
)

func TestStreamsAreFound(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	if found, err := Streams(soon(t), nc); err != nil || len(found) != 0 {
		t.Errorf("%v, %v", found, err)
	}
	var want []Found
	for i, name := range []string{"a", "b", "c"} {
		l := newLog(name).write(30*i, "atlantic").sync()
		box, _ := open(t, nc, l, Options{})
		drain(t, box)
		want = append(want, Found{Ledger: l.id, Last: l.durable})
	}
	for name, subject := range map[string]string{
		"WATU_x": "x.>", "STOCK": "stock.>", StreamName(named("other subjects")): "z.>",
		"AWATU_" + named("d").String(): "y.>",
	} {
		_, err := js.CreateStream(soon(t), jetstream.StreamConfig{Name: name, Subjects: []string{subject}})
		check(t, err)
	}
	slices.SortFunc(want, func(a, b Found) int { return a.Ledger.Compare(b.Ledger) })
	if found, err := Streams(soon(t), nc); err != nil || !slices.Equal(found, want) {
		t.Errorf("%v, %v", found, err)
	}
}

func TestTail(t *testing.T) {
	t.Parallel()
	s := start(t, ServerOptions{Listen: "127.0.0.1:0"})
	nc := connect(t, s)
	l := newLog("ledger").write(600, "atlantic", "pacific").sync()
	box, _ := open(t, nc, l, Options{})
	drain(t, box)
	out, _ := guest(t, s)
	for _, from := range []uint64{0, 1, 2, 700, 1200, 1201, 5000} {
		var mine, theirs []events.Record
		check(t, Tail(soon(t), nc, Following{Ledger: l.id, From: from},
			func(r events.Record) error { mine = append(mine, r); return nil }))
		check(t, Tail(soon(t), out, Following{Ledger: l.id, From: from},
			func(r events.Record) error { theirs = append(theirs, r); return nil }))
		want := l.records[min(max(from, 1)-1, 1200):]
		wantRecords(t, mine, want)
		wantRecords(t, theirs, want)
	}
	enough, calls := errors.New("enough"), 0
	err := Tail(soon(t), nc, Following{Ledger: l.id, From: 1}, func(events.Record) error { calls++; return enough })
	if !errors.Is(err, enough) || calls != 1 {
		t.Errorf("%v after %d", err, calls)
	}
}

func TestTailErrors(t *testing.T) {
	t.Parallel()
	s := start(t, ServerOptions{Listen: "127.0.0.1:0"})
	nc := connect(t, s)
	js, err := jetstream.New(nc)
	check(t, err)
	out, _ := guest(t, s)
	l := newLog("ledger").write(20, "atlantic")
	none := func(events.Record) error { return nil }
	if err := Tail(soon(t), nc, Following{Ledger: l.id, From: 1}, none); !errors.Is(err, ErrNoStream) {
		t.Errorf("no stream: %v", err)
	}
	if err := Tail(soon(t), out, Following{Ledger: l.id, From: 1}, none); !errors.Is(err, ErrNoStream) {
		t.Errorf("no stream, guest: %v", err)
	}
	held := fill(t, js, l, l.records, func(c *jetstream.StreamConfig) { c.DenyDelete = false })
	check(t, held.DeleteMsg(soon(t), 12))
	var got []events.Record
	err = Tail(soon(t), nc, Following{Ledger: l.id, From: 1},
		func(r events.Record) error { got = append(got, r); return nil })
	if !errors.Is(err, ErrGap) {
		t.Errorf("gap: %v", err)
	}
	wantRecords(t, got, l.records[:11])
}
