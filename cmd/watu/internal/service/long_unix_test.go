//go:build unix

package service_test

import (
	"encoding/json"
	"flag"
	"fmt"
	"net/url"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/watu-ledger/watu/cmd/watu/internal/api"
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

var (
	longLengths = flag.String("lengths", "200,2000", "events of the campaigns that are compared")
	longSystems = flag.String("systems", "aar,g40,eots,awaw", "whose campaigns are played")
	longActs    = flag.String("acts", "", "measure only those whose name this regular expression matches")
	longMended  = flag.Int("mended", 500, "after how many events an entry is corrected and another undone")
)

// saga is how a campaign of a system goes on for as long as one wants.
type saga struct {
	system, fixture string
	// turn gives the n-th turn file, from 0, of a campaign that is to have so many events.
	turn func(n, events int) string
	slip string // an entry that tells nobody anything, with %d for a number
	// wrong is the id of an entry of each turn, and right what a correction puts in its place, with %d.
	wrong, right string
}

var sagas = []saga{
	{
		"aar", "straits-1942", roundOfRaids,
		"facts: {control: {France: Germany}, treasury: {Russia: %d}}", "bombers", "sbr: {damage: %d}",
	},
	{
		"g40", "two-oceans-1941", roundOfOceans,
		"facts: {units: {US: {SZ 26: {destroyer: %d}}}}", "pacific", "collect income: {objectives: %d}",
	},
	{"eots", "pacific-patrol-1942", turnOfPatrols, "facts: {asps: %d}", "figures", "facts: {china divisions: %d}"},
	{
		"awaw", "atlantic-and-pacific", turnOfWar,
		"facts: {cves: {Atlantic: %d}}", "escorts", "facts: {cves: {Atlantic: %d}}",
	},
}

func roundOfRaids(n, _ int) string {
	return fmt.Sprintf(`turn: Round %d
facts:
  submarines:
    Germany: {SZ 6: %d, SZ 7: 1, SZ 8: %d}
    Japan: {SZ 60: 1}
    US: {SZ 55: 1}
entries:
  - {id: russia, collect income: Russia}
  - {id: yards, purchase: {power: Germany, cost: 8, units: {submarine: 1}}}
  - {id: bombers, sbr: {attacker: Germany, territory: UK, damage: %d}}
  - {id: germany, collect income: Germany}
  - {id: hunters, purchase: {power: UK, cost: 3, units: {infantry: 1}}}
  - {id: uk, collect income: UK}
  - {id: japan, collect income: Japan}
  - {id: us, collect income: US}
`, n+1, 1+n%3, n%3, 1+n%3)
}

func roundOfOceans(n, _ int) string {
	return fmt.Sprintf(`turn: Round %d
facts:
  units:
    Germany: {SZ 109: {submarine: %d}, Western Germany: {strategic bomber: 2, fighter: 2}}
    UK: {UK: {fighter: 2}}
entries:
  - {id: boats, purchase: {power: Germany, cost: 6, units: {submarine: 1}}}
  - {id: blitz, bombing raid: {attacker: Germany, on: UK, targets: {naval base: 1, air base: 1}}}
  - {id: fighters, answer: {UK: 0}}
  - {id: kiel, mobilize: {power: Germany, units: {SZ 112: {submarine: 1}}}}
  - {id: germany, collect income: Germany}
  - {id: guns, purchase: {power: UK Europe, cost: 3, units: {infantry: 1}}}
  - {id: home, mobilize: {power: UK Europe, units: {UK: {infantry: 1}}}}
  - {id: europe, collect income: UK Europe}
  - {id: pacific, collect income: {power: UK Pacific, objectives: 5}}
  - {id: france, collect income: France}
`, n+1, n%3)
}

// turnOfPatrols: the rules have 999 turns.
func turnOfPatrols(n, events int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "turn: Turn %d, %d\n", 9+n, min(1944+n, 1945))
	if n == 0 {
		b.WriteString(`facts:
  american hqs:
    SWPac: {hex: 2620, range: 15, from: {2813: 9, 2220: 7, 2417: 8}}
    CenPac: {hex: 5108, range: 20, from: {4024: 10}}
  asps: 6
  china divisions: 8
`)
	}
	b.WriteString("entries:\n  - {id: figures, facts: {china divisions: 8}}\n  - {id: draw, card draw: 7}\n")
	for i := range max(1, events/900/3) {
		player, hex := []string{"Japan", "Allies"}[i%2], 2000+(n+i)%40
		fmt.Fprintf(&b, "  - {id: offensive-%d, phase: offensive, player: %s}\n", i, player)
		fmt.Fprintf(&b, "  - {id: hex-%d, facts: {hexes: {%d: [port, friendly, supply]}, asps: %d}}\n", i, hex, 1+i%8)
	}
	return b.String()
}

