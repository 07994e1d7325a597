package replay_test

import (
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/rules/chance"
)

// A player who took another key twice, once while a draw waited for its cards, discloses the chain of each key. No
// draw is left sealed, and an honest record is accused of nothing on the way.
func TestDeclassifiedAfterRekeys(t *testing.T) {
	t.Parallel()
	w, anna, ben := joined(t)
	sealed := func(want int) {
		t.Helper()
		f := w.fileFor(bundle.Public, w.harness.now().Next)
		w.clean(f)
		n := 0
		for _, u := range f.Check(bundle.Options{}).Unchecked {
			if u.What == "draws of players" {
				n += u.Count
			}
		}
		if n != want {
			t.Errorf("%d draws are said to be sealed, not %d", n, want)
		}
	}
	turn := func(label, id string) {
		t.Helper()
		w.must("turn: " + label + "\nentries: []\n")
		allowed(t, anna.enters(label+"/"+id, "{id: "+id+", draw: Ultra}"), nil)
	}
	rekeyed := func(first byte) (old signer) {
		t.Helper()
		next := w.signer("Anna", first)
		next.own = chance.NewChain(events.Hash{first}, 32)
		next.gets(anna.signer, false)
		old, anna.signer = anna.signer, next
		return old
	}
	draws := func(p *drawer, side string) {
		t.Helper()
		a, err := p.draws(side, nil)
		allowed(t, a, err)
	}
	turn("Winter 1941", "d")
	draws(ben, "Britain")
	first := rekeyed(7) // while her cards are to come
	a, err := anna.declassifies(0)
	refusedFor(t, "waits for its cards", a, err)
	late := *anna
	late.own = first.own // the declaration names it
	draws(&late, "European Axis")
	anna.cards = late.cards
	turn("Spring 1942", "d2")
	draws(anna, "European Axis")
	draws(ben, "Britain")
	second := rekeyed(8)
	turn("Summer 1942", "d3") // of which Anna never draws: the turn ends before
	draws(ben, "Britain")
	w.must("turn: Fall 1942\nentries: []\n")
	sealed(6)
	for _, key := range []signer{first, second, anna.signer} {
		a, err = anna.declassifiesBy(key.chain(), key.own, 1)
		allowed(t, a, err)
		anna.cards = nil // they are open
	}
	a, err = ben.declassifies(3)
	allowed(t, a, err)
	sealed(0)
	w.sound()
}
