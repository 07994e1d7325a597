package web_test

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/web"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
)

var (
	benchRounds = flag.Int("rounds", 1, "interleaved rounds of each measurement")
	benchEvents = flag.Int("events", 100_000, "events of the campaign that is read")
	benchHeard  = flag.Int("heard", 300, "entries that are heard in each half of a round, unless they take too long")
	benchDir    = flag.String("ledger", "", "directory of the campaign's ledger, which is played there unless "+
		"it is there")
	benchLoad = flag.String("load", "", "ask this server for pages, as the benchmark's child does")
)

// connections is how many readers the benchmark lets in.
const connections = 200

// asks are what the readers ask for, each another thing every time.
var asks = []struct {
	name  string
	path  func(n int) string
	hangs bool               // up, before the answer is there
	says  func(n int) string // what a side sends there; nil for who looks
}{
	{"the campaign with an unknown parameter", func(n int) string {
		return fmt.Sprintf("/campaigns/war?n=%d", n)
	}, false, nil},
	{"the campaign at a moment", func(n int) string { return fmt.Sprintf("/campaigns/war?at=%d", n) }, false, nil},
	{"why an event is as it is", func(n int) string { return fmt.Sprintf("/campaigns/war/events/%d", n) }, false, nil},
	{"the report", func(int) string { return "/api/v1/campaigns/war/report" }, false, nil},
	{"the report, and hang up", func(int) string { return "/api/v1/campaigns/war/report" }, true, nil},
	{"streams that begin at the first event", func(int) string { return "/campaigns/war/live?last=0" }, false, nil},
	{"what a side has checked", func(int) string {
		return "/api/v1/campaigns/war/submissions"
	}, false, func(n int) string {
		const check = `{"text":"{id: c%d, allocate: {side: Britain, category: atomic, points: 3}}",` +
			`"entry":true,"check":true}`
		return fmt.Sprintf(check, n)
	}},
}

// BenchmarkEntriesUnderReaders has the umpire hear entries in a long campaign, in turn with and without 200
// readers who ask for what costs most, each again as soon as he is answered. The readers are a process of
// their own on the same processors.
func BenchmarkEntriesUnderReaders(b *testing.B) {
	if *benchLoad != "" {
		load(b)
		return
	}
	d := seat(b)
	playLong(b, d, *benchEvents)
	for b.Loop() {
		fmt.Printf("\n%-42s %26s %26s %8s %8s\n", "an entry under 200 readers / under none",
			"p50 lowest, median, highest", "p90 lowest, median, highest", "p99", "MiB")
		for kind := range asks {
			measure(b, d, kind)
		}
	}
}

// seat opens a ledger of its own, and serves its pages.
func seat(b testing.TB) *ground {
	b.Helper()
	return seatWith(b, web.Options{})
}

// seatWith does so by the server's options.
func seatWith(b testing.TB, o web.Options) *ground {
	b.Helper()
	dir := *benchDir
	if dir == "" {
		dir = filepath.Join(b.TempDir(), "ledger")
	}
	f, err := service.New(maintenance.Open(b.Context(), dir, maintenance.Options{Begin: true, Say: func(string) {}}))
	if err != nil {
		b.Fatal(err)
	}
	g := &ground{service: f, client: api.InProcess(f)}
	o.Address = "127.0.0.1:0"
	s, err := web.Listen(o)
	if err != nil {
		b.Fatal(err)
	}
	s.Serve(f)
	g.url = strings.TrimSuffix(s.URL(), "/")
	b.Cleanup(func() {
		if err := errors.Join(s.Close(), g.client.Close()); err != nil {
			b.Error(err)
		}
	})
	return g
}

// enter hands in a turn file of which every entry stands.
func (g *ground) enter(b *testing.B, text string) {
	b.Helper()
	var done service.Submitted
	err := g.client.Post(b.Context(), service.Submission{Name: "turn.yaml", Text: text}, &done, "campaigns", "war",
		"submissions")
	if err != nil || done.Problem != nil {
		b.Fatal(err, done.Problem)
	}
}

