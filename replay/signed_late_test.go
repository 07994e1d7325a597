package replay_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/replay/bundle"
)

// A host who lets his clock stand still hears what a player signed, or ordered, after its time is over. A round that
// stands in the record came at a time of its own, and shows it.
func TestHeardAfterTheRound(t *testing.T) {
	t.Parallel()
	w, anna, ben := joined(t)
	w.harness.signers = &signers{list: []signer{anna.signer, ben.signer}}
	w.must("turn: Winter 1941\nentries: []\n")
	allowed(t, anna.enters("Winter 1941/d", "{id: d, draw: Ultra}"), nil)
	_, draw := anna.open("European Axis")
	a, err := anna.draws("European Axis", nil)
	allowed(t, a, err)
	allowed(t, anna.enters("Winter 1941/a", allocation), nil)
	list := w.harness.all()
	declared := indexOf(t, list, "draw_declared")
	at := list[declared].Recorded
	for i := range list[declared:] {
		list[declared+i].Recorded = at
	}
	for _, late := range []bool{false, true} {
		until := time.Unix(w.Time(draw.Round), 0)
		if late {
			until = until.Add(-time.Second)
		}
		f := w.harness.resigned(list, func(i int, k *envelope.Command) {
			if i == len(list)-1 {
				k.NotAfter = until.UTC()
			}
		})
		r := f.Check(bundle.Options{})
		found := slices.DeleteFunc(r.Findings, func(x bundle.Finding) bool { return x.Check != bundle.CheckEnvelopes })
		if len(found) > 0 || late != slices.ContainsFunc(r.Unchecked, func(u bundle.Unchecked) bool {
			return strings.Contains(u.What, "heard after their time")
		}) {
			t.Errorf("late %t: %+v, %+v", late, found, r.Unchecked)
		}
	}
}
