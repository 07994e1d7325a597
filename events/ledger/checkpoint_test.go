package ledger

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
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

const (
	dirMem  = "/watu/ledger"
	fileMem = dirMem + "/" + nameCheckpoint
)

// openWith opens the ledger on the disk with a checkpoint that follows at once.
func openWith(t testing.TB, fs vfs.FS, o Options) (*Ledger, error) {
	t.Helper()
	o.FS, o.checkpointEvery = fs, time.Microsecond
	o.Fatal = func(err error) { t.Errorf("fatal: %v", err) }
	if o.Logf == nil {
		o.Logf = t.Logf
	}
	return Open(dirMem, o)
}

// untilCheckpointed waits for the file to reach what is durable.
func untilCheckpointed(l *Ledger) {
	for l.Checkpointed() < l.Durable() {
		runtime.Gosched()
	}
}

func TestCheckpointFollows(t *testing.T) {
	t.Parallel()
	mem := vfs.NewMem()
	l, err := openWith(t, mem, Options{})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := mem.Stat(fileMem); err == nil || l.Checkpointed() != 0 || l.CheckpointAge() != 0 {
		t.Errorf("an empty ledger has a checkpoint: %v", err)
	}
	chains := []*chain{newChain(2), newChain(1)}
	for i := range 20 {
		chains[i%2].append(t, l, fmt.Sprint("command ", i), 1+i%3)
		untilCheckpointed(l)
		c, err := parseCheckpoint(readAll(t, mem, fileMem))
		if err != nil || !c.Equal(l.Checkpoint()) || l.CheckpointAge() != 0 {
			t.Fatalf("checkpoint %+v, want %+v: %v; %v old", c, l.Checkpoint(), err, l.CheckpointAge())
		}
	}
	closeLedger(t, l)
	want := fmt.Sprintf("watu checkpoint 1\n%s\n%d\n%s %d %s\n%s %d %s\nsha256 ", l.ID(), chains[0].next+chains[1].next,
		chains[1].campaign, chains[1].next, chains[1].head, chains[0].campaign, chains[0].next, chains[0].head)
	if text := string(readAll(t, mem, fileMem)); !strings.HasPrefix(text, want) {
		t.Errorf("the file is\n%s\nwant\n%s…", text, want)
	}
}

// TestCheckpointIsWrittenSeldom appends much while hardly any time is left for the file.
func TestCheckpointIsWrittenSeldom(t *testing.T) {
	t.Parallel()
	var writes atomic.Int64
	count := errorfs.InjectorFunc(func(op errorfs.Op) error {
		if op.Kind == errorfs.OpCreate && strings.HasSuffix(op.Path, nameCheckpoint+fresh) {
			writes.Add(1)
		}
		return nil
	})
	fs := errorfs.Wrap(vfs.NewMem(), count)
	var l *Ledger
	for range 2 {
		var err error
		l, err = Open(dirMem, Options{FS: fs, checkpointEvery: time.Hour, Fatal: func(err error) { t.Error(err) }})
		if err != nil {
			t.Fatal(err)
		}
		for c := newChain(1); l.Durable() < 500; {
			c.append(t, l, fmt.Sprint(c.next), 1)
		}
		closeLedger(t, l)
		if n := writes.Load(); n < 1 || n > 2 { // the first event, and the last
			t.Errorf("the checkpoint was written %d times", n)
		}
	}
	if l.Checkpointed() != 500 {
		t.Errorf("checkpointed %d", l.Checkpointed())
	}
}

// aging gives the disk of a ledger at several ages, with the chains as they were last.
func aging(t *testing.T) (ages []diskFiles, chains []*chain) {
	t.Helper()
	mem := vfs.NewCrashableMem()
	chains = []*chain{newChain(1), newChain(2)}
	for age := range 3 {
		l, err := openWith(t, mem, Options{})
		if err != nil {
			t.Fatal(err)
		}
		for i, c := range chains[:1+age/2] {
			appendSecret(t, l, c, fmt.Sprintf("age %d of %d", age, i), 3)
		}
		closeLedger(t, l)
		ages = append(ages, readDisk(t, mem, dirMem))
	}
	return ages, chains
}

