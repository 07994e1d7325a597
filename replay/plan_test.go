package replay_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// boatThatWasNotThere is the campaign of the tutorial: #6 reports a boat in SZ 9 that raids in #14 and #19.
func boatThatWasNotThere(t testing.TB) *campaign {
	c := newDesk(t).onBoard("straits")("boat", "boat", nil)
	c.submit(`
turn: Round 1
facts:
  submarines:
    Germany: {SZ 8: 2, SZ 9: 1}
entries:
  - {id: russia, collect income: Russia}
  - {id: germany, collect income: Germany}
  - {id: uk, collect income: UK}
  - {id: japan, collect income: Japan}
  - {id: us, collect income: US}
`)
	c.submit(`
turn: Round 2
entries:
  - {id: uk-yards, purchase: {power: UK, units: {destroyer: 1}}}
`)
	return c
}

// correction reads a correction of an event.
func correction(t testing.TB, event uint64, text string) replay.Correction {
	t.Helper()
	k, err := turnfile.ParseCorrection("k.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return replay.Correction{
		Event: event, Code: k.Code, Reason: k.Reason, Source: []byte(text), Replace: k.Apply,
		Dice: replay.DiceRuling{Again: k.Dice.Again, Fell: k.Dice.Fell, Seen: k.Dice.Seen},
	}
}

// planned prints the consequences of a plan.
func planned(list []replay.Consequence) string {
	var b strings.Builder
	for _, x := range list {
		fmt.Fprintf(&b, "#%d [%s]", x.Event, x.Decision)
		if x.Cause != 0 {
			fmt.Fprintf(&b, " of #%d", x.Cause)
		}
		if x.KeptBy != 0 {
			fmt.Fprintf(&b, " (kept by #%d)", x.KeptBy)
		}
		for _, f := range x.Figures {
			fmt.Fprintf(&b, "; %s: %s → %s", f.Field, f.Was, f.Now)
		}
		if x.Gone != "" {
			fmt.Fprintf(&b, "; gone: %s", x.Gone)
		}
		if x.Waits != "" {
			fmt.Fprintf(&b, "; waits: %s", x.Waits)
		}
		b.WriteString("\n")
	}
	return b.String()
}

const noBoat = "code: mistyped\nreason: no boat lay in SZ 9\nreplace: {facts.submarines.Germany: {SZ 9: null}}\n"

// lines tells the events from an index on.
func (c *campaign) lines(from uint64) (list []string) {
	for _, e := range c.events(from, replay.Everything) {
		list = append(list, line(&e))
	}
	return list
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if is, should := strings.TrimSpace(strings.ReplaceAll(fmt.Sprint(got), " \n", "\n")), strings.TrimSpace(fmt.Sprint(want)); is != should {
		t.Errorf("%s:\n%s\nwant\n%s", what, is, should)
	}
}

// A plan says what follows from a correction, to the end; a decision changes what follows from it.
func TestPlan(t *testing.T) {
	c := boatThatWasNotThere(t)
	boat := c.lastOf("Round 1/facts/submarines", "submarines_reported")
	length := c.now().Next
	plan, err := c.umpire.Propose(c.id.ID, correction(t, boat, noBoat))
	if err != nil {
		t.Fatal(err)
	}
	const uk = "#13 [%s]; damage: 5 → 4; net: 11 → 12; treasury: 27 → 28; #12: convoy raided → nothing\n"
	const us = "#18 [%s]; damage: 1 → 0; net: 22 → 23; treasury: 45 → 46; #17: convoy raided → nothing\n"
	const yards = "#21 [%s]; treasury: 19 → 20\n"
	same(t, "proposed", planned(plan.Consequences), fmt.Sprintf(uk+us+yards, "apply", "apply", "apply"))
	kept, err := plan.Decide(13, replay.Keep)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the income of the UK is kept", planned(kept.Consequences), fmt.Sprintf(uk+us, "keep", "apply"))
	if kept, err = kept.Decide(12, replay.Apply); err != nil { // any event of the command names it
		t.Fatal(err)
	}
	if kept, err = kept.Decide(21, replay.Keep); err != nil {
		t.Fatal(err)
	}
	same(t, "the purchase is kept", planned(kept.Consequences), fmt.Sprintf(uk+us+yards, "apply", "apply", "keep"))
	if kept, err = kept.DecideAll(replay.Keep); err != nil {
		t.Fatal(err)
	}
	same(t, "all is kept", planned(kept.Consequences), fmt.Sprintf(uk+us, "keep", "keep"))
	if _, err := kept.Decide(13, replay.Waits); err == nil {
		t.Error("a consequence is told to wait")
	}
	if c.now().Next != length {
		t.Fatal("a proposal records something")
	}
	if a, err := plan.Record(); err != nil || a.First != length || a.Events != 8 {
		t.Fatalf("%+v, %v", a, err)
	}
	if _, err := kept.Record(); !errors.Is(err, replay.ErrOvertaken) {
		t.Errorf("a plan is recorded on a campaign that went on: %v", err)
	}
	c.sound()
	c.nothingPending()
}

