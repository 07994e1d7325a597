package projections_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"go.uber.org/goleak"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
	"github.com/watu-ledger/watu/projections/strategic"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// open opens a store and a runner over it; said collects what they say.
func open(t *testing.T, fs vfs.FS, record *recordtest.Record, messages *[]string,
	list ...projections.Projection) (*projections.Runner, *store.Store) {
	t.Helper()
	say := func(s string) { *messages = append(*messages, s) }
	kept, err := store.Open("views", store.Options{FS: fs, Say: say})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { kept.Close() })
	r, err := projections.Open(record, kept, say, list...)
	if err != nil {
		t.Fatal(err)
	}
	return r, kept
}

func catchUp(t *testing.T, r *projections.Runner) {
	t.Helper()
	if err := r.CatchUp(context.Background(), nil); err != nil {
		t.Fatal(err)
	}
}

// expect holds every view of the runner against a fold from zero.
func expect(t *testing.T, r *projections.Runner, wars ...*recordtest.Campaign) {
	t.Helper()
	digests, err := r.Digests()
	if err != nil {
		t.Fatal(err)
	}
	if len(digests) != len(wars)*len(all()) {
		t.Fatalf("%d digests of %d campaigns", len(digests), len(wars))
	}
	for _, d := range digests {
		for _, war := range wars {
			if war.ID != d.Campaign {
				continue
			}
			for _, p := range all() {
				want := projections.Digest(fold(t, p, war.Records(), nil))
				if p.Name == d.Projection && (d.Digest != want || d.Applied != uint64(len(war.Events))) {
					t.Errorf("%s of %s after %d events: %s, want %s after %d", d.Projection, d.Campaign, d.Applied,
						d.Digest, want, len(war.Events))
				}
			}
		}
	}
}

// Campaigns that grow in turns, in pieces of any size, on any number of cores, with the store
// closed and opened between them, come to the same views as a fold of each at once.
func TestInterleavedInPiecesReopened(t *testing.T) {
	for _, cores := range []int{1, 2} {
		was := runtime.GOMAXPROCS(cores)
		fs, record, lines := vfs.NewMem(), recordtest.NewRecord(), []string{}
		wars := []*recordtest.Campaign{recordtest.War(3, 13), recordtest.War(1, 9), recordtest.War(2, 2)}
		given := make([]int, len(wars))
		for step := 0; ; step++ {
			more := false
			for i, war := range wars {
				n := min(len(war.Stored)-given[i], 1+(step*37+i*61)%190)
				if n > 0 {
					record.Append(war.ID, war.Stored[given[i]:given[i]+n]...)
					given[i] += n
					more = true
				}
			}
			r, kept := open(t, fs, record, &lines, all()...)
			catchUp(t, r)
			if !more {
				expect(t, r, wars...)
				break
			}
			if err := kept.Close(); err != nil {
				t.Fatal(err)
			}
		}
		runtime.GOMAXPROCS(was)
		if len(lines) > 0 {
			t.Errorf("on %d cores views were dropped: %q", cores, lines)
		}
	}
}

// At reaches any index: from nothing, from snapshots, before and behind the cursor. Around
// those places every index is asked for, elsewhere one in nineteen.
func TestAt(t *testing.T) {
	record, lines := recordtest.NewRecord(), []string{}
	war := recordtest.War(5, 24)
	half := len(war.Stored) * 2 / 3
	if half < projections.Cadence {
		t.Fatalf("a war of %d events has too few snapshots", len(war.Stored))
	}
	record.Append(war.ID, war.Stored[:half]...)
	r, _ := open(t, vfs.NewMem(), record, &lines, all()...)
	catchUp(t, r)
	record.Append(war.ID, war.Stored[half:]...)
	for _, p := range all() {
		for i := range len(war.Events) + 1 {
			near := (i+3)%projections.Cadence < 7 || i-half < 4 && half-i < 4 || i > len(war.Events)-4
			if near || i%19 == 0 {
				v, err := r.At(t.Context(), p.Name, war.ID, uint64(i))
				if err != nil {
					t.Fatal(err)
				}
				want := fold(t, p, record.Read(war.ID, 0, uint64(i)), nil)
				if projections.Digest(v) != projections.Digest(want) {
					t.Fatalf("%s differs after %d events", p.Name, i)
				}
			}
		}
		if _, err := r.At(t.Context(), p.Name, war.ID, uint64(len(war.Events)+1)); !errors.Is(err,
			projections.ErrNoIndex) {
			t.Errorf("beyond the end: %v", err)
		}
	}
	if _, err := r.At(t.Context(), "pools", recordtest.Begin(99).ID, 0); !errors.Is(err, projections.ErrNoCampaign) {
		t.Errorf("unknown campaign: %v", err)
	}
	if _, err := r.At(t.Context(), "weather", war.ID, 0); !errors.Is(err, projections.ErrNoProjection) {
		t.Errorf("unknown projection: %v", err)
	}
}

