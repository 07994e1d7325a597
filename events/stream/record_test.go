package stream

import (
	"context"
	"crypto/sha256"
	"flag"
	"fmt"
	"iter"
	"os"
	"runtime"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/oklog/ulid/v2"
	"go.uber.org/goleak"

	"github.com/watu-ledger/watu/events"
)

func TestMain(m *testing.M) {
	if store := os.Getenv(storeVariable); store != "" {
		serveUntilKilled(store)
	}
	// They wait more than they compute.
	_ = flag.Set("test.parallel", strconv.Itoa(4*runtime.GOMAXPROCS(0)))
	goleak.VerifyTestMain(m)
}

// memoryLog is a record of real events, kept in memory.
type memoryLog struct {
	id      ulid.ULID
	mu      sync.Mutex
	records []events.Record
	heads   map[ulid.ULID]events.Record
	durable uint64
	grown   chan struct{}
}

func named(name string) ulid.ULID {
	sum := sha256.Sum256([]byte(name))
	return ulid.ULID(sum[:16])
}

func newLog(name string) *memoryLog {
	return &memoryLog{id: named(name), heads: map[ulid.ULID]events.Record{}, grown: make(chan struct{})}
}

// write adds n events to each campaign in turn, not durable yet.
func (l *memoryLog) write(n int, campaigns ...string) *memoryLog {
	l.mu.Lock()
	defer l.mu.Unlock()
	payloads := events.Payloads()
	for range n {
		for _, name := range campaigns {
			e := events.Event{
				Campaign: named(name), ID: named(fmt.Sprint("event", len(l.records))), Seat: "umpire",
				Command: fmt.Sprint("command-", len(l.records)/3), Epoch: 1, Schema: events.SchemaVersion,
				Turn: events.Turn{Ordinal: 3, Label: "Winter 1941"}, Recorded: time.UnixMilli(1700000000000),
				Derivation: []events.Citation{{Rule: "AWAW-48.42-A", Step: "columns capped at one"}},
			}
			if head, begun := l.heads[e.Campaign]; begun {
				e.Index, e.Previous = head.Index+1, head.Hash()
			}
			p := payloads[int(e.Index)%len(payloads)]
			e.Type, e.Payload = p.Type(), events.EncodePayload(p)
			r := events.Record{Sequence: uint64(len(l.records)) + 1, Campaign: e.Campaign, Index: e.Index,
				Bytes: e.Encode()}
			l.records = append(l.records, r)
			l.heads[e.Campaign] = r
		}
	}
	return l
}

// sync makes everything written durable.
func (l *memoryLog) sync() *memoryLog {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.durable = uint64(len(l.records))
	close(l.grown)
	l.grown = make(chan struct{})
	return l
}

func (l *memoryLog) ID() ulid.ULID { return l.id }

func (l *memoryLog) Durable() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.durable
}

func (l *memoryLog) Wait(ctx context.Context, after uint64) (uint64, error) {
	for {
		l.mu.Lock()
		durable, grown := l.durable, l.grown
		l.mu.Unlock()
		if durable > after {
			return durable, nil
		}
		select {
		case <-grown:
		case <-ctx.Done():
			return 0, ctx.Err()
		}
	}
}

func (l *memoryLog) After(sequence uint64) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		l.mu.Lock()
		rest := l.records[min(sequence, uint64(len(l.records))):]
		l.mu.Unlock()
		for _, r := range rest {
			if !yield(r, nil) {
				return
			}
		}
	}
}

func soon(t testing.TB) context.Context {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	t.Cleanup(cancel)
	return ctx
}

func start(t testing.TB, o ServerOptions) *Server {
	t.Helper()
	if o.StoreDir == "" {
		o.StoreDir = t.TempDir()
	}
	s, err := StartServer(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Shutdown)
	if err := s.Admit(); err != nil {
		t.Fatal(err)
	}
	return s
}

func connect(t testing.TB, s *Server, options ...nats.Option) *nats.Conn {
	t.Helper()
	nc, err := s.Connect(options...)
	if err != nil {
		t.Fatal(err)
	}
	closed := make(chan struct{})
	nc.SetClosedHandler(func(*nats.Conn) { close(closed) })
	t.Cleanup(func() { nc.Close(); <-closed })
	return nc
}

func open(t testing.TB, nc *nats.Conn, l Log, o Options) (*Outbox, Report) {
	t.Helper()
	if o.Logf == nil {
		o.Logf = t.Logf
	}
	box, report, err := Open(soon(t), nc, l, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(box.Close)
	return box, report
}

func drain(t testing.TB, box *Outbox) {
	t.Helper()
	if err := box.Drain(soon(t)); err != nil {
		t.Fatal(err)
	}
}

// one reads one message of the stream.
func (r *reader) one(ctx context.Context, sequence uint64) (message, bool, error) {
	got, _, err := r.read(ctx, sequence, "", 1)
	if err != nil || len(got) == 0 || got[0].Sequence != sequence {
		return message{}, false, err
	}
	return got[0], true, nil
}

// published reads the whole stream.
func published(t testing.TB, nc *nats.Conn, l Log) []message {
	t.Helper()
	r := newReader(nc, StreamName(l.ID()))
	var all []message
	for {
		batch, _, err := r.read(soon(t), uint64(len(all))+1, "", 500)
		if err != nil {
			t.Fatal(err)
		}
		if len(batch) == 0 {
			return all
		}
		all = append(all, batch...)
	}
}

// wantSame fails unless the stream is the record: same order, sequences, subjects, bytes.
func wantSame(t testing.TB, nc *nats.Conn, l *memoryLog) {
	t.Helper()
	got := published(t, nc, l)
	if len(got) != len(l.records) {
		t.Fatalf("%d messages published, %d recorded", len(got), len(l.records))
	}
	for i, r := range l.records {
		e, err := events.Decode(r.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		m := got[i]
		if m.Sequence != r.Sequence || string(m.Body) != string(r.Bytes) ||
			m.Subject != LogSubject(l.id, e.Campaign, e.Type) {
			t.Fatalf("record %d was published as %d on %s", r.Sequence, m.Sequence, m.Subject)
		}
	}
	report, err := Compare(soon(t), nc, l)
	if err != nil || report.State != InStep {
		t.Fatalf("compared: %+v, %v", report, err)
	}
}