// A plan is heard once as it is recorded, and who does not agree to it keeps it from being so.
func TestAgree(t *testing.T) {
	c := boatThatWasNotThere(t)
	length, asked := c.now().Next, 0
	k := correction(t, 4, noBoat)
	refused := errors.New("not agreed")
	k.Agree = func(p replay.Plan) error {
		if asked++; len(p.Consequences) != 3 {
			t.Errorf("asked of\n%s", planned(p.Consequences))
		}
		return refused
	}
	if _, err := c.umpire.Correct(c.id.ID, k); !errors.Is(err, refused) || asked != 1 || c.now().Next != length {
		t.Errorf("asked %d times, %v, %d events more", asked, err, c.now().Next-length)
	}
}

// nothingPending holds a campaign to it that everything is as what counts has it.
func (c *campaign) nothingPending() {
	c.t.Helper()
	list, err := c.umpire.Pending(c.id.ID)
	if err != nil || len(list) > 0 {
		c.t.Errorf("pending:\n%s%v", planned(list), err)
	}
}

// A ruling that orders a correction orders what follows from it: the example of the tutorial.
func TestRulingWithConsequences(t *testing.T) {
	c := boatThatWasNotThere(t)
	length := c.now().Next
	dispute := c.must(`
entries:
  - {id: dispute, dispute: {event: 13, claim: no boat lay in SZ 9}}
`)[0].First
	c.must(fmt.Sprintf(`
entries:
  - id: ruling
    ruling: {dispute: %d, ruling: corrected, event: 4, reason: both lay in SZ 8, consequences: apply, replace: {facts.submarines.Germany: {SZ 9: null}}}
`, dispute))
	same(t, "ruled", strings.Join(c.lines(length+1), "\n"), `
23 dispute ruled: 22 is corrected for the event by []: both lay in SZ 8
24 corrected: Round 1/facts/submarines, dispute: both lay in SZ 8; facts.submarines.Germany.SZ 9 was 1, now
25 submarines reported (Germany): SZ 8 #1 in 8 Sea Zone, SZ 8 #2 in 8 Sea Zone corrects 4
26 corrected: Round 1/uk, consequence: both lay in SZ 8; voids [12]
27 income collected (UK): 16 - 4 = 12, in hand 28 corrects 13 [4-TIME 4-RANGE]
28 corrected: Round 1/us, consequence: both lay in SZ 8; voids [17]
29 income collected (US): 23 - 0 = 23, in hand 46 corrects 18 [4-TIME 4-RANGE]
30 corrected: Round 2/uk-yards, consequence: both lay in SZ 8
31 units purchased (UK): 8, in hand 20; 1 destroyer corrects 21 [6-PRICES 6-DD 6-FUNDS]
`)
	c.sound()
	c.nothingPending()
	c.ruleVoid(24)
	for _, p := range everyView {
		for _, x := range figuresApart(c.fold(p, length), c.fold(p, c.at().Next)) {
			t.Errorf("voided: %s is not as it was: %v", p.Name, x)
		}
	}
	c.sound()
}

