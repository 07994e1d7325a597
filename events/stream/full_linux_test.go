package stream

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// fullDiskIs names, for the process that mounts it, the directory of its own disk.
const fullDiskIs = "WATU_STREAM_DISK"

// TestFullDisk fills the disk of a running server: the outbox says once what is the matter, and publishes the rest when
// there is room and the server has started again.
func TestFullDisk(t *testing.T) {
	t.Parallel()
	const untested = "NOT TESTED: full disks. A process may not have mounts of its own here"
	if dir := os.Getenv(fullDiskIs); dir != "" {
		if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, "size=64m"); err != nil {
			t.Skip(untested)
		}
		fillDisk(t, dir)
		return
	}
	c := exec.Command("/proc/self/exe", "-test.run=^TestFullDisk$", "-test.v")
	c.Env = append(os.Environ(), fullDiskIs+"="+t.TempDir())
	c.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS,
		UidMappings: []syscall.SysProcIDMap{{HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{HostID: os.Getgid(), Size: 1}},
	}
	out, err := c.CombinedOutput()
	switch {
	case errors.Is(err, fs.ErrPermission) || bytes.Contains(out, []byte(untested)):
		t.Skip(untested)
	case err != nil || !bytes.Contains(out, []byte("--- PASS: TestFullDisk")):
		t.Fatalf("%v\n%s", err, out)
	}
}

// fillDisk leaves the server no room, and then gives it some.
func fillDisk(t *testing.T, dir string) {
	store := ServerOptions{StoreDir: filepath.Join(dir, "stream")}
	s := start(t, store)
	nc := connect(t, s)
	l := newLog("full disk").write(100, "atlantic").sync()
	said := make(chan string, 1000)
	box, _ := open(t, nc, l, Options{Logf: func(format string, args ...any) { said <- fmt.Sprintf(format, args...) }})
	drain(t, box)
	filler := filepath.Join(dir, "filler")
	if err := os.WriteFile(filler, make([]byte, 128<<20), 0o600); !errors.Is(err, syscall.ENOSPC) {
		t.Fatal(err)
	}
	l.write(10_000, "atlantic").sync()
	for ctx := soon(t); !strings.Contains(box.Status().Trouble, ErrNotStored.Error()); {
		select {
		case <-time.After(10 * time.Millisecond):
		case <-ctx.Done():
			t.Fatalf("status %+v", box.Status())
		}
	}
	time.Sleep(time.Second) // it has tried again and again
	if s := box.Status(); !strings.Contains(s.Trouble, ErrNotStored.Error()) {
		t.Errorf("after a second: %+v", s)
	}
	if n := len(said); n > 5 {
		t.Errorf("%d lines of one trouble", n)
	}
	for len(said) > 0 {
		t.Log(<-said)
	}
	box.Close()
	s.Shutdown()
	check(t, os.Remove(filler))
	nc = connect(t, start(t, store))
	box, _ = open(t, nc, l, Options{})
	drain(t, box)
	wantUnspoilt(t, nc, l, box)
}
