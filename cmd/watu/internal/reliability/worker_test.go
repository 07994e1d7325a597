package reliability

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"filippo.io/age"
)

// job is one trial.
type job struct {
	Base     string   // the directory that is copied
	Damages  []damage // done to the copy, in this order
	Tokens   []string
	Identity string
	Usual    string // file of the answers of an undamaged copy; empty to give all answers
	Small    bool   // it is the small ledger
}

// result is what came of it.
type result struct {
	Trouble  string            // why the trial could not be made
	Reported []reported        // that an undamaged copy does not report
	Others   map[string]string // answers that are others, by question: how they differ
	Silent   []string          // those of them of which nothing was reported by then
	All      answers           // if all were asked for
}

// The environment of a process that makes trials.
const (
	workerIs = "WATU_RELIABILITY_WORKER"
	holderIs = "WATU_RELIABILITY_HOLDER" // of one that holds a directory until it is killed

	patience   = 90 * time.Second // how long a trial may take
	mostMemory = 2 << 30          // how much memory
	tooMuch    = 77               // exit code of a process that took more
)

func TestMain(m *testing.M) {
	if dir := os.Getenv(workerIs); dir != "" {
		work(dir)
		return
	}
	if dir := os.Getenv(holderIs); dir != "" {
		holdFor(dir)
	}
	os.Exit(m.Run())
}

// work makes the trials that it is sent, each in a new directory below dir.
func work(dir string) {
	debug.SetGCPercent(400) // a trial's memory is little, and most of it goes with the trial
	go watchMemory()
	in, out := json.NewDecoder(os.Stdin), json.NewEncoder(os.Stdout)
	for n := 0; ; n++ {
		var j job
		if err := in.Decode(&j); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			panic(err)
		}
		if err := out.Encode(j.run(filepath.Join(dir, fmt.Sprint("trial-", n)))); err != nil {
			panic(err)
		}
	}
}

// watchMemory ends the process before the machine has to.
func watchMemory() {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
	for range time.Tick(50 * time.Millisecond) {
		if metrics.Read(sample); sample[0].Value.Uint64() > mostMemory {
			os.Exit(tooMuch)
		}
	}
}

func (j job) run(dir string) (r result) {
	defer os.RemoveAll(dir)
	err := copyAll(dir, j.Base)
	for _, d := range j.Damages {
		err = errors.Join(err, d.does(dir))
	}
	var usual answers
	if j.Usual != "" && err == nil {
		usual, err = usualIn(j.Usual)
	}
	identity, parsing := age.ParseX25519Identity(j.Identity)
	if err = errors.Join(err, parsing); err != nil {
		return result{Trouble: err.Error()}
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	q := &inquiry{dir: dir, tokens: j.Tokens, identity: identity, usual: usual.Reported, small: j.Small}
	all := q.all(ctx)
	if j.Usual == "" {
		r.All = all
		return r
	}
	r.Reported, r.Others = q.unusual(), all.others(usual)
	for question := range r.Others {
		when := slices.Index(order, cmp.Or(all.When[question], usual.When[question]))
		if !slices.ContainsFunc(r.Reported, func(x reported) bool { return slices.Index(order, x.When) <= when }) {
			r.Silent = append(r.Silent, question)
		}
	}
	slices.Sort(r.Silent)
	return r
}

// learnt are the answers of undamaged copies, by their file.
var learnt = map[string]answers{}

func usualIn(file string) (answers, error) {
	a, ok := learnt[file]
	if ok {
		return a, nil
	}
	text, err := os.ReadFile(file)
	if err == nil {
		err = json.Unmarshal(text, &a)
	}
	if err == nil {
		learnt[file] = a
	}
	return a, err
}

// others are the answers that are not as usual.
func (a answers) others(usual answers) map[string]string {
	list := map[string]string{}
	for question, was := range usual.Said {
		unasked := a.Skipped && usual.When[question] == restoring ||
			a.Brief && slices.Contains([]string{looking, backingUp, restoring}, usual.When[question])
		if is, ok := a.Said[question]; !ok && !unasked {
			list[question] = noAnswer
		} else if ok && is != was {
			list[question] = difference(was, is)
		}
	}
	for question, is := range a.Said {
		if _, ok := usual.Said[question]; !ok {
			list[question] = "answered now: " + is
		}
	}
	return list
}

// difference shows two texts where they begin to differ.
func difference(was, is string) string {
	at := 0
	for at < min(len(was), len(is)) && was[at] == is[at] {
		at++
	}
	excerpt := func(s string) string { return s[max(0, min(at, len(s))-30):min(len(s), at+90)] }
	return fmt.Sprintf("%q, not %q", excerpt(is), excerpt(was))
}

const noAnswer = "no answer"

// worker is a process that makes trials, started anew when it broke down.
type worker struct {
	dir     string
	process *exec.Cmd
	in      *json.Encoder
	pipe    io.Closer
	out     *bufio.Reader
	errs    *bytes.Buffer
	made    int
}

// each process makes so many trials: what a damaged store left behind does not pile up.
const trialsEach = 200

func (w *worker) start() error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	c := exec.Command(self)
	c.Env = append(os.Environ(), workerIs+"="+w.dir)
	w.errs = &bytes.Buffer{}
	c.Stderr = w.errs
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	out, err := c.StdoutPipe()
	if err != nil {
		return err
	}
	w.process, w.in, w.pipe, w.out, w.made = c, json.NewEncoder(in), in, bufio.NewReader(out), 0
	return c.Start()
}

