package replay_test

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/rehear"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

var (
	readersMany = flag.Int("readers", longrun.Of(5, 10), "random campaigns of which every reader's file is "+
		"held to the law")
	readersFirst = flag.Int("readers.first", 0, "the number of the first of them, which is its seed")
)

// TestLawOfReaders: of every random campaign, of which secrets are disclosed at any moment and in any order, the file
// of every reader verifies, whole and as it stood earlier; so does one of which its host has lost any openings and
// links. A figure that is forged in it is found all the same: none of them rests on what is sealed.
func TestLawOfReaders(t *testing.T) {
	t.Parallel()
	many := *readersMany
	if underRace {
		many = min(many, 16)
	}
	seen := &readersTally{unchecked: map[string]int{}, of: map[string]int{}, missed: map[string]int{},
		found: map[events.Type]int{}}
	for n := *readersFirst; n < *readersFirst+many; n++ {
		sound := t.Run(fmt.Sprint(n), func(t *testing.T) {
			p := newPlayer(newHost(t).sealing(n), uint64(n))
			for turn := range 3 {
				p.inSecret(turn, seen)
			}
			p.c.readersLaw(p.lot, seen)
		})
		if !sound {
			t.FailNow()
		}
	}
	t.Logf("%d campaigns, %d events, %d disclosures, %d corrections, %d files, %d forgeries", many, seen.events,
		seen.disclosed, seen.corrected, seen.files, seen.forged)
	for _, reader := range slices.Sorted(maps.Keys(seen.of)) {
		t.Logf("%-14s %6d of %6d events not checked", reader, seen.unchecked[reader], seen.of[reader])
	}
	t.Logf("found: %v", seen.found)
	t.Logf("missed: %v", seen.missed)
	t.Logf("%d pending, of which %d not checked", seen.pending, seen.unknown)
	if seen.disclosed == 0 || seen.forged == 0 || seen.pending == 0 {
		t.Errorf("%+v", seen)
	}
}

// readersTally counts what the law was held to.
type readersTally struct {
	events, disclosed, corrected, files, forged int
	pending, unknown                            int            // what is pending, for each reader; of it not checked
	unchecked, of                               map[string]int // events, by reader
	missed                                      map[string]int // forgeries that were not found, by type and field
	found                                       map[events.Type]int
}

// sealing opens the n-th campaign: most are such in which something is sealed.
func (d *host) sealing(n int) *harness {
	name := fmt.Sprintf("readers-%d", n)
	switch n % 8 {
	case 0:
		return d.open(name, "readers", nil)
	case 1, 5:
		return d.open(name, "readers", asked)
	case 2, 6:
		return d.open(name, "readers", map[string]string{"play_order": "simultaneous_secret",
			"campaign_scope": "per_box", "blank_cards": "ask"})
	case 3:
		return d.openAttested(name, "readers", map[string]string{"play_order": pick(rand.New(rand.NewPCG(uint64(n), 4)),
			"simultaneous_secret", "alternate"), "low_roll": "ask"})
	case 4:
		return d.openAttested(name, "readers", asked)
	}
	return d.short(n/8*5 + 1 + n/8%4)
}

// inSecret plays a game turn, in which secrets are disclosed now and then.
func (p *player) inSecret(turn int, seen *readersTally) {
	p.turn = p.label(turn)
	if _, err := p.say("turn", entry{"turn": p.turn}); err != nil {
		p.c.t.Fatal(err)
	}
	p.begin()
	p.settle(func() { p.disclose(seen) })
	for range 6 {
		p.act()
		p.disclose(seen)
		p.settle(func() { p.disclose(seen) })
		p.misspeak(seen)
	}
	p.thinkBetter()
	p.settle(func() { p.disclose(seen) })
}

// misspeak reports a secret beside a figure that is none, or corrects a figure of some entry.
func (p *player) misspeak(seen *readersTally) {
	if _, cards := p.manner.(codebreaker); !cards || p.lot.IntN(2) > 0 || p.c.now().Open != nil {
		return
	}
	if p.lot.IntN(4) == 0 {
		_, _ = p.say("facts", entry{"facts": entry{
			"cves":                 entry{"Atlantic": p.lot.IntN(30)},
			"general intelligence": entry{pick(p.lot, sides...): p.lot.IntN(3), pick(p.lot, sides...): 1},
		}})
		return
	}
	var wrong []step
	for _, e := range p.c.all() {
		var r campaign.Request
		if e.Corrects == 0 && json.Unmarshal([]byte(e.Request), &r) == nil && len(figuresOf[r.Verb]) > 0 {
			wrong = append(wrong, step{event: e.Index, value: p.lot.IntN(40),
				change: pick(p.lot, figuresOf[r.Verb]...)})
		}
	}
	if len(wrong) == 0 {
		return
	}
	a, err := p.put(pick(p.lot, wrong...))
	if err == nil && a.Verdict == rules.Allowed {
		seen.corrected++
	}
}