// What is kept is pending until it is applied, under its own cause.
func TestPending(t *testing.T) {
	c := boatThatWasNotThere(t)
	k := correction(t, 4, noBoat)
	k.Rest = replay.Keep
	if _, err := c.umpire.Correct(c.id.ID, k); err != nil {
		t.Fatal(err)
	}
	c.sound()
	head := c.now().Next - 2
	pending := func(what, want string) {
		t.Helper()
		list, err := c.umpire.Pending(c.id.ID)
		if err != nil {
			t.Fatal(err)
		}
		same(t, what, planned(list), want)
	}
	const uk = "#13 [%s] of #22 (kept by #22); damage: 5 → 4; net: 11 → 12; treasury: 27 → 28; #12: convoy raided → nothing\n"
	const us = "#18 [%s] of #22 (kept by #22); damage: 1 → 0; net: 22 → 23; treasury: 45 → 46; #17: convoy raided → nothing\n"
	pending("kept", fmt.Sprintf(uk+us, "keep", "keep"))

	// The base of the income alone is corrected: the boat is not taken up silently.
	plan, err := c.umpire.Propose(c.id.ID, correction(t, 13, "code: mistyped\nreason: a base of 20\nreplace: {collect income: {power: UK, base: 20}}\n"))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "taken up", planned(plan.Absorbed), fmt.Sprintf(uk, "apply"))
	same(t, "what follows", planned(plan.Consequences), "#21 [apply]; treasury: 19 → 24")
	length := c.now().Next
	if _, err := plan.Record(); err != nil {
		t.Fatal(err)
	}
	t.Log(strings.Join(c.lines(length), "\n"))
	c.sound()
	pending("one is left", fmt.Sprintf(us, "keep"))

	// What is left is applied: the step has its cause.
	k = replay.Correction{Event: 18, Code: "applied", Reason: "it is applied after all"}
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
		keep func(c *campaign) error // after the correction of #22, which leaves #13 and #18
		by   uint64
	}{
		{"with the correction", func(c *campaign) error {
			k := correction(t, 4, noBoat)
			k.Rest, k.Decisions = replay.Undecided, map[uint64]replay.Decision{13: replay.Keep}
			_, err := c.umpire.Correct(c.id.ID, k)
			return err
		}, 22},
		{"later", func(c *campaign) error {
			k := correction(t, 4, noBoat)
			k.Rest = replay.Undecided
			if _, err := c.umpire.Correct(c.id.ID, k); err != nil {
				return err
			}
			_, err := c.umpire.Keep(c.id.ID, 13, "so it was played")
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
				list, err := c.umpire.Pending(c.id.ID)
				if err != nil {
					t.Fatal(err)
				}
				same(t, what, planned(list), strings.ReplaceAll(want, "BY", fmt.Sprint(x.by)))
				c.sound()
			}
			const uk = "#13 [keep] of #22 (kept by #BY); damage: 5 → %d; net: 11 → %d; treasury: 27 → %d; #12: convoy raided → nothing\n"
			const us = "#18 [undecided] of #22; damage: 1 → 0; net: 22 → 23; treasury: 45 → 46; #17: convoy raided → nothing\n"
			pending("kept", fmt.Sprintf(uk, 4, 12, 28)+us)
			if _, err := c.umpire.Correct(c.id.ID, replay.Correction{Event: 18, Code: "applied", Reason: "after all"}); err != nil {
				t.Fatal(err)
			}
			pending("another is applied", fmt.Sprintf(uk, 4, 12, 28))

			plan, err := c.umpire.Propose(c.id.ID, correction(t, 4, fewer))
			if err != nil {
				t.Fatal(err)
			}
			if x := plan.Consequences[0]; len(plan.Absorbed) > 0 || x.Event != 13 || x.Decision != replay.Keep {
				t.Errorf("all is to be applied: %s", planned(plan.Consequences))
			}
			named, err := plan.Decide(13, replay.Apply)
			if err != nil || len(named.Absorbed) != 1 || named.Absorbed[0].Event != 13 || named.Consequences[0].Decision != replay.Apply {
				t.Errorf("it is named: %s%s%v", planned(named.Absorbed), planned(named.Consequences), err)
			}
			if _, err := plan.Record(); err != nil {
				t.Fatal(err)
			}
			pending("with other figures", strings.Replace(fmt.Sprintf(uk, 2, 14, 30), "; #12", "; #11: convoy raided → nothing; #12", 1))
			if _, err := c.umpire.Keep(c.id.ID, 13, "again"); err == nil {
				t.Error("what is kept is kept again")
			}
			c.unchanged(0)
			if _, err := c.umpire.Undo(c.id.ID, c.now().Next-1, "a slip"); err != nil {
				t.Fatal(err)
			}
			pending("taken back", fmt.Sprintf(uk, 4, 12, 28))
			if _, err := c.umpire.Correct(c.id.ID, replay.Correction{Event: 13, Code: "applied", Reason: "after all"}); err != nil {
				t.Fatal(err)
			}
			pending("it is applied", "")
		})
	}
}