func TestRebuildGivesTheLiveDigests(t *testing.T) {
	record, lines := recordtest.NewRecord(), []string{}
	wars := []*recordtest.Campaign{recordtest.War(3, 8), recordtest.War(1, 20)}
	for _, w := range wars {
		record.Append(w.ID, w.Stored...)
	}
	r, _ := open(t, vfs.NewMem(), record, &lines, all()...)
	catchUp(t, r)
	var last, total uint64
	err := r.Rebuild(context.Background(), func(done, of uint64) {
		if done < last {
			t.Errorf("progress went back from %d to %d", last, done)
		}
		last, total = done, of
	})
	if err != nil {
		t.Fatal(err)
	}
	if want := uint64(len(wars[0].Events) + len(wars[1].Events)); last != want || total != want {
		t.Errorf("progress ended at %d of %d, want %d", last, total, want)
	}
	expect(t, r, wars...)
}

// A projection of another version is built again, alone.
func TestNewVersionIsRebuiltAlone(t *testing.T) {
	fs, record, lines := vfs.NewMem(), recordtest.NewRecord(), []string{}
	war := recordtest.War(3, 8)
	record.Append(war.ID, war.Stored...)
	r, kept := open(t, fs, record, &lines, all()...)
	catchUp(t, r)
	kept.Close()

	newer := all()
	newer[0].Version++
	r, _ = open(t, fs, record, &lines, newer...)
	if len(lines) != 1 || !strings.Contains(lines[0], "views of pools are of version 3, not 4") {
		t.Errorf("said %q", lines)
	}
	if _, n, _ := r.Latest("pools", war.ID); n != 0 {
		t.Errorf("the old pools are still there, at %d", n)
	}
	if _, n, _ := r.Latest("strategic", war.ID); n != uint64(len(war.Events)) {
		t.Errorf("strategic was dropped as well: at %d", n)
	}
	catchUp(t, r)
	expect(t, r, war)
}

// Views of a record that was restored from an earlier copy, and has gone on differently, are
// built again and that is said.
func TestAnotherHistoryIsNoticed(t *testing.T) {
	for name, change := range map[string]func(*recordtest.Record, *recordtest.Campaign) *recordtest.Campaign{
		"shorter": func(r *recordtest.Record, war *recordtest.Campaign) *recordtest.Campaign {
			short := recordtest.War(3, 5)
			r.Cut(war.ID, len(short.Stored))
			return short
		},
		"gone on differently": func(r *recordtest.Record, war *recordtest.Campaign) *recordtest.Campaign {
			other := recordtest.War(3, 5)
			cut := len(other.Stored)
			for len(other.Stored) < len(war.Stored)+7 {
				other.Add("Britain", &events.CardsDrawn{Deck: "Ultra", Count: 4})
			}
			r.Cut(war.ID, cut)
			r.Append(war.ID, other.Stored[cut:]...)
			return other
		},
	} {
		t.Run(name, func(t *testing.T) {
			fs, record, lines := vfs.NewMem(), recordtest.NewRecord(), []string{}
			war := recordtest.War(3, 8)
			record.Append(war.ID, war.Stored...)
			r, kept := open(t, fs, record, &lines, all()...)
			catchUp(t, r)
			kept.Close()
			now := change(record, war)
			r, _ = open(t, fs, record, &lines, all()...)
			if v, err := r.At(t.Context(), "pools", war.ID, uint64(len(now.Events))); err != nil ||
				projections.Digest(v) != projections.Digest(fold(t, pools.Projection(), now.Records(), nil)) {
				t.Errorf("At shows the other history (%v)", err)
			}
			catchUp(t, r)
			expect(t, r, now)
			if len(lines) == 0 || !strings.Contains(strings.Join(lines, "\n"), "built again") {
				t.Errorf("said %q", lines)
			}
		})
	}
}

