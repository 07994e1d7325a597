package store_test

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/oklog/ulid/v2"
	"go.uber.org/goleak"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
	"github.com/watu-ledger/watu/projections/strategic"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, dir string, messages *[]string) *store.Store {
	t.Helper()
	s, err := store.Open(dir, store.Options{Say: func(line string) {
		if messages != nil {
			*messages = append(*messages, line)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func saved(campaign byte, projection string, applied uint64, view string) projections.Saved {
	return projections.Saved{
		Campaign: ulid.ULID{campaign}, Projection: projection, Applied: applied,
		Head: events.Hash{byte(applied)}, View: []byte(view),
	}
}

// What any store must do. Every expectation is asked for twice: after the calls, and of the
// store closed and opened again.
func TestConformance(t *testing.T) {
	dir := t.TempDir()
	s := open(t, dir, nil)
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	expect := func(want string) {
		t.Helper()
		for _, when := range []string{"at once", "opened again"} {
			if got := contents(t, s); got != want {
				t.Errorf("%s:\n%s\nwant\n%s", when, got, want)
			}
			must(s.Close())
			s = open(t, dir, nil)
		}
	}
	expect("pool 0: -; pools 0: -; strategic 0: -")
	must(s.Begin("pool", 1)) // a name that begins like another
	must(s.Begin("pools", 1))
	must(s.Begin("strategic", 3))
	must(s.Save(
		[]projections.Saved{saved(1, "pools", 810, "p810"), saved(1, "strategic", 810, "s810"),
			saved(2, "pools", 3, ""), saved(1, "pool", 1, "x")},
		[]projections.Saved{saved(1, "pools", 400, "p400"), saved(1, "pools", 800, "p800"),
			saved(1, "strategic", 400, "s400")},
	))
	expect("pool 1: 1:1=x; pools 1: 1:400=p400 1:800=p800 1:810=p810 2:3=; strategic 3: 1:400=s400 1:810=s810")
	must(s.Save([]projections.Saved{saved(1, "pools", 811, "p811")}, nil))
	expect("pool 1: 1:1=x; pools 1: 1:400=p400 1:800=p800 1:811=p811 2:3=; strategic 3: 1:400=s400 1:810=s810")
	must(s.Forget("pools", ulid.ULID{1}))
	expect("pool 1: 1:1=x; pools 1: 2:3=; strategic 3: 1:400=s400 1:810=s810")
	must(s.Begin("strategic", 4))
	expect("pool 1: 1:1=x; pools 1: 2:3=; strategic 4: -")
	must(s.Reset())
	expect("pool 0: -; pools 0: -; strategic 0: -")
}

// contents lists what the store gives for two campaigns, asked at every number of events that
// matters.
func contents(t *testing.T, s *store.Store) string {
	t.Helper()
	var all []string
	for _, name := range []string{"pool", "pools", "strategic"} {
		version, err := s.Version(name)
		if err != nil {
			t.Fatal(err)
		}
		var list []string
		for c := byte(1); c <= 2; c++ {
			latest, held, err := s.Latest(name, ulid.ULID{c})
			if err != nil {
				t.Fatal(err)
			}
			for _, at := range []uint64{0, 1, 3, 399, 400, 401, 800, 810, 811, 1 << 60} {
				v, ok, err := s.Nearest(name, ulid.ULID{c}, at)
				if err != nil {
					t.Fatal(err)
				}
				if ok && (v.Campaign != ulid.ULID{c} || v.Projection != name || v.Applied > at ||
					v.Head != events.Hash{byte(v.Applied)}) {
					t.Errorf("at %d: %+v", at, v)
				}
				text := fmt.Sprintf("%d:%d=%s", c, v.Applied, v.View)
				if ok && !slices.Contains(list, text) {
					list = append(list, text)
				}
				if at == 1<<60 &&
					(ok != held || (ok && (v.Applied != latest.Applied || !bytes.Equal(v.View, latest.View)))) {
					t.Errorf("the nearest view is %s, the latest %s", v.View, latest.View)
				}
			}
		}
		all = append(all, fmt.Sprintf("%s %d: %s", name, version, strings.Join(append(list, "-")[:max(1, len(list))],
			" ")))
	}
	return strings.Join(all, "; ")
}

func TestHeldElsewhere(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir, nil)
	if _, err := store.Open(dir, store.Options{}); !errors.Is(err, store.ErrHeld) {
		t.Fatalf("a second store opens: %v", err)
	}
	if err := first.Begin("pools", 1); err != nil {
		t.Fatalf("the first store was harmed: %v", err)
	}
	first.Close()
	if err := first.Begin("pools", 1); !errors.Is(err, store.ErrClosed) {
		t.Errorf("a closed store: %v", err)
	}
}

// Whatever was done to the files, the views come back as they were, and it is said. A file
// that is none of the store's is left alone.
func TestDamageIsRebuilt(t *testing.T) {
	for name, harm := range map[string]func(t *testing.T, dir string){
		"tables spoilt":      func(t *testing.T, dir string) { spoil(t, dir, "*.sst") },
		"manifest spoilt":    func(t *testing.T, dir string) { spoil(t, dir, "MANIFEST-*") },
		"tables gone":        func(t *testing.T, dir string) { remove(t, dir, "*.sst") },
		"manifest gone":      func(t *testing.T, dir string) { remove(t, dir, "MANIFEST-*") },
		"another layout":     func(t *testing.T, dir string) { set(t, dir, "f", "\x63") },
		"no layout":          func(t *testing.T, dir string) { set(t, dir, "f", "") },
		"a view of no sense": func(t *testing.T, dir string) { set(t, dir, "vpools\x00"+string(id[:]), "\x07") },
		"a view cut short": func(t *testing.T, dir string) {
			set(t, dir, "vpools\x00"+string(id[:]), "\x00"+strings.Repeat("\x00", 32)+"\x09")
		},
		"a version of no use": func(t *testing.T, dir string) { set(t, dir, "nstrategic", "\xff\xff") },
	} {
		t.Run(name, func(t *testing.T) {
			dir, record, war, lines := t.TempDir(), recordtest.NewRecord(), recordtest.War(1, 30), []string{}
			record.Append(war.ID, war.Stored...)
			note := filepath.Join(dir, "note.txt")
			if err := os.WriteFile(note, []byte("mine"), 0o600); err != nil {
				t.Fatal(err)
			}
			want := digests(t, open(t, dir, &lines), record, &lines)
			if len(lines) > 0 {
				t.Fatalf("said before any harm: %q", lines)
			}
			harm(t, dir)
			if got := digests(t, open(t, dir, &lines), record, &lines); got != want {
				t.Errorf("got\n%s\nwant\n%s", got, want)
			}
			if len(lines) == 0 {
				t.Error("nothing was said")
			}
			if b, err := os.ReadFile(note); string(b) != "mine" {
				t.Errorf("another's file was touched: %v", err)
			}
		})
	}
}

var id = recordtest.Begin(1).ID

// digests catches up, closes the store and gives the digests; views must be complete.
func digests(t *testing.T, s *store.Store, record *recordtest.Record, messages *[]string) string {
	t.Helper()
	defer s.Close()
	say := func(line string) { *messages = append(*messages, line) }
	r, err := projections.Open(record, s, say, pools.Projection(), strategic.Projection())
	if err != nil {
		t.Fatal(err)
	}
	if err := r.CatchUp(t.Context(), nil); err != nil {
		t.Fatal(err)
	}
	list, err := r.Digests()
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range list {
		if d.Applied != record.Durable() {
			t.Errorf("%s stands at %d of %d", d.Projection, d.Applied, record.Durable())
		}
	}
	return fmt.Sprint(list)
}

func spoil(t *testing.T, dir, pattern string) {
	t.Helper()
	for _, name := range match(t, dir, pattern) {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i := range b {
			b[i] ^= 0x5a
		}
		if err := os.WriteFile(name, b, 0o600); err != nil {
			t.Fatal(err)
		}
	}
}

func remove(t *testing.T, dir, pattern string) {
	t.Helper()
	for _, name := range match(t, dir, pattern) {
		if err := os.Remove(name); err != nil {
			t.Fatal(err)
		}
	}
}

func match(t *testing.T, dir, pattern string) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, pattern))
	if err != nil || len(names) == 0 {
		t.Fatalf("no %s in %s (%v)", pattern, dir, err)
	}
	return names
}

// set writes a key past the store; an empty value deletes it.
func set(t *testing.T, dir, key, value string) {
	t.Helper()
	db, err := pebble.Open(dir, &pebble.Options{FormatMajorVersion: pebble.FormatNewest, Logger: quiet{}})
	if err != nil {
		t.Fatal(err)
	}
	if value == "" {
		err = db.Delete([]byte(key), pebble.Sync)
	} else {
		err = db.Set([]byte(key), []byte(value), pebble.Sync)
	}
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
}

// A machine that stops at any moment loses views, never their agreement with the record.
func TestCrash(t *testing.T) {
	war := recordtest.War(1, 40)
	record := recordtest.NewRecord()
	disk := vfs.NewCrashableMem()
	for given, step := 0, 0; given < len(war.Stored); step++ {
		n := min(len(war.Stored)-given, 1+step*71%300)
		record.Append(war.ID, war.Stored[given:given+n]...)
		given += n
		s, err := store.Open("views", store.Options{FS: disk})
		if err != nil {
			t.Fatal(err)
		}
		r, err := projections.Open(record, s, nil, pools.Projection(), strategic.Projection())
		if err != nil {
			t.Fatal(err)
		}
		if err := r.CatchUp(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		for _, p := range []projections.Projection{pools.Projection(), strategic.Projection()} {
			v, applied, err := r.Latest(p.Name, war.ID)
			if err != nil || applied != uint64(given) {
				t.Fatalf("%s stands at %d of %d (%v)", p.Name, applied, given, err)
			}
			want, err := projections.Fold(p, record.Read(war.ID, 0, uint64(given)), nil)
			if err != nil || projections.Digest(v) != projections.Digest(want) {
				t.Fatalf("%s differs after %d events (%v)", p.Name, given, err)
			}
		}
		if step%3 == 0 {
			s.Close()
		}
		crashed := disk.CrashClone(vfs.CrashCloneCfg{UnsyncedDataPercent: step * 37 % 101,
			RNG: rand.New(rand.NewPCG(uint64(step), 1))})
		s.Close()
		disk = crashed
	}
}
