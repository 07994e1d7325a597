package replay_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// ruleVoid contests an event and rules it void. It gives the ruling's answer.
func (c *harness) ruleVoid(event uint64) replay.Answer {
	c.t.Helper()
	id := "c" + itoa(c.at().Next)
	c.must("entries:\n  - {id: " + id + ", dispute: {event: " + itoa(event) + ", claim: it was not}}\n")
	d := c.at().Next - 1
	return c.must("entries:\n  - {id: k" + id + ", ruling: {dispute: " + itoa(d) + ", ruling: void, reason: it " +
		"was not}}\n")[0]
}

// refusedVoid is ruleVoid where the ruling must be refused; it gives what is said.
func (c *harness) refusedVoid(event uint64) string {
	c.t.Helper()
	id := "c" + itoa(c.at().Next)
	c.must("entries:\n  - {id: " + id + ", dispute: {event: " + itoa(event) + ", claim: it was not}}\n")
	d := c.at().Next - 1
	return c.submit("entries:\n  - {id: k" + id + ", ruling: {dispute: " + itoa(d) + ", ruling: void, reason: it " +
		"was not}}\n")
}

// mistyped corrects a figure of the entry behind an event, and gives the index of the correction.
func (c *harness) mistyped(event uint64, was, is string) uint64 {
	c.t.Helper()
	k := review.Correction{Event: event, Code: "mistyped", Reason: "a slip", Replace: replaced(was, is)}
	a, err := c.umpire.Correct(c.id.ID, k)
	if err != nil || a.Verdict != "allowed" || a.Again {
		c.t.Fatal(a, err)
	}
	return a.First
}

// voidedBy gives what an event voids.
func (c *harness) voidedBy(index uint64) events.Voided {
	c.t.Helper()
	var p events.Voided
	if e := c.all()[index]; !e.Read(&p) {
		c.t.Fatalf("#%d is %s", index, e.Type)
	}
	return p
}

// sound holds a campaign to its record: live is folded, and heard again it comes out the same.
func (c *harness) sound() {
	c.t.Helper()
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		c.t.Error(err)
	}
	if findings, _ := c.tried(); len(findings) > 0 {
		c.t.Error(findings)
	}
}

// asBefore holds the figures of every view to those after so many events.
func (c *harness) asBefore(events uint64) {
	c.t.Helper()
	for _, p := range everyView {
		for _, x := range figuresApart(c.fold(p, events), c.fold(p, c.at().Next)) {
			c.t.Errorf("%s is not as it was: %v", p.Name, x)
		}
	}
}

const atlanticOf34 = "turn: Fall 1941\nentries:\n" +
	"  - {id: atlantic, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}, cards: []}\n"

func span(first, last uint64) (list []uint64) {
	for i := first; i <= last; i++ {
		list = append(list, i)
	}
	return list
}

// TestVoidCorrection: a void over a correction takes out the correction alone, whichever of its events is named, and
// what stood before it stands again.
func TestVoidCorrection(t *testing.T) {
	for _, named := range []uint64{0, 1} { // the correction itself, or a result of it
		c := newHost(t).open("void", "s1", nil)
		a := c.must(atlanticOf34)
		before := c.at().Next
		head := c.mistyped(a[1].First, "34", "43")
		last := c.at().Next - 1
		ruling := c.ruleVoid(head + named)
		p := c.voidedBy(ruling.First + 1)
		if want := span(head, last); !slices.Equal(p.Events, want) || p.Scope != events.VoidCorrection ||
			!strings.HasPrefix(p.Command, "correct/") {
			t.Errorf("#%d named: %+v, want %v", head+named, p, want)
		}
		if len(c.standing("Fall 1941/atlantic")) != a[1].Events-1 {
			t.Errorf("of the command %v stand", c.standing("Fall 1941/atlantic"))
		}
		c.asBefore(before)
		c.sound()
		c.mistyped(a[1].First, "34", "43") // and it can be made again
		c.sound()
	}
}

