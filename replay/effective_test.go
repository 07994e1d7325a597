package replay_test

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
)

func viewOf(all []events.Event) history.View {
	var x history.Index
	for i := range all {
		x.Add(&all[i])
	}
	return x.Head()
}

// effective lists what counts of events.
func effective(all []events.Event) (list []events.Event) {
	for e, err := range viewOf(all).Effective(0, history.From(all)) {
		if err != nil {
			panic(err) // what is in memory reads
		}
		list = append(list, *e.Event)
	}
	return list
}

// asRecorded lists the events that stand, corrections where they were recorded.
func asRecorded(all []events.Event) (list []events.Event) {
	var rows []history.Row
	for r, err := range viewOf(all).Rows(0, history.From(all)) {
		if err != nil {
			panic(err)
		}
		if !r.Void {
			rows = append(rows, r)
		}
	}
	slices.SortStableFunc(rows, func(a, b history.Row) int { return int(placeOf(a)) - int(placeOf(b)) })
	for _, r := range rows {
		e := *r.Event
		if r.Original == r.Index && r.Place != r.Index { // it is part of the command whose place it takes
			e.Command, e.Replaces = all[r.Place].Command, r.Place
		}
		list = append(list, e)
	}
	return list
}

func placeOf(r history.Row) uint64 {
	if r.Original != r.Index {
		return r.Index
	}
	return r.Place
}
