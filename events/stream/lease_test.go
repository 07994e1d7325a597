package stream

import (
	"errors"
	"flag"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/watu-ledger/watu/fixtures/longrun"
)

var races = flag.Int("lease.races", 24, "how often eight contenders race for one lease")

// taken takes a lease, or fails.
func taken(t testing.TB, nc *nats.Conn, l *memoryLog, o LeaseOptions) *Lease {
	t.Helper()
	if o.Logf == nil {
		o.Logf = t.Logf
	}
	lease, err := TakeLease(soon(t), nc, l.id, o)
	check(t, err)
	t.Cleanup(lease.Release)
	return lease
}

// untilLease waits until a lease is valid (nil), or over in the given way.
func untilLease(t testing.TB, l *Lease, want error) {
	t.Helper()
	for ctx := soon(t); !errors.Is(l.Valid(), want); time.Sleep(time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatalf("the lease is %v, want %v", l.Valid(), want)
		}
	}
}

// wantNoLease fails unless the lease cannot be taken, for a reason and with some words.
func wantNoLease(t testing.TB, nc *nats.Conn, l *memoryLog, o LeaseOptions, reason error, words ...string) {
	t.Helper()
	o.Logf = t.Logf
	lease, err := TakeLease(soon(t), nc, l.id, o)
	if err == nil {
		lease.Release()
	}
	unsaid := func(w string) bool { return !strings.Contains(err.Error(), w) }
	if !errors.Is(err, reason) || slices.ContainsFunc(words, unsaid) {
		t.Errorf("taken: %v, want %v with %q", err, reason, words)
	}
}

func TestLeaseIsHandedOn(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	l := newLog("ledger")
	first := taken(t, nc, l, LeaseOptions{Holder: "watu serve"})
	if s := first.Status(); s.Generation != 1 || s.Holder != "watu serve" || s.Err != nil || first.Home() == "" {
		t.Errorf("status %+v, home %q", s, first.Home())
	}
	first.Release()
	if err := first.Valid(); !errors.Is(err, ErrLeaseLost) {
		t.Errorf("released: %v", err)
	}
	home := first.Home()
	wantNoLease(t, nc, l, LeaseOptions{Home: "ANOTHER"}, ErrHome, home)
	second := taken(t, nc, l, LeaseOptions{Home: home}) // need not wait
	if s := second.Status(); s.Generation != 2 || second.Home() != home {
		t.Errorf("status %+v, home %q", s, second.Home())
	}
	renamed, err := second.Rename(soon(t))
	if err != nil || renamed == home || second.Home() != renamed {
		t.Errorf("home %q, renamed %q: %v", home, renamed, err)
	}
	second.Release()
	wantNoLease(t, nc, l, LeaseOptions{Home: home}, ErrHome)
	third := taken(t, nc, l, LeaseOptions{Home: home, Begin: true})
	if s := third.Status(); s.Generation != 3 || third.Home() != renamed {
		t.Errorf("status %+v, home %q", s, third.Home())
	}
}

// TestLeaseRaces lets contenders take one lease at the same time, again and again: never are two valid,
// and no generation comes twice.
func TestLeaseRaces(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, "", true)
	l := newLog("ledger")
	const contenders = 8
	var mu sync.Mutex
	var held []*Lease
	generations := map[uint64]int{}
	took, refused := 0, 0
	contend := func(nc *nats.Conn) {
		lease, err := TakeLease(soon(t), nc, l.id, LeaseOptions{Term: time.Second / 2, Holder: "a contender"})
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			if refused++; !errors.Is(err, ErrLeaseHeld) {
				t.Error(err)
			}
			return
		}
		took++
		held = append(held, lease)
		generations[lease.Status().Generation]++
		over := func(l *Lease) bool { return l.Valid() != nil }
		if valid := slices.DeleteFunc(slices.Clone(held), over); len(valid) > 1 {
			t.Errorf("%d holders at the same time", len(valid))
		}
		go func() {
			time.Sleep(time.Millisecond)
			lease.Release()
		}()
	}
	var conns []*nats.Conn
	for range contenders {
		conns = append(conns, dialled(t, urlOf(s, "")))
	}
	for range *races {
		var all sync.WaitGroup
		for _, nc := range conns {
			all.Go(func() { contend(nc) })
		}
		all.Wait()
		for _, lease := range held {
			untilLease(t, lease, ErrLeaseLost)
		}
		held = nil
	}
	for g := range uint64(took) {
		if generations[g+1] != 1 {
			t.Errorf("generation %d was taken %d times", g+1, generations[g+1])
		}
	}
	t.Logf("%d races of %d contenders: taken %d times, refused %d times", *races, contenders, took, refused)
}