// turnOfWar: the calendar has 28 turns, nine of which are played when the campaign is as long as it is to be.
func turnOfWar(n, events int) string {
	var b strings.Builder
	seasons := [...]string{"Spring", "Summer", "Fall", "Winter"}
	fmt.Fprintf(&b, "turn: %s %d\nentries:\n", seasons[n%4], 1940+n/4)
	fmt.Fprintf(&b, "  - {id: escorts, facts: {cves: {Atlantic: %d}}}\n  - {id: axis, draw: Ultra}\n", n%5)
	for i := range max(1, events/16/4) {
		const war = "{box: Atlantic, side: European Axis, submarines: %d, asw: %d, again: true}"
		fmt.Fprintf(&b, "  - {id: box-%d, submarine warfare: "+war+", cards: []}\n", i, 9, 40)
		fmt.Fprintf(&b, "  - {id: cves-%d, facts: {cves: {Atlantic: %d}}}\n", i, i%9)
	}
	return b.String()
}

// longCampaign is a campaign as long as it is wanted.
type longCampaign struct {
	b       *testing.B
	saga    saga
	service *service.Service
	client  *api.Client
	length  int      // events that it is to have
	turns   int      // played
	wrongs  []uint64 // events of the entries that may be corrected

	slips       int            // so far
	corrections map[uint64]int // of each of wrongs
}

func playLong(b *testing.B, s saga, length int) *longCampaign {
	b.Helper()
	dir := filepath.Join(b.TempDir(), "ledger")
	f, err := service.New(maintenance.Open(b.Context(), dir, maintenance.Options{Begin: true, Say: func(string) {}}))
	if err != nil {
		b.Fatal(err)
	}
	l := &longCampaign{b: b, saga: s, service: f, client: api.InProcess(f), length: length}
	l.corrections = map[uint64]int{}
	i := slices.IndexFunc(fixtures.Campaigns(), func(k fixtures.Campaign) bool { return k.Name == s.fixture })
	k := fixtures.Campaigns()[i]
	n := replay.NewCampaign{Name: "long", System: k.System, Options: k.Options, Seed: "long"}
	for _, file := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(file))
	}
	if err := l.client.Post(b.Context(), n, &service.Opened{}, "campaigns"); err != nil {
		b.Fatal(err)
	}
	mended := *longMended
	for n := 0; n < length; n = int(l.events()) {
		if l.playTurn(); n >= mended {
			l.correct(l.wrongs[len(l.wrongs)-1])
			l.slip()
			l.undo()
			mended += *longMended
		}
	}
	l.rest()
	return l
}

func (l *longCampaign) events() uint64 {
	l.b.Helper()
	c, err := l.service.Campaign("long")
	if err != nil {
		l.b.Fatal(err)
	}
	return c.Events
}

// playTurn plays a turn.
func (l *longCampaign) playTurn() {
	l.b.Helper()
	for _, h := range l.submit("campaign: long\n"+l.saga.turn(l.turns, l.length), false).Entries {
		if h.ID == l.saga.wrong || strings.HasSuffix(h.ID, "/"+l.saga.wrong) {
			l.wrongs = append(l.wrongs, h.Happened[len(h.Happened)-1].Index)
		}
	}
	l.turns++
}