// A campaign that cannot be read holds up no other, and is named.
func TestUnreadableCampaign(t *testing.T) {
	record, lines := recordtest.NewRecord(), []string{}
	bad, good := recordtest.War(1, 2), recordtest.War(2, 3)
	bad.Stored[20] = []byte{0xff}
	record.Append(bad.ID, bad.Stored...)
	record.Append(good.ID, good.Stored...)
	r, _ := open(t, vfs.NewMem(), record, &lines, all()...)
	err := r.CatchUp(context.Background(), nil)
	if !errors.Is(err, events.ErrMalformed) || !strings.Contains(err.Error(), "event 20 of campaign "+bad.ID.String()) {
		t.Errorf("got %v", err)
	}
	if _, n, _ := r.Latest("pools", good.ID); n != uint64(len(good.Events)) {
		t.Errorf("the good campaign stands at %d", n)
	}
}

// Follow keeps up with a record that grows, and ends with its context.
func TestFollow(t *testing.T) {
	record, lines := recordtest.NewRecord(), []string{}
	war := recordtest.War(1, 7)
	r, _ := open(t, vfs.NewMem(), record, &lines, all()...)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error)
	go func() { ended <- r.Follow(ctx) }()
	for i := range war.Stored {
		record.Append(war.ID, war.Stored[i])
	}
	for r.Through() < record.Durable() {
		runtime.Gosched()
	}
	cancel()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if r.Through() != record.Durable() {
		t.Errorf("every view is through %d of %d", r.Through(), record.Durable())
	}
	if _, n, err := r.Latest("strategic", war.ID); err != nil || n == 0 {
		t.Errorf("nothing was saved: %v", err)
	}
	catchUp(t, r)
	expect(t, r, war)
	if len(lines) > 0 {
		t.Errorf("said %q", lines)
	}
}

// Catching up that is called off leaves whole views, and goes on from there.
func TestCalledOff(t *testing.T) {
	record, lines := recordtest.NewRecord(), []string{}
	war := recordtest.War(1, 400)
	record.Append(war.ID, war.Stored...)
	r, _ := open(t, vfs.NewMem(), record, &lines, all()...)
	ctx, cancel := context.WithCancel(context.Background())
	err := r.CatchUp(ctx, func(done, _ uint64) {
		if done > 0 {
			cancel()
		}
	})
	if !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	v, n, err := r.Latest("pools", war.ID)
	if err != nil || n == 0 || n == uint64(len(war.Events)) {
		t.Fatalf("stands at %d (%v)", n, err)
	}
	at, err := r.At(t.Context(), "pools", war.ID, n)
	if err != nil || projections.Digest(at) != projections.Digest(v) {
		t.Errorf("the view left behind is not that of %d events (%v)", n, err)
	}
	catchUp(t, r)
	expect(t, r, war)
}