// TestHolderLives refuses a second copy while the first one renews its lease.
func TestHolderLives(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	l := newLog("ledger")
	lease := taken(t, nc, l, LeaseOptions{Term: 2 * time.Second, Holder: "watu serve"})
	wantNoLease(t, nc, l, LeaseOptions{}, ErrLeaseHeld, "watu serve", "process ", "generation 1")
	if err := lease.Valid(); err != nil {
		t.Error(err)
	}
}

// side is one copy of a ledger, with its own way to the server.
type side struct {
	log   *memoryLog
	lease *Lease
	box   *Outbox
}

func newSide(t *testing.T, nc *nats.Conn, l *memoryLog, o LeaseOptions) side {
	t.Helper()
	lease := taken(t, nc, l, o)
	box, _ := open(t, nc, l, Options{Lease: lease, AckWait: time.Second})
	return side{l, lease, box}
}

// step records an event and says whether it may be answered.
func (s side) step(t *testing.T, campaign string) error {
	s.log.write(1, campaign).sync()
	return s.box.Confirm(soon(t), s.log.Durable())
}

// TestPartition cuts a holder off: it acknowledges nothing any more, another copy goes on after the
// term, and the first one, when it is back, neither publishes nor acknowledges.
func TestPartition(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, "", true)
	way := newDetour(t, s.Addr().String())
	o := LeaseOptions{Term: time.Second}
	a := newSide(t, dialled(t, "nats://"+way.address()), newLog("ledger"), o)
	check(t, a.step(t, "atlantic"))
	way.cut()
	if err := a.step(t, "pacific"); !errors.Is(err, ErrLeaseLapsed) {
		t.Errorf("a step behind the cut: %v", err)
	}
	nc := dialled(t, urlOf(s, ""))
	b := newSide(t, nc, newLog("ledger").write(1, "atlantic").sync(), o)
	if a.lease.Valid() == nil || b.lease.Status().Generation != 2 {
		t.Errorf("both hold it: %+v, %+v", a.lease.Status(), b.lease.Status())
	}
	check(t, b.step(t, "arctic"))
	way.mend()
	untilLease(t, a.lease, ErrLeaseLost)
	if err := a.step(t, "pacific"); !errors.Is(err, ErrLeaseLost) || !strings.Contains(err.Error(), "generation 2") {
		t.Errorf("a step of who was cut off: %v", err)
	}
	check(t, b.step(t, "arctic"))
	wantSame(t, nc, b.log)
}

// TestStalePublish lets an event of the former holder arrive after the takeover: the new holder does not
// acknowledge another one in its place.
func TestStalePublish(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	b := newSide(t, nc, newLog("ledger").write(1, "atlantic").sync(), LeaseOptions{Term: 5 * time.Second})
	check(t, b.step(t, "arctic"))
	stale := newLog("ledger").write(1, "atlantic", "arctic", "pacific").records[2]
	m := nats.NewMsg(LogSubject(b.log.id, stale.Campaign, typeOf(t, stale)))
	m.Data = stale.Bytes
	m.Header.Set(nats.ExpectedLastSeqHdr, "2")
	answer, err := nc.RequestMsgWithContext(soon(t), m)
	if check(t, err); strings.Contains(string(answer.Data), "error") {
		t.Fatalf("published: %s", answer.Data)
	}
	for range 2 {
		if err := b.step(t, "arctic"); !errors.Is(err, ErrLeaseLost) || !errors.Is(err, ErrDiverged) {
			t.Errorf("a step over a foreign event: %v", err)
		}
	}
}

// TestLapseAndReturn takes the server away for longer than a term: the same holder goes on then, since
// nobody else could take the lease.
func TestLapseAndReturn(t *testing.T) {
	t.Parallel()
	o, s, nc := restartable(t)
	a := newSide(t, nc, newLog("ledger"), LeaseOptions{Term: time.Second})
	check(t, a.step(t, "atlantic"))
	stop(s)
	if err := a.step(t, "atlantic"); !errors.Is(err, ErrLeaseLapsed) {
		t.Errorf("a step while the server is away: %v", err)
	}
	run(t, o.Clone())
	untilLease(t, a.lease, nil)
	check(t, a.box.Confirm(soon(t), 2)) // asked again
	check(t, a.step(t, "atlantic"))
	if s := a.lease.Status(); s.Generation != 1 {
		t.Errorf("status %+v", s)
	}
	wantSame(t, nc, a.log)
}

