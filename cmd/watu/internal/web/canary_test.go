package web

import (
	"encoding/base64"
	"encoding/hex"
	"maps"
	"math"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules/chance"
)

// One side's secrets may be these or those, and so may those of a turn.
var (
	these = map[string][2]string{ // research points, and a card
		"Britain 1": {"7", "tactical"}, "Japan 1": {"3", "strategic"}, "European Axis 1": {"9", "submarine"},
		"Britain 2": {"5", "asw"}, "Japan 2": {"4", "submarine"}, "European Axis 2": {"6", "tactical"},
	}
	those = map[string][2]string{
		"Britain 1": {"8", "asw"}, "Japan 1": {"2", "submarine"}, "European Axis 1": {"6", "strategic"},
		"Britain 2": {"3", "strategic"}, "Japan 2": {"7", "tactical"}, "European Axis 2": {"2", "submarine"},
	}
)

// played is a world: a campaign of its own ledger, in which the secrets whose name holds a word of same are
// these, and all others those.
func played(t *testing.T, same ...string) (*testServer, func() map[string][]string) {
	t.Helper()
	var pairs []string
	for _, name := range []string{"Britain 1", "Japan 1", "European Axis 1", "Britain 2", "Japan 2",
		"European Axis 2"} {
		secret := those[name]
		for _, word := range same {
			if strings.Contains(name, word) {
				secret = these[name]
			}
		}
		pairs = append(pairs, "POINTS "+name, secret[0], "CARD "+name, secret[1])
	}
	secrets := strings.NewReplacer(pairs...)
	d := open(t, Options{})
	heard := d.listen()
	d.campaign("canary", nil)
	d.submit("canary", secrets.Replace(`
turn: Spring 1941
facts:
  general intelligence: {Britain: POINTS Britain 1, Japan: POINTS Japan 1}
entries:
  - {id: r1, allocate: {side: Britain, project: Ultra, points: POINTS Britain 1}}
  - {id: r2, allocate: {side: Japan, project: Magic, points: POINTS Japan 1}}
  - {id: r3, allocate: {side: European Axis, project: Ultra, points: POINTS European Axis 1}}
  - {id: p1, produce: {side: Britain, project: Ultra, card: CARD Britain 1}}
  - {id: p2, produce: {side: Japan, project: Magic, card: CARD Japan 1}}
  - {id: p3, produce: {side: European Axis, project: Ultra, card: CARD European Axis 1}}
  - {id: ultra, draw: Ultra}
  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}
`))
	for _, season := range []string{"Summer 1941", "Fall 1941", "Winter 1941"} { // a result a year
		d.submit("canary", "turn: "+season+"\n")
	}
	d.submit("canary", secrets.Replace(`
turn: Spring 1942
entries:
  - {id: r1, allocate: {side: Britain, project: Ultra, points: POINTS Britain 2}}
  - {id: r2, allocate: {side: Japan, project: Magic, points: POINTS Japan 2}}
  - {id: r3, allocate: {side: European Axis, project: Ultra, points: POINTS European Axis 2}}
  - {id: p1, produce: {side: Britain, project: Ultra, card: CARD Britain 2}}
  - {id: p2, produce: {side: Japan, project: Magic, card: CARD Japan 2}}
  - {id: p3, produce: {side: European Axis, project: Ultra, card: CARD European Axis 2}}
  - {id: ultra, draw: Ultra}
  - {id: box, submarine warfare: {box: Atlantic, submarines: 8, asw: 8}, cards: []}
`))
	return d, heard
}