// figuresOf are figures of entries that may have been typed wrong, by verb.
var figuresOf = map[string][]string{
	"submarine warfare": {"asw", "submarines", "cves"}, "facts": {"cves/Atlantic", "general intelligence/Japan",
		"torpedo/Germany"},
	"declare war": {"usjt"}, "pearl harbor": {"other modifiers"}, "harbor attack": {"distance", "nas"},
	"allocate":          {"points"},
	"strategic bombing": {"bombers", "excess range"}, "compensate": {"factors/Atlantic/asw"},
}

// disclose opens some of what is sealed, drawn by lot.
func (p *player) disclose(seen *readersTally) {
	if p.lot.IntN(4) > 0 {
		return
	}
	sealed := p.c.openings()
	for _, e := range p.c.all() {
		for _, o := range e.Openings {
			delete(sealed, events.Ref{Index: o.Index, Slot: o.Slot})
		}
	}
	refs := slices.SortedFunc(maps.Keys(sealed), func(a, b events.Ref) int {
		return int(a.Index) - int(b.Index) + strings.Compare(a.Slot, b.Slot)
	})
	for range min(len(refs), 1+p.lot.IntN(2)) {
		at := pick(p.lot, refs...)
		a, err := p.say("reveal", entry{"reveal": entry{"event": at.Index, "slot": at.Slot, "reason": "drawn by lot"}})
		if err == nil && a.Verdict == rules.Allowed {
			seen.disclosed++
		}
	}
}

// readersLaw holds the law to the campaign.
func (c *harness) readersLaw(lot *rand.Rand, seen *readersTally) {
	c.t.Helper()
	whole := c.fileFor(bundle.Umpire, c.now().Next)
	seen.events += len(whole.Events)
	for _, reader := range append([]string{bundle.Umpire, bundle.Public}, c.now().Sides...) {
		c.verifies(whole.Header.Name, c.fileFor(reader, c.now().Next), seen)
		c.verifies(whole.Header.Name, c.fileFor(reader, c.stepEnd(1+uint64(lot.IntN(int(c.now().Next))))), seen)
		c.forgedLaw(c.fileFor(reader, c.now().Next), lot, seen)
		c.pendingLaw(c.fileFor(reader, c.now().Next), seen)
	}
	lacking := c.lacking(lot)
	c.pendingLaw(lacking, seen)
	c.verifies(whole.Header.Name, lacking, seen)
	c.forgedLaw(lacking, lot, seen)
}

// pendingLaw holds the reader of a file to it that he hears of everything that is pending: it is listed, or not
// checked. And of nothing else.
func (c *harness) pendingLaw(f *bundle.File, seen *readersTally) {
	c.t.Helper()
	whole, err := c.umpire.Trial(c.id.ID)
	if err != nil {
		c.t.Fatal(err)
	}
	t := review.Trial{Systems: whole.Systems, Board: whole.Board, Records: whole.Records, Events: whole.Events,
		Openings: f.Openings}
	left, err := t.Pending()
	if err != nil {
		c.t.Fatal(err)
	}
	listed := map[string]bool{}
	for _, x := range left.Consequences {
		listed[x.Command] = true
	}
	for _, x := range c.pending() {
		unchecked := slices.ContainsFunc(left.Unchecked, func(u review.Unchecked) bool {
			return u.Command == x.Command
		})
		if !listed[x.Command] && !unchecked {
			c.t.Errorf("%s for %s: #%d is pending, and neither listed nor not checked", c.id.Name, f.Header.For,
				x.Event)
		}
		if seen.pending++; unchecked {
			seen.unknown++
		}
		delete(listed, x.Command)
	}
	for command := range listed {
		c.t.Errorf("%s for %s: %s is listed, and not pending", c.id.Name, f.Header.For, command)
	}
}

// lacking is an umpire's file whose host has lost some openings and links, and says so.
func (c *harness) lacking(lot *rand.Rand) *bundle.File {
	f := c.fileFor(bundle.Umpire, c.now().Next)
	lost := 1 + lot.IntN(10)
	f.Openings = slices.DeleteFunc(f.Openings, func(events.Opening) bool { return lot.IntN(10) < lost })
	f.Links = slices.DeleteFunc(f.Links, func(bundle.Link) bool { return lot.IntN(20) < lost })
	f.Lacks = f.Missing()
	return f
}

// verifies holds a file to it that nothing is found wrong in it.
func (c *harness) verifies(name string, f *bundle.File, seen *readersTally) {
	c.t.Helper()
	findings, unheld := c.verified(f)
	for _, text := range findings {
		c.t.Errorf("%s for %s, %d events: %s", name, f.Header.For, len(f.Events), text)
	}
	reader := f.Header.For
	if len(f.Lacks) > 0 {
		reader = "umpire, lacking"
	}
	if reader != bundle.Umpire && reader != bundle.Public && len(f.Lacks) == 0 {
		reader = "a side"
	}
	seen.files++
	seen.of[reader] += len(f.Events)
	seen.unchecked[reader] += len(unheld)
}

