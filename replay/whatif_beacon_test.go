package replay_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/replay/whatif"
)

// A what-if of dice by a beacon has those of the record, lapses among them; a roll that the record does not have falls
// by its seed.
func TestWhatIfBeacon(t *testing.T) {
	t.Parallel()
	w := newWitnessed(t)
	w.submit(beaconPlay)
	w.unchanged(0)
	w.lapses()
	w.unchanged(0)
	w.falls()
	w.must("turn: Spring 1942\nentries: []\n")
	for at := range w.harness.now().Next {
		w.unchanged(at)
	}
	change := func(text string) *whatif.Result {
		t.Helper()
		k, err := turnfile.ParseChange(text)
		if err != nil {
			t.Fatal(err)
		}
		h, err := whatif.Run(w.umpire, w.id.ID, whatif.Scenario{Changes: []turnfile.Change{k}, Seed: "1"})
		if err != nil {
			t.Fatalf("%s: %v", text, err)
		}
		return h
	}
	list := w.all()
	at := func(kind events.Type) uint64 {
		return uint64(slices.IndexFunc(list, func(e events.Event) bool { return e.Type == kind }))
	}
	rolled := at("dice_rolled")
	var fell events.DiceRolled
	list[rolled].Read(&fell)
	h := change(fmt.Sprintf("die #%d = %d %d", rolled, 7-fell.Dice[0], fell.Dice[1]))
	if h.First == nil || h.First.Difference == nil || h.First.Difference.Recorded.Index != rolled || len(h.Fresh) > 0 {
		t.Errorf("another die: %+v, %d rolls are new", h.First, len(h.Fresh))
	}
	raid := w.harness.now().History.CommandNamed("Winter 1941/raid").First()
	h = change(fmt.Sprintf("entry #%d: {submarines: 60}", raid))
	if len(h.Unheard) > 0 || len(h.Fresh) > 0 || h.First == nil {
		t.Errorf("more submarines: %+v, %+v, %d rolls are new", h.First, h.Unheard, len(h.Fresh))
	}
	h = change(fmt.Sprintf("without #%d", rolled)) // the turn behind it would not begin otherwise
	if len(h.Unheard) != 1 || h.Unheard[0].Why != whatif.UnheardLeftOut || len(h.Fresh) > 0 || h.Open != nil {
		t.Errorf("without its round: %+v, %d rolls are new", h.Unheard, len(h.Fresh))
	}
	h = change(fmt.Sprintf("entry #%d: {box: Pacific, side: Japan}", raid))
	if again := change(fmt.Sprintf("entry #%d: {box: Pacific, side: Japan}", raid)); len(h.Fresh) != 1 ||
		len(h.Unheard) != 4 || h.Open != nil || fmt.Sprint(h.First.Difference.Fields) !=
		fmt.Sprint(again.First.Difference.Fields) {
		t.Errorf("another roll: %d are new, %+v", len(h.Fresh), h.Unheard)
	}
}
