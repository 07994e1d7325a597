package projections

import (
	"iter"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// standing folds a view from what stands of a campaign's records, from index 0 on.
func standing(p Projection, records iter.Seq2[events.Record, error], known map[uint64][]events.Opening) (View, error) {
	var all []events.Event
	for r, err := range records { // every type: what is of no concern to the view may have given up its place
		if err != nil {
			return nil, err
		}
		var e events.Event
		if err := decode(&r, &e); err != nil {
			return nil, err
		}
		all = append(all, e)
	}
	v := p.New()
	stands := events.Standing(all)
	for i := range stands {
		if e := &stands[i]; p.Types == nil || slices.Contains(p.Types, e.Type) {
			v.Apply(e, known[e.Index])
		}
	}
	return v, nil
}