func TestRecordThatIsShort(t *testing.T) {
	t.Parallel()
	ages, chains := aging(t)
	for age, missing := range []int{2, 2, 0} {
		before := ages[age].with(fileMem, ages[2][fileMem])
		mem := before.files(t)
		l, err := openWith(t, mem, Options{})
		if missing == 0 {
			if err != nil {
				t.Fatal(err)
			}
			closeLedger(t, l)
			continue
		}
		var short *CheckpointError
		if !errors.Is(err, ErrShort) || errors.Is(err, ErrDiffers) || !errors.As(err, &short) ||
			len(short.Campaigns) != missing {
			t.Fatalf("age %d: %v", age, err)
		}
		first, second := short.Campaigns[0], short.Campaigns[1]
		if first.Campaign != chains[0].campaign || first.Name != "campaign-1" || first.EventsThere != 9 ||
			first.EventsHere != uint64(3*(age+1)) || first.HashThere != chains[0].head || first.HashHere.IsZero() {
			t.Errorf("age %d: %+v", age, first)
		}
		if second.Campaign != chains[1].campaign || second.Name != "" || second.EventsHere != 0 ||
			second.HashThere != chains[1].head {
			t.Errorf("age %d: %+v", age, second)
		}
		if after := readDisk(t, mem, dirMem); !after.equal(before) {
			t.Errorf("age %d: the directory was touched: %v, before %v", age, after.paths(), before.paths())
		}
	}
}

func TestRecordThatDiffers(t *testing.T) {
	t.Parallel()
	ages, chains := aging(t)
	c, err := parseCheckpoint(ages[1][fileMem])
	if err != nil {
		t.Fatal(err)
	}
	c.Campaigns[0].Head[7]++
	for age := 1; age < 3; age++ { // where the record ends, and further in it
		before := ages[age].with(fileMem, c.text())
		mem := before.files(t)
		_, err := openWith(t, mem, Options{})
		var differs *CheckpointError
		if !errors.Is(err, ErrDiffers) || errors.Is(err, ErrShort) || !errors.As(err, &differs) {
			t.Fatal(err)
		}
		d := differs.Campaigns[0]
		if d.Campaign != chains[0].campaign || d.EventsThere != 6 || d.EventsHere != uint64(3*(age+1)) ||
			d.HashThere != c.Campaigns[0].Head || d.HashHere[7]+1 != d.HashThere[7] {
			t.Errorf("age %d: %+v", age, d)
		}
		if after := readDisk(t, mem, dirMem); !after.equal(before) {
			t.Errorf("age %d: the directory was touched", age)
		}
	}
}

func TestCheckpointThatCannotBeRead(t *testing.T) {
	t.Parallel()
	ages, _ := aging(t)
	text := ages[2][fileMem]
	other := Checkpoint{Ledger: newChain(9).campaign}
	bad := map[string][]byte{
		"another ledger's": other.text(), "empty": {}, "no line": []byte("\n"),
		"longer": append(bytes.Clone(text), '\n'), "in DOS lines": bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
	}
	for n := range len(text) {
		bad[fmt.Sprint("cut at ", n)] = text[:n]
		flipped := bytes.Clone(text)
		flipped[n] ^= 1 << (n % 8)
		bad[fmt.Sprint("flipped at ", n)] = flipped
	}
	for name, text := range bad {
		c, err := parseCheckpoint(text)
		if !errors.Is(err, ErrCheckpoint) && !c.Equal(other) {
			t.Errorf("%s: %v", name, err)
		}
	}
	newer := bytes.Replace(other.text(), []byte("checkpoint 1"), []byte("checkpoint 2"), 1)
	bad["by half"] = text[:len(text)/2]
	for _, name := range []string{"by half", "another ledger's", "empty"} {
		before := ages[2].with(fileMem, bad[name])
		mem := before.files(t)
		_, err := openWith(t, mem, Options{})
		if !errors.Is(err, ErrCheckpoint) || !strings.Contains(err.Error(), "compared with the stream or a backup") {
			t.Errorf("%s: %v", name, err)
		}
		if after := readDisk(t, mem, dirMem); !after.equal(before) {
			t.Errorf("%s: the directory was touched", name)
		}
	}
	if _, err := parseCheckpoint(newer); !errors.Is(err, ErrCheckpoint) { // its sum is not right
		t.Error(err)
	}
}

// TestAcceptLoss opens short and doubtful records for repair, and gives up what they lack.
func TestAcceptLoss(t *testing.T) {
	t.Parallel()
	ages, _ := aging(t)
	for name, test := range map[string]struct {
		checkpoint []byte
		want       error
		missing    int
	}{
		"short":      {ages[2][fileMem], ErrShort, 2},
		"unreadable": {[]byte("watu"), ErrCheckpoint, 0},
	} {
		mem := ages[1].with(fileMem, test.checkpoint).files(t)
		l, err := openWith(t, mem, Options{Repairing: true})
		if err != nil {
			t.Fatal(err)
		}
		c := newChain(1)
		if _, err := l.Append(c.step("too early", 1)); !errors.Is(err, test.want) || !errors.Is(l.Behind(), test.want) {
			t.Errorf("%s: append: %v", name, err)
		}
		if _, err := l.Dump(&bytes.Buffer{}); !errors.Is(err, test.want) {
			t.Errorf("%s: dump: %v", name, err)
		}
		closeLedger(t, l)
		if text := readAll(t, mem, fileMem); !bytes.Equal(text, test.checkpoint) {
			t.Errorf("%s: the checkpoint was not left alone", name)
		}
		if l, err = openWith(t, mem, Options{Repairing: true}); err != nil {
			t.Fatal(err)
		}
		lost, err := l.AcceptLoss()
		if err != nil || (lost == nil) != (test.missing == 0) || lost != nil && len(lost.Campaigns) != test.missing {
			t.Errorf("%s: lost %v: %v", name, lost, err)
		}
		here, _ := l.Find("campaign-1")
		c.next, c.head = here.Events, here.Head
		c.append(t, l, "goes on", 2)
		closeLedger(t, l)
		if l, err = openWith(t, mem, Options{}); err != nil {
			t.Fatal(err)
		}
		if lost, err := l.AcceptLoss(); lost != nil || err != nil || l.Behind() != nil || l.Checkpointed() != 8 {
			t.Errorf("%s: nothing is lost any more: %v %v", name, lost, err)
		}
		verify(t, l)
		closeLedger(t, l)
	}
}

