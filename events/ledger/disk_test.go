package ledger

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

// badDisk gives a ledger with one campaign on a disk that goes bad when told to: then refuse
// judges each operation. It also gives the list of fatal errors.
func badDisk(t *testing.T, stall time.Duration,
	refuse func(errorfs.Op) error) (*Ledger, *chain, *vfs.MemFS, *errorfs.Toggle, func() []error) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	bad := &errorfs.Toggle{Injector: errorfs.InjectorFunc(refuse)}
	var mu sync.Mutex
	var fatal []error
	l, err := Open("/watu/ledger", Options{FS: errorfs.Wrap(mem, bad), Stall: stall, Fatal: func(err error) {
		mu.Lock()
		defer mu.Unlock()
		fatal = append(fatal, err)
	}})
	if err != nil {
		t.Fatal(err)
	}
	c := newChain(1)
	c.append(t, l, "open", 2)
	c.append(t, l, "kept", 1)
	return l, c, mem, bad, func() []error {
		<-l.failed // is closed before Fatal is called
		for {
			mu.Lock()
			reported := fatal
			mu.Unlock()
			if len(reported) > 0 {
				return reported
			}
			runtime.Gosched()
		}
	}
}

// checkRefused checks that the failure was told once and clearly, that nothing goes on, that
// readers see only what was acknowledged, and that the disk holds whole steps.
func checkRefused(t *testing.T, l *Ledger, c *chain, mem *vfs.MemFS, fatal []error, want error, says string) {
	t.Helper()
	if len(fatal) != 1 || !errors.Is(fatal[0], want) || !errors.Is(fatal[0], ErrFailed) ||
		!strings.Contains(fatal[0].Error(), "/watu/ledger") || !strings.Contains(fatal[0].Error(), says) ||
		strings.Contains(fatal[0].Error(), "\n") {
		t.Errorf("fatal: %q, want %v", fatal, want)
	}
	if _, err := l.Append(c.step("later", 1)); !errors.Is(err, want) {
		t.Errorf("later append: %v", err)
	}
	if seen, _ := l.Campaign(c.campaign); seen.Events != c.next || seen.Head != c.head || l.Durable() != c.next {
		t.Errorf("seen: %+v, durable %d", seen, l.Durable())
	}
	if _, found, err := l.Command(c.campaign, "lost"); found || err != nil {
		t.Errorf("a step that is not durable is seen: %v", err)
	}
	verify(t, l)
	after := openMem(t, mem.CrashClone(vfs.CrashCloneCfg{}))
	defer closeLedger(t, after)
	verify(t, after)
	if seen, _ := after.Campaign(c.campaign); seen.Events != c.next || seen.Head != c.head {
		t.Errorf("after a restart: %+v, want %d events", seen, c.next)
	}
}

func TestDiskRefuses(t *testing.T) {
	t.Parallel()
	onLog := func(kinds ...errorfs.OpKind) func(error) func(errorfs.Op) error {
		return func(refusal error) func(errorfs.Op) error {
			return func(op errorfs.Op) error {
				for _, k := range kinds {
					if op.Kind == k && strings.HasSuffix(op.Path, ".log") {
						return refusal
					}
				}
				return nil
			}
		}
	}
	write := onLog(errorfs.OpFileWrite)
	syncs := onLog(errorfs.OpFileSync, errorfs.OpFileSyncData, errorfs.OpFileSyncTo)
	full := &os.PathError{Op: "write", Path: "000002.log", Err: syscall.ENOSPC}
	for name, test := range map[string]struct {
		refuse func(errorfs.Op) error
		says   string
	}{
		"write":      {write(syscall.EIO), "the disk refuses to write in /watu/ledger"},
		"write full": {write(full), "the disk that holds /watu/ledger is full; free space"},
		"sync":       {syncs(syscall.EIO), "the disk refuses to write in /watu/ledger"},
		"sync full":  {syncs(full), "the disk that holds /watu/ledger is full; free space"},
	} {
		t.Run(name, func(t *testing.T) {
			l, c, mem, bad, fatal := badDisk(t, time.Minute, test.refuse)
			bad.On()
			if _, err := l.Append(c.step("lost", 3)); !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(),
				test.says) {
				t.Errorf("append: %v", err)
			}
			checkRefused(t, l, c, mem, fatal(), ErrFailed, test.says)
			if err := l.Close(); err != nil {
				t.Logf("close after a failure: %v", err)
			}
		})
	}
}

// TestNextLogRefused refuses the next write-ahead log when the one in use is full. Pebble would end the process
// there, and never comes back; who appends does, and readers go on. In a process of its own, where Pebble stays behind.
func TestNextLogRefused(t *testing.T) {
	t.Parallel()
	if os.Getenv("WATU_CHILD") == "" {
		if out, errs, code := child(t, "test", "", "-test.run=^TestNextLogRefused$", "-test.timeout=2m"); code != 0 {
			t.Errorf("exit code %d\n%s%s", code, out, errs)
		}
		return
	}
	l, c, mem, bad, fatal := badDisk(t, time.Minute, func(op errorfs.Op) error {
		if (op.Kind == errorfs.OpCreate || op.Kind == errorfs.OpReuseForWrite) && strings.HasSuffix(op.Path, ".log") {
			return syscall.ENOSPC
		}
		return nil
	})
	bad.On()
	for i := 0; ; i++ {
		s := c.step(fmt.Sprint("big ", i), 1)
		s.Answer = make([]byte, 100<<10)
		_, err := l.Append(s)
		if err == nil {
			c.took(s)
			continue
		}
		if !errors.Is(err, ErrFailed) || i < 2 {
			t.Errorf("append %d: %v", i, err)
		}
		break
	}
	bad.Off()
	checkRefused(t, l, c, mem, fatal(), ErrFailed, "the disk that holds /watu/ledger is full; free space")
}

