package projections

import (
	"iter"

	"github.com/watu-ledger/watu/events"
)

// takesOut reports whether an event takes others out of the campaign.
func takesOut(e *events.Event) bool { return len(events.Voids(e)) > 0 }

// standing folds a view from what stands of a campaign's records, from index 0 on.
func standing(p Projection, records iter.Seq2[events.Record, error], known map[uint64][]events.Opening) (View, error) {
	var all []events.Event
	wanted := typesOf(p)
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		if !wanted.has(r.Bytes) {
			continue
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
		v.Apply(&stands[i], known[stands[i].Index])
	}
	return v, nil
}
