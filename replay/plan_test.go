package replay_test

import (
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/rules"
)

// boatThatWasNotThere is the campaign of the tutorial: #6 reports a boat in SZ 9 that raids in #14 and #19.
func boatThatWasNotThere(t testing.TB) *harness {
	c := newHost(t).onBoard("straits")("boat", "boat", nil)
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
func correction(t testing.TB, event uint64, text string) review.Correction {
	t.Helper()
	k, err := turnfile.ParseCorrection("k.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return review.Correction{
		Event: event, Code: k.Code, Reason: k.Reason, Source: []byte(text), Replace: k.Apply,
		Dice: review.DiceRuling{Again: k.Dice.Again, Fell: k.Dice.Fell, Seen: k.Dice.Seen},
	}
}

// planned prints the consequences of a plan.
func planned(list []review.Consequence) string {
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
func (c *harness) lines(from uint64) (list []string) {
	for _, e := range c.events(from, campaign.Everything) {
		list = append(list, line(&e))
	}
	return list
}

func same(t *testing.T, what string, got, want any) {
	t.Helper()
	if is, should := strings.TrimSpace(strings.ReplaceAll(fmt.Sprint(got), " \n", "\n")),
		strings.TrimSpace(fmt.Sprint(want)); is != should {
		t.Errorf("%s:\n%s\nwant\n%s", what, is, should)
	}
}

// A plan says what follows from a correction, to the end; a decision changes what follows from it.
func TestPlan(t *testing.T) {
	c := boatThatWasNotThere(t)
	boat := c.lastOf("Round 1/facts/submarines", "submarines_reported")
	length := c.now().Next
	plan, err := c.propose(correction(t, boat, noBoat))
	if err != nil {
		t.Fatal(err)
	}
	const uk = "#13 [%s]; damage: 5 → 4; net: 11 → 12; treasury: 27 → 28; #12: convoy raided → nothing\n"
	const us = "#18 [%s]; damage: 1 → 0; net: 22 → 23; treasury: 45 → 46; #17: convoy raided → nothing\n"
	const yards = "#21 [%s]; treasury: 19 → 20\n"
	same(t, "proposed", planned(plan.Consequences), fmt.Sprintf(uk+us+yards, "apply", "apply", "apply"))
	kept, err := plan.decide(13, review.Keep)
	if err != nil {
		t.Fatal(err)
	}
	same(t, "the income of the UK is kept", planned(kept.Consequences), fmt.Sprintf(uk+us, "keep", "apply"))
	if kept, err = kept.decide(12, review.Apply); err != nil { // any event of the command names it
		t.Fatal(err)
	}
	if kept, err = kept.decide(21, review.Keep); err != nil {
		t.Fatal(err)
	}
	same(t, "the purchase is kept", planned(kept.Consequences), fmt.Sprintf(uk+us+yards, "apply", "apply", "keep"))
	all := correction(t, boat, noBoat)
	all.Default = review.Keep
	if kept, err = c.propose(all); err != nil {
		t.Fatal(err)
	}
	same(t, "all is kept", planned(kept.Consequences), fmt.Sprintf(uk+us, "keep", "keep"))
	if _, err := kept.decide(13, review.Waits); err == nil {
		t.Error("a consequence is decided to wait")
	}
	if c.now().Next != length {
		t.Fatal("a proposal records something")
	}
	if a, err := plan.record(); err != nil || a.First != length || a.Events != 8 {
		t.Fatalf("%+v, %v", a, err)
	}
	if _, err := kept.record(); !errors.Is(err, review.ErrOvertaken) {
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
	k.Confirm = func(p review.Plan) error {
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
func (c *harness) nothingPending() {
	c.t.Helper()
	list, err := c.outstanding()
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
    ruling: {dispute: %d, ruling: corrected, event: 4, reason: both lay in SZ 8, consequences: apply,
      replace: {facts.submarines.Germany: {SZ 9: null}}}
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

// A decision on what does not follow is refused, by what does: in a correction and in a ruling.
func TestDecisionOnNothing(t *testing.T) {
	c := boatThatWasNotThere(t)
	dispute := c.must("entries:\n  - {id: dispute, dispute: {event: 13, claim: no boat lay in SZ 9}}\n")[0].First
	length := c.now().Next
	refused := func(err error, want string) {
		t.Helper()
		if !errors.Is(err, review.ErrNothingFollows) || !strings.HasSuffix(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	k := correction(t, 4, noBoat)
	k.Decisions = map[uint64]review.Decision{7: review.Keep}
	_, err := c.umpire.Correct(c.id.ID, k)
	refused(err, "on #7: it does not come out otherwise by the correction; what does: #13, #18, #21")
	k.Decisions = map[uint64]review.Decision{13: review.Keep, 21: review.Apply} // #21 follows from #13
	if _, err := c.umpire.Propose(c.id.ID, k); err != nil {
		t.Error(err)
	}
	list, err := c.entries(fmt.Sprintf(`
entries:
  - id: ruling
    ruling: {dispute: %d, ruling: corrected, event: 4, reason: no boat, consequences: {99: keep},
      replace: {facts.submarines.Germany: {SZ 9: null}}}
`, dispute))
	if err != nil {
		t.Fatal(err)
	}
	_, err = c.hear(list[0])
	refused(err, "on #99: it does not come out otherwise by the correction; what does: #13, #18, #21")
	if c.now().Next != length {
		t.Error("something is recorded")
	}
}

// A void of a correction takes out what followed from it, also where that was recorded later, and all is as it was.
func TestVoidWithConsequences(t *testing.T) {
	c := boatThatWasNotThere(t)
	before := c.now().Next
	k := correction(t, 4, noBoat)
	k.Decisions = map[uint64]review.Decision{18: review.Keep}
	a, err := c.umpire.Correct(c.id.ID, k)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.umpire.KeepConsequence(c.id.ID, 18, "again"); err == nil {
		t.Error("what is kept is kept again")
	}
	if _, err := c.umpire.Correct(c.id.ID, review.Correction{Event: 18, Cause: a.First, Code: "applied",
		Reason: "after all"}); err != nil {
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

// One, two, one again: the third is a correction of its own, and the same words once more are the third again.
func TestCorrectedBackAndForth(t *testing.T) {
	c := boatThatWasNotThere(t)
	text := func(n int) string {
		return fmt.Sprintf("code: mistyped\nreason: it is %d\nreplace: {purchase.units.destroyer: %d}\n", n, n)
	}
	answer := func(n int) replay.Answer {
		t.Helper()
		a, err := c.umpire.Correct(c.id.ID, correction(t, 21, text(n)))
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	second, first := answer(2), answer(3)
	again := answer(2)
	if again.Again || again.Command == second.Command {
		t.Errorf("behind %q the answer to %q is given again: %+v", first.Command, second.Command, again)
	}
	if same := answer(2); !same.Again || same.Command != again.Command {
		t.Errorf("made twice, it is %+v, not %+v again", same, again)
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
	list, err := c.outstanding()
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
	if _, err := c.umpire.UndoLast(c.id.ID, last, "mistaken"); !errors.Is(err, review.ErrOvertaken) {
		t.Errorf("an act that is not the last any more: %v", err)
	}
	if now := c.now().Next; now != length {
		t.Errorf("%d events were recorded", now-length)
	}
	if a, err := c.umpire.UndoLast(c.id.ID, length-1, "mistaken"); err != nil || a.Events != 1 {
		t.Errorf("the last act: %+v, %v", a, err)
	}
}

// Nothing is taken back that came after the umpire looked, whoever is faster, and an undo that is sent twice is one.
func TestUndoShown(t *testing.T) {
	c := newHost(t).open("shown", "s1", nil)
	c.must("turn: Fall 1941\nentries:\n  - {id: first, facts: {torpedo: {Germany: 1}}}\n")
	for i := range 24 {
		slip, err := c.hear(command("slip"+itoa(uint64(i)), "facts", `{"facts":{"radar":{"Germany":3}}}`))
		if err != nil {
			t.Fatal(err)
		}
		seen := c.now().Next
		var sent sync.WaitGroup
		var done [3]replay.Answer
		var failed [3]error
		for j := range done {
			sent.Go(func() {
				done[j], failed[j] = c.umpire.UndoShown(c.id.ID, slip.First, "a slip", seen)
			})
		}
		if i%2 > 0 {
			sent.Go(func() {
				more := command("more"+itoa(uint64(i)), "facts", `{"facts":{"torpedo":{"Germany":2}}}`)
				if _, err := c.hear(more); err != nil {
					t.Error(err)
				}
			})
		}
		sent.Wait()
		again := 0
		for j, a := range done {
			if (failed[j] == nil) != (failed[0] == nil) || failed[j] == nil && a.First != seen ||
				failed[j] != nil && !errors.Is(failed[j], review.ErrOvertaken) {
				t.Fatalf("%+v, %v", done, failed)
			}
			if a.Again {
				again++
			}
		}
		now := c.now().History
		if want := map[bool]int{true: 2}[failed[0] == nil]; again != want || now.Stands(slip.First) == (want == 2) {
			t.Errorf("%d answered again, %v", again, failed)
		}
		for k := seen; k < c.now().Next; k++ {
			if !now.Stands(k) {
				t.Errorf("#%d was taken back, which came after #%d was shown", k, slip.First)
			}
		}
	}
}

// A correction that is sent again as it was proposed is answered with what it led to, whatever came since.
func TestCorrectedAsProposed(t *testing.T) {
	c := boatThatWasNotThere(t)
	first := correction(t, 4, noBoat)
	first.After = c.now().Next
	other := correction(t, 4, "code: mistyped\nreason: two\nreplace: {facts.submarines.Germany: {SZ 9: 2}}\n")
	was, err := c.umpire.Correct(c.id.ID, first)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.umpire.Correct(c.id.ID, other); err != nil {
		t.Fatal(err)
	}
	length := c.now().Next
	if a, err := c.umpire.Correct(c.id.ID, first); err != nil || !a.Again || a.First != was.First {
		t.Errorf("sent again: %+v, %v", a, err)
	}
	if now := c.now().Next; now != length {
		t.Errorf("%d events were recorded", now-length)
	}
	first.After = length
	if a, err := c.umpire.Correct(c.id.ID, first); err != nil || a.Again || a.First < length {
		t.Errorf("proposed anew: %+v, %v", a, err)
	}
}

// proposal is a correction with its plan, as somebody decides on it before it is recorded.
type proposal struct {
	review.Plan
	c *harness
	k review.Correction
}

// propose hears a correction.
func (c *harness) propose(k review.Correction) (proposal, error) {
	plan, err := c.umpire.Propose(c.id.ID, k)
	return proposal{plan, c, k}, err
}

// decide gives the proposal with another decision on the consequence that an event belongs to.
func (p proposal) decide(event uint64, d review.Decision) (proposal, error) {
	at, err := p.c.umpire.AtHead(p.c.id.ID)
	if err != nil {
		return p, err
	}
	k := p.k
	k.Decisions = map[uint64]review.Decision{}
	for other, decided := range p.k.Decisions {
		if at.History.Command(other).ID != at.History.Command(event).ID {
			k.Decisions[other] = decided
		}
	}
	k.Decisions[event] = d
	return p.c.propose(k)
}

// record records the proposal, if the campaign did not go on since.
func (p proposal) record() (replay.Answer, error) {
	k := p.k
	k.After = p.Events
	return p.c.umpire.Correct(p.c.id.ID, k)
}
