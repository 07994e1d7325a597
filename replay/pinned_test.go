package replay_test

import (
	"errors"
	"iter"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/awaw"
)

// A campaign says by which rules it is judged, and which types of event it may have.
func TestOpeningIsPinned(t *testing.T) {
	for _, s := range every {
		if s.Revision == 0 || len(s.Types) == 0 {
			t.Errorf("%s: revision %d, %d types", s.Name, s.Revision, len(s.Types))
		}
	}
	c := newHost(t).open("pinned", "pinned", asked)
	first := c.all()[0]
	var p events.CampaignOpened
	s := awaw.System()
	if !first.Read(&p) || first.Schema != 2 || p.Rules != s.Fingerprint(s.Editions[0]) {
		t.Errorf("schema %d, rules %s", first.Schema, p.Rules)
	}
	for _, name := range p.Requires {
		if !events.Known(events.Type(name)) {
			t.Errorf("it requires %q", name)
		}
	}
	for _, want := range []string{"card_negated", "corrected", "rules_changed"} {
		if !slices.Contains(p.Requires, want) {
			t.Errorf("it does not require %s", want)
		}
	}
	if slices.Contains(p.Requires, "convoy_raided") {
		t.Error("it requires an event of another system")
	}
}

// TestRequiredTypes plays campaigns of every system: no event has a type that the opening does not name.
func TestRequiredTypes(t *testing.T) {
	for seed := range uint64(longrun.Of(1, 2)) {
		for _, c := range []*harness{
			newHost(t).open("required", "simulation", asked),
			newHost(t).onBoard("straits")("required", "simulation", askedRaids),
			newHost(t).recited("pacific-patrol-1942", "required", "simulation", false),
			newHost(t).recited("two-oceans-1941", "required", "simulation", true),
		} {
			playMost(t, c, seed)
			all := c.all()
			var p events.CampaignOpened
			all[0].Read(&p)
			for _, e := range all {
				if !slices.Contains(p.Requires, string(e.Type)) {
					t.Errorf("%s: %s is not required", c.id.Name, e.Type)
				}
			}
		}
	}
}

// Another build says so before it records anything, and not when it looks or refuses.
func TestAnotherBuildGoesOn(t *testing.T) {
	d := newHost(t)
	c := d.open("rebuilt", "rebuilt", asked)
	c.must("turn: Spring 1940\nentries:\n  - {id: war, declare war: {by: Germany, on: United States}}\n")
	before := c.now().Next
	was := c.now().Rules
	d.rebuilt()
	if a, err := c.put(step{command: rules.Command{ID: "no", Seat: c.seat, Verb: "declare war",
		Body: []byte(`{"declare war":{"by":"Atlantis","on":"Mu"}}`)}}); err != nil || a.Verdict != rules.Refused {
		t.Fatalf("%+v, %v", a, err)
	}
	if got := c.now().Next; got != before {
		t.Errorf("a refusal leaves %d events instead of %d", got, before)
	}
	c.must("turn: Summer 1940\n")
	e := c.events(before, before+1)[0]
	var p events.RulesChanged
	if !e.Read(&p) || p.Was != was || p.Rules == was || p.Rules != c.now().Rules || len(p.Requires) == 0 {
		t.Errorf("%s: %+v", e.Type, p)
	}
	if a, err := c.umpire.Undo(c.id.ID, before, "no"); err == nil && a.Verdict == rules.Allowed {
		t.Error("a change of rules was undone")
	}
	next := c.now().Next
	c.must("turn: Fall 1940\n")
	if c.events(next, next+1)[0].Type == "rules_changed" {
		t.Error("it is said twice")
	}
	if f, _ := c.tried(); len(f) > 0 {
		t.Error(f)
	}
	trial, err := c.umpire.Trial(c.id.ID)
	if err != nil {
		t.Fatal(err)
	}
	trial.Records = retold(trial.Records, func(e *events.Event) {
		if p := (events.RulesChanged{}); e.Read(&p) {
			p.Was[0]++
			e.Payload = events.EncodePayload(&p)
		}
	})
	if a, err := trial.Audit(nil); err != nil || len(a.Findings) != 1 || a.Findings[0].Event != before ||
		a.Findings[0].Field != "was" {
		t.Errorf("another fingerprint before it: %v, %v", a.Findings, err)
	}
}

// retold changes events of a record on the way to a trial, which does not look at hashes.
func retold(records campaign.Records, change func(e *events.Event)) campaign.Records {
	return func(from, to uint64) iter.Seq2[events.Record, error] {
		return func(yield func(events.Record, error) bool) {
			for r, err := range records(from, to) {
				if err == nil {
					e, _ := events.Decode(r.Bytes)
					change(&e)
					r.Bytes = e.Encode()
				}
				if !yield(r, err) {
					return
				}
			}
		}
	}
}