// A void of a correction takes out what followed from it, also where that was recorded later, and all is as it was.
func TestVoidWithConsequences(t *testing.T) {
	c := boatThatWasNotThere(t)
	before := c.now().Next
	k := correction(t, 4, noBoat)
	k.Decisions = map[uint64]replay.Decision{18: replay.Keep}
	a, err := c.umpire.Correct(c.id.ID, k)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.umpire.Keep(c.id.ID, 18, "again"); err == nil {
		t.Error("what is kept is kept again")
	}
	if _, err := c.umpire.Correct(c.id.ID, replay.Correction{Event: 18, Cause: a.First, Code: "applied", Reason: "after all"}); err != nil {
		t.Fatal(err)
	}
	c.nothingPending()
	if a, err := c.umpire.Undo(c.id.ID, a.First, "a slip"); err != nil || a.Verdict != rules.Allowed {
		t.Fatalf("%+v, %v", a, err)
	}
	c.asBefore(before)
	c.sound()
	c.nothingPending()
}

// A consequence of an earlier program's correction, which left nothing, is pending and no finding; it is kept later.
func TestKeepLater(t *testing.T) {
	c := boatThatWasNotThere(t)
	k := correction(t, 4, noBoat)
	if _, err := c.umpire.CorrectAlone(c.id.ID, k); err != nil {
		t.Fatal(err)
	}
	c.sound()
	list, err := c.umpire.Pending(c.id.ID)
	if err != nil || len(list) != 2 || list[0].Decision != replay.Undecided || list[0].Cause != 22 {
		t.Fatalf("%s%v", planned(list), err)
	}
	if _, err := c.umpire.Keep(c.id.ID, list[0].Event, "so it was played"); err != nil {
		t.Fatal(err)
	}
	same(t, "kept", strings.Join(c.lines(24), "\n"), "24 consequence kept")
	if list, err = c.umpire.Pending(c.id.ID); err != nil || len(list) != 2 || list[0].Decision != replay.Keep || list[1].Decision != replay.Undecided {
		t.Errorf("%s%v", planned(list), err)
	}
	c.sound()
	c.unchanged(0)
}

