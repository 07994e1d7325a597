package replay_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/fixtures/reader"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// everywhere holds a campaign to all that is made of its record.
func (c *harness) everywhere() {
	c.t.Helper()
	c.sound()
	for at := range c.at().Next {
		c.unchanged(at)
	}
	reader.HoldFile(c.t, c.id.Name, c.exported())
	for _, who := range []string{bundle.Umpire, bundle.Public} {
		if findings, _ := c.verified(c.fileFor(who, c.at().Next)); len(findings) > 0 {
			c.t.Errorf("for %s: %q", who, findings)
		}
	}
}

// treasuries tells what the powers have.
func (c *harness) treasuries() string {
	_, list, _ := strings.Cut(c.state(), "\n")
	return list
}

// TestEnteredAgain: a command that was ruled void is entered again in its place. What comes later is judged on it; it
// is voided, restored and corrected as it was before.
func TestEnteredAgain(t *testing.T) {
	t.Parallel()
	c := newHost(t).onBoard("straits")("again", "s7", nil)
	buy := c.must("turn: Round 1\nentries:\n  - {id: buy, purchase: {power: Russia, cost: 6, units: {infantry: 2}}}\n")
	c.must("turn: Round 1\nentries:\n  - {id: tank, purchase: {power: Russia, cost: 5, units: {armor: 1}}}\n")
	event := buy[1].First + uint64(buy[1].Events) - 1
	before := c.treasuries()
	c.ruleVoid(event)
	void, length := c.treasuries(), c.at().Next
	a, err := c.correct(event, "reason: one more\ncode: mistyped\nreplace:\n  purchase: {cost: 3, units: "+
		"{infantry: 1}}\n")
	if err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	same(t, "entered again", strings.Join(c.lines(a.First), "\n"), `
10 corrected: Round 1/tank, consequence: one more
11 units purchased (Russia): 5, in hand 7; 1 armor corrects 6 [6-PRICES 6-FUNDS]
12 corrected: Round 1/buy, mistyped: one more; purchase.cost was 6, now 3; purchase.units.infantry was 2, now 1
13 units purchased (Russia): 3, in hand 9; 1 infantry replaces 5 [6-PRICES 6-FUNDS]
14 corrected: Round 1/tank, consequence: one more
15 units purchased (Russia): 5, in hand 4; 1 armor corrects 6 [6-PRICES 6-FUNDS]
`)
	again := c.treasuries()
	if again == void || again == before {
		t.Errorf("the treasuries are\n%s\nwithout it\n%s\nas it was\n%s", again, void, before)
	}
	c.everywhere()
	if text := c.refusedVoid(length - 1); !strings.Contains(text, "corrects the entry as it stands since") {
		t.Error(text)
	}
	if a, err := c.correct(event, "reason: as it was\ncode: mistyped\nreplace:\n  purchase: {cost: 6, units: "+
		"{infantry: 2}}\n"); err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	if is := c.treasuries(); is != before {
		t.Errorf("corrected to what it was:\n%s\nwas\n%s", is, before)
	}
	c.everywhere()
	c.ruleVoid(event) // the entry with all its corrections
	if is := c.treasuries(); is != void {
		t.Errorf("voided again:\n%s\nwas\n%s", is, void)
	}
	c.everywhere()
	if a, err := c.correct(event, "reason: after all\ncode: mistyped\n"); err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	if is := c.treasuries(); is != before {
		t.Errorf("entered again:\n%s\nwas\n%s", is, before)
	}
	c.everywhere()
}

// TestEnteredAgainWithDice: what was thrown for it stays void, and is thrown again.
func TestEnteredAgainWithDice(t *testing.T) {
	c := newHost(t).open("again", "s1", nil)
	a := c.must(atlanticOf34)
	c.must("entries:\n  - {id: radar, facts: {radar: {Germany: 2}}}\n")
	event := a[1].First
	c.ruleVoid(event)
	k := review.Correction{Event: event, Code: "mistyped", Reason: "43", Replace: replaced("34", "43")}
	if _, err := c.umpire.Correct(c.id.ID, k); err == nil || !strings.Contains(err.Error(), "say in dice") {
		t.Error(err)
	}
	k.Dice.Again = true
	made, err := c.umpire.Correct(c.id.ID, k)
	if err != nil || made.Verdict != "allowed" {
		t.Fatal(made, err)
	}
	stands := 0
	for _, e := range c.all() {
		if e.Type == "result_adjudicated" && e.Replaces != 0 && c.now().History.Stands(e.Index) {
			stands++
		}
	}
	if stands != 1 {
		t.Errorf("%d results stand", stands)
	}
	c.everywhere()
}

