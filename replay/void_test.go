package replay_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
)

// standing lists the events of a command's name that stand.
func (c *harness) standing(of string) (list []uint64) {
	for _, e := range effective(c.all()) {
		if e.Command == of && e.Type != "phase_advanced" { // a phase that began stays begun
			list = append(list, e.Index)
		}
	}
	return list
}

// TestVoidThrownAgain: what a correction took out of a command does not come back when the command is
// taken back with its correction.
func TestVoidThrownAgain(t *testing.T) {
	c := newHost(t).open("void", "s1", nil)
	a := c.must("turn: Fall 1941\nentries:\n" +
		"  - {id: pacific, submarine warfare: {box: Pacific, side: Japan, submarines: 6, asw: 7}, cards: []}\n")
	for i := range 2 {
		k := review.Correction{Event: a[len(a)-1].First, Code: "dispute", Reason: "cocked",
			Source: []byte{'a' + byte(i)}, Dice: review.DiceRuling{Again: true}}
		if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != "allowed" {
			t.Fatal(a, err)
		}
	}
	c.must("turn: Fall 1941\nentries:\n" +
		"  - {id: contested, dispute: {event: " + "5" + ", claim: it was not}}\n")
	d := c.lastOf("Fall 1941/contested", "dispute_opened")
	c.must("turn: Fall 1941\nentries:\n  - {id: ruled, ruling: {dispute: " + itoa(d) + ", ruling: void, reason: it " +
		"was not, event: " + itoa(a[len(a)-1].First) + "}}\n")
	if left := c.standing("Fall 1941/pacific"); len(left) > 0 {
		t.Errorf("%v stand", left)
	}
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		t.Error(err)
	}
	findings, _ := c.tried()
	if len(findings) > 0 {
		t.Error(findings)
	}
}

// TestVoidAttested: a command whose dice fell at a table can be ruled void.
func TestVoidAttested(t *testing.T) {
	c := newHost(t).openAttested("void", "s1", nil)
	a := c.must("turn: Fall 1941\nentries:\n" +
		"  - {id: pacific, submarine warfare: {box: Pacific, side: Japan, submarines: 6, asw: 7}, cards: []}\n" +
		"  - {id: fell, dice: [[3, 4], [6, 1]], by: Anna}\n" +
		"  - {id: seen, confirm: yes, by: Ben}\n")
	c.must("turn: Fall 1941\nentries:\n  - {id: contested, dispute: {event: " + itoa(a[1].First) +
		", claim: it was not}}\n")
	d := c.lastOf("Fall 1941/contested", "dispute_opened")
	c.must("turn: Fall 1941\nentries:\n  - {id: ruled, ruling: {dispute: " + itoa(d) + ", ruling: void, reason: it " +
		"was not}}\n")
	if left := c.standing("Fall 1941/pacific"); len(left) > 0 {
		t.Errorf("%v stand", left)
	}
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		t.Error(err)
	}
}