// TestBucketDeleted takes the lease away: it is lost, and does not come back by itself.
func TestBucketDeleted(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	a := newSide(t, nc, newLog("ledger"), LeaseOptions{Term: 2 * time.Second})
	home := a.lease.Home()
	js, err := jetstream.New(nc)
	check(t, err)
	check(t, js.DeleteKeyValue(soon(t), leaseBucket(a.log.id)))
	untilLease(t, a.lease, ErrLeaseLost)
	if err := a.step(t, "atlantic"); !errors.Is(err, ErrLeaseLost) || !strings.Contains(err.Error(), "--new-home") {
		t.Errorf("a step: %v", err)
	}
	wantNoLease(t, nc, a.log, LeaseOptions{Home: home}, ErrHome, "deleted")
	if _, err := js.KeyValue(soon(t), leaseBucket(a.log.id)); !errors.Is(err, jetstream.ErrBucketNotFound) {
		t.Errorf("the bucket was made again: %v", err)
	}
	b := taken(t, nc, a.log, LeaseOptions{Home: home, Begin: true})
	if b.Home() == home {
		t.Error("a home that begins anew has the old id")
	}
}

// TestBucketMadeAgain gives another holder a bucket of its own that is at the same revision: a lease that
// has lapsed meanwhile is lost, and neither its renewal nor its release writes there.
func TestBucketMadeAgain(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, "", true)
	nc, l := dialled(t, urlOf(s, "")), newLog("ledger")
	first := taken(t, nc, l, LeaseOptions{Term: time.Second})
	first.asking.Lock() // it renews no more, as if it slept
	js, err := jetstream.New(nc)
	check(t, err)
	check(t, js.DeleteKeyValue(soon(t), leaseBucket(l.id)))
	second := taken(t, nc, l, LeaseOptions{Begin: true, Term: time.Hour})
	second.mu.Lock()
	value := second.value
	second.mu.Unlock()
	for second.revision < first.revision { // which slept after some renewals, perhaps
		second.revision, err = second.write(soon(t), value, second.revision)
		check(t, err)
	}
	if first.revision != second.revision {
		t.Fatalf("revisions %d and %d", first.revision, second.revision)
	}
	untilLease(t, first, ErrLeaseLapsed)
	first.asking.Unlock()
	untilLease(t, first, ErrLeaseLost)
	check(t, first.renew(soon(t))) // the one that found it out is over, and this one does nothing
	first.Release()
	found, revision, err := second.read(soon(t))
	if check(t, err); found != value || revision != second.revision {
		t.Errorf("the lease is %+v at revision %d, want %+v at %d", found, revision, value, second.revision)
	}
}

// TestKeyDeleted removes the key and leaves the bucket.
func TestKeyDeleted(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	l := newLog("ledger")
	a := taken(t, nc, l, LeaseOptions{Term: time.Second})
	js, err := jetstream.New(nc)
	check(t, err)
	kv, err := js.KeyValue(soon(t), leaseBucket(l.id))
	check(t, err)
	check(t, kv.Delete(soon(t), leaseKey))
	untilLease(t, a, ErrLeaseLost)
	wantNoLease(t, nc, l, LeaseOptions{Home: a.Home()}, ErrHome)
	if b := taken(t, nc, l, LeaseOptions{Home: a.Home(), Begin: true}); b.Home() == a.Home() {
		t.Error("a home that begins anew has the old id")
	}
}

func TestLeaseDenied(t *testing.T) {
	t.Parallel()
	s := elsewhere(t, `accounts { CLUB { jetstream: enabled, users: [
		{user: host, password: p, permissions: {publish: ["watu.v1.>", "$JS.API.>"], subscribe: "_INBOX.>"}}
		{user: guest, password: p, permissions: {publish: "$JS.API.DIRECT.GET.>", subscribe: ["watu.v1.>", "_INBOX.>"]}}
	] } }`, true)
	for _, user := range []string{"host", "guest"} {
		wantNoLease(t, dialled(t, urlOf(s, user+":p")), newLog("ledger"), LeaseOptions{}, ErrDenied)
	}
}

func TestLeaseWithoutJetStream(t *testing.T) {
	t.Parallel()
	wantNoLease(t, dialled(t, urlOf(elsewhere(t, "", false), "")), newLog("ledger"), LeaseOptions{}, ErrNoJetStream)
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	wantNoLease(t, nc, newLog("ledger"), LeaseOptions{Replicas: 3}, ErrReplicas)
	taken(t, nc, newLog("ledger"), LeaseOptions{}).Release()
	wantNoLease(t, nc, newLog("ledger"), LeaseOptions{Replicas: 3}, ErrReplicas)
}