// TestCanary looks over the network as everybody who may: at every page, every answer of the interface, every
// frame and, as a guest, at NATS.
func TestCanary(t *testing.T) {
	longrun.Only(t)
	t.Parallel()
	whole, heard := played(t, "1", "2")
	crawled, tokens := map[string]seen{}, []string{}
	viewers := map[string]string{timeline.Public: ""} // and their tokens
	for _, as := range []string{"Britain", "Japan", "European Axis", "commentator:1", timeline.Umpire} {
		viewers[as] = whole.token("canary", as)
		tokens = append(tokens, viewers[as])
	}
	var mu sync.Mutex
	t.Run("crawl", func(t *testing.T) { // together: each waits for his answers
		for as, token := range viewers {
			t.Run(as, func(t *testing.T) {
				t.Parallel()
				answers := whole.crawl("canary", token)
				if len(answers) < 100 {
					t.Errorf("as %s only %d answers were found", as, len(answers))
				}
				mu.Lock()
				defer mu.Unlock()
				crawled[as] = answers
			})
		}
	})
	if t.Failed() {
		return
	}
	feed, all := joined(heard())
	noInterference(t, crawled, feed)
	whole.close()
	reported := map[string]string{"whoever reads what the service says": strings.Join(whole.lines, "\n")}
	for as, answers := range crawled {
		lines := map[string]bool{all: as == timeline.Public}
		for path, text := range answers {
			lines[path] = true
			for line := range strings.Lines(text) { // pages have much in common
				lines[line] = true
			}
		}
		reported[as] = strings.Join(slices.Collect(maps.Keys(lines)), "")
	}
	for as, text := range reported {
		for _, token := range tokens {
			absent(t, as, text, "a token", []byte(token[14:]))
		}
	}
	whole.search(reported)
}

// noInterference: whoever looks cannot tell two campaigns apart that differ in nothing that he may know. For
// the commentator the last turn is too young.
func noInterference(t *testing.T, crawled map[string]seen, feed string) {
	t.Helper()
	public, heard := played(t)
	t.Run("others", func(t *testing.T) {
		for as, same := range map[string]string{
			timeline.Public: "", "Britain": "Britain", "Japan": "Japan", "European Axis": "European Axis",
			"commentator:1": "1",
		} {
			t.Run(as, func(t *testing.T) {
				t.Parallel()
				other := public
				if same != "" {
					other, _ = played(t, same)
				}
				mine, others := maps.Clone(crawled[as]), other.crawl("canary", other.token("canary", as))
				delete(mine, "/metrics") // how the program runs
				delete(others, "/metrics")
				alike(t, as, mine, others)
				if as == timeline.Public {
					return
				}
				// And he does see what he may know: there all others differ.
				token, shown := public.token("canary", as), 0
				for _, path := range []string{"/campaigns/canary", "/api/v1/campaigns/canary/views/pools"} {
					if lasting(public.get(path, token).body) != lasting(crawled[as][path]) {
						shown++
					}
				}
				if shown == 0 {
					t.Errorf("as %s nothing shows what %s may know: the search is blind", as, as)
				}
			})
		}
	})
	there, _ := joined(heard())
	alike(t, "a guest of NATS", seen{"feed": feed}, seen{"feed": there})
}

// chanced is what differs from one ledger to the next, whatever is played: hashes, commitments and bytes in
// their usual letters, ULIDs, times, and where the server listens.
var chanced = regexp.MustCompile(`127\.0\.0\.1:\d+|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|` +
	`\b[0-9a-f]{8,64}\b|\b[0-9a-f]{4}(-[0-9a-f]{4}){3}\b|[A-Za-z0-9+/]{40,}={0,2}|` +
	`\b[0-7][0-9A-HJKMNP-TV-Z]{25}\b|\d{4}-\d\d-\d\dT[0-9:.]+(Z|[+-]\d\d:\d\d)|\b\d\d:\d\d(:\d\d)?\b`)

// lasting is an answer without that.
func lasting(text string) string {
	if e, err := events.Decode([]byte(text)); err == nil { // an event as it is stored
		e.ID, e.Previous, e.Recorded = ulid.ULID{}, events.Hash{}, time.Time{}
		for i := range e.Commitments {
			e.Commitments[i].Hash = events.Hash{}
		}
		text = string(e.Encode())
	}
	return chanced.ReplaceAllString(text, "?")
}

// lastingly reports whether two answers are the same without that.
func lastingly(a, b string) bool {
	x, y := strings.Split(a, "\n"), strings.Split(b, "\n")
	if len(x) != len(y) {
		return lasting(a) == lasting(b)
	}
	for i := range x { // most lines are the same as they are, and nothing that differs goes over a line
		if x[i] != y[i] && chanced.ReplaceAllString(x[i], "?") != chanced.ReplaceAllString(y[i], "?") {
			return lasting(a) == lasting(b)
		}
	}
	return true
}

