package reliability

import (
	"encoding/json"
	"flag"
	"fmt"
	"hash/crc32"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
)

var (
	every   = flag.Int("reliability.every", 0, "try every so many-th place of each file, 1 for all; 0 for a few in all")
	update  = flag.Bool("update", false, "write the figures into docs/reliability.md")
	keeping = flag.String("reliability.keep", "", "keep the small ledger, and how far its trials have come, in "+
		"this directory")
	shown = flag.Bool("reliability.show", false, "say what was reported, how often, and first of what")
)

const few = 3 // trials of a row without -reliability.every

// trials are the undamaged directories and the processes that try damaged copies of them.
type trials struct {
	*bases
	small bool              // these are of the small ledger
	dir   string            // of files that last as long
	usual map[string]string // by directory: the file of its answers
	work  chan *worker
}

// setUp makes the directories once for all tests, and finds out what undamaged ones answer.
func setUp(t *testing.T) *trials {
	t.Helper()
	return newTrials(t, makeBases(t))
}

// newTrials tries damaged copies of those directories.
func newTrials(t *testing.T, b *bases) *trials {
	t.Helper()
	s := &trials{bases: b, dir: t.TempDir(), usual: map[string]string{}, work: make(chan *worker, 2)}
	for i := range 2 {
		w := &worker{dir: filepath.Join(t.TempDir(), fmt.Sprint("worker-", i))}
		s.work <- w
		t.Cleanup(w.end)
	}
	return s
}

func (s *trials) job(base string, d ...damage) job {
	return job{Base: base, Damages: d, Tokens: s.closed.Tokens, Identity: s.closed.Identity, Usual: s.usual[base],
		Small: s.small}
}

// try makes a trial in the process that is free.
func (s *trials) try(j job) (result, string) {
	w := <-s.work
	defer func() { s.work <- w }()
	return w.make(j)
}

// learn finds out what an undamaged directory answers. Two copies of it have to agree.
func (s *trials) learn(t *testing.T, base string) {
	t.Helper()
	if s.usual[base] != "" {
		return
	}
	r, broke := s.try(s.job(base))
	if broke != "" || r.Trouble != "" || len(r.All.Said) < 30 {
		t.Fatal(broke, r.Trouble, r.All.Reported)
	}
	t.Logf("%d questions; reported by an undamaged copy: %v", len(r.All.Said), r.All.Reported)
	text, err := json.Marshal(r.All)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(s.dir, fmt.Sprintf("usual-%d.json", len(s.usual)))
	if err := os.WriteFile(file, text, 0o600); err != nil {
		t.Fatal(err)
	}
	s.usual[base] = file
	if r, broke = s.try(s.job(base, damage{Kind: nothing})); broke != "" || len(r.Reported) > 0 || len(r.Others) > 0 {
		t.Fatalf("two undamaged copies answer differently: %s %s\n    %s", broke, r.text(), r.others())
	}
}

// counts are how many trials became what.
type counts struct {
	Tried, Without, Repaired, Detected, Late, Silent, Hung int
}

// row is a line of the table.
type row struct {
	mu sync.Mutex
	counts
	reports map[string]int
	first   map[string]string
}

// count notes what became of a trial.
func (w *row) count(t *testing.T, what string, r result, broke string) {
	t.Helper()
	w.mu.Lock()
	defer w.mu.Unlock()
	if r.Trouble != "" {
		t.Errorf("%s: no trial: %s", what, r.Trouble)
		return
	}
	w.Tried++
	switch {
	case broke != "":
		w.Hung++
		t.Errorf("hung: %s: %s", what, broke)
	case len(r.Others) == 0 && len(r.Reported) == 0:
		w.Without++
	case len(r.Others) == 0:
		w.Repaired++
	case len(r.Silent) > 0:
		w.Silent++
		t.Errorf("silent: %s\n    %s", what, r.others())
	default:
		w.Detected++
		if when := r.Reported[0].When; when != opening && when != status && when != "" {
			w.Late++
		}
	}
	if len(r.Reported) > 0 && *shown {
		w.note(what, r)
	}
}

