package stream

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// following collects what a follower is given until it has a sequence.
type following struct {
	got   []events.Record
	begun chan struct{} // closed at the first
	end   chan error
}

var errEnough = errors.New("enough")

// followers follow all campaigns and one, each over its own connection.
func followers(t *testing.T, l *memoryLog, url string, campaign string, last uint64) (all, one *following) {
	t.Helper()
	begin := func(campaign ulid.ULID, nc *nats.Conn) *following {
		f := &following{begun: make(chan struct{}), end: make(chan error, 1)}
		ctx, cancel := context.WithCancel(context.Background())
		t.Cleanup(cancel)
		go func() {
			f.end <- Follow(ctx, nc, Following{Ledger: l.id, Campaign: campaign, From: 1}, func(r events.Record) error {
				if f.got = append(f.got, r); len(f.got) == 1 {
					close(f.begun)
				}
				if r.Sequence == last {
					return errEnough
				}
				return nil
			})
		}()
		return f
	}
	return begin(ulid.ULID{}, dialled(t, url)), begin(named(campaign), dialled(t, url))
}

// untilBegun waits until followers were given something: a follower that begins while a server
// stops may be told that there is no stream.
func untilBegun(t *testing.T, followers ...*following) {
	t.Helper()
	for _, f := range followers {
		select {
		case <-f.begun:
		case err := <-f.end:
			t.Fatal(err)
		}
	}
}

// wantAll fails unless a follower was given each record of a campaign, or of all, once and in
// order.
func (f *following) wantAll(t *testing.T, l *memoryLog, campaign string) {
	t.Helper()
	select {
	case err := <-f.end:
		if !errors.Is(err, errEnough) {
			t.Fatal(err)
		}
	case <-soon(t).Done():
		t.Fatal("the follower does not get to the end")
	}
	want := l.records
	if campaign != "" {
		want = slices.DeleteFunc(slices.Clone(want),
			func(r events.Record) bool { return r.Campaign != named(campaign) })
	}
	wantRecords(t, f.got, want)
}

// pastOutage waits until something is published that was recorded after the call.
func pastOutage(t *testing.T, box *Outbox) {
	t.Helper()
	ctx := soon(t)
	for target := box.Status().Durable + 1; ; {
		s, changed := box.look()
		if s.Published >= target {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("published %d, want %d: %s", s.Published, target, s.Trouble)
		}
	}
}

// wantUnspoilt fails unless the stream is the record, in a cluster too, and was never made again.
func wantUnspoilt(t *testing.T, nc *nats.Conn, l *memoryLog, box *Outbox) {
	t.Helper()
	var got []events.Record
	check(t, Tail(soon(t), nc, Following{Ledger: l.id, From: 1},
		func(r events.Record) error { got = append(got, r); return nil }))
	wantRecords(t, got, l.records)
	if s := box.Status(); s.Rebuilds != 0 || s.Diverged != nil || s.Trouble != "" {
		t.Errorf("status %+v", s)
	}
	if report, err := Compare(soon(t), nc, l); err != nil || report.State != InStep {
		t.Errorf("compared: %+v, %v", report, err)
	}
}

// The program of these tests is also a nats server that can be killed.
const (
	storeVariable = "WATU_TEST_NATS_STORE"
	portVariable  = "WATU_TEST_NATS_PORT"
)

func serveUntilKilled(store string) {
	port, err := strconv.Atoi(os.Getenv(portVariable))
	if err != nil {
		panic(err)
	}
	s, err := server.NewServer(&server.Options{Host: "127.0.0.1", Port: port, JetStream: true, StoreDir: store,
		NoLog: true, NoSigs: true})
	if err != nil {
		panic(err)
	}
	s.Start()
	// Whoever started it holds the other end, so that it never outlives the test.
	_, _ = os.Stdin.Read(make([]byte, 1))
	os.Exit(0)
}

