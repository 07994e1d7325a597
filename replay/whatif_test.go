package replay_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/replay/whatif"
)

// unchanged holds the law: with nothing changed a what-if is the record, event for event.
func (c *harness) unchanged(at uint64) {
	c.t.Helper()
	h, err := whatif.Run(c.umpire, c.id.ID, whatif.Scenario{At: at})
	if err != nil {
		c.t.Fatalf("from #%d: %v", at, err)
	}
	for _, u := range h.Unheard {
		c.t.Errorf("from #%d (%d): %s %q came to nothing: %s %v", at, h.From, u.Verb, u.Command, u.Say, u.Violations)
	}
	for _, d := range h.Differences {
		c.t.Errorf("from #%d (%d): %v %v\n%+v\n%+v", at, h.From, d.Fields, d.Reasons, d.Recorded, d.Hypothetical)
	}
	if h.First != nil || len(h.Fresh) > 0 {
		c.t.Errorf("from #%d: %d rolls are new", at, len(h.Fresh))
	}
	recorded := c.all()
	if h.Events() != uint64(len(recorded)) {
		c.t.Fatalf("from #%d: %d events, and %d in the record", at, h.Events(), len(recorded))
	}
	for r, err := range h.Records() {
		if err != nil {
			c.t.Fatal(err)
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			c.t.Fatal(err)
		}
		if was, is := plainly(&recorded[r.Index]), plainly(&e); was != is {
			c.t.Fatalf("from #%d: event %d is\n%s\ninstead of\n%s", at, r.Index, is, was)
		}
	}
	if c.t.Failed() {
		c.t.FailNow()
	}
}

// plainly is what an event says, apart from its names, times, salts and links.
func plainly(e *events.Event) string {
	payload := e.Payload
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.EpochBegun:
		p.Chains = nil
		payload = events.EncodePayload(p)
	}
	var slots, opened []string
	for _, c := range e.Commitments {
		slots = append(slots, c.Slot)
	}
	for _, o := range e.Openings {
		opened = append(opened, fmt.Sprint(o.Index, o.Slot, o.Fact))
	}
	return fmt.Sprintf("%d %s %v %q %q %q %q %d %x %v %q %q %d %d %q", e.Index, e.Type, e.Turn, e.Phase, e.Seat, e.Side,
		e.Command, e.Epoch,
		payload, e.Derivation, slots, opened, e.Corrects, e.Replaces, e.Request)
}

// played plays a campaign at random to its end.
func played(c *harness, seed uint64) *player {
	p := newPlayer(c, seed)
	p.turns(p.length(), func() {})
	return p
}

// TestWhatIfNothing: over simulations of every system, from the beginning and from anywhere.
func TestWhatIfNothing(t *testing.T) {
	t.Parallel()
	check := func(p *player) {
		p.c.unchanged(0)
		for range longrun.Of(1, 3) {
			p.c.unchanged(uint64(p.IntN(int(p.c.at().Next))))
		}
	}
	for seed := range uint64(longrun.Of(1, 2)) {
		for _, c := range manners(fmt.Sprintf("simulation-%d", seed), newHost(t), newHost(t)) {
			check(played(c[0], seed))
		}
		for _, name := range []string{"pacific-patrol-1942", "second-front-1944", "two-oceans-1941"} {
			check(played(newHost(t).recited(name, fmt.Sprintf("%s-%d", name, seed), "simulation", seed%2 == 1), seed))
		}
	}
}

// changes reads changes, one a line.
func changes(text string) ([]turnfile.Change, error) {
	var list []turnfile.Change
	for line := range strings.Lines(text) {
		k, err := turnfile.ParseChange(line)
		if err != nil {
			return nil, err
		}
		list = append(list, k)
	}
	return list, nil
}

