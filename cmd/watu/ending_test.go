package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"sync"
	"syscall"
	"testing"
	"time"
)

// running is a watu that runs until it is asked to end.
type running struct {
	*exec.Cmd
	t         *testing.T
	mu        sync.Mutex
	out, errs bytes.Buffer
	done      chan error
}

// start runs watu on a directory.
func start(t *testing.T, dir string, args ...string) *running {
	t.Helper()
	r := &running{Cmd: exec.Command("watu", append(args, "--dir", dir)...), t: t, done: make(chan error, 1)}
	r.Env = append(os.Environ(), "WATU_ADDR=127.0.0.1:0", "WATU_NATS=")
	r.Stdout, r.Stderr = locked{r, &r.out}, locked{r, &r.errs}
	if err := r.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Process.Kill() })
	go func() { r.done <- r.Wait() }()
	return r
}

type locked struct {
	r *running
	b *bytes.Buffer
}

func (l locked) Write(p []byte) (int, error) {
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	return l.b.Write(p)
}

// until waits until something is printed.
func (r *running) until(b *bytes.Buffer, pattern string) {
	r.t.Helper()
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		r.mu.Lock()
		found := regexp.MustCompile(pattern).Match(b.Bytes())
		r.mu.Unlock()
		if found {
			return
		}
	}
	r.t.Fatalf("waited in vain for %s in\n%s%s", pattern, r.out.String(), r.errs.String())
}

// ends asks it to end, and wants that it does, with a code, and says why.
func (r *running) ends(code int, says ...string) {
	r.t.Helper()
	_ = r.Process.Signal(syscall.SIGTERM) // it may have ended
	select {
	case <-r.done:
	case <-time.After(30 * time.Second):
		r.t.Fatalf("asked to end, it goes on:\n%s", r.errs.String())
	}
	if got := r.ProcessState.ExitCode(); got != code {
		r.t.Errorf("exit code %d, want %d\n%s", got, code, r.errs.String())
	}
	for _, s := range says {
		if !regexp.MustCompile(s).MatchString(r.errs.String()) {
			r.t.Errorf("%s is not said in\n%s", s, r.errs.String())
		}
	}
}

// TestEndsWithoutDirectory takes the directory away while the demo plays: asked to end, it is gone.
func TestEndsWithoutDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "ledger")
	r := start(t, dir, "demo", "--pace", "300ms")
	r.until(&r.out, `#12 `)
	for err := os.RemoveAll(dir); err != nil; err = os.RemoveAll(dir) { // files still come
		t.Log(err)
	}
	r.ends(1, `views in \S+ are not closed`)
}

// TestEndsOnHungFile has a file of the stream that never answers, as on a disk that hangs: asked to end, the
// server says what it could not close, and is gone; asked again, at once.
func TestEndsOnHungFile(t *testing.T) {
	for name, again := range map[string]bool{"once": false, "twice": true} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := filepath.Join(t.TempDir(), "ledger")
			r := start(t, dir, "serve")
			r.until(&r.out, "serving until")
			for _, name := range []string{"SUMS", "SUMS.new"} { // nobody reads them
				if err := syscall.Mkfifo(filepath.Join(dir, "stream", name), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			if !again {
				r.ends(1, "the stream is not closed")
				if _, err := os.Stat(filepath.Join(dir, "HOLDER")); !errors.Is(err, os.ErrNotExist) {
					t.Errorf("the record was not closed: %v", err)
				}
				return
			}
			_ = r.Process.Signal(syscall.SIGTERM)
			time.Sleep(100 * time.Millisecond)
			r.ends(-1) // by the signal
		})
	}
}

// TestReadsWithoutRecord takes the record away under a server: it takes no steps, says so, and shows what was
// recorded until it is asked to end.
func TestReadsWithoutRecord(t *testing.T) {
	k := &killing{t: t, dir: filepath.Join(t.TempDir(), "ledger")}
	k.watu("campaign", "new", "doomed", "--system", "awaw", "--seed", "gone")
	k.watu("submit", "doomed", "-f", k.file("turn: Spring 1940\nentries: [{id: draw, draw: Ultra}]\n"))
	log := k.watu("log", "doomed")
	r := start(t, k.dir, "serve")
	r.until(&r.out, "serving until")
	if err := os.RemoveAll(filepath.Join(k.dir, "record")); err != nil {
		t.Fatal(err)
	}
	submit := func(id string) (string, int) {
		c := exec.Command("watu", "submit", "doomed", "--dir", k.dir, "-e",
			"{id: "+id+", submarine warfare: {box: Indian Ocean, side: European Axis, submarines: 9, asw: 5, again: true}, cards: []}")
		out, _ := c.CombinedOutput()
		return string(out), c.ProcessState.ExitCode()
	}
	submit("lost")
	r.until(&r.errs, "ledger has failed: the directory .* is gone.*what is recorded can be read")
	if text, code := submit("refused"); code != 1 || !regexp.MustCompile("ledger has failed: the directory .* is gone").MatchString(text) {
		t.Errorf("exit code %d: %s", code, text)
	}
	if now := k.watu("log", "doomed"); len(now) < len(log) || now[:len(log)] != log {
		t.Errorf("the log was\n%s\nand is\n%s", log, now)
	}
	k.watu("show", "doomed", "pools")
	k.watu("status")
	r.ends(1, "ledger has failed")
}