// TestVoidEarlierCorrection: a correction on which another was made is not taken from under it.
func TestVoidEarlierCorrection(t *testing.T) {
	c := newHost(t).open("void", "s1", nil)
	a := c.must(atlanticOf34)
	first := c.mistyped(a[1].First, "34", "43")
	second := c.mistyped(a[1].First, `"submarines":8`, `"submarines":9`)
	if text := c.refusedVoid(first); !strings.Contains(text, "#"+itoa(second)+" corrects the entry as it "+
		"stands since") {
		t.Error(text)
	}
	c.ruleVoid(second)
	c.ruleVoid(first)
	if list := c.standing("Fall 1941/atlantic"); len(list) != a[1].Events-1 {
		t.Errorf("%v stand", list)
	}
	c.sound()
}

// TestVoidRuling: a ruling is voided with what it ordered, and its dispute is open again.
func TestVoidRuling(t *testing.T) {
	for _, named := range span(0, 2) { // the ruling, the correction, a result
		c := newHost(t).open("void", "s1", nil)
		a := c.must(atlanticOf34)
		c.must("entries:\n  - {id: d, dispute: {event: " + itoa(a[1].First) + ", claim: it was 43}}\n")
		d := c.at().Next - 1
		before := c.at().Next
		ruled := c.must("entries:\n  - {id: k, ruling: {dispute: " + itoa(d) + ", ruling: corrected, reason: read as " +
			"34, replace: {submarine warfare: {asw: 43}}}}\n")[0]
		again := c.ruleVoid(ruled.First + named)
		p := c.voidedBy(again.First + 1)
		if want := span(ruled.First, ruled.First+uint64(ruled.Events)-1); !slices.Equal(p.Events, want) ||
			p.Scope != events.VoidRuling {
			t.Errorf("#%d named: %+v, want %v", named, p, want)
		}
		if x, _ := c.now().Docket.Dispute(c.now().History, d); !x.Open() {
			t.Errorf("the dispute is ruled on in #%d", x.Ruling.Event)
		}
		c.asBefore(before)
		c.sound()
	}
}

// TestVoidOfVoid: a ruling that voided a command is voided: the command stands again. That ruling can be voided too.
func TestVoidOfVoid(t *testing.T) {
	c := newHost(t).open("void", "s1", nil)
	a := c.must(atlanticOf34)
	for i := range 4 {
		event := a[1].First
		if i > 0 {
			event = c.at().Next - 1 // what was voided last
		}
		c.ruleVoid(event)
		c.sound()
		if stands := len(c.standing("Fall 1941/atlantic")) > 0; stands != (i%2 == 1) {
			t.Errorf("%d: %v stand", i, c.standing("Fall 1941/atlantic"))
		}
	}
}

// TestVoidRestoresNoRival: what was voided does not come back under a correction that was made since.
func TestVoidRestoresNoRival(t *testing.T) {
	c := newHost(t).open("void", "s1", nil)
	a := c.must(atlanticOf34)
	first := c.mistyped(a[1].First, "34", "43")
	ruling := c.ruleVoid(first)
	second := c.mistyped(a[1].First, "34", "35")
	if text := c.refusedVoid(ruling.First); !strings.Contains(text, "#"+itoa(second)+" corrects the entry as it "+
		"stands since") {
		t.Error(text)
	}
	c.sound()
}

