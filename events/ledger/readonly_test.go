package ledger

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/cockroachdb/pebble/v2/vfs/errorfs"
	"github.com/oklog/ulid/v2"
)

func TestHandedOver(t *testing.T) {
	t.Parallel()
	o := newOriginal(t, 6)
	mem := vfs.NewMem()
	l := openMem(t, mem)
	c := newChain(1)
	first := c.step("open", 2)
	c.append(t, l, "open", 2)
	if l.ReadOnly() != nil {
		t.Errorf("read-only: %v", l.ReadOnly())
	}
	if err := l.MarkReadOnly(HandedOver, "to the second host"); err != nil {
		t.Fatal(err)
	}
	for range 2 { // at once, and after a restart
		for _, s := range []Step{first, c.step("more", 1)} {
			_, err := l.Append(s)
			var mark *ReadOnlyError
			if !errors.Is(err, ErrReadOnly) || !errors.As(err, &mark) || mark.Because != HandedOver ||
				mark.Since.IsZero() ||
				!strings.Contains(err.Error(), "/watu/ledger") ||
				!strings.Contains(err.Error(), "(to the second host); submit there") {
				t.Errorf("append: %v", err)
			}
		}
		if err := l.Adopt(o.records, nil); !errors.Is(err, ErrReadOnly) {
			t.Errorf("adopt: %v", err)
		}
		verify(t, l)
		mustDump(t, l)
		closeLedger(t, l)
		l = openMem(t, mem)
	}
	var stored map[string]any
	if err := json.Unmarshal(readAll(t, mem, "/watu/ledger/READONLY"), &stored); err != nil || len(stored) != 3 ||
		stored["because"] != "handed over" || stored["note"] != "to the second host" || stored["since"] == nil {
		t.Errorf("READONLY holds %v: %v", stored, err)
	}
	// What was handed over may follow its successor.
	if err := l.MarkReadOnly(Follows, "the second host"); err != nil {
		t.Fatal(err)
	}
	closeLedger(t, l)
	if l, err := Follow(dirMem, l.ID(), "", Options{FS: mem}); err != nil || l.ReadOnly().Note != "the second host" {
		t.Error(err)
	} else {
		closeLedger(t, l)
	}
}

// TestMarkWhileAppending marks a ledger in use: nothing becomes durable behind the mark.
func TestMarkWhileAppending(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	var wg sync.WaitGroup
	for n := range 8 {
		c := newChain(n)
		wg.Go(func() {
			for i := 0; ; i++ {
				s := c.step(fmt.Sprint(i), 1)
				if _, err := l.Append(s); err != nil {
					if !errors.Is(err, ErrReadOnly) {
						t.Error(err)
					}
					return
				}
				c.took(s)
			}
		})
	}
	for l.Durable() < 100 {
		runtime.Gosched()
	}
	if err := l.MarkReadOnly(HandedOver, ""); err != nil {
		t.Fatal(err)
	}
	marked := l.Durable()
	wg.Wait()
	if l.Durable() != marked {
		t.Errorf("%d events behind the mark", l.Durable()-marked)
	}
	verify(t, l)
	closeLedger(t, l)
}

// TestMarkThatCannotBeWritten fails at each operation on READONLY in turn.
func TestMarkThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for k := int64(1); ; k++ {
		var ops atomic.Int64
		bad := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
			written := op.Kind.ReadOrWrite() == errorfs.OpIsWrite
			if written && (strings.Contains(op.Path, nameReadOnly) || op.Path == dirMem) && ops.Add(1) == k {
				return syscall.EIO
			}
			return nil
		})}
		mem := vfs.NewMem()
		l, err := Open(dirMem,
			Options{FS: errorfs.Wrap(mem, bad), checkpointEvery: time.Hour, Fatal: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		c := newChain(1)
		c.append(t, l, "open", 1)
		untilCheckpointed(l)
		bad.On()
		marked := l.MarkReadOnly(HandedOver, "")
		bad.Off()
		s := c.step("then", 1)
		_, appended := l.Append(s)
		closeLedger(t, l)
		l = openMem(t, mem)
		there := l.ReadOnly() != nil
		closeLedger(t, l)
		if there != errors.Is(appended, ErrReadOnly) {
			t.Errorf("operation %d: marked on disk: %v; append: %v", k, there, appended)
		}
		if marked == nil {
			if !there || k < 4 {
				t.Errorf("operation %d: marked without a mark", k)
			}
			return
		}
	}
}

