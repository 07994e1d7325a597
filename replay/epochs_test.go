package replay_test

import (
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
)

// A file in which an epoch is missing, or named that never began, is wrong; whoever checks it says so and goes on.
func TestNoSuchEpoch(t *testing.T) {
	t.Parallel()
	w, anna, _ := withDraw(t)
	f, list := w.fileFor(bundle.Umpire, w.harness.now().Next), w.harness.all()
	never := slices.Delete(slices.Clone(list), indexOf(t, list, "epoch_begun"), indexOf(t, list, "epoch_begun")+1)
	again := never[indexOf(t, never, "draw_declared")]
	again.Corrects = uint64(indexOf(t, never, "draw_declared"))
	if found := w.found(rechained(f, append(never, again))); len(found) == 0 {
		t.Error("a record without an epoch passes")
	}
	roll, fell := list[len(list)-1], list[len(list)-1]
	link := events.Link{Chain: anna.chain(), Position: 1, Link: anna.own.Link(1)}
	roll.Type, roll.Epoch, roll.Payload = "roll_declared", 7, events.EncodePayload(&events.RollDeclared{
		Throws:  []events.Throw{{Name: "roll", Side: roll.Side, Dice: 1, Sides: 6}},
		Sources: []events.Source{{Chain: link.Chain, Position: 1}}})
	fell.Type, fell.Payload = "dice_rolled", events.EncodePayload(&events.DiceRolled{Declared: uint64(len(list)),
		Throw: "roll", Dice: []int{1}, Links: []events.Link{link}})
	if found := w.found(rechained(f, append(list, roll, fell))); len(found) == 0 {
		t.Error("an epoch that never began passes")
	}
}
