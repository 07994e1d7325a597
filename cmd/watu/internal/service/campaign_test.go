package service

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/fixtures"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/chance"
)

// played opens a service in a fresh directory and plays the bundled campaigns in it.
func played(t *testing.T) *Service {
	t.Helper()
	c := began(t)
	for _, k := range fixtures.Campaigns() {
		play(t, c, k)
	}
	return c
}

// began opens a service in a fresh directory.
func began(t *testing.T) *Service {
	t.Helper()
	f, err := New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"), maintenance.Options{Begin: true,
		Say: func(line string) {
			t.Log(line)
		}}))
	if err != nil {
		t.Fatal(err)
	}
	c := f
	t.Cleanup(func() {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	})
	return c
}

func play(t *testing.T, c *Service, k fixtures.Campaign) {
	t.Helper()
	opened(t, c, k)
	for _, file := range k.Files {
		submitted(t, c, k, file)
	}
}

func opened(t *testing.T, c *Service, k fixtures.Campaign) {
	t.Helper()
	n := replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Note: k.Note, Seed: k.Seed}
	for _, file := range k.Board {
		n.Board = append(n.Board, rules.BoardFile(file))
	}
	for _, s := range k.Seats {
		n.Seats = append(n.Seats, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	if _, err := c.OpenCampaign(n); err != nil {
		t.Fatal(err)
	}
}

// submitted hands in one file of a bundled campaign.
func submitted(t *testing.T, c *Service, k fixtures.Campaign, file fixtures.File) {
	t.Helper()
	if file.Kind == fixtures.Correction {
		a := CorrectionRequest{Event: resultOf(t, c, k.Name, file.Entry), Name: file.Name, Text: string(file.Data)}
		if _, err := c.Correct(k.Name, umpire, a); err != nil {
			t.Fatal(err)
		}
		return
	}
	if file.Kind == fixtures.Move {
		if _, err := c.MoveEdition(k.Name, replay.NewEdition{To: file.To, Reason: file.Reason}); err != nil {
			t.Fatal(err)
		}
		return
	}
	var done Submitted
	if err := into(&done)(c.Submit(t.Context(), k.Name, umpire,
		Submission{Name: file.Name, Text: string(file.Data)})); err != nil {
		t.Fatal(err)
	}
	if (done.Problem != nil) != (file.Expect == fixtures.Refused) {
		t.Fatalf("%s: %v", file.Name, done.Problem)
	}
}

// into keeps what is answered.
func into[T any](at *T) func(T, error) error {
	return func(v T, err error) error {
		*at = v
		return err
	}
}

// umpire and public are viewers of every campaign.
var umpire, public = timeline.Viewer{As: timeline.Umpire}, timeline.Viewer{As: timeline.Public}

// viewAs gives a view after an event, for whoever is called so.
func viewAs(t *testing.T, c *Service, campaign, as, projection string, at uint64) (timeline.View, error) {
	viewer, err := c.Viewer(campaign, as)
	if err != nil {
		return timeline.View{}, err
	}
	return c.View(t.Context(), campaign, viewer, projection, fmt.Sprintf("#%d", at))
}

func logOf(t *testing.T, c *Service, campaign string) []timeline.LogEvent {
	t.Helper()
	var all []timeline.LogEvent
	err := c.ReadLog(t.Context(), campaign, timeline.LogRange{}, func(l timeline.LogEvent) error {
		all = append(all, l)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// resultOf gives the event that an entry came to: its result, or what it reported.
func resultOf(t *testing.T, c *Service, campaign, entry string) uint64 {
	t.Helper()
	index := uint64(0)
	for _, l := range logOf(t, c, campaign) {
		if l.CommandID == entry && l.Corrects == 0 && (l.Type == "result_adjudicated" || index == 0) {
			index = l.Index
		}
	}
	return index
}

// Every event of the bundled campaigns is explained, and every result justified: dice that
// follow from an anchored link, tables with the cells lit, modifiers with rules that add up.
func TestExplanationJustifiesEveryResult(t *testing.T) {
	t.Parallel()
	c := played(t)
	results, lit := 0, 0
	for _, k := range fixtures.Campaigns() {
		for _, l := range logOf(t, c, k.Name) {
			var x Explanation
			if err := into(&x)(c.Explain(t.Context(), k.Name, l.Index)); err != nil {
				t.Fatalf("#%d: %v", l.Index, err)
			}
			if x.Narration == "" || strings.Contains(x.Narration, "later version") || !x.Edition.Here ||
				x.Command.Verb == "" {
				t.Errorf("#%d is not explained: %+v", l.Index, x)
			}
			diceOf(t, k.Name, x)
			for _, d := range x.Disclosures {
				if !d.Fits {
					t.Errorf("#%d: %s of #%d does not open what was committed", l.Index, d.Slot, d.Index)
				}
			}
			if x.Result == nil {
				continue
			}
			results++
			lit += justified(t, x)
		}
	}
	if results < 20 || lit < 40 {
		t.Errorf("%d results with %d tables lit: the campaign tests little", results, lit)
	}
}

// restOn are events of the bundled campaigns, and the rolls that they rest on.
var restOn = map[string][]uint64{
	"two-oceans-1941 #153":  {149}, // interceptors shot down
	"two-oceans-1941 #154":  {149}, // which aircraft does the attacker lose?
	"two-oceans-1941 #155":  nil,   // a choice
	"two-oceans-1941 #157":  {157},
	"two-oceans-1941 #163":  {149, 157, 160},
	"two-oceans-1941 #164":  {149, 157, 160},
	"two-oceans-1941 #184":  {179}, // lost to AA fire, after its result
	"second-front-1944 #27": {24}, "second-front-1944 #74": {66},
	"pacific-patrol-1942 #82": {77}, "pacific-patrol-1942 #88": {83}, // two patrols of one command
	"atlantic-and-pacific #310": nil, "atlantic-and-pacific #316": {314}, "atlantic-and-pacific #320": {317},
}

// diceOf checks that an event that names a roll has its dice, and that those of restOn have theirs.
func diceOf(t *testing.T, campaign string, x Explanation) {
	t.Helper()
	p, _ := x.Event.Payload.(events.Payload)
	for relation, of := range events.Refs(p) {
		if relation == "roll" && *of != 0 && (x.Roll == nil || !x.Roll.Follows) {
			t.Errorf("%s #%d names the roll #%d: %+v", campaign, x.Event.Index, *of, x.Roll)
		}
	}
	want, listed := restOn[fmt.Sprintf("%s #%d", campaign, x.Event.Index)]
	var got []uint64
	for _, r := range x.Earlier {
		got = append(got, r.Declared)
	}
	if x.Roll != nil {
		got = append(got, x.Roll.Declared)
	}
	if listed && !slices.Equal(got, want) {
		t.Errorf("%s #%d rests on the rolls %v, not %v", campaign, x.Event.Index, got, want)
	}
}

// justified checks one result and gives how many of its readings have a lit table.
func justified(t *testing.T, x Explanation) (lit int) {
	t.Helper()
	r := x.Roll
	if r == nil || !r.Follows || len(r.Links) != 1 || !r.Links[0].Anchored ||
		len(x.Derivation) == 0 && x.Result.Procedure != rules.VerbRoll {
		t.Fatalf("#%d: the dice are not accounted for: %+v", x.Event.Index, r)
	}
	sum := 0
	for _, m := range x.Result.Modifiers {
		sum += m.Value
		if m.Rule == "" {
			t.Errorf("#%d: modifier %s without a rule", x.Event.Index, m.Name)
		}
	}
	if sum != x.Result.Net {
		t.Errorf("#%d: the modifiers add up to %d, not %d", x.Event.Index, sum, x.Result.Net)
	}
	for _, reading := range x.Result.Readings {
		if reading.Lit != "" {
			lit++
		}
		if len(reading.Rows) > 0 && strings.Count(reading.Lit, "[") != len(slices.Compact(slices.Clone(reading.Rows))) {
			t.Errorf("#%d: %v is lit as\n%s", x.Event.Index, reading.Rows, reading.Lit)
		}
	}
	return lit
}

// A corrected result is told beside the one in its place, each with its own declaration.
func TestExplanationOfACorrection(t *testing.T) {
	t.Parallel()
	c := played(t)
	for _, k := range fixtures.Campaigns() {
		for _, file := range k.Files {
			if file.Kind != fixtures.Correction {
				continue
			}
			var was, is Explanation
			if err := into(&was)(c.Explain(t.Context(), k.Name, correctedOf(t, c, k.Name, file.Entry))); err != nil {
				t.Fatal(err)
			}
			if was.Correction == nil || was.Correction.Reason == "" || len(was.Correction.Changes) == 0 {
				t.Fatalf("the correction is not told: %+v", was.Correction)
			}
			if err := into(&is)(c.Explain(t.Context(), k.Name, was.Correction.By)); err != nil {
				t.Fatal(err)
			}
			if is.Correction.Event != was.Event.Index || is.Event.Corrects != was.Event.Index {
				t.Errorf("#%d corrects %d, and #%d is told", is.Event.Index, is.Event.Corrects, is.Correction.Event)
			}
			if was.Roll == nil {
				continue // what was reported had no dice
			}
			for i := range was.Roll.Throws {
				if !slices.Equal(was.Roll.Throws[i].Fell, is.Roll.Throws[i].Fell) {
					t.Error("a correction has other dice")
				}
			}
		}
	}
}

// correctedOf gives the event of an entry in whose place another stands.
func correctedOf(t *testing.T, c *Service, campaign, entry string) uint64 {
	t.Helper()
	for _, l := range logOf(t, c, campaign) {
		if l.CommandID == entry && l.CorrectedBy != 0 && l.Type != "roll_declared" {
			return l.Index
		}
	}
	t.Fatalf("nothing of %q is corrected", entry)
	return 0
}

// canaries are what must never be seen: salts that open nothing yet, links not revealed, the
// campaign's secret, in every form in which they might be written.
func canaries(t *testing.T, f *Service, c ledger.Campaign, listed []timeline.LogEvent) []string {
	t.Helper()
	keys := keys.NewKeys(filepath.Join(f.Dir(), "secrets"))
	secrets, err := keys.Secrets(c.ID)
	if err != nil {
		t.Fatal(err)
	}
	secret := secrets.ForEpoch(1)
	hidden := []events.Hash{secret}
	all, err := f.Ledger().Openings(c.ID, 0, c.Events)
	if err != nil {
		t.Fatal(err)
	}
	open := map[events.Ref]bool{}
	for _, l := range listed {
		for _, o := range l.Openings {
			open[events.Ref{Index: o.Index, Slot: o.Slot}] = true
		}
	}
	for _, o := range all {
		if !open[events.Ref{Index: o.Index, Slot: o.Slot}] {
			hidden = append(hidden, o.Salt)
		}
	}
	for _, side := range f.System("awaw").Sides {
		chain := chance.NewChain(chance.ChainSeed(secret, c.ID, 1, chance.Draws(side)), chance.Length)
		for k := uint64(1); k <= 20; k++ {
			hidden = append(hidden, chain.Link(k))
		}
	}
	dice := chance.NewChain(chance.ChainSeed(secret, c.ID, 1, chance.Dice), chance.Length)
	hidden = append(hidden, dice.Link(chance.Length), dice.Link(500))
	var words []string
	for _, h := range hidden {
		words = append(words, h.String(), strings.ToUpper(h.String()), base64.StdEncoding.EncodeToString(h[:]),
			string(h[:]))
	}
	return words
}

// Nothing that anyone may read tells what is sealed: log, explanations, public views; and the
// view of a side tells nothing of another's cards beyond the public one.
func TestNothingSealedIsTold(t *testing.T) {
	t.Parallel()
	c := played(t)
	for _, k := range fixtures.Campaigns() {
		if k.System != "awaw" {
			continue // the others seal nothing
		}
		campaign, err := c.Find(k.Name)
		if err != nil {
			t.Fatal(err)
		}
		listed := logOf(t, c, k.Name)
		seen := publicOf(t, c, campaign, listed)
		hidden := canaries(t, c, campaign, listed)
		if len(hidden) < 400 {
			t.Fatalf("only %d canaries", len(hidden))
		}
		for _, word := range hidden {
			if bytes.Contains(seen, []byte(word)) {
				t.Fatalf("%q is told", word)
			}
		}
		for _, side := range c.System("awaw").Sides {
			sameForOthers(t, c, k.Name, side)
		}
	}
}

// publicOf gathers what anyone may read of a campaign.
func publicOf(t *testing.T, c *Service, campaign ledger.Campaign, listed []timeline.LogEvent) []byte {
	t.Helper()
	var seen bytes.Buffer
	w := json.NewEncoder(&seen)
	add := func(v any) {
		if err := w.Encode(v); err != nil {
			t.Fatal(err)
		}
	}
	for _, l := range listed {
		add(l)
		var x Explanation
		if err := into(&x)(c.Explain(t.Context(), campaign.Name, l.Index)); err != nil {
			t.Fatal(err)
		}
		add(x)
	}
	for _, name := range []string{"pools", "strategic"} {
		var v timeline.View
		if err := into(&v)(c.View(t.Context(), campaign.Name, public, name, "")); err != nil {
			t.Fatal(err)
		}
		add(v)
	}
	for r, err := range c.Ledger().Read(campaign.ID, 0, campaign.Events) {
		if err != nil {
			t.Fatal(err)
		}
		seen.Write(r.Bytes)
	}
	return seen.Bytes()
}

// sameForOthers holds a side's view of the other sides' pools against the public one, after
// every event.
func sameForOthers(t *testing.T, c *Service, campaign, side string) {
	t.Helper()
	for at := 0; at < len(logOf(t, c, campaign)); at += 7 {
		own, public := poolsAs(t, c, campaign, side, at), poolsAs(t, c, campaign, "", at)
		for i := range own {
			a, _ := json.Marshal(own[i])
			b, _ := json.Marshal(public[i])
			if own[i].Side != side && !bytes.Equal(a, b) {
				t.Fatalf("after #%d %s sees of %s\n%s\nand the public\n%s", at, side, own[i].Side, a, b)
			}
			if own[i].Side == side && own[i].Unknown+own[i].Hand.Hidden != 0 {
				t.Fatalf("after #%d %s does not know its own cards: %s", at, side, a)
			}
		}
	}
}

func poolsAs(t *testing.T, c *Service, campaign, as string, at int) []pools.Pool {
	t.Helper()
	v, err := viewAs(t, c, campaign, as, "pools", uint64(at))
	if err != nil {
		t.Fatal(err)
	}
	var r pools.Report
	if err := json.Unmarshal(v.Report, &r); err != nil {
		t.Fatal(err)
	}
	return r.Pools
}

// A file checked from its first entry to its last stops where the umpire would, and records
// nothing.
func TestRehearsalAgreesWithTheUmpire(t *testing.T) {
	t.Parallel()
	f, err := New(maintenance.Open(t.Context(), filepath.Join(t.TempDir(), "ledger"), maintenance.Options{Begin: true}))
	if err != nil {
		t.Fatal(err)
	}
	c := f
	defer c.Close()
	k := fixtures.Campaigns()[0]
	n := replay.NewCampaign{Name: k.Name, System: k.System, Options: k.Options, Seed: k.Seed}
	if _, err := c.OpenCampaign(n); err != nil {
		t.Fatal(err)
	}
	for _, file := range k.Files {
		if file.Kind != fixtures.Turn {
			continue
		}
		before, _ := f.Find(k.Name)
		var checked, done Submitted
		sent := Submission{Name: file.Name, Text: string(file.Data), Check: true}
		if err := into(&checked)(c.Submit(t.Context(), k.Name, umpire, sent)); err != nil {
			t.Fatal(err)
		}
		if after, _ := f.Find(k.Name); after != before {
			t.Fatalf("%s: a check has recorded something", file.Name)
		}
		sent.Check = false
		if err := into(&done)(c.Submit(t.Context(), k.Name, umpire, sent)); err != nil {
			t.Fatal(err)
		}
		if checked.Problem != nil && (done.Problem == nil || checked.Problem.Error() != done.Problem.Error()) {
			t.Errorf("%s: checked %v, heard %v", file.Name, checked.Problem, done.Problem)
		}
		if checked.FormOnly == "" && done.Problem != nil && checked.Problem == nil {
			t.Errorf("%s: the check has missed %v", file.Name, done.Problem)
		}
	}
}