func (l *longCampaign) submit(text string, entry bool) service.Submitted {
	l.b.Helper()
	var done service.Submitted
	s := service.Submission{Name: "turn.yaml", Text: text, Entry: entry}
	err := l.client.Post(l.b.Context(), s, &done, "campaigns", "long", "submissions")
	if err != nil || done.Problem != nil {
		l.b.Fatalf("%v %v\n%.600s", err, done.Problem, text)
	}
	return done
}

// slip is an entry that may be undone.
func (l *longCampaign) slip() {
	l.slips++
	l.submit(fmt.Sprintf("{id: slip-%d, %s}", l.slips, fmt.Sprintf(l.saga.slip, 1+l.slips%7)), true)
}

func (l *longCampaign) undo() {
	u := service.Undo{Reason: "a slip"}
	if err := l.client.Post(l.b.Context(), u, &service.Undone{}, "campaigns", "long", "undo"); err != nil {
		l.b.Fatal(err)
	}
}

// correct corrects an entry. What follows is kept as it is recorded.
func (l *longCampaign) correct(event uint64) {
	l.amend(service.CorrectionRequest{Event: event, Rest: review.Keep})
}

func (l *longCampaign) amend(a service.CorrectionRequest) {
	l.b.Helper()
	n := l.corrections[a.Event] + 1
	if !a.Preview {
		l.corrections[a.Event] = n
	}
	a.Name = "correction.yaml"
	a.Text = fmt.Sprintf("reason: \"typed wrong, %d\"\ncode: mistyped\nreplace:\n  "+l.saga.right+"\n", n, 5+n%3)
	if err := l.client.Post(l.b.Context(), a, &service.Corrected{}, "campaigns", "long", "corrections"); err != nil {
		l.b.Fatal(err)
	}
}

func (l *longCampaign) explain(event uint64) {
	l.get(&service.Explanation{}, nil, "events", strconv.FormatUint(event, 10), "explanation")
}

func (l *longCampaign) get(into any, query url.Values, path ...string) {
	l.b.Helper()
	path = append([]string{"campaigns", "long"}, path...)
	if err := l.client.Query(l.b.Context(), into, query, path...); err != nil {
		l.b.Fatal(err)
	}
}

// lines asks for what comes in lines, and wants the last without a problem.
func (l *longCampaign) lines(path string) {
	var last struct {
		Result  json.RawMessage
		Problem *problem.Problem
	}
	take := func(line json.RawMessage) error { return json.Unmarshal(line, &last) }
	err := l.client.Lines(l.b.Context(), "GET", url.Values{}, nil, take, "campaigns", "long", path)
	if err != nil || last.Problem != nil || last.Result == nil {
		l.b.Fatal(err, last.Problem)
	}
}

func (l *longCampaign) whatIf(event uint64) {
	var out timeline.WhatIfResult
	err := l.client.Post(l.b.Context(), timeline.WhatIfRequest{At: event}, &out, "campaigns", "long", "whatif")
	if err != nil || len(out.Differences) > 0 {
		l.b.Fatal(err, out.First)
	}
}

// rest waits until the views and the stream have come up to the record.
func (l *longCampaign) rest() {
	for v := l.service.Health(); v.Views < v.Durable || v.Publishes && v.Published < v.Durable; v = l.service.Health() {
		time.Sleep(time.Millisecond)
	}
}

// cpu is what the process has spent of processors.
func cpu(b *testing.B) time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		b.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// spent is the processor time of what is done n times, by the time of once. What follows from it in the background, as
// views and the stream, is part of it.
func (l *longCampaign) spent(n int, do func(i int)) time.Duration {
	l.b.Helper()
	l.rest()
	before := cpu(l.b)
	for i := range n {
		do(i)
	}
	l.rest()
	return (cpu(l.b) - before) / time.Duration(n)
}

// typical is the median of what is spent in nine rounds, each made ready before: what falls to one of hundreds, as the
// saving of a view, is part of playing.
func (l *longCampaign) typical(n int, do func(i int), ready func()) time.Duration {
	var took []time.Duration
	for range 9 {
		if ready != nil {
			ready()
		}
		took = append(took, l.spent(n, do))
	}
	slices.Sort(took)
	return took[len(took)/2]
}

