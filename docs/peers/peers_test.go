// Package peers holds watu's record against what else could keep it: the same events in
// Postgres and in SQLite, written and read in the same run, in turn. It is a module of its
// own, so that watu does not depend on what it is compared with.
//
//	cd docs/peers && go test -run '^$' -bench Peers -benchtime 1x -rounds 9 -steps 5000 -events 1000000
//
// SQLite needs a C compiler. Postgres needs its server installed (on Debian the package
// postgresql); without it, its rows are left out and that is said. All stores lie in TMPDIR,
// which has to be on a disk: where a sync costs nothing, the figures say nothing.
package peers

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

var (
	rounds = flag.Int("rounds", 1, "interleaved rounds of each measurement")
	steps  = flag.Int("steps", 512, "steps that each store appends in a round")
	length = flag.Int("events", 20_000, "events of the record that is rebuilt")
)

// peer is something that keeps the record. Steps of different campaigns are appended, and
// records are read, at the same time.
type peer interface {
	// append writes a step of the numbered campaign, whole or not at all, and returns when it
	// is durable. A command that is known changes nothing.
	append(campaign int, s *step) (known bool, err error)
	// settle returns when nothing is left to do for what was appended.
	settle() error
	// rest does what is done to a record that is not appended to for a while.
	rest() error
	// Read gives a campaign's records from index from to before index to, in order. Their
	// bytes are good until the next one.
	Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error]
	close() error
}

// named is a peer and what it is called in the table.
type named struct {
	name string
	peer
}

// Names in the table.
const (
	published = "watu"
	alone     = "ledger alone"
)

// ours opens what is compared: watu as a server runs it, and its ledger alone, which does as
// much as the peers and no more.
func ours(tb testing.TB) []named {
	tb.Helper()
	var list []named
	for _, name := range []string{published, alone} {
		w, err := openWatu(filepath.Join(tb.TempDir(), "watu"), name == published)
		if err != nil {
			tb.Fatal(err)
		}
		list = append(list, named{name, w})
	}
	return list
}

// theirs opens what watu is compared with, Postgres only where it is installed.
func theirs(tb testing.TB, campaigns int) []named {
	tb.Helper()
	s, err := openSQLite(filepath.Join(tb.TempDir(), "sqlite.db"))
	if err != nil {
		tb.Fatal(err)
	}
	list := []named{{"SQLite", s}}
	server, err := startServer()
	if errors.Is(err, errNoPostgres) {
		fmt.Fprintf(os.Stderr,
			"\nPOSTGRES IS NOT COMPARED WITH: %v. Install it (Debian: apt-get install postgresql) and run again.\n\n",
			err)
		return list
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := server.stop(); err != nil {
			tb.Error(err)
		}
	})
	p, err := openPostgres(server, campaigns)
	if err != nil {
		tb.Fatal(err)
	}
	return append([]named{{"Postgres " + server.version, p}}, list...)
}

func closeAll(tb testing.TB, list []named) {
	for _, p := range list {
		if err := p.close(); err != nil {
			tb.Errorf("%s: %v", p.name, err)
		}
	}
}

// All peers hold the same events, know a command again, and refuse a step whole.
func TestPeers(t *testing.T) {
	const campaigns = 3
	all := append(ours(t), theirs(t, campaigns)...)
	defer closeAll(t, all)
	chains := make([]*chain, campaigns)
	work := make([][]step, campaigns)
	for i := range chains {
		chains[i] = newChain(i)
		for size := range 12 {
			work[i] = append(work[i], chains[i].steps(1, size%5+1)...)
		}
	}
	for _, p := range all {
		if err := each(p, work); err != nil {
			t.Fatalf("%s: %v", p.name, err)
		}
	}
	for _, p := range all {
		t.Run(p.name, func(t *testing.T) {
			sameEvents(t, p, chains, work)
			refuses(t, p, work)
			sameEvents(t, p, chains, work)
		})
	}
}

// each appends the steps of every campaign, the campaigns at the same time, and settles.
func each(p peer, work [][]step) error {
	failed := make([]error, len(work))
	var wg sync.WaitGroup
	for i := range work {
		wg.Go(func() {
			for k := range work[i] {
				s := &work[i][k]
				known, err := p.append(i, s)
				if err == nil && known {
					err = fmt.Errorf("command %q of campaign %d was known", s.Command, i)
				}
				if err != nil {
					failed[i] = err
					return
				}
			}
		})
	}
	wg.Wait()
	return errors.Join(append(failed, p.settle())...)
}

// sameEvents reads what the peer holds and finds the chain's bytes, and so its hashes.
func sameEvents(t *testing.T, p peer, chains []*chain, work [][]step) {
	t.Helper()
	for i, c := range chains {
		var want [][]byte
		for _, s := range work[i] {
			want = append(want, s.stored...)
		}
		got, head := 0, events.Hash{}
		for r, err := range p.Read(c.id, 0, math.MaxInt64) {
			if err != nil {
				t.Fatal(err)
			}
			if got >= len(want) || r.Index != uint64(got) || !bytes.Equal(r.Bytes, want[got]) {
				t.Fatalf("%s: found another event %d", c.name, r.Index)
			}
			got, head = got+1, r.Hash()
		}
		if got != len(want) || head != c.previous {
			t.Errorf("%s: %d events with head %s, want %d with %s", c.name, got, head, len(want), c.previous)
		}
	}
}

// refuses hands in a command again, and a new command at an index that is taken, both twice:
// a step that was refused must not have left its command behind. The campaigns do so at the
// same time.
func refuses(t *testing.T, p peer, work [][]step) {
	t.Helper()
	var wg sync.WaitGroup
	for i := range work {
		wg.Go(func() {
			last := work[i][len(work[i])-1]
			stranger := last
			stranger.Command = "another command"
			for range 2 {
				if known, err := p.append(i, &last); !known || err != nil {
					t.Errorf("command %q again: known %v, %v", last.Command, known, err)
				}
				if known, err := p.append(i, &stranger); known || err == nil {
					t.Errorf("a step at a taken index: known %v, %v", known, err)
				}
			}
		})
	}
	wg.Wait()
}

// BenchmarkPeers prints the table of benchmarks.md: how many times as fast watu is, each
// ratio from work that was done in turn.
func BenchmarkPeers(b *testing.B) {
	for b.Loop() {
		fmt.Printf("\n%-66s %8s %8s %8s\n", "ratio (higher: watu is faster)", "lowest", "median", "highest")
		for _, campaigns := range []int{1, 64} {
			appendTable(b, campaigns)
		}
		rebuildTable(b)
	}
}

func line(name string, ratios []float64) {
	slices.Sort(ratios)
	fmt.Printf("%-66s %8.2f %8.2f %8.2f\n", name, ratios[0], ratios[len(ratios)/2], ratios[len(ratios)-1])
}