func TestMarkThatCannotBeRead(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"empty": "", "cut": `{"because":"foll`,
		"other reason": `{"because":"Follows","note":"","since":"2026-01-02T03:04:05Z"}`,
		"other field":  `{"because":"follows","node":"","since":"2026-01-02T03:04:05Z"}`,
	} {
		mem := vfs.NewMem()
		closeLedger(t, openMem(t, mem))
		writeFile(t, mem, "/watu/ledger/READONLY", []byte(text))
		if _, err := Open(dirMem, Options{FS: mem}); !errors.Is(err, ErrReadOnly) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestFollowWhatIsNoFollower(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l := openMem(t, mem)
	id := l.ID()
	closeLedger(t, l)
	if _, err := Follow(dirMem, id, "", Options{FS: mem}); !errors.Is(err, ErrNotFollower) {
		t.Errorf("a ledger that takes steps: %v", err)
	}
	if _, err := Follow(dirMem, ulid.Make(), "", Options{FS: mem}); !errors.Is(err, ErrOtherLedger) {
		t.Errorf("another ledger: %v", err)
	}
	if _, err := Follow(dirMem, ulid.ULID{}, "", Options{FS: mem}); !errors.Is(err, ErrOtherLedger) {
		t.Errorf("no ledger: %v", err)
	}
	l = openMem(t, mem)
	newChain(1).append(t, l, "still takes steps", 1)
	closeLedger(t, l)
	// A follower that was not finished does not make the next ledger one.
	for _, left := range []string{"READONLY", "READONLY.new"} {
		half := vfs.NewMem()
		writeFile(t, half, "/watu/ledger/LEDGER.new", []byte("{"))
		writeFile(t, half, "/watu/ledger/"+left,
			[]byte(`{"because":"follows","note":"","since":"2026-01-02T03:04:05Z"}`))
		l := openMem(t, half)
		newChain(1).append(t, l, "takes steps", 1)
		closeLedger(t, l)
	}
}

// TestMarkCopy keeps why a copy stopped, beside its record and in it, and takes it back.
func TestMarkCopy(t *testing.T) {
	t.Parallel()
	o, mem := newOriginal(t, 6), vfs.NewMem()
	l, err := Follow(dirMem, o.id, "at a", Options{FS: mem})
	if err != nil {
		t.Fatal(err)
	}
	since := l.ReadOnly().Since
	for _, differs := range []string{"#5 of campaign m", ""} {
		if err := l.MarkCopy("at b", differs); err != nil {
			t.Fatal(err)
		}
		closeLedger(t, l)
		if err := mem.Remove("/watu/ledger/READONLY"); err != nil { // the record knows it too
			t.Fatal(err)
		}
		if l, err = Follow(dirMem, o.id, "at c", Options{FS: mem}); err != nil {
			t.Fatal(err)
		}
		m := l.ReadOnly()
		if m.Note != "at b" || m.Differs != differs || !m.Since.Equal(since) || differs != "" &&
			!strings.Contains(m.Error(), ", and stopped: "+differs) {
			t.Errorf("%+v: %v", m, m)
		}
		if strings.Contains(string(readAll(t, mem, "/watu/ledger/READONLY")), "differs") != (differs != "") {
			t.Errorf("READONLY holds %s", readAll(t, mem, "/watu/ledger/READONLY"))
		}
	}
	closeLedger(t, l)
	own := openMem(t, vfs.NewMem())
	if err := own.MarkCopy("at a", ""); !errors.Is(err, ErrNotFollower) {
		t.Errorf("of a ledger of its own: %v", err)
	}
	closeLedger(t, own)
}