// Either clock ends a term.
func TestWithin(t *testing.T) {
	t.Parallel()
	now := time.Now()
	wall := now.Round(0) // without the monotonic clock
	for _, c := range []struct {
		from, now time.Time
		want      bool
	}{
		{now, now.Add(14 * time.Second), true},
		{now, now.Add(15 * time.Second), false},
		{wall, wall.Add(14 * time.Second), true},
		{wall, wall.Add(time.Hour), false}, // set forward, or the machine slept
		{wall, wall.Add(-time.Hour), true}, // set back: the other clock has to tell
	} {
		if got := within(c.from, c.now, 15*time.Second); got != c.want {
			t.Errorf("within %v to %v: %v", c.from, c.now, got)
		}
	}
}

// The server that leads the bucket and the stream stops: the holder keeps its lease, and nothing that was
// acknowledged is lost.
func TestClusterKeepsTheLease(t *testing.T) {
	if strconv.IntSize == 32 {
		t.Skip("nats-server 2.15.2 panics in a cluster on 32 bits, as in TestClusterLosesItsLeaders")
	}
	t.Parallel()
	c := newCluster(t)
	nc := dialled(t, c.url())
	l := newLog("ledger")
	lease := taken(t, nc, l, LeaseOptions{Replicas: 3})
	box, _ := open(t, nc, l, Options{Replicas: 3, Lease: lease})
	a := side{l, lease, box}
	acknowledged := uint64(0)
	steps := func(n int) {
		for range n {
			if err := a.step(t, "atlantic"); err == nil {
				acknowledged = l.Durable()
			} else {
				t.Logf("not acknowledged: %v", err)
			}
		}
	}
	steps(20)
	leader := c.whole(t, nc, l)
	stop(c.servers[leader])
	steps(20)
	untilLease(t, lease, nil)
	check(t, box.Confirm(soon(t), l.Durable()))
	c.restart(t, leader)
	c.whole(t, nc, l)
	steps(5)
	if s := lease.Status(); s.Generation != 1 || s.Err != nil || acknowledged == 0 {
		t.Errorf("status %+v, %d acknowledged", s, acknowledged)
	}
	drain(t, box)
	wantSame(t, nc, l)
}

// Two servers of three stop: who would take the lease hears that nobody leads it.
func TestLeaseWithoutLeader(t *testing.T) {
	longrun.Only(t)
	if strconv.IntSize == 32 {
		t.Skip("nats-server 2.15.2 panics in a cluster on 32 bits, as in TestClusterLosesItsLeaders")
	}
	t.Parallel()
	c := newCluster(t)
	nc := dialled(t, c.url())
	l := newLog("ledger")
	home, err := answeredLease(t, nc, l, LeaseOptions{Replicas: 3}, ErrNoLeader)
	check(t, err)
	home.Release()
	stop(c.servers[0])
	stop(c.servers[1])
	if home, err = answeredLease(t, nc, l, LeaseOptions{Home: home.Home()}); !errors.Is(err, ErrNoLeader) {
		t.Errorf("taken: %v, %v", home, err)
	}
}

// answeredLease asks for a lease until that is answered: a cluster that is busy, or loses servers, may not answer in
// time, or not by the connection that is there, or with one of the errors given.
func answeredLease(t *testing.T, nc *nats.Conn, l *memoryLog, o LeaseOptions, passing ...error) (*Lease, error) {
	t.Helper()
	o.Logf = t.Logf
	passing = append(passing, ErrSilent, ErrUnreachable)
	for ctx := soon(t); ; time.Sleep(100 * time.Millisecond) {
		lease, err := TakeLease(ctx, nc, l.id, o)
		if err == nil {
			t.Cleanup(lease.Release)
			return lease, nil
		}
		passes := func(p error) bool { return errors.Is(err, p) }
		if ctx.Err() != nil || !slices.ContainsFunc(passing, passes) {
			return nil, err
		}
		t.Logf("asked again: %v", err)
	}
}

// A lease that is renewed while another process looks is not taken away by an answer that was lost.
func TestLostAnswer(t *testing.T) {
	t.Parallel()
	nc := dialled(t, urlOf(elsewhere(t, "", true), ""))
	l := newLog("ledger")
	a := taken(t, nc, l, LeaseOptions{Term: 2 * time.Second})
	a.asking.Lock()
	a.mu.Lock()
	value, revision := a.value, a.revision
	a.mu.Unlock()
	_, err := a.write(soon(t), value, revision) // as a renewal whose answer does not come
	a.asking.Unlock()
	check(t, err)
	from := a.Status().Until
	for ctx := soon(t); !a.Status().Until.After(from); time.Sleep(time.Millisecond) {
		if ctx.Err() != nil {
			t.Fatal("it is not renewed")
		}
	}
	if err := a.Valid(); err != nil {
		t.Error(err)
	}
}
