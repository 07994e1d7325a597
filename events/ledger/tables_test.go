package ledger

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"

	"github.com/watu-ledger/watu/events/ledger/disk"
)

// tabledSteps, with answers that are compressed to next to nothing, make several small blocks: where a checksum is
// wrong, Pebble looks which bit it may have been, in a time that grows with the square of the block.
const tabledSteps = 120

// tabled gives the files of a closed ledger with two campaigns in tables of several blocks.
func tabled(t *testing.T) (diskFiles, []*chain, []string) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	l, err := openWith(t, mem, Options{})
	if err != nil {
		t.Fatal(err)
	}
	chains := []*chain{newChain(1), newChain(2)}
	var want []string
	for _, c := range chains {
		for i := range tabledSteps {
			s := c.step(fmt.Sprint("command ", i), 2)
			s.Answer = bytes.Repeat([]byte{byte(i)}, 1000)
			if _, err := l.Append(s); err != nil {
				t.Fatal(err)
			}
			c.took(s)
		}
		if err := l.db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range chains {
		text, err := dumped(l, c)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, text)
	}
	closeLedger(t, l)
	return readDisk(t, mem, dirMem), chains, want
}

// dumped is all that can be read of a campaign.
func dumped(l *Ledger, c *chain) (string, error) {
	var b strings.Builder
	for r, err := range l.Read(c.campaign, 0, 1<<40) {
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%d %x\n", r.Sequence, r.Bytes)
	}
	for i := range tabledSteps {
		a, found, err := l.Command(c.campaign, fmt.Sprint("command ", i))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "%s %d %d %s %v\n", a.Digest, a.First, a.Count, digestOf(string(a.Answer)), found)
	}
	turns, err := l.Turns(c.campaign)
	return b.String() + fmt.Sprint(turns), err
}

// TestDamagedTable damages the tables of a record in every region, while it is closed. What does not
// read is an ErrDamaged, for who asks for it alone: the other campaign is read and goes on, through a
// compaction that meets the damage too, and nothing reads otherwise than it was.
func TestDamagedTable(t *testing.T) {
	t.Parallel()
	whole, chains, want := tabled(t)
	eachTable(t, whole, func(path string, places []int) map[string]int {
		text := whole[path]
		harms := map[string][]byte{"missing": nil, "empty": {}, "cut": text[:len(text)/2]}
		for _, at := range places {
			harms[fmt.Sprint("bit of byte ", at)] = bytes.Clone(text)
			harms[fmt.Sprint("bit of byte ", at)][at] ^= 1 << (at % 8)
		}
		outcomes := map[string]int{}
		for name, bad := range harms {
			outcomes[goOn(t, name, whole.with(path, bad).files(t), func() {}, chains, want)]++
		}
		return outcomes
	})
}

// TestTableRots is the same under a ledger that is open.
func TestTableRots(t *testing.T) {
	t.Parallel()
	whole, chains, want := tabled(t)
	eachTable(t, whole, func(path string, places []int) map[string]int {
		outcomes := map[string]int{}
		for _, at := range places {
			r := &rotting{FS: whole.files(t), path: path, at: int64(at)}
			outcomes[goOn(t, fmt.Sprint("bit of byte ", at), r, func() { r.rots.Store(true) }, chains, want)]++
		}
		if outcomes["does not open"] > 0 {
			t.Error("a whole ledger did not open")
		}
		return outcomes
	})
}

// eachTable gives every table to harm, and places in it: all regions, those at the end closely, where index,
// properties and footer stand.
func eachTable(t *testing.T, whole diskFiles, harm func(path string, places []int) map[string]int) {
	t.Helper()
	apart := 0
	for _, path := range whole.paths() {
		if !strings.HasSuffix(path, ".sst") {
			continue
		}
		var places []int
		for at := range len(whole[path]) {
			if end := len(whole[path]) - 1200; at > end && at%41 == 0 || at <= end && at%4001 == 0 {
				places = append(places, at)
			}
		}
		outcomes := harm(path, places)
		apart += outcomes["one goes on"]
		t.Logf("%s, %d bytes: %v", path, len(whole[path]), outcomes)
	}
	if apart == 0 {
		t.Error("no harm was met that leaves one campaign whole, and not the other")
	}
}

// rotting is a file system on which a byte of a table does not read as it was written, once it rots.
type rotting struct {
	vfs.FS
	path string
	at   int64
	rots atomic.Bool
}

func (r *rotting) Open(name string, o ...vfs.OpenOption) (vfs.File, error) {
	f, err := r.FS.Open(name, o...)
	if err != nil || name != r.path {
		return f, err
	}
	return rottingFile{f, r}, nil
}

