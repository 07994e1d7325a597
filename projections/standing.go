package projections

import (
	"context"
	"fmt"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
)

// standing folds a view from what stands of the campaign's first events, on from a view that was saved before the
// place of everything that has changed since. It goes back for one by twice as much each time, so that it reads
// little more than it folds.
func (r *Runner) standing(ctx context.Context, p Projection, campaign ulid.ULID, applied uint64,
	saved func(most uint64) (Saved, bool, error)) (View, error) {
	for most := applied; ; {
		v, from := r.nearest(p, saved, most)
		t, err := readTail(WithContext(ctx, r.source.Read(campaign, from, applied)), from)
		if err != nil {
			return nil, err
		}
		if same := t.Head().UnchangedUpTo(from); same < from {
			most = min(same, from-min(from, applied-from))
			continue
		}
		return v, t.fold(p, v, nil)
	}
}

// tail is the events of a campaign from one on, and what counts of them.
type tail struct {
	*history.Index
	from uint64
	list []events.Event
}

// readTail decodes records of every type: what is of no concern to a view may have given up its place. The index knows
// nothing of the events before but that there are some; whatever changes one of them says so by its place.
func readTail(records iter.Seq2[events.Record, error], from uint64) (*tail, error) {
	t := &tail{Index: history.Beginning(from), from: from}
	for r, err := range records {
		if err != nil {
			return nil, err
		}
		var e events.Event
		if err := decode(&r, &e); err != nil {
			return nil, err
		}
		t.Add(&e)
		t.list = append(t.list, e)
	}
	return t, nil
}

// fold goes on with a view that has seen the events before the tail.
func (t *tail) fold(p Projection, v View, known map[uint64][]events.Opening) error {
	wanted := typesOf(p)
	read := func(index uint64) (*events.Event, error) {
		if index < t.from {
			return nil, fmt.Errorf("event %d is before what was read, from %d on", index, t.from)
		}
		return &t.list[index-t.from], nil
	}
	for e, err := range t.Head().Rows(t.from, read) {
		if err != nil {
			return err
		}
		if wanted.holds(e.Type) {
			v.Apply(e, known[e.Index])
		}
	}
	return nil
}