// measured is what came of the rounds of one kind of readers.
type measured struct {
	ratios  map[int][]float64 // by percentile
	peak    int               // MiB of the server's process
	answers map[string]int    // by status
}

func measure(b *testing.B, d *ground, kind int) {
	m := measured{ratios: map[int][]float64{}, answers: map[string]int{}}
	for round := range *benchRounds {
		var alone, loaded []time.Duration
		for half := range 2 { // who goes first alternates
			if (half+round)%2 == 0 {
				alone = heardIn(b, d)
				continue
			}
			resetPeak()
			leave := readersOf(b, d, kind, m.answers)
			loaded = heardIn(b, d)
			leave()
			m.peak = max(m.peak, peakMiB())
		}
		for _, p := range []int{50, 90, 99} {
			m.ratios[p] = append(m.ratios[p], float64(percentile(loaded, p))/float64(percentile(alone, p)))
		}
	}
	for _, list := range m.ratios {
		slices.Sort(list)
	}
	three := func(list []float64) string {
		return fmt.Sprintf("%8.2f %8.2f %8.2f", list[0], list[len(list)/2], list[len(list)-1])
	}
	fmt.Printf("%-42s %s %s %8.2f %8d   %v\n", asks[kind].name, three(m.ratios[50]), three(m.ratios[90]),
		m.ratios[99][len(m.ratios[99])/2], m.peak, m.answers)
}

// heardIn has the umpire hear entries, one after the other, and gives how long each took.
func heardIn(b *testing.B, d *ground) []time.Duration {
	b.Helper()
	var took []time.Duration
	for began := time.Now(); len(took) < *benchHeard && (time.Since(began) < 20*time.Second || len(took) < 3); {
		before := time.Now()
		const entry = "campaign: war\nentries:\n  - {id: f%d, facts: {cves: {Atlantic: %d}}}\n"
		d.enter(b, fmt.Sprintf(entry, rand.Int64(), len(took)%20))
		took = append(took, time.Since(before))
	}
	return took
}

func percentile(list []time.Duration, p int) time.Duration {
	slices.Sort(list)
	return list[min(len(list)*p/100, len(list)-1)]
}

// playLong plays a campaign of so many events: turns of submarine warfare.
func playLong(b *testing.B, d *ground, events int) {
	b.Helper()
	if c, err := d.service.Campaign("war"); err == nil && c.Events >= uint64(events) {
		return
	}
	n := replay.NewCampaign{Name: "war", System: "awaw", Seed: "one",
		Seats: []campaign.Seat{{Name: "Anna", Sides: []string{"Britain"}}}}
	if err := d.client.Post(b.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		b.Fatal(err)
	}
	seasons := [...]string{"Spring", "Summer", "Fall", "Winter"}
	const turns = 24
	for n, has := 0, uint64(0); n < turns; n++ {
		d.enter(b, fmt.Sprintf("campaign: war\nturn: %s %d\nentries:\n  - {id: axis, draw: Ultra}\n", seasons[n%4],
			1940+n/4))
		for i := 0; has < uint64(events*(n+1)/turns); i++ {
			var t strings.Builder
			fmt.Fprintf(&t, "campaign: war\nentries:\n")
			for k := range 100 {
				const round = "  - {id: r%d-%d-%d, cards: [], submarine warfare: {box: Atlantic, submarines: %d, " +
					"asw: %d, again: true}}\n"
				fmt.Fprintf(&t, round, n, i, k, 9, 40)
			}
			d.enter(b, t.String())
			c, err := d.service.Campaign("war")
			if err != nil {
				b.Fatal(err)
			}
			has = c.Events
		}
	}
}

