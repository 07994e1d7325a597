package stream

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/watu-ledger/watu/events"
)

var (
	truncations = flag.Int("fault.truncations", 12, "places at which a file of the stream's store is cut")
	flips       = flag.Int("fault.flips", 40, "bits of the stream's store that are flipped")
)

// TestDamagedStore damages the server's files, one place at a time: what stands in the stream
// afterwards is the record, or it is said that it cannot be had. Files are cut in a store that
// was closed and in one that crashed, which has no list of sums; bits flip in closed ones. More
// messages are stored than a comparison looks at, so that the server's own checks are tried too.
func TestDamagedStore(t *testing.T) {
	t.Parallel()
	l := newLog("damaged store").write(900, "a", "b", "c").sync()
	whole := filepath.Join(t.TempDir(), "whole")
	filled(t, whole, l)
	files := filesIn(t, whole)
	random := rand.New(rand.NewPCG(48, 21))
	damage := func(crashed bool, what string, change func(text []byte) []byte) {
		file := files[random.IntN(len(files))]
		dir := filepath.Join(t.TempDir(), "damaged")
		if err := os.CopyFS(dir, os.DirFS(whole)); err != nil {
			t.Fatal(err)
		}
		if crashed {
			_ = os.Remove(filepath.Join(dir, sumsFile))
		}
		path := filepath.Join(dir, file)
		text, err := os.ReadFile(path)
		if err != nil || len(text) == 0 {
			return
		}
		if err := os.WriteFile(path, change(text), 0o600); err != nil {
			t.Fatal(err)
		}
		mendedOrSaid(t, fmt.Sprintf("%s of %s", what, file), dir, l)
		_ = os.RemoveAll(dir)
	}
	for i := range *truncations {
		at := random.Float64()
		damage(i%2 == 0, fmt.Sprintf("cut at %.4f", at),
			func(text []byte) []byte { return text[:int(at*float64(len(text)))] })
	}
	for range *flips {
		at, bit := random.Float64(), random.IntN(8)
		damage(false, fmt.Sprintf("bit %d at %.6f flipped", bit, at), func(text []byte) []byte {
			text[int(at*float64(len(text)))] ^= 1 << bit
			return text
		})
	}
}

// filled makes a store that holds the whole record.
func filled(t *testing.T, dir string, l *memoryLog) {
	t.Helper()
	s, err := StartServer(ServerOptions{StoreDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Shutdown()
	nc, err := s.Connect()
	if err != nil {
		t.Fatal(err)
	}
	defer nc.Close()
	box, _, err := Open(soon(t), nc, l, Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer box.Close()
	if err := box.Drain(soon(t)); err != nil {
		t.Fatal(err)
	}
}

func filesIn(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := fs.WalkDir(os.DirFS(dir), ".", func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files = append(files, path)
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatal(err, files)
	}
	return files
}

// mendedOrSaid starts on a damaged store.
func mendedOrSaid(t *testing.T, what, dir string, l *memoryLog) {
	t.Helper()
	s, err := StartServer(ServerOptions{StoreDir: dir})
	if err != nil {
		t.Logf("%s: said: %v", what, err)
		return
	}
	defer s.Shutdown()
	nc, err := s.Connect()
	if err != nil {
		t.Logf("%s: said: %v", what, err)
		return
	}
	defer nc.Close()
	box, report, err := Open(soon(t), nc, l, Options{})
	if err != nil {
		t.Logf("%s: said: %v", what, err)
		return
	}
	defer box.Close()
	if err := box.Drain(soon(t)); err != nil {
		t.Errorf("%s (%s): %v", what, report, err)
		return
	}
	next := 0
	err = Tail(soon(t), nc, Following{Ledger: l.ID(), From: 1}, func(r events.Record) error {
		if next >= len(l.records) || r.Sequence != l.records[next].Sequence ||
			!bytes.Equal(r.Bytes, l.records[next].Bytes) {
			return fmt.Errorf("sequence %d is not the record's", r.Sequence)
		}
		next++
		return nil
	})
	if err != nil || next != len(l.records) {
		t.Errorf("%s: accepted (%s), and the stream gives %d of %d: %v", what, report, next, len(l.records), err)
	}
}