func TestCheckpointOfAnOlderLedger(t *testing.T) {
	t.Parallel()
	ages, _ := aging(t)
	mem := ages[2].with(fileMem, nil).files(t)
	var lines []string
	l, err := openWith(t, mem,
		Options{Logf: func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }})
	if err != nil {
		t.Fatal(err)
	}
	untilCheckpointed(l)
	closeLedger(t, l)
	if len(lines) != 1 || !strings.Contains(lines[0], "no file CHECKPOINT beside a record of 12 events") {
		t.Errorf("said %q", lines)
	}
	if text := readAll(t, mem, fileMem); !bytes.Equal(text, ages[2][fileMem]) {
		t.Errorf("written anew:\n%s", text)
	}
}

// TestCheckpointThatCannotBeWritten appends while every operation on CHECKPOINT fails: the
// ledger goes on, says so once, and catches up.
func TestCheckpointThatCannotBeWritten(t *testing.T) {
	t.Parallel()
	for _, kind := range []errorfs.OpKind{
		errorfs.OpCreate, errorfs.OpFileWrite, errorfs.OpFileSync, errorfs.OpRename,
	} {
		var tries atomic.Int64
		bad := &errorfs.Toggle{Injector: errorfs.InjectorFunc(func(op errorfs.Op) error {
			if op.Kind == kind && strings.HasSuffix(op.Path, nameCheckpoint+fresh) {
				tries.Add(1)
				return syscall.EIO
			}
			return nil
		})}
		var mu sync.Mutex
		var lines []string
		mem := vfs.NewCrashableMem()
		l, err := openWith(t, errorfs.Wrap(mem, bad), Options{Logf: func(format string, args ...any) {
			mu.Lock()
			defer mu.Unlock()
			lines = append(lines, fmt.Sprintf(format, args...))
		}})
		if err != nil {
			t.Fatal(err)
		}
		c := newChain(1)
		c.append(t, l, "open", 1)
		untilCheckpointed(l)
		bad.On()
		for n := tries.Load(); tries.Load() < n+20; {
			c.append(t, l, fmt.Sprint(c.next), 1)
		}
		if l.Checkpointed() != 1 || l.CheckpointAge() <= 0 {
			t.Errorf("checkpointed %d, %v old", l.Checkpointed(), l.CheckpointAge())
		}
		bad.Off()
		untilCheckpointed(l)
		if age := l.CheckpointAge(); age != 0 {
			t.Errorf("%v old", age)
		}
		closeLedger(t, l)
		if len(lines) != 2 || !strings.Contains(lines[0], "cannot be written") ||
			!strings.Contains(lines[1], "written again") {
			t.Errorf("said %q", lines)
		}
		again := openMem(t, mem.CrashClone(vfs.CrashCloneCfg{}))
		verify(t, again)
		if again.Durable() != c.next {
			t.Errorf("%d events, want %d", again.Durable(), c.next)
		}
		closeLedger(t, again)
	}
}

// TestCheckpointOnTheRealDisk is for the names and the modes.
func TestCheckpointOnTheRealDisk(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for range 2 {
		l, err := openDir(t, dir)
		if err != nil {
			t.Fatal(err)
		}
		seen, _ := l.Find("campaign-1")
		c := newChain(1)
		c.next, c.head = seen.Events, seen.Head
		c.append(t, l, fmt.Sprint(c.next), 2)
		closeLedger(t, l)
	}
	text, err := os.ReadFile(filepath.Join(dir, nameCheckpoint))
	if err != nil {
		t.Fatal(err)
	}
	if c, err := parseCheckpoint(text); err != nil || c.Sequence != 4 {
		t.Errorf("%+v: %v", c, err)
	}
	if _, err := os.Stat(filepath.Join(dir, nameCheckpoint+fresh)); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}