// acts are what one does with a campaign.
func (l *longCampaign) acts() (names []string, took []time.Duration) {
	note := func(name string, n int, do func(i int)) {
		if only, err := regexp.MatchString(*longActs, name); err != nil || !only {
			return
		}
		names, took = append(names, name), append(took, l.spent(n, do))
	}
	runtime.GC()
	middle := l.wrongs[len(l.wrongs)/2]
	l.explain(1) // the first look reads the campaign
	for was := cpu(l.b) - time.Second; cpu(l.b)-was > 20*time.Millisecond; time.Sleep(200 * time.Millisecond) {
		was = cpu(l.b) // what that and playing left to be done comes to its end
	}
	names = []string{"an entry at the head", "explain", "undo"}
	took = []time.Duration{
		l.typical(40, func(int) { l.slip() }, nil),
		l.typical(20, func(i int) { l.explain(middle + uint64(i)) }, nil),
		l.typical(1, func(int) { l.undo() }, func() { l.playTurn(); l.slip() }), // little else can be undone
	}
	note("correct in the last turn", 3, func(int) { l.correct(l.wrongs[len(l.wrongs)-1]) })
	note("an entry and its undo, of many", l.length/20, func(int) { l.slip(); l.undo() })
	note("correct in the middle, shown only", 1, func(int) {
		l.amend(service.CorrectionRequest{Event: middle, Preview: true})
	})
	applied := service.CorrectionRequest{Event: middle, Rest: review.Apply}
	note("correct in the middle, all applied", 1, func(int) { l.amend(applied) })
	note("undo of that", 1, func(int) { l.undo() })
	note("correct in the middle, all kept", 3, func(int) { l.correct(middle) })
	note("pending", 1, func(int) { l.get(&service.Pending{}, url.Values{"as": {"umpire"}}, "pending") })
	note("a view, folded from there on", 1, func(int) { l.get(&timeline.View{}, nil, "views", "strategic") })
	note("audit", 1, func(int) { l.lines("audit") })
	note("report", 1, func(int) { l.get(&json.RawMessage{}, url.Values{"as": {"umpire"}}, "report") })
	note("verify", 1, func(int) { l.lines("verification") })
	note("what-if from the middle", 1, func(int) { l.whatIf(middle) })
	return names, took
}

// BenchmarkLong does the same with a short and with a long campaign, and gives how much more processor time the long
// one takes.
func BenchmarkLong(b *testing.B) {
	for b.Loop() {
		var lengths []int
		for _, text := range strings.Split(*longLengths, ",") {
			n, err := strconv.Atoi(text)
			if err != nil {
				b.Fatal(err)
			}
			lengths = append(lengths, n)
		}
		for _, s := range sagas {
			if !slices.Contains(strings.Split(*longSystems, ","), s.system) {
				continue
			}
			compareLengths(b, s, lengths)
		}
	}
}

func compareLengths(b *testing.B, s saga, lengths []int) {
	fmt.Printf("\n%-40s", s.system+", events")
	for _, n := range lengths {
		fmt.Printf(" %12d", n)
	}
	fmt.Printf(" %8s\n", "factor")
	var all [][]time.Duration
	var names []string
	for _, n := range lengths {
		began := cpu(b)
		l := playLong(b, s, n)
		each := (cpu(b) - began) / time.Duration(l.events())
		var took []time.Duration
		names, took = l.acts()
		if err := l.client.Close(); err != nil {
			b.Fatal(err)
		}
		names, took = append(names, "to play it, an event"), append(took, each)
		all = append(all, took)
	}
	for i, name := range names {
		fmt.Printf("%-40s", name)
		for _, took := range all {
			fmt.Printf(" %12s", took[i].Round(time.Microsecond))
		}
		fmt.Printf(" %8.2f\n", float64(all[len(all)-1][i])/float64(all[0][i]))
	}
}