type rottingFile struct {
	vfs.File
	r *rotting
}

func (f rottingFile) ReadAt(p []byte, from int64) (int, error) {
	n, err := f.File.ReadAt(p, from)
	if i := f.r.at - from; f.r.rots.Load() && i >= 0 && i < int64(n) {
		p[i] ^= 1 << (f.r.at % 8)
	}
	return n, err
}

// goOn reads both campaigns of a damaged ledger and appends to both, compacts, and does so again.
func goOn(t *testing.T, name string, fs vfs.FS, harm func(), chains []*chain, want []string) string {
	t.Helper()
	l, err := openWith(t, fs, Options{Logf: func(string, ...any) {}})
	if err != nil {
		if !errors.Is(err, ErrDamaged) {
			t.Errorf("%s: it does not open, with %v", name, err)
		}
		return "does not open"
	}
	// A compaction that was asked for may not be taken back while the store is open: Pebble 2.1.7 panics when it comes
	// to one that it had picked.
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	defer l.Close()
	harm()
	damaged := 0
	for round := range 2 {
		damaged = 0
		for i, c := range chains {
			copied := *c
			text, err := dumped(l, c)
			switch {
			case round == 0 && err == nil && text != want[i]:
				t.Errorf("%s: campaign %d reads otherwise, in silence", name, i)
			case err != nil && !errors.Is(err, ErrDamaged):
				t.Errorf("%s: campaign %d: %v", name, i, err)
			}
			if seen, _ := l.Campaign(c.campaign); round == 1 {
				copied.next, copied.head = seen.Events, seen.Head
			}
			_, appending := l.Append(copied.step(fmt.Sprint("after the harm ", round), 1))
			if appending != nil && !errors.Is(appending, ErrDamaged) || appending != nil && err == nil {
				t.Errorf("%s: campaign %d, which reads with %v, is appended to with %v", name, i, err, appending)
			}
			if err != nil {
				damaged++
			}
		}
		if err := l.db.Flush(); err != nil {
			t.Errorf("%s: flush: %v", name, err)
		}
		// It fails where the damage is, and once Pebble has noted that, it waits for minutes.
		compacted := make(chan struct{})
		go func() {
			_ = l.db.Compact(ctx, []byte{0}, []byte{0xff}, false)
			close(compacted)
		}()
		select {
		case <-compacted:
		case <-time.After(100 * time.Millisecond):
		}
	}
	if err := l.Err(); err != nil {
		t.Errorf("%s: the ledger takes no more steps: %v", name, err)
	}
	return []string{"same", "one goes on", "none reads"}[damaged]
}

// TestCompactionWaits has tables that do not read from the start on, which Pebble is to compact: it tries ever
// more rarely, and the ledger goes on.
func TestCompactionWaits(t *testing.T) {
	t.Parallel()
	fs := rottingTables{vfs.NewMem()}
	l, err := openWith(t, fs, Options{Logf: func(string, ...any) {}})
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	c := newChain(1)
	for i := range 8 {
		c.append(t, l, fmt.Sprint("command ", i), 1)
		if err := l.db.Flush(); err != nil {
			t.Fatal(err)
		}
	}
	for l.disk.FailedCompactions() < 3 {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(time.Second) // in which Pebble by itself fails more than a thousand times
	if n := l.disk.FailedCompactions(); n > 20 {
		t.Errorf("%d compactions failed", n)
	}
	c.append(t, l, "later", 1)
}

// rottingTables is a file system on which no table reads as it was written.
type rottingTables struct{ vfs.FS }

func (fs rottingTables) Open(name string, o ...vfs.OpenOption) (vfs.File, error) {
	f, err := fs.FS.Open(name, o...)
	if err != nil || !strings.HasSuffix(name, ".sst") {
		return f, err
	}
	r := &rotting{at: 30}
	r.rots.Store(true)
	return rottingFile{f, r}, nil
}

// TestUnwritableTables refuses every table while the write-ahead log is fine: the ledger fails, instead of
// trying again for ever, can be read, and closes.
func TestUnwritableTables(t *testing.T) {
	t.Parallel()
	var tries atomic.Int64
	l, c, mem, bad, fatal := badDisk(t, 0, func(op errorfs.Op) error {
		if op.Kind == errorfs.OpCreate && strings.HasSuffix(op.Path, ".sst") {
			tries.Add(1)
			return syscall.EIO
		}
		return nil
	})
	bad.On()
	if _, err := l.db.AsyncFlush(); err != nil {
		t.Fatal(err)
	}
	checkRefused(t, l, c, mem, fatal(), ErrFailed, "the disk refuses to write in /watu/ledger")
	open := tries.Load()
	began := time.Now()
	_ = l.Close() // what it could not write is in the log
	if open > 2*disk.FlushTries {
		t.Errorf("%d tables were begun while it was open", open)
	}
	if n := tries.Load() - open; n > 2+int64(time.Since(began)/disk.LeastWait) {
		t.Errorf("%d tables were begun while it closed", n)
	}
}

// TestDirectoryGone takes the directory away from an open ledger: what is appended then is lost, so it
// fails as soon as the checkpoint cannot be written, can still be read, and closes.
func TestDirectoryGone(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	failed := make(chan error, 1)
	l, err := Open(dirMem, Options{FS: mem, Fatal: func(err error) { failed <- err }})
	if err != nil {
		t.Fatal(err)
	}
	c := newChain(1)
	c.append(t, l, "open", 3)
	untilCheckpointed(l)
	if err := mem.RemoveAll(dirMem); err != nil {
		t.Fatal(err)
	}
	c.append(t, l, "lost", 1)
	if err := <-failed; !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), dirMem+": the directory is gone") {
		t.Error(err)
	}
	if _, err := l.Append(c.step("later", 1)); !errors.Is(err, ErrFailed) {
		t.Errorf("later append: %v", err)
	}
	n := 0
	for _, err := range l.Read(c.campaign, 0, 1<<40) {
		if n++; err != nil {
			t.Fatal(err)
		}
	}
	if n != 4 {
		t.Errorf("%d events read, want 4", n)
	}
	_ = l.Close()
}