// One, two, one again: the third is a correction of its own, and the same words once more are the third again.
func TestCorrectedBackAndForth(t *testing.T) {
	c := boatThatWasNotThere(t)
	text := func(n int) string {
		return fmt.Sprintf("code: mistyped\nreason: it is %d\nreplace: {purchase.units.destroyer: %d}\n", n, n)
	}
	said := func(n int) replay.Answer {
		t.Helper()
		a, err := c.umpire.Correct(c.id.ID, correction(t, 21, text(n)))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	second, first := said(2), said(3)
	again := said(2)
	if again.Again || again.Command == second.Command {
		t.Errorf("behind %q the answer to %q is given again: %+v", first.Command, second.Command, again)
	}
	if same := said(2); !same.Again || same.Command != again.Command {
		t.Errorf("said twice, it is %+v, not %+v again", same, again)
	}
	c.sound()
}

// A correction that was taken back is the cause of nothing: what is void behind it is.
func TestCauseBehindUndo(t *testing.T) {
	c := boatThatWasNotThere(t)
	if _, err := c.umpire.Correct(c.id.ID, correction(t, 4, noBoat)); err != nil {
		t.Fatal(err)
	}
	if _, err := c.umpire.Undo(c.id.ID, c.now().Next-1, "not yet"); err != nil {
		t.Fatal(err)
	}
	ruled := c.ruleVoid(13)
	list, err := c.umpire.Pending(c.id.ID)
	if err != nil || len(list) == 0 {
		t.Fatalf("nothing is pending: %v", err)
	}
	for _, x := range list {
		if x.Cause < ruled.First {
			t.Errorf("#%d follows from #%d, want the ruling of #%d", x.Event, x.Cause, ruled.First)
		}
	}
	c.sound()
}

// Who takes back the last act takes back none that came meanwhile.
func TestUndoLast(t *testing.T) {
	c := boatThatWasNotThere(t)
	last := c.now().Next - 1
	if _, err := c.umpire.Correct(c.id.ID, correction(t, 4, noBoat)); err != nil {
		t.Fatal(err)
	}
	length := c.now().Next
	if _, err := c.umpire.UndoLast(c.id.ID, last, "mistaken"); !errors.Is(err, replay.ErrOvertaken) {
		t.Errorf("an act that is not the last any more: %v", err)
	}
	if now := c.now().Next; now != length {
		t.Errorf("%d events were recorded", now-length)
	}
	if a, err := c.umpire.UndoLast(c.id.ID, length-1, "mistaken"); err != nil || a.Events != 1 {
		t.Errorf("the last act: %+v, %v", a, err)
	}
}

// A purchase that would be refused is voided, and the phase that it began stays: nothing of that is pending, whatever else
// is corrected and taken back, until the purchase would be allowed again.
func TestPhaseOfWhatIsVoided(t *testing.T) {
	c := newDesk(t).onBoard("straits")("phase", "phase", nil)
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
	base := func(n int, rest replay.Decision) {
		t.Helper()
		k := correction(t, income, fmt.Sprintf("code: mistyped\nreason: it is %d\nreplace: {collect income: {power: UK, base: %d}}\n", n, n))
		k.Rest = rest
		if _, err := c.umpire.Correct(c.id.ID, k); err != nil {
			t.Fatal(err)
		}
		c.sound()
	}
	base(2, replay.Apply)
	if c.now().History.Stands(bought) || !c.now().History.Stands(bought-1) {
		t.Error("the purchase stands, or its phase does not")
	}
	c.nothingPending()
	for _, again := range []int{1, 20} { // impossible as before; allowed
		base(again, replay.Keep)
		list, err := c.umpire.Pending(c.id.ID)
		if err != nil {
			t.Fatal(err)
		}
		want := ""
		if again == 20 {
			want = fmt.Sprintf("#%d [keep] of #%d (kept by #%d); #%[1]d: nothing → units purchased", bought, c.now().Next-2, c.now().Next-2)
		}
		same(t, fmt.Sprintf("a base of %d", again), planned(list), want)
		if _, err := c.umpire.Undo(c.id.ID, c.now().Next-1, "a slip"); err != nil {
			t.Fatal(err)
		}
		c.sound()
		c.nothingPending()
	}
}

// TestCorrectedWhileOpen: a fact is corrected while the dice of an entry that was judged on it are awaited. They are read
// as the entry was declared, and what the fact changes in that is pending, with the correction as its cause.
func TestCorrectedWhileOpen(t *testing.T) {
	c := newDesk(t).openAttested("open", "s1", nil)
	a := c.must("turn: Summer 1940\nfacts:\n  cves: {Atlantic: 7}\n  torpedo: {Germany: 1}\nentries:\n" +
		"  - {id: atl, submarine warfare: {box: Atlantic, submarines: 5, asw: 9}, cards: []}\n")
	var fact uint64
	for _, e := range c.events(0, replay.Everything) {
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
	c.must("turn: Summer 1940\nentries:\n  - {id: fell, dice: [[3, 4], [6, 1]], by: Anna}\n  - {id: seen, confirm: yes, by: Ben}\n")
	c.sound()
	pending := func() []replay.Consequence {
		t.Helper()
		list, err := c.umpire.Pending(c.id.ID)
		if err != nil {
			t.Fatal(err)
		}
		return list
	}
	list := pending()
	if len(list) != 1 || list[0].Cause != head || list[0].Decision != replay.Undecided {
		t.Fatal(planned(list))
	}
	k = replay.Correction{Event: a[len(a)-1].First, Code: "applied", Reason: "it was one"}
	if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	c.sound()
	if list := pending(); len(list) > 0 {
		t.Error(planned(list))
	}
}