// TestNoSlip: what came before dice that somebody saw is no act: dice typed in, dice that were
// thrown again since, dice that were voided.
func TestNoSlip(t *testing.T) {
	slips := func(c *harness) (names []string) {
		list, err := c.umpire.Undoables(c.id.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range list {
			names = append(names, s.Command)
		}
		return names
	}
	const pacific = "  - {id: pacific, submarine warfare: {box: Pacific, side: Japan, submarines: 6, asw: 7}, " +
		"cards: []}\n"
	const radar = "  - {id: radar, facts: {radar: {Germany: 2}}}\n"

	c := newHost(t).openAttested("typed", "s1", nil)
	c.must("turn: Fall 1941\nentries:\n" + radar + pacific)
	if got := slips(c); !slices.Equal(got, []string{"Fall 1941/pacific", "Fall 1941/radar"}) {
		t.Errorf("before the dice: %v", got)
	}
	c.must("turn: Fall 1941\nentries:\n  - {id: fell, dice: [[3, 4], [6, 1]], by: Anna}\n")
	if got := slips(c); len(got) > 0 {
		t.Errorf("after the dice were typed: %v", got)
	}

	c = newHost(t).open("again", "s1", nil)
	a := c.must("turn: Fall 1941\nentries:\n" + pacific + radar)
	k := review.Correction{Event: a[1].First, Code: "dispute", Reason: "cocked", Source: []byte("1"),
		Dice: review.DiceRuling{Again: true}}
	if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	if got := slips(c); len(got) > 0 {
		t.Errorf("after dice were thrown again: %v", got)
	}

	c = newHost(t).open("voided", "s1", nil)
	c.must("turn: Fall 1941\nentries:\n" + radar)
	a = c.must("entries:\n" + pacific + "  - {id: contested, dispute: {event: 6, claim: it was not}}\n")
	d := c.lastOf("Fall 1941/contested", "dispute_opened")
	c.must("turn: Fall 1941\nentries:\n  - {id: ruled, ruling: {dispute: " + itoa(d) + ", ruling: void, reason: it " +
		"was not, event: " + itoa(a[0].First) + "}}\n")
	if got := slips(c); !slices.Equal(got, []string{"Fall 1941/ruled"}) {
		t.Errorf("after dice that were voided: %v", got)
	}
	c.must("turn: Fall 1941\nentries:\n  - {id: torpedo, facts: {torpedo: {Germany: 3}}}\n")
	if got := slips(c); !slices.Equal(got, []string{"Fall 1941/torpedo", "Fall 1941/ruled"}) {
		t.Errorf("%v", got)
	}
}

// TestRenewedBeforeThrownAgain: dice that are thrown again on a campaign that goes on from a copy fall
// by the fresh secret, as those of any other command.
func TestRenewedBeforeThrownAgain(t *testing.T) {
	c := newHost(t).open("renewed", "s1", nil)
	a := c.must("turn: Fall 1941\nentries:\n" +
		"  - {id: pacific, submarine warfare: {box: Pacific, side: Japan, submarines: 6, asw: 7}, cards: []}\n")
	if err := c.umpire.RotateSecret(c.id.ID); err != nil {
		t.Fatal(err)
	}
	c.replaceUmpire()
	k := review.Correction{Event: a[1].First, Code: "dispute", Reason: "cocked", Source: []byte("1"),
		Dice: review.DiceRuling{Again: true}}
	if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != "allowed" {
		t.Fatal(a, err)
	}
	list := c.all()
	if e := list[len(list)-1]; e.Epoch != 2 {
		t.Errorf("#%d %s fell in epoch %d", e.Index, e.Type, e.Epoch)
	}
	if findings, _ := c.tried(); len(findings) > 0 {
		t.Error(findings)
	}
	if err := c.umpire.SameAsFolded(c.id.ID); err != nil {
		t.Error(err)
	}
}

// TestRecoverCorrected: corrections come back as they were, wherever the record was cut.
func TestRecoverCorrected(t *testing.T) {
	c := corrected(t)
	all := c.records(0, campaign.Everything)
	for m := 4; m <= len(all); m++ {
		f := c.copyOf(t)
		found, err := f.umpire.Recover(records(all[:m]))
		if err != nil {
			t.Fatalf("cut at %d: %v", m, err)
		}
		e, err := events.Decode(all[m-1].Bytes)
		if err != nil {
			t.Fatal(err)
		}
		if settled := history.Alters(&e); settled && (found.Completed > 0 || len(found.Cut) > 0) {
			t.Errorf("cut behind #%d %s: %+v", e.Index, e.Type, found)
		}
		if err := f.umpire.SameAsFolded(c.id.ID); err != nil {
			t.Fatalf("cut at %d: %v", m, err)
		}
	}
}

// TestSaidAgain: an entry without an id that was taken back may be said again, and is then another.
func TestSaidAgain(t *testing.T) {
	c := newHost(t).open("again", "s1", nil)
	c.must("turn: Fall 1941\nentries:\n  - {id: torpedo, facts: {torpedo: {Germany: 3}}}\n")
	answer := command("", "facts", `{"facts":{"radar":{"Germany":3}}}`)
	for range 3 {
		var err error
		if answer.ID, err = c.umpire.CommandID(c.id.ID, answer); err != nil {
			t.Fatal(err)
		}
		a, err := c.hear(answer)
		if err != nil || a.Again {
			t.Fatalf("%+v, %v", a, err)
		}
		if name, err := c.umpire.CommandID(c.id.ID, answer); err != nil || name != answer.ID {
			t.Errorf("the same words are %s, then %s: %v", answer.ID, name, err)
		}
		if a, err := c.umpire.Undo(c.id.ID, a.First, "a slip"); err != nil || a.Verdict != "allowed" {
			t.Fatal(a, err)
		}
	}
}

func itoa(n uint64) string { return fmt.Sprint(n) }