// whatIf tells a what-if: what comes to nothing, then the events that differ, recorded and
// hypothetical, with their fields; secrets in brackets.
func (c *harness) whatIf(at uint64, text string) string {
	list, err := changes(text)
	if err != nil {
		return err.Error()
	}
	before, files := c.at(), c.files()
	h, err := whatif.Run(c.umpire, c.id.ID, whatif.Scenario{At: at, Changes: list, Seed: "1"})
	if err != nil {
		return err.Error()
	}
	if now := c.at(); now.Head != before.Head || now.Next != before.Next || c.files() != files {
		c.t.Errorf("a hypothesis changed the record: %d events, then %d", before.Next, now.Next)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "from %d: %d heard, %d events\n", h.From, h.Heard, h.Events())
	for _, u := range h.Unheard {
		fmt.Fprintf(&b, "! %d %s %s: %s", u.Recorded, u.Command, u.Why, u.Say)
		for _, v := range u.Violations {
			fmt.Fprintf(&b, " %s %s", v.Rule, v.Message)
		}
		if u.Question != nil {
			b.WriteString(u.Question.Text())
		}
		b.WriteByte('\n')
	}
	for _, d := range h.Differences {
		if d.Recorded != nil {
			fmt.Fprintf(&b, "- %s\n", line(d.Recorded))
		}
		if d.Hypothetical != nil {
			fmt.Fprintf(&b, "+ %s\n", line(d.Hypothetical))
		}
		for _, f := range append(d.Fields, d.Reasons...) {
			fmt.Fprintf(&b, "    %s: %s -> %s\n", f.Field, f.Recorded, f.Hypothetical)
		}
		for _, f := range d.Secrets {
			fmt.Fprintf(&b, "    [%s: %s -> %s]\n", f.Field, f.Recorded, f.Hypothetical)
		}
	}
	if len(h.Fresh) > 0 {
		fmt.Fprintf(&b, "new dice or cards: %v, of %s\n", h.Fresh, h.Seed)
	}
	if h.Open != nil {
		fmt.Fprintf(&b, "open: %s: %s\n", h.Open.Of(), h.Open.Text())
	}
	again, err := whatif.Run(c.umpire, c.id.ID, whatif.Scenario{At: at, Changes: list, Seed: "1"})
	if err != nil {
		c.t.Fatal(err)
	}
	if was, is := fmt.Sprintf("%v", eventsOf(c, h)), fmt.Sprintf("%v", eventsOf(c, again)); was != is {
		c.t.Errorf("two runs differ:\n%s\n%s", was, is)
	}
	return b.String()
}

// eventsOf is every event of a what-if, without names and times.
func eventsOf(c *harness, h *whatif.Result) []string {
	var list []string
	for r, err := range h.Records() {
		if err != nil {
			c.t.Fatal(err)
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			c.t.Fatal(err)
		}
		list = append(list, meaning(&e))
	}
	return list
}

// files sums the contents of the record's directory but for what Pebble and the checkpoint do in
// their own time.
func (c *harness) files() string {
	var b strings.Builder
	err := filepath.WalkDir(c.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.Contains(path, "CHECKPOINT") {
			return err
		}
		text, err := os.ReadFile(path)
		fmt.Fprintf(&b, "%s %x\n", path, sha256.Sum256(text))
		return err
	})
	if err != nil {
		c.t.Fatal(err)
	}
	return b.String()
}

// TestWhatIf plays the transcripts of testdata/whatif: those of TestTranscripts, and
//
//	whatif [at=N]                    a what-if; a change a line
func TestWhatIf(t *testing.T) {
	datadriven.Walk(t, "testdata/whatif", func(t *testing.T, path string) {
		var c *harness
		datadriven.RunTest(t, path, func(t *testing.T, d *datadriven.TestData) string {
			switch d.Cmd {
			case "open":
				c = openTranscript(t, d)
				return line(&c.all()[0])
			case "whatif":
				at := uint64(0)
				d.MaybeScanArgs(t, "at", &at)
				return c.whatIf(at, d.Input)
			}
			return c.transcribe(d)
		})
	})
}

// TestWhatIfSecret: dice and cards of a what-if need nothing of the secret from which those to
// come grow.
func TestWhatIfSecret(t *testing.T) {
	c := newHost(t).open("simulation-5", "simulation", asked)
	played(c, 5)
	middle := c.at().Next / 2
	changes := []turnfile.Change{{Kind: "option", Name: "low_roll", Values: []string{"no_effect"}}}
	with, err := whatif.Run(c.umpire, c.id.ID, whatif.Scenario{At: middle, Changes: changes, Seed: "1"})
	if err != nil {
		t.Fatal(err)
	}
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		t.Error(err)
	}
	c.umpire = replay.NewUmpire(c.ledger, keys.NewKeys(t.TempDir()), replay.NewBoards(t.TempDir()), every...)
	without, err := whatif.Run(c.umpire, c.id.ID, whatif.Scenario{At: middle, Changes: changes, Seed: "1"})
	if err != nil {
		t.Fatal(err)
	}
	compare(t, "without the secret", eventsOf(c, without), eventsOf(c, with))
	other, err := whatif.Run(c.umpire, c.id.ID, whatif.Scenario{At: middle, Changes: changes, Seed: "2"})
	if err != nil {
		t.Fatal(err)
	}
	if len(with.Fresh) > 0 && slices.Equal(eventsOf(c, other), eventsOf(c, with)) {
		t.Error("another seed gives the same dice")
	}
}