func differ(a, b seen) (n int) {
	for path, text := range a {
		if there, ok := b[path]; !ok || !lastingly(text, there) {
			n++
		}
	}
	return n + max(0, len(b)-len(a))
}

func alike(t *testing.T, as string, a, b seen) {
	t.Helper()
	if differ(a, b) == 0 {
		return
	}
	for path, text := range a {
		here, there := lasting(text), lasting(b[path])
		at := 0
		for at < len(here) && at < len(there) && here[at] == there[at] {
			at++
		}
		if here != there {
			t.Fatalf("to %s, %s tells what he may not know:\n%.300s\nand\n%.300s", as, path, here[max(0, at-150):],
				there[max(0, at-150):])
		}
	}
	t.Fatalf("to %s, there are %d addresses, and %d", as, len(a), len(b))
}

// search opens the ledger when the server is gone. No salt of what a viewer may not open, no secret of the
// campaign and no link of a chain that is not revealed is in what he was told, in any of the usual letters.
func (d *testServer) search(reported map[string]string) {
	l, err := ledger.Open(d.dir, ledger.Options{})
	if err != nil {
		d.t.Fatal(err)
	}
	defer l.Close()
	c, _ := l.Find("canary")
	sides, turns := map[uint64]string{}, map[uint64]uint64{}
	open := map[events.Hash]bool{}
	for r, err := range l.Read(c.ID, 0, math.MaxUint64) {
		if err != nil {
			d.t.Fatal(err)
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			d.t.Fatal(err)
		}
		sides[e.Index], turns[e.Index] = e.Side, e.Turn.Ordinal
		for _, o := range e.Openings {
			open[o.Salt] = true
		}
		if !strings.Contains(reported[timeline.Public], string(r.Bytes)) {
			d.t.Fatalf("event %d was not heard on NATS as stored: the search is blind", e.Index)
		}
	}
	known, err := l.Openings(c.ID, 0, math.MaxUint64)
	if err != nil {
		d.t.Fatal(err)
	}
	hidden := 0
	for _, o := range known {
		for as, text := range reported {
			may := open[o.Salt] || as == timeline.Umpire || as == sides[o.Index] || as == "commentator:1" &&
				turns[o.Index] < turns[c.Events-1]
			if !may {
				hidden++
				absent(d.t, as, text, "the salt of "+o.Slot, o.Salt[:])
			}
		}
	}
	if hidden < 60 {
		d.t.Errorf("only %d openings are hidden from somebody", hidden)
	}
	d.chains(c, reported)
}

// chains looks for the campaign's secret and for the links of its chains to come.
func (d *testServer) chains(c ledger.Campaign, reported map[string]string) {
	kept, err := keys.NewKeys(filepath.Join(d.dir, "secrets")).Secrets(c.ID)
	if err != nil {
		d.t.Fatal(err)
	}
	secret := kept.ForEpoch(1)
	for as, text := range reported {
		absent(d.t, as, text, "the campaign's secret", secret[:])
		for _, name := range []string{chance.Dice, chance.Draws("Britain"), chance.Draws("Japan"),
			chance.Draws("European Axis"), chance.Draws("United States")} {
			seed := chance.ChainSeed(secret, c.ID, 1, name)
			absent(d.t, as, text, "the seed of "+name, seed[:])
			chain := chance.NewChain(seed, chance.Length)
			for k := uint64(1); k <= 8; k++ {
				if link := chain.Link(k); name != chance.Dice || k > 1 { // one roll was made
					absent(d.t, as, text, "a link of "+name, link[:])
				}
			}
		}
	}
}

// absent searches a text for bytes: as they are, in hexadecimal digits, in base64 and as in an address.
func absent(t *testing.T, as, text, what string, b []byte) {
	t.Helper()
	digits := hex.EncodeToString(b)
	for _, form := range []string{
		string(b), digits[:24], strings.ToUpper(digits[:24]), base64.StdEncoding.EncodeToString(b)[:32],
		base64.URLEncoding.EncodeToString(b)[:32], url.QueryEscape(string(b)),
	} {
		if strings.Contains(text, form) {
			t.Fatalf("%s is told to %s, as %q", what, as, form)
		}
	}
}
