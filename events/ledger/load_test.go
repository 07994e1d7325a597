package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// TestLoadRefuses cuts and flips a dump at many places: nothing is loaded and nothing is left.
func TestLoadRefuses(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	populate(t, l, 40)
	dump, _ := mustDump(t, l)
	closeLedger(t, l)
	random := rand.New(rand.NewPCG(3, 3))
	refused := func(what string, bad []byte, want error) {
		t.Helper()
		if _, err := Load(loadDir, bytes.NewReader(bad), Options{FS: mem}); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", what, err, want)
		}
		if _, err := mem.Stat(loadDir); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: something is left: %v", what, err)
		}
	}
	for range 60 {
		n := random.IntN(len(dump))
		refused(fmt.Sprint("cut at ", n), dump[:n], ErrDump)
	}
	for range 120 {
		at, bit := random.IntN(len(dump)), random.IntN(8)
		bad := bytes.Clone(dump)
		bad[at] ^= 1 << bit
		want := ErrDump
		if at >= len(dumpTitle) && at < len(dumpTitle+dumpVersion) {
			want = ErrNewer
		}
		refused(fmt.Sprintf("bit %d of byte %d", bit, at), bad, want)
	}
	refused("longer", append(bytes.Clone(dump), 0), ErrDump)
	refused("empty", nil, ErrDump)
	refused("newer", append([]byte("watu dump 2\n"), dump[12:]...), ErrNewer)
	for name, bad := range rewritten(t, dump) {
		refused(name, bad, ErrDump)
	}
}

type entry struct{ key, value []byte }

// takenApart gives what a dump holds.
func takenApart(t *testing.T, dump []byte) (id identity, all []entry, end []byte) {
	t.Helper()
	in := &dumpReader{r: bytes.NewReader(dump)}
	id, err := in.identity()
	if err != nil {
		t.Fatal(err)
	}
	for {
		kind, contents, err := in.next()
		if err != nil {
			t.Fatal(err)
		}
		if contents = bytes.Clone(contents); kind == chunkCheckpoint {
			return id, all, contents
		}
		for len(contents) > 0 {
			var e entry
			if e.key, e.value, contents, err = nextEntry(contents); err != nil {
				t.Fatal(err)
			}
			all = append(all, e)
		}
	}
}

// rewritten gives dumps whose chunks all have the right sums, and which are wrong.
func rewritten(t *testing.T, dump []byte) map[string][]byte {
	t.Helper()
	id, all, end := takenApart(t, dump)
	write := func(without []byte, end []byte) []byte {
		b := bytes.NewBufferString(dumpTitle + dumpVersion)
		d := &dumper{w: b}
		err := d.chunk(chunkIdentity, id.text())
		for _, e := range all {
			if !bytes.Equal(e.key, without) {
				err = errors.Join(err, d.entry(e.key, e.value))
			}
		}
		if err := errors.Join(err, d.flush(), d.chunk(chunkCheckpoint, end)); err != nil {
			t.Fatal(err)
		}
		return b.Bytes()
	}
	if !bytes.Equal(write(nil, end), dump) {
		t.Fatal("a dump is not written again as it was")
	}
	last := func(kind byte) (key []byte) {
		for _, e := range all {
			if e.key[0] == kind {
				key = e.key
			}
		}
		return key
	}
	return map[string][]byte{
		"without the last record":   write(last(keyRecord), end),
		"without the last step":     write(last(keyStep), end),
		"without the last turn":     write(last(keyTurn), end),
		"without the last campaign": write(last(keyCampaign), end),
		"with another checkpoint":   write(nil, Checkpoint{Ledger: id.Ledger}.text()),
	}
}