// What another build judged otherwise is not checked, and what it judged alike is; by a build of one's own it is a
// finding.
func TestJudgedByAnotherBuild(t *testing.T) {
	d := newHost(t)
	c := d.onBoard("straits")("elsewhere", "elsewhere", nil)
	c.must("turn: Round 1\nentries:\n  - {id: russia, collect income: Russia}\n  - {id: germany, collect " +
		"income: Germany}\n")
	trial, err := c.umpire.Trial(c.id.ID)
	if err != nil {
		t.Fatal(err)
	}
	honest, changed := trial.Records, uint64(0)
	for _, other := range []bool{false, true} {
		trial.Records = retold(honest, func(e *events.Event) {
			var p events.IncomeCollected
			var opened events.CampaignOpened
			switch {
			case e.Read(&p) && e.Side == "Russia":
				p.Net++
				e.Payload, changed = events.EncodePayload(&p), e.Index
			case other && e.Read(&opened):
				opened.Rules[0]++
				e.Payload = events.EncodePayload(&opened)
			}
		})
		a, err := trial.Audit(nil)
		if err != nil {
			t.Fatal(err)
		}
		accused := slices.ContainsFunc(a.Findings, func(f review.Finding) bool { return f.Event == changed })
		excused := slices.ContainsFunc(a.Unchecked, func(u review.Unchecked) bool {
			return u.Event <= changed && strings.Contains(u.Reason, "another build")
		})
		if accused == other || excused != other {
			t.Errorf("another build %t: findings %v, unchecked %v", other, a.Findings, a.Unchecked)
		}
		for _, u := range a.Unchecked {
			if other && u.Command != a.Unchecked[0].Command {
				t.Errorf("%s is not checked either", u.Command)
			}
		}
	}
}

// A program that does not know all that a campaign needs reads it and does not write.
func TestNotKnown(t *testing.T) {
	d := newHost(t)
	c := d.open("later", "later", asked)
	c.must("turn: Spring 1940\n")
	next := c.now().Next
	d.systems = slices.Clone(every)
	for i := range d.systems {
		d.systems[i].Editions = slices.Clone(d.systems[i].Editions)
		for k := range d.systems[i].Editions {
			d.systems[i].Editions[k].Hash[0]++ // as where a printed price is another
		}
	}
	d.replaceUmpire()
	if err := submitted(c); !errors.Is(err, campaign.ErrNotKnown) || !strings.Contains(err.Error(), "edition") {
		t.Errorf("without the edition: %v", err)
	}
	d.systems = nil
	d.replaceUmpire()
	if err := c.umpire.Require(c.id.ID, "ship_renamed"); err != nil {
		t.Fatal(err)
	}
	d.replaceUmpire()
	if err := submitted(c); !errors.Is(err, campaign.ErrNotKnown) || !strings.Contains(err.Error(), "ship_renamed") {
		t.Errorf("without a type: %v", err)
	}
	at := c.at()
	if at.Next != next+1 || !slices.Equal(at.Unknown.Types, []string{"ship_renamed"}) {
		t.Errorf("%d events, unknown %v", at.Next, at.Unknown)
	}
}

// submitted hears an entry that is well formed.
func submitted(c *harness) error {
	_, err := c.umpire.Hear(c.id.ID, rules.Command{
		ID: "summer", Seat: c.seat, Verb: "turn", Body: []byte(`{"turn":"Summer 1940"}`),
	})
	return err
}

// TestThereAndBack: a campaign goes on under another build and then under the first again. Corrections, their undo,
// what-if from every moment, audit and the files of all readers work across both changes.
func TestThereAndBack(t *testing.T) {
	d := newHost(t)
	c := d.open("back", "s1", nil)
	a := c.must(atlanticOf34)
	there := func(n int) {
		if n == 1 {
			d.rebuilt()
			return
		}
		d.systems = nil
		d.replaceUmpire()
	}
	for n := range 4 {
		there(n % 2)
		before := c.at().Next
		c.mistyped(a[1].First, []string{"34", "43", "35", "53"}[n], []string{"43", "35", "53", "44"}[n])
		if n > 0 && c.events(before, before+1)[0].Type != "rules_changed" {
			t.Errorf("%d: another build went on without a word", n)
		}
		c.ruleVoid(c.at().Next - 1)
		c.ruleVoid(c.at().Next - 1) // the correction stands again
		c.sound()
		c.listedLaw()
	}
	for at := uint64(1); at < c.at().Next; at++ {
		c.unchanged(at)
	}
	var seen tally
	c.filesLaw(&seen)
}