// TestDiskFullBehind fills the disk for everything but the write-ahead log in use, in a
// process of its own: it must end with one clear line and code 1, before writes stall and
// before Pebble panics.
func TestDiskFullBehind(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out, errs, code := child(t, "fill", dir)
	want := "watu: ledger has failed: the disk that holds " + dir + " is full; free space on it and start again"
	if code != 1 || !strings.HasPrefix(errs, want) || strings.Count(errs, "\n") != 1 {
		t.Errorf("exit code %d, standard error %q", code, errs)
	}
	l, err := openDir(t, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer closeLedger(t, l)
	verify(t, l)
	// The step in flight is kept whole or not at all; those before it are kept.
	acked := uint64(strings.Count(out, "acknowledged\n"))
	if acked < 2 || l.Durable() != acked && l.Durable() != acked+1 {
		t.Errorf("%d events, %d acknowledged", l.Durable(), acked)
	}
}

// fillDisk is the child of TestDiskFullBehind.
func fillDisk(dir string) error {
	full := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpCreate || op.Kind == errorfs.OpReuseForWrite {
			return &os.PathError{Op: "create", Path: op.Path, Err: syscall.ENOSPC}
		}
		return nil
	})}
	l, err := Open(dir, Options{FS: errorfs.Wrap(vfs.Default, full)})
	if err != nil {
		return err
	}
	full.On()
	c := newChain(1)
	for i := 0; ; i++ {
		s := c.step(fmt.Sprint("big ", i), 1)
		s.Answer = make([]byte, 100<<10)
		if _, err := l.Append(s); err != nil {
			return err
		}
		fmt.Println("acknowledged")
		c.took(s)
	}
}

// sized is a file system that says how large it is and how much is free.
type sized struct {
	vfs.FS
	is vfs.DiskUsage
}

func (s sized) GetDiskUsage(string) (vfs.DiskUsage, error) { return s.is, nil }

// TestRoom asks for room before a record is opened. A file system that does not say how large it is, as those in memory
// and on a network may, is not full.
func TestRoom(t *testing.T) {
	t.Parallel()
	for is, full := range map[vfs.DiskUsage]bool{
		{}:                    false,
		{TotalBytes: 1 << 30}: true,
		{TotalBytes: 1 << 30, AvailBytes: 1 << 20}: false,
	} {
		o := Options{FS: vfs.NewMem(), Fatal: func(err error) { t.Error(err) }}
		l, err := Open("/watu/ledger", o)
		if err != nil {
			t.Fatal(err)
		}
		closeLedger(t, l)
		o.FS = sized{o.FS, is}
		if l, err = Open("/watu/ledger", o); err == nil {
			closeLedger(t, l)
		}
		if errors.Is(err, syscall.ENOSPC) != full || err != nil && !full {
			t.Errorf("%+v: %v", is, err)
		}
	}
}

func TestOpeningOnAFullDisk(t *testing.T) {
	t.Parallel()
	for k := 1; ; k++ {
		var ops atomic.Int64
		full := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
			switch op.Kind {
			case errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpMkdirAll, errorfs.OpFilePreallocate:
				if ops.Add(1) >= int64(k) {
					return syscall.ENOSPC
				}
			}
			return nil
		})}
		full.On()
		mem := vfs.NewCrashableMem()
		l, err := Open("/watu/ledger", Options{FS: errorfs.Wrap(mem, full), Fatal: func(err error) { t.Error(err) }})
		full.Off()
		if err == nil {
			closeLedger(t, l)
			if k < 10 {
				t.Errorf("opened after %d operations", k)
			}
			return
		}
		if !errors.Is(err, ErrFailed) || !strings.Contains(err.Error(), "/watu/ledger is full") {
			t.Errorf("full from operation %d: %v", k, err)
		}
		l = openMem(t, mem) // space was freed: it begins as if nothing had been
		newChain(1).append(t, l, "open", 1)
		closeLedger(t, l)
	}
}

func TestWatchdog(t *testing.T) {
	t.Parallel()
	stuck, released := make(chan struct{}), make(chan struct{})
	var once sync.Once
	l, c, mem, bad, fatal := badDisk(t, 0, func(op errorfs.Op) error {
		if strings.HasSuffix(op.Path, ".log") && op.Kind == errorfs.OpFileWrite {
			once.Do(func() { close(stuck) })
			<-released
		}
		return nil
	})
	l.opts.Stall = 20 * time.Millisecond // not before: a good disk may be as slow where the machine is busy
	bad.On()
	leader, follower := make(chan error, 1), make(chan error, 1)
	go func() {
		_, err := l.Append(c.step("lost", 3))
		leader <- err
	}()
	<-stuck
	other := newChain(2)
	go func() {
		_, err := l.Append(other.step("lost", 3))
		follower <- err
	}()
	if err := <-follower; !errors.Is(err, ErrStalled) {
		t.Errorf("a step behind the one that stalls: %v", err)
	}
	checkRefused(t, l, c, mem, fatal(), ErrStalled, "has not come back for 20ms")
	if err := l.Close(); !errors.Is(err, ErrStalled) {
		t.Errorf("close: %v", err)
	}
	close(released)
	if err := <-leader; !errors.Is(err, ErrStalled) {
		t.Errorf("the step that stalls: %v", err)
	}
}