// TestVoidRestoresOnItsGround: a correction comes back beside those alone that it was made on.
func TestVoidRestoresOnItsGround(t *testing.T) {
	c := newHost(t).open("void", "s1", nil)
	a := c.must(atlanticOf34)
	first := c.mistyped(a[1].First, "34", "43")
	second := c.mistyped(a[1].First, `"submarines":8`, `"submarines":9`)
	ofSecond := c.ruleVoid(second)
	ofFirst := c.ruleVoid(first)
	text := c.refusedVoid(ofSecond.First)
	if want := fmt.Sprintf("#%d would stand again, and corrects the entry as #%d left it: void #%d first", second,
		first, ofFirst.First+1); !strings.Contains(text, want) {
		t.Errorf("%s; want %s", text, want)
	}
	c.ruleVoid(ofFirst.First)
	c.ruleVoid(ofSecond.First)
	c.sound()
	c.listedLaw()
	c.ruleVoid(second)
	ofFirst = c.ruleVoid(first)
	third := c.mistyped(a[1].First, "34", "35")
	ofThird := c.ruleVoid(third)
	c.ruleVoid(ofFirst.First) // the first stands again
	text = c.refusedVoid(ofThird.First)
	if want := fmt.Sprintf("corrects the entry as it was without #%d: void that first", first); !strings.Contains(text,
		want) {
		t.Errorf("%s; want %s", text, want)
	}
	c.ruleVoid(first)
	c.ruleVoid(ofThird.First)
	c.sound()
	c.listedLaw()
}

// TestVoidWithoutScope: before there were scopes a void took out the whole command, whichever event was named, a
// correction too. Such a record stays sound. A void that takes out more than its scope does not.
func TestVoidWithoutScope(t *testing.T) {
	c := newHost(t).open("void", "s1", nil)
	a := c.must(atlanticOf34)
	head := c.mistyped(a[1].First, "34", "43")
	last := c.at().Next - 1
	c.must("entries:\n  - {id: d, dispute: {event: " + itoa(head) + ", claim: it was not}}\n")
	d := c.at().Next - 1
	c.must("entries:\n  - {id: k, ruling: {dispute: " + itoa(d) + ", ruling: void, reason: it was not, event: " +
		itoa(a[1].First) + "}}\n")
	b := c.book()
	ruled := &b.all[len(b.all)-2]
	ruled.Request = strings.Replace(ruled.Request, `,"event":`+itoa(a[1].First), "", 1)
	void := &b.all[len(b.all)-1]
	wide := c.voidedBy(void.Index)
	if !slices.Contains(wide.Events, head) || !slices.Contains(wide.Events, a[1].First+1) ||
		!slices.Contains(wide.Events, last) {
		t.Fatalf("voided are %v", wide.Events)
	}
	if found := b.audit(t, nil).Findings; len(found) > 0 {
		t.Error(found)
	}
	wide.Scope = events.VoidCorrection
	void.Payload = events.EncodePayload(&wide)
	if found := b.audit(t, nil).Findings; len(found) == 0 {
		t.Error("a void of a correction takes out the command, and nothing is found")
	}
}

// A ruling takes back the draw of a card that is played all the same, where the question was asked before it: play
// goes on as it began. What restores the draw can be taken back like any other act: all is as it was.
func TestCardOfAVoidDraw(t *testing.T) {
	c := newHost(t).open("void", "s95", nil)
	c.must("turn: Spring 1940\nentries:\n  - {id: ultra, draw: Ultra}\n" +
		"  - {id: atlantic, submarine warfare: {box: Atlantic, submarines: 8, asw: 34}}\n")
	ruling := c.ruleVoid(c.lastOf("Spring 1940/ultra", "cards_drawn")).First
	played := func() bool {
		return slices.ContainsFunc(c.all(), func(e events.Event) bool { return e.Type == "card_played" })
	}
	for n := 0; c.now().Open != nil && c.now().Open.Choice != nil; n++ {
		choice := "pass"
		if !played() {
			choice = c.now().Open.Choice.Options[0]
		}
		c.must("entries:\n  - {id: a" + itoa(uint64(n)) + ", answer: {" + c.now().Open.Of() + ": " + choice + "}}\n")
	}
	if !played() {
		t.Fatalf("no card was played: %+v", c.now().Open)
	}
	c.sound()
	restored := c.ruleVoid(ruling).First
	if a, err := c.umpire.Undo(c.id.ID, restored, "a slip"); err != nil || a.Verdict != rules.Allowed {
		t.Fatal(a, err)
	}
	c.sound()
	if c.now().History.Stands(restored) || !c.now().History.Stands(ruling) {
		t.Error("the draw counts, or the ruling that restored it")
	}
}
