package live

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"hash"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// watched is what one reader saw of a stream: that each event came behind the one before, and a hash
// over all of them.
type watched struct {
	c    *client
	path string
	next uint64 // the id that comes next
	seen hash.Hash
	ends int // of campaigns, that are still to come
}

// theEnd is claimed in the last event of each campaign.
const theEnd = "The game is over."

// read reads events to the last, or until the stream ends.
func (w *watched) read() error {
	for w.ends > 0 {
		m, err := w.c.await("event")
		if err != nil {
			return err
		}
		if m.id != strconv.FormatUint(w.next, 10) {
			return fmt.Errorf("%s: event %s came in the place of %d", w.path, m.id, w.next)
		}
		fmt.Fprintln(w.seen, m.id, m.data)
		w.next++
		if strings.Contains(m.data, theEnd) {
			w.ends--
		}
	}
	return nil
}

// crowd is many readers of one server.
type crowd struct {
	*table
	campaigns []fixtures.Campaign
	feed      *Feed
	address   string
	reading   []*watched
	stalled   []*watched
}

// gather opens the campaigns and lets n readers in, spread over them and the stream of all, who know
// where they stand. Those who will stall follow more than their connections can hold.
func gather(at *table, n, stalled int, o Options) *crowd {
	at.Helper()
	w := &crowd{table: at, campaigns: fixtures.Campaigns()}
	paths := []string{"/live"}
	for _, k := range w.campaigns {
		w.open(k)
		paths = append(paths, streamOf(k.Name))
	}
	w.feed = New(at.service, o)
	w.address = listen(at, w.feed)
	for i := range n {
		if i < stalled {
			w.stalled = append(w.stalled, w.join([]string{"/live", streamOf(atlantic)}[i%2]))
		} else {
			w.reading = append(w.reading, w.join(paths[i%len(paths)]))
		}
	}
	return w
}

func streamOf(campaign string) string { return "/campaigns/" + campaign + "/live" }

// join lets one reader in, who knows where he stands.
func (w *crowd) join(path string) *watched {
	w.Helper()
	c := joined(w, w.address, path, "")
	m, err := c.await("head")
	if err != nil {
		w.Fatal(err)
	}
	id, err := strconv.ParseUint(m.id, 10, 64)
	if err != nil {
		w.Fatal(err)
	}
	ends := 1
	if path == "/live" {
		ends = len(w.campaigns)
	}
	return &watched{c: c, path: path, next: id + 1, seen: sha256.New(), ends: ends}
}

// sums are, for each path, the hash over the events from the ids on where its readers began.
func (w *crowd) sums(began map[string]uint64) map[string]string {
	w.Helper()
	reported := map[string]hash.Hash{}
	for path := range began {
		reported[path] = sha256.New()
	}
	for b, err := range w.service.PublicEventsAfter(0) {
		if err != nil {
			w.Fatal(err)
		}
		data := strings.TrimSpace(strings.TrimPrefix(string(frameOf(b).body), "event: event\ndata: "))
		if path := streamOf(b.Campaign); b.Index >= began[path] {
			fmt.Fprintln(reported[path], b.Index, data)
		}
		if b.Sequence >= began["/live"] {
			fmt.Fprintln(reported["/live"], b.Sequence, data)
		}
	}
	sums := map[string]string{}
	for path, h := range reported {
		sums[path] = fmt.Sprintf("%x", h.Sum(nil))
	}
	return sums
}

// A thousand readers, of whom a hundred do not read, while five campaigns are played: everyone else is
// told every event, in order and once; who stalled is dropped, and has the rest when he comes back; the
// memory stays within its bounds.
func TestThousandReaders(t *testing.T) {
	n, stalled := 1000, 100
	if !longrun.On() {
		n, stalled = 200, 20
	}
	at := sit(t)
	before := inUse()
	w := gather(at, n, stalled, Options{Patience: 2 * time.Second})
	began := map[string]uint64{}
	for _, r := range slices.Concat(w.reading, w.stalled) {
		began[r.path] = r.next
	}
	var reading sync.WaitGroup
	errs := make([]error, len(w.reading))
	for i, r := range w.reading {
		reading.Go(func() { errs[i] = r.read() })
	}
	w.playAll()
	reading.Wait()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
	if n := w.feed.Stats(); n.Held > ringBytes || n.Held == 0 || n.Frames == 0 {
		t.Errorf("the ring: %+v", n)
	}
	if grown := inUse() - before; grown > 256<<20 {
		t.Errorf("%d readers take %d MiB, the clients of the test among them", n, grown>>20)
	}
	w.comeBack()
	sums := w.sums(began)
	for _, r := range slices.Concat(w.reading, w.stalled) {
		if got := fmt.Sprintf("%x", r.seen.Sum(nil)); got != sums[r.path] {
			t.Errorf("a reader of %s was told other events than the record has", r.path)
		}
	}
}

// playAll plays the campaigns side by side, to the end.
func (w *crowd) playAll() {
	w.Helper()
	var playing sync.WaitGroup
	errs := make([]error, len(w.campaigns))
	for i, k := range w.campaigns {
		playing.Go(func() { errs[i] = w.play(k, k.Files) })
	}
	playing.Wait()
	if err := errors.Join(errs...); err != nil {
		w.Fatal(err)
	}
	for _, k := range w.campaigns {
		w.submit(k.Name, fmt.Sprintf("{id: the end, dispute: {event: 5, by: Umpire, claim: %q}}", theEnd))
	}
}

// comeBack waits until those who stalled are dropped, lets them read what their connections still hold,
// and has them come back for the rest.
func (w *crowd) comeBack() {
	w.Helper()
	for w.feed.Stats().Drops < uint64(len(w.stalled)) && w.Context().Err() == nil {
		time.Sleep(10 * time.Millisecond)
	}
	for _, r := range w.stalled {
		if err := r.read(); err == nil {
			w.Errorf("a reader of %s stalled and was told everything", r.path)
		}
		if err := r.c.conn.Close(); err != nil {
			w.Error(err)
		}
		r.c = joined(w, w.address, r.path, r.c.last)
		if err := r.read(); err != nil {
			w.Fatalf("back behind %s: %v", r.c.last, err)
		}
	}
	if n := w.feed.Stats(); n.Drops != uint64(len(w.stalled)) {
		w.Errorf("%d readers were dropped, and %d stalled", n.Drops, len(w.stalled))
	}
}

// inUse is the memory in use, in bytes.
func inUse() int64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapInuse + m.StackInuse)
}