// process starts a server as a process of its own, and gives how to kill it.
func process(t *testing.T, store, address string) (kill func()) {
	t.Helper()
	_, port, err := net.SplitHostPort(address)
	check(t, err)
	program, err := os.Executable()
	check(t, err)
	c := exec.Command(program)
	c.Env = append(os.Environ(), storeVariable+"="+store, portVariable+"="+port)
	hold, err := c.StdinPipe()
	check(t, err)
	check(t, c.Start())
	killed := false
	kill = func() {
		if killed {
			return
		}
		killed = true
		_ = c.Process.Kill() // SIGKILL
		_ = c.Wait()
		_ = hold.Close()
	}
	t.Cleanup(kill)
	return kill
}

// freeAddress is one that nobody listens on. It lies below the ports that systems give to
// outgoing connections: one of those could take it while its server is away.
func freeAddress(t *testing.T) string {
	t.Helper()
	for range 1000 {
		l, err := net.Listen("tcp", fmt.Sprint("127.0.0.1:", 12_000+rand.IntN(18_000)))
		if err == nil {
			defer l.Close()
			return l.Addr().String()
		}
	}
	t.Fatal("no free port")
	return ""
}

// patient connects to a server that is about to start.
func patient(t *testing.T, url string) *nats.Conn {
	t.Helper()
	for ctx := soon(t); ; {
		nc, err := Dial(ctx, url, t.Logf)
		if err == nil {
			closed := make(chan struct{})
			nc.SetClosedHandler(func(*nats.Conn) { close(closed) })
			t.Cleanup(func() { nc.Close(); <-closed })
			return nc
		}
		if ctx.Err() != nil {
			t.Fatal(err)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// A server is killed again and again in the middle of the load, and starts on what its store
// holds then.
func TestServerKilledUnderLoad(t *testing.T) {
	t.Parallel()
	const each = 2000
	rounds := 4
	if !longrun.On() {
		rounds = 2
	}
	store, address := t.TempDir(), freeAddress(t)
	kill := process(t, store, address)
	nc := patient(t, "nats://"+address)
	l := newLog("ledger")
	box, _ := open(t, nc, l, Options{})
	all, one := followers(t, l, "nats://"+address, "pacific", uint64(2*rounds*each))
	for round := range rounds {
		written := make(chan struct{})
		go func() {
			defer close(written)
			for range each / 20 {
				l.write(20, "atlantic", "pacific").sync()
				time.Sleep(time.Millisecond)
			}
		}()
		pastOutage(t, box)
		untilBegun(t, all, one)
		kill()
		if round%2 == 0 {
			<-written // it all piles up
		}
		kill = process(t, store, address)
		<-written
	}
	drain(t, box)
	all.wantAll(t, l, "")
	one.wantAll(t, l, "pacific")
	t.Logf("%d events, status %+v", l.durable, box.Status())
	wantSame(t, nc, l)
}

// Much is recorded while the server is away, and nothing is asked of memory.
func TestLongOutage(t *testing.T) {
	t.Parallel()
	o, s, nc := restartable(t)
	l := newLog("ledger").write(250, "atlantic", "pacific").sync()
	box, _ := open(t, nc, l, Options{})
	all, one := followers(t, l, s.ClientURL(), "pacific", 12_500)
	drain(t, box)
	untilBegun(t, all, one)
	stop(s)
	for range 40 {
		l.write(100, "atlantic", "third", "pacific").sync()
	}
	if got := box.Status(); got.Published != 500 || got.Durable != 12_500 {
		t.Errorf("status %+v", got)
	}
	run(t, o.Clone())
	drain(t, box)
	all.wantAll(t, l, "")
	one.wantAll(t, l, "pacific")
	wantUnspoilt(t, nc, l, box)
	if fmt.Sprint(box.Status()) != fmt.Sprint(Status{Published: 12_500, Durable: 12_500}) {
		t.Errorf("status %+v", box.Status())
	}
}