// TestHappensAgain: what a correction made impossible happens again when that is corrected back, as it was or
// otherwise, and is void again when that correction is voided.
func TestHappensAgain(t *testing.T) {
	t.Parallel()
	c := newHost(t).onBoard("straits")("again", "s7", nil)
	c.must("turn: Round 1\nentries:\n  - {id: income, collect income: {power: Russia, base: 30}}\n")
	income := c.now().Next - 1
	c.must("turn: Round 2\nentries:\n  - {id: buy, purchase: {power: Russia, cost: 40, units: {infantry: 10, " +
		"armor: 2}}}\n")
	buy := c.now().Next - 1
	before, length := c.treasuries(), c.now().Next
	base := func(n int) review.Correction {
		return correction(t, income, fmt.Sprintf("code: mistyped\nreason: a base of %d\nreplace: {collect income: "+
			"{power: Russia, base: %d}}\n", n, n))
	}
	apply := func(k review.Correction) replay.Answer {
		t.Helper()
		a, err := c.umpire.Correct(c.id.ID, k)
		if err != nil || a.Verdict != rules.Allowed {
			t.Fatal(a, err)
		}
		c.everywhere()
		return a
	}
	apply(base(2))
	if c.now().History.Stands(buy) {
		t.Fatalf("#%d stands:\n%s", buy, strings.Join(c.lines(length), "\n"))
	}
	c.nothingPending()
	plan, err := c.umpire.Propose(c.id.ID, base(31))
	if err != nil {
		t.Fatal(err)
	}
	same(t, "planned", planned(plan.Consequences), "#8 [apply]; #8: nothing → units purchased")
	back := apply(base(30))
	same(t, "back", strings.Join(c.lines(back.First), "\n"), `
12 corrected: Round 1/income, mistyped: a base of 30; collect income.base was 2, now 30
13 income collected (Russia): 30 - 0 = 30, in hand 42; base typed, 12 on the board corrects 5 [4-TIME 4-SUBJECT]
14 corrected: Round 2/buy, consequence: a base of 30; voids [11]
`)
	c.nothingPending()
	if is := c.treasuries(); is != before {
		t.Errorf("the treasuries are\n%s\nwere\n%s", is, before)
	}
	if a, err := c.umpire.Undo(c.id.ID, back.First, "a slip"); err != nil || a.Verdict != rules.Allowed ||
		c.now().History.Stands(buy) {
		t.Fatal(a, err)
	}
	c.everywhere()
	c.nothingPending()

	k := base(31)
	k.Default = review.Keep
	kept := apply(k)
	pending := func(want string) {
		t.Helper()
		list, err := c.outstanding()
		if err != nil {
			t.Fatal(err)
		}
		same(t, "pending", planned(list), want)
	}
	pending(fmt.Sprintf("#8 [keep] of #%[1]d (kept by #%[1]d); #8: nothing → units purchased", kept.First))
	applied := apply(review.Correction{Event: buy, Code: "applied", Reason: "after all"})
	same(t, "applied", strings.Join(c.lines(applied.First), "\n"), `
18 corrected: Round 2/buy, applied: after all; voids [11]
19 units purchased (Russia): 40, in hand 3; 2 armor; 10 infantry corrects 8 [6-PRICES 6-FUNDS]
`)
	c.nothingPending()
	apply(base(5))
	c.nothingPending()
	if c.now().History.Stands(buy) {
		t.Error("it is bought all the same")
	}
	entered := apply(correction(t, buy, "code: mistyped\nreason: one\nreplace: {purchase: {cost: 3, units: "+
		"{infantry: 1, armor: null}}}\n"))
	same(t, "entered otherwise", strings.Join(c.lines(entered.First), "\n"), `
23 corrected: Round 2/buy, mistyped: one; purchase.cost was 40, now 3; purchase.units.armor was 2, now ; `+
		`purchase.units.infantry was 10, now 1; voids [22]
24 units purchased (Russia): 3, in hand 14; 1 infantry corrects 8 [6-PRICES 6-FUNDS]
`)
	c.nothingPending()
}

// TestUndoWithTypedDice: what was said of dice that were replaced keeps nobody from undoing what voided both.
func TestUndoWithTypedDice(t *testing.T) {
	c := newHost(t).openAttested("typed", "s1", nil)
	a := c.must("turn: Fall 1941\nentries:\n" +
		"  - {id: pacific, submarine warfare: {box: Pacific, side: Japan, submarines: 6, asw: 7}, cards: []}\n" +
		"  - {id: fell, dice: [[3, 4], [6, 1]], by: Anna}\n" +
		"  - {id: seen, confirm: yes, by: Ben}\n")
	roll := a[1].First
	for c.events(roll, roll+1)[0].Type != "roll_declared" {
		roll++
	}
	k := review.Correction{
		Event: roll, Code: "mistyped", Reason: "misread", Source: []byte("again"),
		Dice: review.DiceRuling{Fell: map[uint64][][]int{roll: {{3, 4}, {6, 2}}}, Seen: "Ben"},
	}
	if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	before := c.at()
	c.ruleVoid(roll)
	slips, err := c.umpire.Undoables(c.id.ID)
	if err != nil || len(slips) == 0 || slips[0].Verb != "ruling" {
		t.Fatal(slips, err)
	}
	if a, err := c.umpire.Undo(c.id.ID, slips[0].First, "a slip"); err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	c.stands(before, "the ruling is undone")
	c.everywhere()
}

// TestWhatIfFromAnUndo: a question that was taken back and stands again is the one that the record answers, also
// where the what-if begins between the two.
func TestWhatIfFromAnUndo(t *testing.T) {
	c := newHost(t).open("asked", "s5", nil)
	c.must("turn: Winter 1941\nentries:\n" +
		"  - {id: war, declare war: {by: Japan, on: United States, usjt: 33}}\n" +
		"  - {id: pearl, pearl harbor: {task forces: [TF 8]}}\n")
	for range 2 {
		if a, err := c.umpire.Undo(c.id.ID, c.now().Next-1, "a slip"); err != nil || a.Verdict != rules.Allowed {
			t.Fatal(a, err)
		}
	}
	c.must("turn: Winter 1941\nentries:\n  - {id: a1, answer: {Japan: none}}\n")
	for at := range c.now().Next {
		c.unchanged(at)
	}
}