// mended writes the events of a campaign again, and between them such as take some of them out, take those out again,
// or stand in their place.
func mended(lot *rand.Rand, war *recordtest.Campaign) *recordtest.Campaign {
	c := recordtest.Begin(1)
	for i := range war.Events {
		p, err := events.PayloadOf(&war.Events[i])
		if err != nil {
			panic(err)
		}
		last := c.Add(war.Events[i].Side, p)
		back := func() uint64 { // mostly not far
			if lot.IntN(10) == 0 {
				return lot.Uint64N(last + 1)
			}
			return last - lot.Uint64N(min(last+1, 30))
		}
		switch lot.IntN(30) {
		case 0:
			of := back()
			c.Add("", &events.Voided{Events: []uint64{of}, Code: "slip"})
			c.Replace(max(1, of), war.Events[i].Side, p)
		case 1:
			c.Add("", &events.Corrected{Event: back(), Voids: []uint64{back()}})
		}
	}
	return c
}

// Whatever was taken out, a campaign that is followed in pieces shows at every moment what a fold of what stood then
// does.
func TestVoidsInPieces(t *testing.T) {
	for name, play := range map[string]func(number, turns int) *recordtest.Campaign{"war": recordtest.War,
		"convoys": recordtest.Convoys} {
		lot := rand.New(rand.NewPCG(1, 2))
		c := mended(lot, play(1, 30))
		fs, record, lines := vfs.NewMem(), recordtest.NewRecord(), []string{}
		r, kept := open(t, fs, record, &lines, all()...)
		for at := 0; at < len(c.Stored); {
			n := min(1+lot.IntN(400), len(c.Stored)-at)
			record.Append(c.ID, c.Stored[at:at+n]...)
			at += n
			switch lot.IntN(3) {
			case 0:
				catchUp(t, r)
			case 1:
				if err := r.SaveGrown(t.Context()); err != nil {
					t.Fatal(err)
				}
			default:
				kept.Close()
				r, kept = open(t, fs, record, &lines, all()...)
			}
			for range 4 {
				n := uint64(at) - lot.Uint64N(uint64(at))
				for _, p := range all() {
					v, err := r.At(t.Context(), p.Name, c.ID, n)
					if err != nil || projections.Digest(v) != projections.Digest(fold(t, p, record.Read(c.ID, 0, n),
						nil)) {
						t.Fatalf("%s: %s after %d of %d events: %v", name, p.Name, n, at, err)
					}
				}
			}
		}
		catchUp(t, r)
		expect(t, r, c)
		if len(lines) > 0 {
			t.Errorf("said %q", lines)
		}
	}
}

// counting counts how often views are saved in a real store.
type counting struct {
	*store.Store
	saves atomic.Int64
}

func (c *counting) Save(views, snapshots []projections.Saved) error {
	c.saves.Add(1)
	return c.Store.Save(views, snapshots)
}

// A record that is followed event by event does not have its large views saved for each; what is shown of it is
// the same, and catching up saves the rest.
func TestFollowSavesNowAndThen(t *testing.T) {
	record, lines := recordtest.NewRecord(), []string{}
	war := recordtest.War(3, 100)
	const behind = 700
	begun := len(war.Stored) - behind
	record.Append(war.ID, war.Stored[:begun]...)
	_, kept := open(t, vfs.NewMem(), record, &lines, all()...)
	counted := &counting{Store: kept}
	r, err := projections.Open(record, counted, func(string) {}, all()...)
	if err != nil {
		t.Fatal(err)
	}
	catchUp(t, r)
	counted.saves.Store(0)
	ctx, end := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- r.Follow(ctx) }()
	for i := begun; i < len(war.Stored); i++ {
		record.Append(war.ID, war.Stored[i])
		for r.Through() < record.Durable() {
			time.Sleep(100 * time.Microsecond)
		}
		if i%150 != 0 {
			continue
		}
		v, err := r.At(t.Context(), "strategic", war.ID, uint64(i+1))
		want := fold(t, strategic.Projection(), record.Read(war.ID, 0, uint64(i+1)), nil)
		if err != nil || projections.Digest(v) != projections.Digest(want) {
			t.Fatalf("after %d events another view: %v", i+1, err)
		}
	}
	end()
	if err := <-ended; err != nil {
		t.Fatal(err)
	}
	if n := counted.saves.Load(); n == 0 || n > behind/100 {
		t.Errorf("%d events were saved %d times", behind, n)
	}
	catchUp(t, r)
	expect(t, r, war)
}
