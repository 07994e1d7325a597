package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// What is kept is pending until it is applied, under its own cause.
func TestPending(t *testing.T) {
	c := boatThatWasNotThere(t)
	k := correction(t, 4, noBoat)
	k.Default = review.Keep
	if _, err := c.umpire.Correct(c.id.ID, k); err != nil {
		t.Fatal(err)
	}
	c.sound()
	head := c.now().Next - 2
	pending := func(what, want string) {
		t.Helper()
		list, err := c.outstanding()
		if err != nil {
			t.Fatal(err)
		}
		same(t, what, planned(list), want)
	}
	const uk = "#13 [%s] of #22 (kept by #22); damage: 5 → 4; net: 11 → 12; treasury: 27 → 28; #12: " +
		"convoy raided " +
		"→ nothing\n"
	const us = "#18 [%s] of #22 (kept by #22); damage: 1 → 0; net: 22 → 23; treasury: 45 → 46; #17: " +
		"convoy raided " +
		"→ nothing\n"
	pending("kept", fmt.Sprintf(uk+us, "keep", "keep"))

	// The base of the income alone is corrected: the boat is not taken up silently.
	plan, err := c.propose(correction(t, 13, "code: mistyped\nreason: a base of 20\nreplace: "+
		"{collect income: {power: UK, base: 20}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "taken up", planned(plan.Absorbed), fmt.Sprintf(uk, "apply"))
	same(t, "what follows", planned(plan.Consequences), "#21 [apply]; treasury: 19 → 24")
	length := c.now().Next
	if _, err := plan.record(); err != nil {
		t.Fatal(err)
	}
	t.Log(strings.Join(c.lines(length), "\n"))
	c.sound()
	pending("one is left", fmt.Sprintf(us, "keep"))

	// What is left is applied: the step has its cause.
	k = review.Correction{Event: 18, Code: "applied", Reason: "it is applied after all"}
	a, err := c.umpire.Correct(c.id.ID, k)
	if err != nil {
		t.Fatal(err)
	}
	var p events.Corrected
	if e := c.events(a.First, a.First+1)[0]; !e.Read(&p) || p.Cause != head {
		t.Errorf("%+v has not the cause #%d", p, head)
	}
	c.sound()
	c.nothingPending()
}

// What somebody decided to keep stays kept, whatever is corrected or applied elsewhere, until it is named.
func TestKeptStaysKept(t *testing.T) {
	const fewer = "code: mistyped\nreason: one boat lay in SZ 8\nreplace: {facts.submarines.Germany: {SZ 8: 1}}\n"
	for _, x := range []struct {
		name string
		keep func(c *harness) error // after the correction of #22, which leaves #13 and #18
		by   uint64
	}{
		{"with the correction", func(c *harness) error {
			k := correction(t, 4, noBoat)
			k.Default, k.Decisions = review.Undecided, map[uint64]review.Decision{13: review.Keep}
			_, err := c.umpire.Correct(c.id.ID, k)
			return err
		}, 22},
		{"later", func(c *harness) error {
			k := correction(t, 4, noBoat)
			k.Default = review.Undecided
			if _, err := c.umpire.Correct(c.id.ID, k); err != nil {
				return err
			}
			_, err := c.umpire.KeepConsequence(c.id.ID, 13, "so it was played")
			return err
		}, 24},
	} {
		t.Run(x.name, func(t *testing.T) {
			c := boatThatWasNotThere(t)
			if err := x.keep(c); err != nil {
				t.Fatal(err)
			}
			pending := func(what, want string) {
				t.Helper()
				list, err := c.outstanding()
				if err != nil {
					t.Fatal(err)
				}
				same(t, what, planned(list), strings.ReplaceAll(want, "BY", fmt.Sprint(x.by)))
				c.sound()
			}
			const uk = "#13 [keep] of #22 (kept by #BY); damage: 5 → %d; net: 11 → %d; treasury: 27 → %d; #12: " +
				"convoy raided → nothing\n"
			const us = "#18 [undecided] of #22; damage: 1 → 0; net: 22 → 23; treasury: 45 → 46; #17: " +
				"convoy raided " +
				"→ nothing\n"
			pending("kept", fmt.Sprintf(uk, 4, 12, 28)+us)
			if _, err := c.umpire.Correct(c.id.ID, review.Correction{Event: 18, Code: "applied",
				Reason: "after all"}); err != nil {
				t.Fatal(err)
			}
			pending("another is applied", fmt.Sprintf(uk, 4, 12, 28))

			plan, err := c.propose(correction(t, 4, fewer))
			if err != nil {
				t.Fatal(err)
			}
			if x := plan.Consequences[0]; len(plan.Absorbed) > 0 || x.Event != 13 || x.Decision != review.Keep {
				t.Errorf("all is to be applied: %s", planned(plan.Consequences))
			}
			named, err := plan.decide(13, review.Apply)
			if err != nil || len(named.Absorbed) != 1 || named.Absorbed[0].Event != 13 ||
				named.Consequences[0].Decision != review.Apply {
				t.Errorf("it is named: %s%s%v", planned(named.Absorbed), planned(named.Consequences), err)
			}
			if _, err := plan.record(); err != nil {
				t.Fatal(err)
			}
			pending("with other figures", strings.Replace(fmt.Sprintf(uk, 2, 14, 30), "; #12",
				"; #11: convoy raided → nothing; #12", 1))
			if _, err := c.umpire.KeepConsequence(c.id.ID, 13, "again"); err == nil {
				t.Error("what is kept is kept again")
			}
			c.unchanged(0)
			if _, err := c.umpire.Undo(c.id.ID, c.now().Next-1, "a slip"); err != nil {
				t.Fatal(err)
			}
			pending("taken back", fmt.Sprintf(uk, 4, 12, 28))
			if _, err := c.umpire.Correct(c.id.ID, review.Correction{Event: 13, Code: "applied",
				Reason: "after all"}); err != nil {
				t.Fatal(err)
			}
			pending("it is applied", "")
		})
	}
}

// A consequence of an earlier program's correction, which left nothing, is pending and no finding; it is kept later.
func TestKeepLater(t *testing.T) {
	c := boatThatWasNotThere(t)
	k := correction(t, 4, noBoat)
	if _, err := c.umpire.CorrectAlone(c.id.ID, k); err != nil {
		t.Fatal(err)
	}
	c.sound()
	list, err := c.outstanding()
	if err != nil || len(list) != 2 || list[0].Decision != review.Undecided || list[0].Cause != 22 {
		t.Fatalf("%s%v", planned(list), err)
	}
	if _, err := c.umpire.KeepConsequence(c.id.ID, list[0].Event, "so it was played"); err != nil {
		t.Fatal(err)
	}
	same(t, "kept", strings.Join(c.lines(24), "\n"), "24 consequence kept")
	if list, err = c.outstanding(); err != nil || len(list) != 2 || list[0].Decision != review.Keep ||
		list[1].Decision != review.Undecided {
		t.Errorf("%s%v", planned(list), err)
	}
	c.sound()
	c.unchanged(0)
}

// A purchase that would be refused is voided, and the phase that it began stays: nothing of that is pending, whatever
// else is corrected and taken back, until the purchase would be allowed again.
func TestPhaseOfWhatIsVoided(t *testing.T) {
	c := newHost(t).onBoard("straits")("phase", "phase", nil)
	c.submit(`
turn: Round 1
entries:
  - {id: uk, collect income: UK}
`)
	c.submit(`
turn: Round 2
entries:
  - {id: uk-yards, purchase: {power: UK, units: {destroyer: 4}}}
`)
	income, bought := c.lastOf("Round 1/uk", "income_collected"), c.lastOf("Round 2/uk-yards", "units_purchased")
	if began := c.lastOf("Round 2/uk-yards", "phase_advanced"); began != bought-1 {
		t.Fatalf("#%d begins the phase of #%d", began, bought)
	}
	base := func(n int, rest review.Decision) {
		t.Helper()
		k := correction(t, income, fmt.Sprintf("code: mistyped\nreason: it is %d\nreplace: {collect income: {power: "+
			"UK, base: %d}}\n", n, n))
		k.Default = rest
		if _, err := c.umpire.Correct(c.id.ID, k); err != nil {
			t.Fatal(err)
		}
		c.sound()
	}
	base(2, review.Apply)
	if c.now().History.Stands(bought) || !c.now().History.Stands(bought-1) {
		t.Error("the purchase stands, or its phase does not")
	}
	c.nothingPending()
	for _, again := range []int{1, 20} { // impossible as before; allowed
		base(again, review.Keep)
		list, err := c.outstanding()
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if again == 20 {
			want = fmt.Sprintf("#%d [keep] of #%d (kept by #%d); #%[1]d: nothing → units purchased", bought,
				c.now().Next-2, c.now().Next-2)
		}
		same(t, fmt.Sprintf("a base of %d", again), planned(list), want)
		if _, err := c.umpire.Undo(c.id.ID, c.now().Next-1, "a slip"); err != nil {
			t.Fatal(err)
		}
		c.sound()
		c.nothingPending()
	}
}

// TestCorrectedWhileOpen: a fact is corrected while the dice of an entry that was judged on it are awaited. They are
// read as the entry was declared, and what the fact changes in that is pending, with the correction as its cause.
func TestCorrectedWhileOpen(t *testing.T) {
	c := newHost(t).openAttested("open", "s1", nil)
	a := c.must("turn: Summer 1940\nfacts:\n  cves: {Atlantic: 7}\n  torpedo: {Germany: 1}\nentries:\n" +
		"  - {id: atl, submarine warfare: {box: Atlantic, submarines: 5, asw: 9}, cards: []}\n")
	var fact uint64
	for _, e := range c.events(0, campaign.Everything) {
		var p events.FactReported
		if e.Read(&p) && p.Fact == "cves" {
			fact = e.Index
		}
	}
	head := c.now().Next
	k := correction(t, fact, "code: mistyped\nreason: one, not seven\nreplace: {facts: {cves: {Atlantic: 1}}}\n")
	if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	c.must("turn: Summer 1940\nentries:\n  - {id: fell, dice: [[3, 4], [6, 1]], by: Anna}\n  - {id: seen, confirm: " +
		"yes, by: Ben}\n")
	c.sound()
	pending := func() []review.Consequence {
		t.Helper()
		list, err := c.outstanding()
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	list := pending()
	if len(list) != 1 || list[0].Cause != head || list[0].Decision != review.Undecided {
		t.Fatal(planned(list))
	}
	k = review.Correction{Event: a[len(a)-1].First, Code: "applied", Reason: "it was one"}
	if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	c.sound()
	if list := pending(); len(list) > 0 {
		t.Error(planned(list))
	}
}

// TestKeptByWhatIsVoided: a correction that keeps a later purchase would not happen itself, since a fact before it is
// corrected. It keeps nothing any more, and the step takes up nothing that it left.
func TestKeptByWhatIsVoided(t *testing.T) {
	c := newHost(t).onBoard("straits")("void", "void", nil)
	c.submit("turn: Round 1\nfacts: {treasury: {UK: 45}}\n")
	fact := c.now().Next - 1
	c.submit("turn: Round 2\nentries:\n  - {id: first, purchase: {power: UK, units: {destroyer: 2}}}\n" +
		"  - {id: second, purchase: {power: UK, units: {destroyer: 1}}}\n")
	first, second := c.lastOf("Round 2/first", "units_purchased"), c.lastOf("Round 2/second", "units_purchased")
	k := correction(t, first, "code: mistyped\nreason: one\nreplace: {purchase: {power: UK, units: {destroyer: 1}}}\n")
	k.Default = review.Keep
	if _, err := c.umpire.Correct(c.id.ID, k); err != nil {
		t.Fatal(err)
	}
	head := c.now().Next
	k = correction(t, fact, "code: mistyped\nreason: six\nreplace: {facts: {treasury: {UK: 6}}}\n")
	plan, err := c.propose(k)
	if err != nil || len(plan.Absorbed) > 0 {
		t.Fatal(planned(plan.Absorbed), err)
	}
	if _, err := plan.record(); err != nil {
		t.Fatal(err)
	}
	for _, e := range c.events(head, campaign.Everything) {
		var p events.Corrected
		if e.Read(&p) && e.Index != head && p.Cause != head {
			t.Errorf("#%d follows from #%d", e.Index, p.Cause)
		}
	}
	if v := c.now().History; v.Stands(first) || v.Stands(second) {
		t.Error("what the treasury does not pay for stands")
	}
	c.sound()
	c.nothingPending()
}

// TestTakenUpAndBack: a correction takes up what a ruling left, of which nothing remains by what it corrects itself.
// Taken back, it leaves no trace: what it recorded first does not come to stand.
func TestTakenUpAndBack(t *testing.T) {
	c := newHost(t).onBoard("straits")("back", "back", nil)
	c.submit("turn: Round 1\nfacts:\n  submarines:\n    Germany: {SZ 8: 2}\n")
	c.submit("turn: Round 2\nfacts:\n  submarines:\n    Germany: {SZ 11: 1}\n")
	gone := c.now().Next - 1
	c.must(fmt.Sprintf("turn: Round 2\nentries:\n  - {id: uk, collect income: UK}\n  - {id: d, dispute: {event: %d, "+
		"claim: no}}\n", gone))
	c.must(fmt.Sprintf("turn: Round 2\nentries:\n  - {id: r, ruling: {dispute: %d, ruling: void, reason: so}}\n",
		c.now().Next-1))
	// named after Germany's, where it has one there
	c.submit("turn: Round 3\nfacts:\n  submarines:\n    US: {SZ 11: 2}\n")
	before, was := c.now(), planned(c.pending())
	if !strings.Contains(was, "convoy raided") {
		t.Fatalf("pending is %q", was)
	}
	a, err := c.umpire.Correct(c.id.ID, correction(t, gone, "code: mistyped\nreason: two\nreplace: "+
		"{facts.submarines.Germany: {SZ 11: 2}}\n"))
	if err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	c.sound()
	if a, err := c.umpire.UndoLast(c.id.ID, a.First, "a slip"); err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	c.stands(before, "taken back")
	same(t, "pending", planned(c.pending()), was)
	c.sound()
}

// TestCauseAmongSeveral: a purchase comes out otherwise since an income was ruled void, and not by the correction
// that was made before that and bears on the same figures.
func TestCauseAmongSeveral(t *testing.T) {
	c := boatThatWasNotThere(t)
	k := correction(t, 4, noBoat)
	k.Default = review.Keep
	if _, err := c.umpire.Correct(c.id.ID, k); err != nil {
		t.Fatal(err)
	}
	void := c.ruleVoid(13).First + 1
	for _, x := range c.pending() {
		if x.Event == 21 && x.Cause != void {
			t.Errorf("%s, and the income is void since #%d", planned([]review.Consequence{x}), void)
		}
	}
	applied := review.Correction{Event: 21, Code: "applied", Reason: "so it is"}
	if _, err := c.umpire.Correct(c.id.ID, applied); err != nil {
		t.Fatal(err)
	}
	var head events.Corrected
	for _, e := range c.events(void+1, campaign.Everything) {
		if e.Read(&head) {
			break
		}
	}
	if head.Cause != void {
		t.Errorf("it is recorded that it follows from #%d, and not from #%d", head.Cause, void)
	}
	c.sound()
}

// TestForgedParts: a part of a correction's step says that it left something, or follows from nothing.
func TestForgedParts(t *testing.T) {
	c := boatThatWasNotThere(t)
	if _, err := c.umpire.Correct(c.id.ID, correction(t, 4, noBoat)); err != nil {
		t.Fatal(err)
	}
	b := c.book()
	tried := 0
	for i := range b.all {
		var p events.Corrected
		if !b.all[i].Read(&p) || p.Cause == 0 {
			continue
		}
		left, alone := p, p
		left.Left = []events.Left{{Event: 21, Choice: events.LeftKept}}
		alone.Cause = 0
		for what, forged := range map[string]events.Corrected{"left": left, "cause": alone} {
			tried++
			list := slices.Clone(b.all)
			rewrite(&list[i], &forged)
			if found := b.audit(t, list).Findings; len(found) == 0 || found[0].Event != b.all[i].Index {
				t.Errorf("%s of #%d: %v", what, b.all[i].Index, found)
			}
		}
	}
	if tried < 4 {
		t.Errorf("%d tried", tried)
	}
}