// forgedLaw forges figures of a file: each is found.
func (c *harness) forgedLaw(f *bundle.File, lot *rand.Rand, seen *readersTally) {
	c.t.Helper()
	for range 4 {
		i := 1 + lot.IntN(len(f.Events)-1)
		e, err := events.Decode(f.Events[i])
		if err != nil {
			c.t.Fatal(err)
		}
		field := forgeFigure(&e, lot)
		if field == "" {
			continue
		}
		seen.forged++
		findings, _ := c.verified(rehashed(c.t, f, i, e))
		if len(findings) > 0 {
			seen.found[e.Type]++
			continue
		}
		if stated(&e, field) {
			continue
		}
		seen.missed[string(e.Type)+" "+field]++
		c.t.Errorf("%s for %s: %s of #%d (%s) may be forged", c.id.Name, f.Header.For, field, i, e.Type)
	}
}

// stated reports whether nothing in a record proves a field.
func stated(e *events.Event, field string) bool {
	return slices.ContainsFunc(bundle.Stated, func(s bundle.Statement) bool {
		rest, ok := strings.CutPrefix(field, s.Field)
		return ok && (s.Type == "" || s.Type == e.Type) && (rest == "" || strings.ContainsAny(rest[:1], ".["))
	})
}

// forgeFigure changes one figure or word of what an event says, and gives its path; empty where it says nothing.
func forgeFigure(e *events.Event, lot *rand.Rand) string {
	p, err := events.PayloadOf(e)
	if err != nil {
		return ""
	}
	text, _ := json.Marshal(p)
	var v any
	_ = json.Unmarshal(text, &v)
	type leaf struct {
		path   string
		change func()
	}
	var leaves []leaf
	var walk func(v any, at string, set func(any))
	walk = func(v any, at string, set func(any)) {
		switch v := v.(type) {
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				walk(v[k], at+"."+k, func(to any) { v[k] = to })
			}
		case []any:
			for i := range v {
				walk(v[i], fmt.Sprintf("%s[%d]", at, i), func(to any) { v[i] = to })
			}
		case string:
			leaves = append(leaves, leaf{at, func() { set(v + "x") }})
		case float64:
			leaves = append(leaves, leaf{at, func() { set(v + 1) }})
		case bool:
			leaves = append(leaves, leaf{at, func() { set(!v) }})
		}
	}
	walk(v, "payload", nil)
	switch n := lot.IntN(8); {
	case n == 0:
		was := e.Side
		if e.Side = pick(lot, "Britain", "Japan", "", was+"x"); e.Side == was {
			return ""
		}
		return "side"
	case n == 1 && len(e.Derivation) > 0:
		e.Derivation = slices.Clone(e.Derivation)
		i := lot.IntN(len(e.Derivation))
		e.Derivation[i].Step += "x"
		return fmt.Sprintf("derivation[%d]", i)
	case len(leaves) == 0:
		return ""
	}
	chosen := leaves[lot.IntN(len(leaves))]
	chosen.change()
	text, _ = json.Marshal(v)
	if json.Unmarshal(text, p) != nil || events.EncodePayload(p) == e.Payload {
		return ""
	}
	e.Payload = events.EncodePayload(p)
	return chosen.path
}

// TestLostSecretDecidesNothing: where the openings of a record are lost, a command that turns on one of them is neither
// allowed nor refused, and nothing is recorded. What turns on none is heard as ever.
func TestLostSecretDecidesNothing(t *testing.T) {
	c := newHost(t).open("lost", "readers", nil)
	c.must("turn: Spring 1941\nentries:\n  - {id: points, allocate: {side: Britain, project: Ultra, points: 4}}\n")
	f := c.copyOf(t)
	var records []events.Record
	for i, r := range c.records(0, campaign.Everything) {
		r.Sequence = uint64(i) + 1
		records = append(records, r)
	}
	if err := f.ledger.Adopt(records, nil); err != nil {
		t.Fatal(err)
	}
	lost := &harness{host: f, id: c.id, seat: campaign.UmpireSeat}
	before := lost.now().Next
	for _, text := range []string{
		`{id: a, produce: {side: Britain, project: Ultra, card: tactical}}`,
		`{id: b, allocate: {side: Britain, project: Ultra, points: -1}}`,
	} {
		commands, err := lost.entries("entries:\n  - " + text + "\n")
		if err != nil {
			t.Fatal(err)
		}
		if _, err := lost.hear(commands[0]); !errors.Is(err, rehear.ErrSealed) || lost.now().Next != before {
			t.Errorf("%s: %v", text, err)
		}
	}
	lost.must("entries:\n  - {id: more, allocate: {side: Britain, project: Ultra, points: 3}}\n  - {id: cards, " +
		"draw: Ultra}\n")
	if a, err := lost.hear(rules.Command{ID: "sealed", Seat: campaign.UmpireSeat, Verb: "allocate", Turn: "Spring 1941",
		Body: json.RawMessage(
			`{"allocate":{"side":"Britain","project":"Ultra","points":{"sealed":"points","event":4}}}`)}); err != nil ||
		a.Verdict != rules.Refused {
		t.Errorf("a figure may be said to be sealed: %+v %v", a, err)
	}
}
