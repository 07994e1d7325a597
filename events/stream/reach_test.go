package stream

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// TestOlderCopyWithoutStream deletes the stream and leaves the lease: an older copy of the record may not
// make the stream anew, since the lease knows how far it was. A copy that is as long may, on as many servers.
func TestOlderCopyWithoutStream(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	a := newSide(t, nc, newLog("ledger"), LeaseOptions{})
	for range 3 {
		check(t, a.step(t, "atlantic"))
	}
	a.box.Close()
	a.lease.Release()
	js, err := jetstream.New(nc)
	check(t, err)
	check(t, js.DeleteStream(soon(t), StreamName(a.log.id)))
	older := newLog("ledger").write(1, "atlantic").sync()
	lease := taken(t, nc, older, LeaseOptions{Home: a.lease.Home()})
	_, _, err = Open(soon(t), nc, older, Options{Lease: lease})
	if !errors.Is(err, ErrDiverged) || !strings.Contains(err.Error(), "had 3 events") {
		t.Errorf("an older copy: %v", err)
	}
	lease.Release()
	whole := newSide(t, nc, a.log, LeaseOptions{Home: a.lease.Home()})
	check(t, whole.step(t, "atlantic"))
	wantSame(t, nc, a.log)
}

// TestDiesAfterAnAnswer lets a host die as soon as its step may be answered, long before its lease is renewed
// by itself, and deletes the stream: the lease knows of the step all the same.
func TestDiesAfterAnAnswer(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, "", true)
	dying := dialled(t, urlOf(s, ""))
	o := LeaseOptions{Term: 2 * time.Second}
	a := newSide(t, dying, newLog("ledger").write(1, "atlantic").sync(), o)
	for range 3 {
		check(t, a.step(t, "arctic"))
	}
	dying.Close() // nothing is released or renewed any more
	nc := dialled(t, urlOf(s, ""))
	js, err := jetstream.New(nc)
	check(t, err)
	check(t, js.DeleteStream(soon(t), StreamName(a.log.id)))
	older := newLog("ledger").write(1, "atlantic").sync()
	o.Home = a.lease.Home()
	lease := taken(t, nc, older, o)
	_, _, err = Open(soon(t), nc, older, Options{Lease: lease})
	var short *ShortError
	if !errors.As(err, &short) || short.Reached != 4 || short.Hash != a.log.records[3].Hash() {
		t.Errorf("an older copy: %v", err)
	}
}

// TestOvertakenWithoutStream deletes the stream, and a host that was cut off comes back with another event
// in the place of the last one that was acknowledged: its record is as long, and may not make the stream
// anew; nor may one that went on for longer.
func TestOvertakenWithoutStream(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	b := newSide(t, nc, newLog("ledger").write(1, "atlantic").sync(), LeaseOptions{})
	check(t, b.step(t, "arctic"))
	b.box.Close()
	b.lease.Release()
	js, err := jetstream.New(nc)
	check(t, err)
	check(t, js.DeleteStream(soon(t), StreamName(b.log.id)))
	o := LeaseOptions{Home: b.lease.Home()}
	for _, more := range []int{1, 5} {
		a := newLog("ledger").write(1, "atlantic").write(more, "pacific").sync()
		lease := taken(t, nc, a, o)
		_, _, err := Open(soon(t), nc, a, Options{Lease: lease})
		var short *ShortError
		if !errors.As(err, &short) || short.Hash != b.log.records[1].Hash() || short.Here != a.records[1].Hash() {
			t.Errorf("a record with %d other events: %v", more, err)
		}
		lease.Release()
	}
	whole := newSide(t, nc, b.log, o)
	check(t, whole.step(t, "arctic"))
	wantSame(t, nc, b.log)
}

// TestLeaseOfAnOlderWatu finds a lease that says how many events the stream had, and not which: the count
// alone is compared, and the next one that is published is named.
func TestLeaseOfAnOlderWatu(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	l := newLog("ledger").write(5, "atlantic").sync()
	first := taken(t, nc, l, LeaseOptions{})
	first.mu.Lock()
	first.reach = reach{Published: 2}
	first.mu.Unlock()
	first.Release()
	lease := taken(t, nc, l, LeaseOptions{})
	_, _, err := Open(soon(t), nc, newLog("ledger").write(1, "atlantic").sync(), Options{Lease: lease})
	var short *ShortError
	if !errors.As(err, &short) || short.Reached != 2 || !short.Hash.IsZero() {
		t.Errorf("a record of one event: %v", err)
	}
	box, _ := open(t, nc, l, Options{Lease: lease})
	drain(t, box)
	lease.Release()
	found, _, err := lease.read(soon(t))
	if want := (reach{5, l.records[4].Hash()}); err != nil || found.reach != want {
		t.Errorf("the lease says %+v, want %+v: %v", found.reach, want, err)
	}
}

// TestReachWhileMadeAgain deletes the stream and has it published again: the lease says all the time how
// far it was, until a shorter record is made to stand.
func TestReachWhileMadeAgain(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	const many = 5000
	a := newSide(t, nc, newLog("ledger").write(many, "atlantic").sync(), LeaseOptions{})
	drain(t, a.box)
	a.box.Close()
	a.lease.Release()
	js, err := jetstream.New(nc)
	check(t, err)
	check(t, js.DeleteStream(soon(t), StreamName(a.log.id)))
	b := newSide(t, nc, a.log, LeaseOptions{Home: a.lease.Home()})
	ctx := soon(t)
	for s, changed := b.box.look(); s.Published < many; s, changed = b.box.look() {
		if got := b.lease.Reached(); got != many {
			t.Fatalf("with %d published the lease says %d, want %d", s.Published, got, many)
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("%d of %d are published", s.Published, many)
		}
	}
	b.box.Close()
	b.lease.Release()
	older := newLog("ledger").write(3, "atlantic").sync()
	lease := taken(t, nc, older, LeaseOptions{Home: a.lease.Home()})
	if got := lease.Reached(); got != many {
		t.Errorf("the lease says %d, want %d", got, many)
	}
	_, err = Rebuild(soon(t), nc, older, Options{Lease: lease})
	if check(t, err); lease.Reached() != 3 {
		t.Errorf("the lease says %d of a stream of 3", lease.Reached())
	}
}