// TestDirectoryGoneWhileIdle takes the directory away when nobody appends.
func TestDirectoryGoneWhileIdle(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	failed := make(chan error, 1)
	l, err := Open(dirMem, Options{FS: mem, Fatal: func(err error) { failed <- err }})
	if err != nil {
		t.Fatal(err)
	}
	newChain(1).append(t, l, "open", 3)
	untilCheckpointed(l)
	if err := mem.RemoveAll(dirMem); err != nil {
		t.Fatal(err)
	}
	if err := <-failed; !errors.Is(err, ErrGone) || !errors.Is(l.Err(), ErrGone) {
		t.Error(err)
	}
	_ = l.Close()
}

// TestHungSync has a sync of the log that never returns: Close gives up, and readers read.
func TestHungSync(t *testing.T) {
	t.Parallel()
	hung, release := make(chan struct{}), make(chan struct{})
	var once atomic.Bool
	l, c, _, bad, _ := badDisk(t, 300*time.Millisecond, func(op errorfs.Op) error {
		if strings.HasSuffix(op.Path, ".log") && (op.Kind == errorfs.OpFileSync || op.Kind == errorfs.OpFileSyncData) {
			if once.CompareAndSwap(false, true) {
				close(hung)
			}
			<-release
		}
		return nil
	})
	defer close(release)
	bad.On()
	go l.Append(c.step("lost", 1))
	<-hung
	for r, err := range l.Read(c.campaign, 0, 1<<40) {
		if err != nil || r.Index >= c.next {
			t.Errorf("event %d: %v", r.Index, err)
		}
	}
	if err := l.Close(); !errors.Is(err, ErrStalled) {
		t.Errorf("close: %v", err)
	}
}

// TestOpenToRead reads a ledger on a disk that has no room for a byte.
func TestOpenToRead(t *testing.T) {
	t.Parallel()
	whole, chains, want := tabled(t)
	mem := whole.files(t)
	full := errorfs.Wrap(mem, errorfs.InjectorFunc(func(op errorfs.Op) error {
		switch op.Kind {
		case errorfs.OpFileWrite, errorfs.OpMkdirAll, errorfs.OpRename, errorfs.OpRemove:
			return syscall.ENOSPC
		}
		return nil
	}))
	l, err := OpenToRead(dirMem, Options{FS: full, Fatal: func(err error) { t.Error(err) }}, syscall.ENOSPC)
	if err != nil {
		t.Fatal(err)
	}
	for i, c := range chains {
		if text, err := dumped(l, c); err != nil || text != want[i] {
			t.Errorf("campaign %d does not read as it was: %v", i, err)
		}
		_, err := l.Append(c.step("later", 1))
		if !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "is full; free space") {
			t.Errorf("append: %v", err)
		}
	}
	if err := l.VouchFrom(); !errors.Is(err, ErrFailed) {
		t.Errorf("a note: %v", err)
	}
	closeLedger(t, l)
	if !whole.equal(readDisk(t, mem, dirMem)) {
		t.Error("the directory was changed")
	}
}