// end lets the process end.
func (w *worker) end() {
	if w.process == nil {
		return
	}
	_ = w.pipe.Close()
	_ = w.process.Wait()
	w.process = nil
}

// make makes a trial, and says what became of the process if that did not come back.
func (w *worker) make(j job) (r result, broke string) {
	if w.process == nil {
		if err := w.start(); err != nil {
			return result{Trouble: err.Error()}, ""
		}
	}
	if err := w.in.Encode(j); err != nil {
		return result{Trouble: err.Error()}, ""
	}
	late := time.AfterFunc(patience+30*time.Second, func() { _ = w.process.Process.Kill() })
	line, err := w.out.ReadBytes('\n')
	stopped := !late.Stop()
	if err == nil {
		err = json.Unmarshal(line, &r)
	}
	if err != nil {
		_ = w.process.Wait()
		return r, w.broken(&r, stopped)
	}
	if w.made++; w.made >= trialsEach {
		w.end()
	}
	return r, ""
}

// broken says how the process ended. One that says in a line why, and ends with the code of a failure, reported.
func (w *worker) broken(r *result, late bool) string {
	code := w.process.ProcessState.ExitCode()
	w.process = nil
	names, _ := filepath.Glob(filepath.Join(w.dir, "trial-*"))
	for _, n := range names {
		_ = os.RemoveAll(n)
	}
	last := strings.TrimSpace(w.errs.String())
	switch {
	case late:
		return "no answer in time"
	case code == tooMuch:
		return "took too much memory"
	case code == 1 && strings.HasPrefix(last[strings.LastIndexByte(last, '\n')+1:], "watu: "):
		r.Reported = []reported{{"", last}}
		r.Others = map[string]string{"the rest": "the process ended"}
		return ""
	}
	return fmt.Sprintf("exit code %d: %s", code, last[:min(len(last), 2000)])
}

// told in one text, for counting what is reported.
func (r result) text() string {
	var list []string
	for _, x := range r.Reported {
		list = append(list, x.When+": "+x.Text)
	}
	return strings.Join(list, " | ")
}

// others in one text: those that nothing reported, or all of them.
func (r result) others() string {
	var list []string
	if r.Others["status"] == noAnswer {
		return "nothing is answered"
	}
	questions := r.Silent
	if len(questions) == 0 {
		questions = slices.Sorted(maps.Keys(r.Others))
	}
	for _, question := range questions {
		list = append(list, question+": "+r.Others[question])
	}
	return strings.Join(list, "\n    ")
}