func (w *row) note(what string, r result) {
	if w.reports == nil {
		w.reports, w.first = map[string]int{}, map[string]string{}
	}
	x := r.Reported[0]
	text := changing.ReplaceAllString(x.When+": "+x.Text, "…")
	if w.reports[text]++; w.first[text] == "" {
		w.first[text] = what + "\n    " + r.others()
	}
}

// document is where the figures stand.
const document = "../../../../docs/reliability.md"

// tell prints the line of the table, and writes it there if that is asked for.
func (w *row) tell(t *testing.T) {
	t.Helper()
	if w.Tried == 0 {
		t.Error("nothing was tried")
	}
	for text, n := range w.reports {
		t.Logf("%d × %s\n  first: %s", n, text, w.first[text])
	}
	line := fmt.Sprintf("| `%s` | %d | %d | %d | %d | %d | %d | %d |",
		t.Name(), *every, w.Tried, w.Without, w.Repaired, w.Detected, w.Silent, w.Hung)
	t.Log(line)
	if w.Late > 0 {
		t.Logf("%d of those detected were reported after opening and status", w.Late)
	}
	if !*update {
		return
	}
	text, err := os.ReadFile(document)
	if err != nil {
		t.Fatal(err)
	}
	old := regexp.MustCompile(`(?m)^\| ` + regexp.QuoteMeta("`"+t.Name()+"`") + ` \|.*$`)
	if !old.Match(text) {
		t.Fatalf("docs/reliability.md has no row for %s", t.Name())
	}
	if err := os.WriteFile(document, old.ReplaceAllLiteral(text, []byte(line)), 0o644); err != nil {
		t.Fatal(err)
	}
}

// all makes trials of one damage each.
func (s *trials) all(t *testing.T, w *row, base string, list []damage) {
	t.Helper()
	var each [][]damage
	for _, d := range list {
		each = append(each, []damage{d})
	}
	s.together(t, w, base, each)
}

// together makes trials of several damages each.
func (s *trials) together(t *testing.T, w *row, base string, list [][]damage) {
	t.Helper()
	s.learn(t, base)
	s.atOnce(t, w, base, thinned(t, list))
}

// atOnce makes trials two at a time.
func (s *trials) atOnce(t *testing.T, w *row, base string, list [][]damage) {
	t.Helper()
	var running sync.WaitGroup
	next := make(chan []damage)
	for range 2 {
		running.Go(func() {
			for d := range next {
				r, broke := s.try(s.job(base, d...))
				w.count(t, named(d), r, broke)
			}
		})
	}
	for _, d := range list {
		next <- d
	}
	close(next)
	running.Wait()
}

func named(list []damage) string {
	var names []string
	for _, d := range list {
		names = append(names, d.String())
	}
	return strings.Join(names, ", ")
}

// part is the file or folder of a ledger's directory to which a file belongs.
func part(file string) string {
	first, _, _ := strings.Cut(file, "/")
	return first
}

// places picks where a file of so many places is damaged.
func places(file string, n int) (list []int) {
	if *every > 0 {
		for at := 0; at < n; at += *every {
			list = append(list, at)
		}
		return list
	}
	if n > 0 {
		list = append(list, chosen(file).IntN(n))
	}
	return list
}

// thinned gives a few trials of many, without -reliability.every.
func thinned(t *testing.T, list [][]damage) [][]damage {
	if *every > 0 || len(list) <= few {
		return list
	}
	chosen(t.Name()).Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
	return list[:few]
}

// chosen is the same choice in every run.
func chosen(what string) *rand.Rand {
	return rand.New(rand.NewPCG(12, uint64(crc32.ChecksumIEEE([]byte(what)))))
}
