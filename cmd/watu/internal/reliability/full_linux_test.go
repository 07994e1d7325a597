package reliability

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/pprof"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/fixtures/longrun"
)

// page is the least that a disk in memory gives out.
const page = 4 << 10

// The environment of a process that plays on a disk of its own.
const (
	diskIs = "WATU_RELIABILITY_DISK" // where that is mounted
	sizeIs = "WATU_RELIABILITY_SIZE" // so many bytes large; not given to the process that plays first
)

// TestFullDisk plays on real disks, each a page larger than the one before, until one is large enough: the disk is
// full at every page that anything writes, be it record, views, stream, secrets, boards, tokens or refusals. The
// player says what he was answered. Then the disk gets room, and he goes on where he was: what was answered is there,
// and the ledger comes to what it always comes to.
func TestFullDisk(t *testing.T) {
	longrun.Only(t)
	whole := onDisk(t, 256<<20)
	if whole.Broke != "" || whole.Hung != "" || len(whole.Answered) != len(steps) || whole.Used == 0 {
		t.Fatalf("on a large disk: %+v", whole)
	}
	var w row
	n := 0
	for large := false; !large; {
		n += cmp.Or(*every, max(1, n/2))
		d := onDisk(t, n*page)
		large = d.Said == "" && d.Broke == "" && d.Hung == ""
		r := result{Others: map[string]string{}}
		if d.Said != "" {
			r.Reported = []reported{{When: opening, Text: d.Said}}
		}
		if len(d.Answered) < len(steps) {
			r.Others["the play"] = fmt.Sprintf("%d of %d steps were answered", len(d.Answered), len(steps))
		}
		what := fmt.Sprintf("a disk of %d pages", n)
		if d.Broke == "" && !maps.Equal(d.Digests, whole.Digests) {
			d.Broke = fmt.Sprintf("in the end the views are %v, not %v", d.Digests, whole.Digests)
		}
		if d.Broke != "" {
			r.Others["afterwards"], r.Silent = d.Broke, []string{"afterwards"}
		} else if d.Said == "" && len(r.Others) > 0 {
			r.Silent = []string{"the play"}
		}
		w.count(t, fmt.Sprintf("%s, after %q and %q", what, d.Answered, d.Said), r, d.Hung)
	}
	w.tell(t)
}

// played is what came of a play.
type played struct {
	Answered []string          // steps that were answered before the disk was full
	Said     string            // what was reported then
	Broke    string            // what of it was not there afterwards, or did not go on
	Hung     string            // the player did not end, or broke down
	Digests  map[string]string // of all public views in the end
	Used     int               // bytes of the disk
}

// onDisk plays on a disk of so many bytes, in processes that alone see it.
func onDisk(t *testing.T, size int) (d played) {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), diskIs+"="+t.TempDir(), sizeIs+"="+fmt.Sprint(size))
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	var errs bytes.Buffer
	c.Stderr = &errs
	out, err := c.Output()
	switch {
	case errors.Is(err, fs.ErrPermission) || c.ProcessState != nil && c.ProcessState.ExitCode() == noMount:
		t.Skip("NOT TESTED: full disks. A process may not have mounts of its own here")
	case err == nil:
		err = json.Unmarshal(out, &d)
	}
	if err != nil {
		t.Fatalf("on a disk of %d bytes: %v\n%s", size, err, errs.String())
	}
	return d
}

// Exit codes: of a process that may not have a disk of its own, and of one that does not come to an end.
const (
	noMount = 78
	tooLong = 79
)

// playFor is how long one player may take.
const playFor = 30 * time.Second

func init() {
	dir, size := os.Getenv(diskIs), 0
	if dir == "" {
		return
	}
	if _, err := fmt.Sscan(os.Getenv(sizeIs), &size); err == nil {
		playOnDisk(dir, size)
	} else {
		playUntilFull(dir)
	}
	os.Exit(0)
}

// playOnDisk mounts a disk, has another process play on it, makes room, and goes on.
func playOnDisk(dir string, size int) {
	time.AfterFunc(3*playFor, func() { os.Exit(tooLong) })
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, fmt.Sprintf("size=%d,mode=0700", size)); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(noMount)
	}
	c := exec.Command("/proc/self/exe")
	c.Env = append(os.Environ(), sizeIs+"=")
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	_ = c.Run() // how it ended is what it said
	d := played{Said: strings.TrimSpace(errs.String())}
	extras := map[string]string{}
	for in := bufio.NewScanner(&out); in.Scan(); {
		name, extra, _ := strings.Cut(in.Text(), "\t")
		d.Answered, extras[name] = append(d.Answered, name), extra
	}
	if code := c.ProcessState.ExitCode(); code > 1 || code < 0 {
		d.Hung = fmt.Sprintf("exit code %d", code)
	}
	if err := syscall.Mount("tmpfs", dir, "tmpfs", syscall.MS_REMOUNT, "size=512m"); err != nil {
		panic(err)
	}
	var err error
	if d.Digests, err = goOn(filepath.Join(dir, "ledger"), extras); err != nil && d.Broke == "" {
		d.Broke = err.Error()
	}
	var disk syscall.Statfs_t
	if err := syscall.Statfs(dir, &disk); err != nil {
		panic(err)
	}
	d.Used = int(disk.Blocks-disk.Bfree) * int(disk.Bsize)
	if err := json.NewEncoder(os.Stdout).Encode(d); err != nil {
		panic(err)
	}
}

// playUntilFull takes one step after the other, and says which were answered.
func playUntilFull(dir string) {
	time.AfterFunc(playFor, func() {
		_ = pprof.Lookup("goroutine").WriteTo(os.Stderr, 1)
		os.Exit(tooLong)
	})
	s := &sitting{}
	err := s.open(filepath.Join(dir, "ledger"))
	for _, step := range steps {
		if err == nil {
			err = step.do(s)
		}
		if err == nil {
			fmt.Printf("%s\t%s\n", step.name, s.token)
		}
	}
	if s.client != nil {
		err = errors.Join(err, s.client.Close())
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "watu:", err)
		os.Exit(1)
	}
}

// goOn looks whether what was answered is there, takes the other steps, and gives the digests of the views.
func goOn(dir string, answered map[string]string) (map[string]string, error) {
	s := &sitting{}
	if err := s.open(dir); err != nil {
		return nil, err
	}
	for _, step := range steps {
		was, done := answered[step.name]
		if s.token = was; done && !step.there(s) {
			return nil, errors.Join(fmt.Errorf("%s was answered, and is not there", step.name), s.client.Close())
		}
		if err := step.do(s); err != nil {
			return nil, errors.Join(fmt.Errorf("%s: %w", step.name, err), s.client.Close())
		}
	}
	digests := map[string]string{}
	unseen := func(api.ProgressLine[maintenance.Rebuilt]) error { return nil }
	built, err := api.WithProgress(context.Background(), s.client, "POST", nil, nil, unseen, "rebuild")
	if built != nil {
		for _, d := range built.Digests {
			digests[d.Campaign+" "+d.Projection] = d.Digest
		}
	}
	return digests, errors.Join(err, s.client.Close())
}