// TestWhatIfCorrected: what was corrected, thrown again and undone comes out the same.
func TestWhatIfCorrected(t *testing.T) {
	c := newHost(t).open("corrected", "s1", nil)
	answers := c.must("turn: Fall 1941\nentries:\n" +
		"  - {id: cves, facts: {cves: {Atlantic: 13}}}\n" +
		"  - {id: atlantic, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, cards: []}\n" +
		"  - {id: pacific, submarine warfare: {box: Pacific, side: Japan, submarines: 6, asw: 7}, cards: []}\n" +
		"  - {id: radar, facts: {radar: {Germany: 2}}}\n")
	k := review.Correction{Event: answers[2].First, Code: "mistyped", Reason: "eight, not nine", Source: []byte("one"),
		Replace: replaced("34", "30")}
	if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	again := review.Correction{Event: answers[3].First, Code: "dispute", Reason: "it was cocked", Source: []byte("two"),
		Dice: review.DiceRuling{Again: true}}
	if a, err := c.umpire.Correct(c.id.ID, again); err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	last := c.must("entries:\n  - {id: slip, facts: {torpedo: {Germany: 3}}}\n")
	if a, err := c.umpire.Undo(c.id.ID, last[0].First, "a slip"); err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	c.must("entries:\n  - {id: indian, submarine warfare: {box: Indian Ocean, side: Japan, submarines: 2, asw: 3}, " +
		"cards: []}\n")
	for at := range c.at().Next {
		c.unchanged(at)
	}
	// Other dice for the command that was corrected: the correction is heard again on them.
	h, err := whatif.Run(c.umpire, c.id.ID,
		whatif.Scenario{Seed: "1", Changes: []turnfile.Change{{Kind: "without", Event: answers[2].First}}})
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Unheard) != 2 || h.Unheard[1].Verb != "correct" {
		t.Errorf("%+v", h.Unheard)
	}
}

// TestWhatIfPatchesEntries: a correction that was made on an entry as a ruling had left it brings its own change into a
// what-if in which the ruling comes to nothing, and not those of the ruling.
func TestWhatIfPatchesEntries(t *testing.T) {
	c := newHost(t).open("patched", "s1", nil)
	a := c.must("turn: Fall 1941\nentries:\n" +
		"  - {id: atlantic, submarine warfare: {box: Atlantic, submarines: 3, asw: 34}, cards: []}\n")
	result := c.lastOf("Fall 1941/atlantic", "result_adjudicated")
	c.must("entries:\n  - {id: d, dispute: {event: " + itoa(result) + ", claim: there were four}}\n")
	c.must("entries:\n  - {id: k, ruling: {dispute: " + itoa(result+1) + ", ruling: corrected, reason: there were, " +
		"replace: {submarine warfare: {submarines: 4}}}}\n")
	head, err := c.correct(result, "reason: misread\ncode: misread\nreplace:\n  submarine warfare: {asw: 30}\n")
	if err != nil || head.Verdict != "allowed" {
		t.Fatal(head, err)
	}
	for at := range c.at().Next {
		c.unchanged(at)
	}
	h, err := whatif.Run(c.umpire, c.id.ID,
		whatif.Scenario{Seed: "1", Changes: []turnfile.Change{{Kind: "die", Event: a[1].First + 2,
			Values: []string{"1", "1"}}}})
	if err != nil {
		t.Fatal(err)
	}
	var last events.Event
	for r, err := range h.Records() {
		if err != nil {
			t.Fatal(err)
		}
		if e, err := events.Decode(r.Bytes); err == nil && e.Type == "corrected" {
			last = e
		}
	}
	if !strings.Contains(last.Request, `"asw":30,`) || !strings.Contains(last.Request, `"submarines":3`) {
		t.Errorf("corrected is %s; unheard %+v", last.Request, h.Unheard)
	}
}

