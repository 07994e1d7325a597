package main

import (
	"bytes"
	"context"
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
			"{id: "+id+", submarine warfare: {box: Indian Ocean, side: European Axis, submarines: 9, asw: 5, again: "+
				"true}, cards: []}")
		out, _ := c.CombinedOutput()
		return string(out), c.ProcessState.ExitCode()
	}
	submit("lost")
	r.until(&r.errs, "ledger has failed: .*: the directory is gone.*what is recorded can be read")
	if text, code := submit("refused"); code != 1 ||
		!regexp.MustCompile("ledger has failed: .*: the directory is gone").MatchString(text) {
		t.Errorf("exit code %d: %s", code, text)
	}
	if now := k.watu("log", "doomed"); len(now) < len(log) || now[:len(log)] != log {
		t.Errorf("the log was\n%s\nand is\n%s", log, now)
	}
	k.watu("show", "doomed", "pools")
	k.watu("status")
	r.ends(1, "ledger has failed")
}

// TestEndsWhileItWaits asks commands to end that wait for somebody: on standard input, a pipe, a terminal. They are
// gone at once, and say what they waited for.
func TestEndsWhileItWaits(t *testing.T) {
	k := &killing{t: t, dir: filepath.Join(t.TempDir(), "ledger")}
	k.watu("campaign", "new", "doomed", "--system", "awaw", "--seed", "gone")
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"submit", "doomed", "-f", "-"}, {"adjudicate", "--batch"}, {"submit", "doomed", "-f", pipe},
		{"backup", "-o", "file", "--passphrase-file", pipe}, {"verify", pipe},
	} {
		t.Run(args[0]+" "+filepath.Base(args[len(args)-1]), func(t *testing.T) {
			r := &running{Cmd: exec.Command("watu", args...), t: t, done: make(chan error, 1)}
			r.Env = append(os.Environ(), "WATU_DIR="+k.dir, "WATU_NATS=")
			r.Stdout, r.Stderr = locked{r, &r.out}, locked{r, &r.errs}
			to, err := r.StdinPipe()
			if err := errors.Join(err, r.Start()); err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _ = r.Process.Kill() })
			go func() { r.done <- r.Wait() }()
			says := "asked to end while it waited for standard input"
			if args[len(args)-1] == pipe {
				says = "asked to end while it waited for " + pipe
				var hung *os.File
				for deadline := time.Now().Add(time.Minute); hung == nil; time.Sleep(10 * time.Millisecond) {
					if hung, err = os.OpenFile(pipe, os.O_WRONLY|syscall.O_NONBLOCK, 0); err != nil &&
						time.Now().After(deadline) {
						t.Fatalf("nobody reads it: %v", err)
					}
				}
				defer hung.Close() // somebody reads it from now on
				// more than is held for one who does not read
			} else if _, err := to.Write(bytes.Repeat([]byte(" "), 1<<20)); err != nil {
				t.Fatal(err)
			}
			r.ends(1, regexp.QuoteMeta(says))
		})
	}
}

// TestSaysWhatIsUnfinished has commands asked to end before they did anything: each says so in a line.
func TestSaysWhatIsUnfinished(t *testing.T) {
	k := &killing{t: t, dir: filepath.Join(t.TempDir(), "ledger")}
	k.watu("campaign", "new", "doomed", "--system", "awaw", "--seed", "gone")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for command, args := range map[string][]string{
		"status": nil, "audit": {"doomed"}, "rebuild": nil,
		"export": {"doomed", "-o", filepath.Join(t.TempDir(), "file")}, "log": {"doomed"},
		"backup": {"-o", filepath.Join(t.TempDir(), "file"), "--passphrase-file", k.file("secret\n")},
		"verify": {"doomed"},
	} {
		errs, err := os.CreateTemp(t.TempDir(), "")
		if err != nil {
			t.Fatal(err)
		}
		was := os.Stderr
		os.Stderr = errs
		code := run(ctx, append([]string{command, "--dir", k.dir}, args...))
		os.Stderr = was
		text, err := os.ReadFile(errs.Name())
		if err := errors.Join(err, errs.Close()); err != nil {
			t.Fatal(err)
		}
		want := "watu: asked to end: watu " + command + " is not finished; "
		if command == "backup" {
			want = "watu: asked to end" // before it, or while it waited for the file of the passphrase
		}
		if code != 1 || !bytes.HasPrefix(text, []byte(want)) {
			t.Errorf("%s: exit code %d, and it says %q", command, code, text)
		}
	}
}