func TestLoadIntoADirectoryInUse(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	defer closeLedger(t, l)
	populate(t, l, 6)
	dump, _ := mustDump(t, l)
	if _, err := Load("/watu/ledger", bytes.NewReader(dump), Options{FS: mem}); !errors.Is(err, ErrNotEmpty) {
		t.Errorf("into a ledger: %v", err)
	}
	if err := mem.MkdirAll(loadDir, 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := Load(loadDir, bytes.NewReader(dump[:len(dump)-1]), Options{FS: mem}); !errors.Is(err, ErrDump) {
		t.Error(err)
	}
	if names, err := mem.List(loadDir); err != nil || len(names) != 0 {
		t.Errorf("left in an empty directory: %v %v", names, err)
	}
	if _, err := Load(loadDir, bytes.NewReader(dump), Options{FS: mem}); err != nil {
		t.Errorf("into an empty directory: %v", err)
	}
}

// TestLoadOnAFullDisk fills the disk at each operation of a load in turn.
func TestLoadOnAFullDisk(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	populate(t, l, 30)
	dump, _ := mustDump(t, l)
	closeLedger(t, l)
	for k := 1; ; k++ {
		full := &errorfs.Toggle{Injector: from(k, syscall.ENOSPC)}
		full.On()
		disk := vfs.NewMem()
		_, err := Load(loadDir, bytes.NewReader(dump), Options{FS: errorfs.Wrap(disk, full)})
		if err == nil {
			if k < 20 {
				t.Errorf("loaded after %d operations", k)
			}
			return
		}
		if !errors.Is(err, syscall.ENOSPC) {
			t.Errorf("full from operation %d: %v", k, err)
		}
		checkNotLoaded(t, fmt.Sprint("full from operation ", k), disk)
	}
}

// from refuses each operation that needs space from the k-th on.
func from(k int, refusal error) errorfs.Injector {
	var mu sync.Mutex
	n := 0
	return errorfs.InjectorFunc(func(op errorfs.Op) error {
		switch op.Kind {
		case errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpMkdirAll, errorfs.OpFilePreallocate, errorfs.OpLink:
			mu.Lock()
			defer mu.Unlock()
			if n++; n >= k {
				return refusal
			}
		}
		return nil
	})
}

// checkNotLoaded checks that nothing of a load is taken for a ledger.
func checkNotLoaded(t *testing.T, what string, disk vfs.FS) {
	t.Helper()
	l, err := Open(loadDir, Options{FS: disk, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		if !errors.Is(err, ErrNotLedger) {
			t.Errorf("%s: %v", what, err)
		}
		return
	}
	if l.Durable() != 0 {
		t.Errorf("%s: half a ledger with %d events", what, l.Durable())
	}
	closeLedger(t, l)
}

// TestLoadCrashes pulls the plug at each operation of a load: what is left is no ledger or
// the whole one.
func TestLoadCrashes(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	chains := populate(t, l, 30)
	dump, dumped := mustDump(t, l)
	want := mustEverything(t, l, chains)
	closeLedger(t, l)
	whole := 0
	for k := 1; ; k++ {
		disk := vfs.NewCrashableMem()
		p := &plug{
			fs: disk, left: k, acked: func() []uint64 { return nil },
			cfg: vfs.CrashCloneCfg{UnsyncedDataPercent: (k * 37) % 101, RNG: rand.New(rand.NewPCG(5, uint64(k)))},
		}
		if _, err := Load(loadDir, bytes.NewReader(dump), Options{FS: errorfs.Wrap(disk, p)}); err != nil {
			t.Fatal(err)
		}
		if p.after == nil {
			break
		}
		again, err := Open(loadDir, Options{FS: p.after, Fatal: func(err error) { t.Error(err) }})
		if err != nil {
			if !errors.Is(err, ErrNotLedger) {
				t.Errorf("crash at operation %d: %v", k, err)
			}
			continue
		}
		if again.ID() == dumped.Ledger {
			whole++
			if got := mustEverything(t, again, chains); got != want {
				t.Errorf("crash at operation %d: half a ledger", k)
			}
		} else if again.Durable() > 0 {
			t.Errorf("crash at operation %d: another ledger with %d events", k, again.Durable())
		}
		closeLedger(t, again)
	}
	if whole == 0 {
		t.Error("no crash came after the end")
	}
}
