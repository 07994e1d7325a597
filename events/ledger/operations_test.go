package ledger

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
)

var faultProcesses = flag.Int("fault.processes", 12,
	"processes whose disk fails at a sampled operation; 0 for every operation")

// fault refuses operations of a file system that write: the k-th, or all from the k-th on that
// need space.
type fault struct {
	k     int
	full  bool
	mu    sync.Mutex
	ops   int
	first string // what was refused first
}

func (f *fault) String() string { return "fault" }

func (f *fault) MaybeError(op errorfs.Op) error {
	if op.Kind.ReadOrWrite() == errorfs.OpIsRead || op.Kind == errorfs.OpFileClose {
		return nil
	}
	space := false
	switch op.Kind {
	case errorfs.OpCreate, errorfs.OpReuseForWrite, errorfs.OpMkdirAll, errorfs.OpFileWrite, errorfs.OpFilePreallocate,
		errorfs.OpLink, errorfs.OpRename:
		space = true
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.ops++
	if f.ops != f.k && !(f.full && space && f.ops > f.k) {
		return nil
	}
	if f.first == "" {
		f.first = fmt.Sprintf("operation %d (kind %d on %s)", f.ops, op.Kind, op.Path)
	}
	if f.full && space {
		return &os.PathError{Op: "write", Path: op.Path, Err: syscall.ENOSPC}
	}
	return &os.PathError{Op: "write", Path: op.Path, Err: syscall.EIO}
}

// struck says where, or nothing if the run had fewer operations.
func (f *fault) struck() string {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.first
}

// TestFaultAtEachOperation plays a script of appends, with restarts, on a disk that fails at
// each operation in turn, once or for good. What is in flight then is refused; what was
// acknowledged is kept; the script goes on when the disk is well again, and ends as ever. It
// does so in a process of its own, where stores whose start failed stay behind.
func TestFaultAtEachOperation(t *testing.T) {
	if os.Getenv("WATU_CHILD") == "" {
		out, errs, code := child(t, "test", "", "-test.run=^TestFaultAtEachOperation$", "-test.v")
		if code != 0 {
			t.Errorf("exit code %d\n%s%s", code, out, errs)
		}
		for line := range strings.Lines(out) {
			if strings.Contains(line, " operations, ") {
				t.Log(strings.TrimSpace(line))
			}
		}
		return
	}
	for name, full := range map[string]bool{"fails once": false, "is full": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stopped, passed := 0, 0
			for failAtOperation(t, 1+stopped+passed, full, &stopped, &passed) {
			}
			t.Logf("a disk that %s: %d operations, %d of them stopped the ledger, %d did not",
				name, stopped+passed, stopped, passed)
			if stopped < 20 || passed < 5 && !full {
				t.Errorf("too few operations were tried")
			}
		})
	}
}

// failAtOperation plays the script with a fault at operation k, and to its end without one. It
// reports whether there was such an operation.
func failAtOperation(t *testing.T, k int, full bool, stopped, passed *int) bool {
	f := &fault{k: k, full: full}
	mem := vfs.NewCrashableMem()
	acked, err := playScript(t, errorfs.Wrap(mem, f), f)
	if f.struck() == "" {
		return false
	}
	if err != nil {
		*stopped++
	} else {
		*passed++
	}
	// Both what a crash leaves of the disk, and the disk as it is.
	for percent := range 2 {
		resumeScript(t, mem.CrashClone(vfs.CrashCloneCfg{
			UnsyncedDataPercent: 100 * percent, RNG: rand.New(rand.NewPCG(1, uint64(k))),
		}), f.struck(), acked)
	}
	return true
}

const scriptSteps = 9

// scriptStep is the i-th step of the script.
func scriptStep(chains []*chain, i int) (*chain, Step) {
	c := chains[i%len(chains)]
	return c, c.step(fmt.Sprint("step ", i), 1+i%3)
}

func scriptChains() []*chain { return []*chain{newChain(1), newChain(2), newChain(3)} }

// playScript plays until something is refused. It gives how many steps were acknowledged.
func playScript(t *testing.T, fs vfs.FS, f *fault) (acked int, refused error) {
	t.Helper()
	chains := scriptChains()
	for acked < scriptSteps {
		reported := make(chan error, 1)
		// Close waits for Stall where a goroutine of Pebble was not let back to it.
		l, err := Open(dirMem,
			Options{FS: fs, Stall: 2 * time.Second, checkpointEvery: time.Microsecond,
				Fatal: func(err error) { reported <- err }})
		if err != nil {
			return acked, err
		}
		for ; acked < scriptSteps; acked++ {
			c, s := scriptStep(chains, acked)
			if _, err = l.Append(s); err != nil {
				break
			}
			c.took(s)
			untilChecked(l, f)
			if acked%4 == 3 {
				acked++
				break // restart
			}
		}
		if err != nil {
			if fatal := <-reported; !errors.Is(err, ErrFailed) || !errors.Is(fatal, ErrFailed) {
				t.Errorf("%s: append: %v; fatal: %v", f.struck(), err, fatal)
			}
		}
		if err = errors.Join(err, l.Close()); err != nil {
			return acked, err
		}
	}
	return acked, nil
}

