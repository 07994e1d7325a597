package stream

import (
	"context"
	"errors"
	"os"
	"testing"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

func writeFile(t *testing.T, path string) {
	t.Helper()
	check(t, os.WriteFile(path, []byte("x"), 0o600))
}

// followWhileItGrows follows one campaign from its beginning and all from sequence 100, while
// events are added, and compares what came with the record.
func followWhileItGrows(t *testing.T, nc *nats.Conn, l *memoryLog) {
	t.Helper()
	const more = 300
	campaign, whole := named("pacific"), len(l.records)+2*more
	ends := make(chan error, 2)
	var one, all []events.Record
	begun := make(chan struct{}, 2)
	stop := errors.New("enough")
	follow := func(campaign ulid.ULID, from uint64, into *[]events.Record, last uint64) {
		ends <- Follow(soon(t), nc, Following{Ledger: l.id, Campaign: campaign, From: from},
			func(r events.Record) error {
				*into = append(*into, r)
				if len(*into) == 1 {
					begun <- struct{}{}
				}
				if r.Sequence == last {
					return stop
				}
				return nil
			})
	}
	go follow(campaign, 0, &one, uint64(whole))
	go follow(ulid.ULID{}, 100, &all, uint64(whole))
	<-begun
	<-begun
	for range more {
		l.write(1, "atlantic", "pacific").sync()
	}
	for range 2 {
		if err := <-ends; !errors.Is(err, stop) {
			t.Fatal(err)
		}
	}
	wantRecords(t, all, l.records[99:])
	var of []events.Record
	for _, r := range l.records {
		if r.Campaign == campaign {
			of = append(of, r)
		}
	}
	wantRecords(t, one, of)
}

func wantRecords(t *testing.T, got, want []events.Record) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d records followed, want %d", len(got), len(want))
	}
	for i := range want {
		if got[i].Sequence != want[i].Sequence || got[i].Campaign != want[i].Campaign ||
			got[i].Index != want[i].Index || string(got[i].Bytes) != string(want[i].Bytes) {
			t.Fatalf("record %d: followed sequence %d, want %d", i, got[i].Sequence, want[i].Sequence)
		}
	}
}

func TestFollowAcrossAppends(t *testing.T) {
	t.Parallel()
	s := start(t, ServerOptions{})
	nc := connect(t, s)
	l := newLog("ledger").write(600, "atlantic", "pacific").sync()
	box, _ := open(t, nc, l, Options{Heard: s.Heard})
	drain(t, box)
	followWhileItGrows(t, connect(t, s), l)
}

func TestFollowAcrossARebuild(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	l := newLog("ledger").write(50, "atlantic").sync()
	box, _ := open(t, nc, l, Options{})
	drain(t, box)
	begun, end := make(chan struct{}), make(chan error, 1)
	stop := errors.New("enough")
	var got []events.Record
	go func() {
		end <- Follow(soon(t), nc, Following{Ledger: l.id, From: 1}, func(r events.Record) error {
			got = append(got, r)
			switch len(got) {
			case 50:
				close(begun)
			case 80:
				return stop
			}
			return nil
		})
	}()
	<-begun
	check(t, js.DeleteStream(soon(t), StreamName(l.id)))
	l.write(30, "atlantic").sync()
	if err := <-end; !errors.Is(err, stop) {
		t.Fatal(err)
	}
	wantRecords(t, got, l.records)
}

func TestFollowErrors(t *testing.T) {
	t.Parallel()
	nc := connect(t, start(t, ServerOptions{}))
	js, err := jetstream.New(nc)
	check(t, err)
	l := newLog("ledger").write(20, "atlantic")
	ctx, cancel := context.WithCancel(soon(t))
	none := func(events.Record) error { return nil }
	if err := Follow(ctx, nc, Following{Ledger: l.id, From: 1}, none); !errors.Is(err, ErrNoStream) {
		t.Errorf("no stream: %v", err)
	}
	fill(t, js, l, append(l.records[:10:10], l.records[12:]...), nil)
	if err := Follow(ctx, nc, Following{Ledger: l.id, Campaign: named("atlantic"), From: 1}, none); !errors.Is(err,
		ErrGap) {
		t.Errorf("gap: %v", err)
	}
	cancel()
	if err := Follow(ctx, nc, Following{Ledger: l.id, Campaign: named("pacific"), From: 1}, none); !errors.Is(err,
		context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}