// TestWhatIfUndone: what was undone is undone in a what-if too, also if it is entered otherwise there.
func TestWhatIfUndone(t *testing.T) {
	c := newHost(t).open("undone", "s1", nil)
	slip := c.must("turn: Fall 1941\nentries:\n  - {id: slip, facts: {torpedo: {Germany: 3}}}\n  - {id: other, " +
		"facts: {radar: {Germany: 2}}}\n")
	if a, err := c.umpire.Undo(c.id.ID, slip[1].First, "both"); err != nil || a.Events != 2 {
		t.Fatal(a, err)
	}
	for at := range c.at().Next {
		c.unchanged(at)
	}
	list, err := changes("entry #" + itoa(slip[1].First) + ": {facts: {torpedo: {Germany: 4}}}")
	if err != nil {
		t.Fatal(err)
	}
	h, err := whatif.Run(c.umpire, c.id.ID, whatif.Scenario{Seed: "1", Changes: list})
	if err != nil {
		t.Fatal(err)
	}
	var all []events.Event
	for r, err := range h.Records() {
		e, err2 := events.Decode(r.Bytes)
		if err != nil || err2 != nil {
			t.Fatal(err, err2)
		}
		all = append(all, e)
	}
	for _, e := range effective(all) {
		if e.Type == "fact_reported" {
			t.Errorf("#%d stands: %+v", e.Index, h.Unheard)
		}
	}
}

// TestWhatIfReopened: a question that an undo closed, and the undo of that opened again, is answered in a what-if as
// it was.
func TestWhatIfReopened(t *testing.T) {
	c := newHost(t).open("reopened", "s5", map[string]string{"blank_cards": "ask"})
	c.must("turn: Winter 1941\nentries:\n  - {id: points, allocate: {side: Japan, project: Magic, points: 3}}\n" +
		"  - {id: card, produce: {side: Japan, project: Magic, card: strategic}}\n")
	for range 2 {
		if a, err := c.umpire.Undo(c.id.ID, c.at().Next-1, "a slip"); err != nil || a.Verdict != "allowed" {
			t.Fatal(a, err)
		}
	}
	c.must("entries:\n  - {id: five, rule: {option: blank_cards, value: refused, reason: five are enough}}\n")
	for at := range c.at().Next {
		c.unchanged(at)
	}
}

// replaced replaces a word of an entry.
func replaced(was, now string) func(json.RawMessage) (json.RawMessage, []events.Change, error) {
	return func(entry json.RawMessage) (json.RawMessage, []events.Change, error) {
		is := bytes.Replace(entry, []byte(was), []byte(now), 1)
		return is, changesOf(entry, is), nil
	}
}

// changesOf lists what differs between two entries, as a correction tells it.
func changesOf(was, now json.RawMessage) []events.Change {
	var a, b any
	if json.Unmarshal(was, &a) != nil || json.Unmarshal(now, &b) != nil {
		return nil
	}
	return changesWithin("", a, b)
}

func changesWithin(path string, was, now any) (list []events.Change) {
	a, mapped := was.(map[string]any)
	b, both := now.(map[string]any)
	if !mapped || !both {
		x, _ := json.Marshal(was)
		y, _ := json.Marshal(now)
		if bytes.Equal(x, y) {
			return nil
		}
		return []events.Change{{Field: path, Was: string(x), Now: string(y)}}
	}
	all := maps.Clone(a)
	maps.Copy(all, b)
	for _, key := range slices.Sorted(maps.Keys(all)) {
		at := strings.TrimPrefix(path+"."+key, ".")
		x, had := a[key]
		y, has := b[key]
		of := changesWithin(at, x, y)
		for i := range of {
			if of[i].Field == at && !had {
				of[i].Was = ""
			}
			if of[i].Field == at && !has {
				of[i].Now = ""
			}
		}
		list = append(list, of...)
	}
	return list
}

// TestWhatIfOpenRoll: a record that ends while a table's dice are awaited, or typed and not confirmed, is played
// again to the same end: none are thrown for it.
func TestWhatIfOpenRoll(t *testing.T) {
	c := newHost(t).openAttested("open", "s1", nil)
	c.must("turn: Summer 1940\nfacts:\n  cves: {Atlantic: 7}\n  torpedo: {Germany: 1}\nentries:\n" +
		"  - {id: atl, submarine warfare: {box: Atlantic, submarines: 5, asw: 9}, cards: []}\n")
	c.unchanged(0)
	c.must("turn: Summer 1940\nentries:\n  - {id: fell, dice: [[3, 4], [6, 1]], by: Anna}\n")
	c.unchanged(0)
}