// untilChecked lets the checkpoint follow, so that its operations come at the same place in
// every run, unless the disk has failed it.
func untilChecked(l *Ledger, f *fault) {
	for l.Checkpointed() < l.Durable() && f.struck() == "" {
		time.Sleep(10 * time.Microsecond)
	}
}

// resumeScript opens what is left on a disk that is well, and plays the script to its end.
func resumeScript(t *testing.T, left *vfs.MemFS, struck string, acked int) {
	t.Helper()
	l, err := Open(dirMem, Options{FS: left, Fatal: func(err error) { t.Error(err) }})
	if err != nil {
		t.Errorf("%s: open again: %v", struck, err)
		return
	}
	defer closeLedger(t, l)
	chains := scriptChains()
	for i := range scriptSteps {
		c, s := scriptStep(chains, i)
		a, err := l.Append(s)
		if err != nil || a.First != s.Expected {
			t.Errorf("%s: step %d: %+v %v", struck, i, a, err)
			return
		}
		if !a.Replayed && i < acked {
			t.Errorf("%s: step %d of %d was acknowledged and is lost", struck, i, acked)
		}
		if a.Replayed && i > acked {
			t.Errorf("%s: step %d was never asked for and is there", struck, i)
		}
		c.took(s)
	}
	verify(t, l)
}

// TestFaultInAProcess does the same, on a real disk and in processes that end as watu does,
// with steps so large that Pebble begins logs and writes tables behind them.
func TestFaultInAProcess(t *testing.T) {
	t.Parallel()
	_, errs, code := child(t, "fault 0", t.TempDir())
	var ops int
	if _, err := fmt.Sscanf(errs, "%d operations", &ops); err != nil || code != 0 {
		t.Fatalf("exit code %d, standard error %q", code, errs)
	}
	tries := *faultProcesses
	if tries == 0 || tries > ops {
		tries = ops
	}
	for n := range tries {
		for _, kind := range []string{"fault", "full"} {
			k := 1 + n*ops/tries
			dir := t.TempDir()
			out, errs, code := child(t, fmt.Sprint(kind, " ", k), dir)
			ended := code == 0 && strings.HasSuffix(errs, " operations\n")
			failed := code == 1 && strings.HasPrefix(errs, "watu: ledger has failed: the disk ") &&
				strings.Count(errs, "\n") == 1
			unopened := code == 2 && out == "" && strings.Count(errs, "\n") == 1
			unclosed := code == 3 && strings.Count(errs, "\n") == 1
			if !ended && !failed && !unopened && !unclosed {
				t.Errorf("%s from operation %d: exit code %d, standard error %q", kind, k, code, errs)
			}
			checkLeft(t, fmt.Sprintf("%s from operation %d of %d", kind, k, ops), dir,
				uint64(strings.Count(out, "acknowledged\n")))
		}
	}
	t.Logf("%d operations, %d of them tried twice", ops, tries)
}

func checkLeft(t *testing.T, what, dir string, acked uint64) {
	t.Helper()
	l, err := openDir(t, dir)
	if err != nil {
		t.Errorf("%s: open again: %v", what, err)
		return
	}
	defer closeLedger(t, l)
	verify(t, l)
	if l.Durable() != acked && l.Durable() != acked+1 { // the step in flight is kept whole or not at all
		t.Errorf("%s: %d events, %d acknowledged", what, l.Durable(), acked)
	}
	seen, _ := l.Find("campaign-1")
	c := newChain(1)
	c.next, c.head = seen.Events, seen.Head
	c.append(t, l, "resumes", 2)
}

// failAt is the child of TestFaultInAProcess. Its task is "fault K" or "full K".
func failAt(task, dir string) error {
	f := &fault{full: strings.HasPrefix(task, "full")}
	if _, err := fmt.Sscanf(strings.Fields(task)[1], "%d", &f.k); err != nil {
		return err
	}
	l, err := Open(dir, Options{FS: errorfs.Wrap(vfs.Default, f), checkpointEvery: 5 * time.Millisecond})
	if err != nil {
		return err
	}
	c := newChain(1)
	for i := range 24 {
		s := c.step(fmt.Sprint("big ", i), 1)
		s.Answer = make([]byte, 100<<10)
		if _, err := l.Append(s); err != nil {
			return err
		}
		fmt.Println("acknowledged")
		c.took(s)
	}
	if err := l.Close(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(3)
	}
	fmt.Fprintf(os.Stderr, "%d operations\n", f.ops)
	os.Exit(0)
	return nil
}