// readersOf lets readers in, in a process of their own, until the function that it gives is called.
func readersOf(b *testing.B, d *ground, kind int, answers map[string]int) (leave func()) {
	b.Helper()
	side, err := d.service.IssueToken(service.NewToken{Campaign: "war", As: "Britain"})
	if err != nil {
		b.Fatal(err)
	}
	c, in, lines := readersIn(b, "^BenchmarkEntriesUnderReaders$", "-load",
		fmt.Sprint(d.url, " ", kind, " ", *benchEvents, " ", side.Text))
	time.Sleep(2 * time.Second) // until they have all asked
	return func() {
		_ = in.Close()
		for lines.Scan() {
			var some map[string]int
			if json.Unmarshal(lines.Bytes(), &some) == nil {
				for k, n := range some {
					answers[k] += n
				}
			}
		}
		_ = c.Wait()
	}
}

// readersIn starts a benchmark in a process of its own, whose readers read until its input ends, and waits until they
// do.
func readersIn(b *testing.B, bench string, args ...string) (c *exec.Cmd, in io.Closer, lines *bufio.Scanner) {
	b.Helper()
	c = exec.Command(os.Args[0], append([]string{"-test.run", "^$", "-test.bench", bench, "-test.benchtime", "1x"},
		args...)...)
	in, err := c.StdinPipe()
	if err != nil {
		b.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := c.Start(); err != nil {
		b.Fatal(err)
	}
	lines = bufio.NewScanner(out)
	lines.Buffer(nil, 1<<28)
	for lines.Scan() && lines.Text() != "reading" {
	}
	return c, in, lines
}

// load is the child: readers who ask until its standard input ends.
func load(b *testing.B) {
	parts := strings.Fields(*benchLoad)
	kind, _ := strconv.Atoi(parts[1])
	events, _ := strconv.Atoi(parts[2])
	ctx, stop := context.WithCancel(b.Context())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin)
		stop()
	}()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: connections, MaxIdleConnsPerHost: connections}}
	fmt.Println("\nreading")
	var mu sync.Mutex
	answers := map[string]int{}
	var readers sync.WaitGroup
	for range connections {
		readers.Go(func() {
			for ctx.Err() == nil {
				status := askOnce(ctx, client, parts[0], kind, rand.IntN(events), parts[3])
				mu.Lock()
				answers[status]++
				mu.Unlock()
			}
		})
	}
	readers.Wait()
	out, _ := json.Marshal(answers)
	fmt.Println("\n" + string(out))
}

func askOnce(ctx context.Context, client *http.Client, url string, kind, n int, token string) string {
	patience := time.Minute
	if asks[kind].hangs {
		patience = 100 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, url+asks[kind].path(n), nil)
	if err != nil {
		return err.Error()
	}
	if says := asks[kind].says; says != nil {
		r.Method, r.Body = http.MethodPost, io.NopCloser(strings.NewReader(says(n)))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Authorization", "Bearer "+token)
	}
	a, err := client.Do(r)
	if err != nil {
		return "none"
	}
	defer a.Body.Close()
	if _, err := io.Copy(io.Discard, a.Body); err != nil {
		return "cut"
	}
	if a.StatusCode == http.StatusServiceUnavailable && asks[kind].says == nil {
		after, _ := strconv.Atoi(a.Header.Get("Retry-After"))
		select {
		case <-time.After(time.Duration(after) * time.Second):
		case <-ctx.Done():
		}
	}
	return strconv.Itoa(a.StatusCode)
}

// resetPeak forgets how much memory the process has had.
func resetPeak() { _ = os.WriteFile("/proc/self/clear_refs", []byte("5"), 0) }

// peakMiB is how much memory the process has had since then.
func peakMiB() int {
	status, _ := os.ReadFile("/proc/self/status")
	for line := range strings.Lines(string(status)) {
		if rest, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			n, _ := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(rest), " kB"))
			return n >> 10
		}
	}
	return 0
}
