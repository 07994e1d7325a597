package g40

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// journal keeps, by subject, what happened in the order in which it happened, so that a correction
// changes an event where it stands and what came later follows. It is a value.
type journal[K comparable] map[K][]page

type page struct {
	index   uint64 // of the event
	payload events.Payload
}

// enter notes an event under its subjects.
func (j journal[K]) enter(index uint64, p events.Payload, subjects ...K) journal[K] {
	if len(subjects) == 0 {
		return j
	}
	next := maps.Clone(j)
	if next == nil {
		next = journal[K]{}
	}
	for _, k := range subjects {
		next[k] = append(slices.Clone(next[k]), page{index, p})
	}
	return next
}

// amend puts a corrected event in the place of the one at index, if that stands in the journal and
// was of the same type; its subjects may be others.
func (j journal[K]) amend(index uint64, p events.Payload, subjects ...K) journal[K] {
	replaced := func(old page) bool { return old.index == index && old.payload.Type() == p.Type() }
	next, found := journal[K]{}, false
	for k, pages := range j {
		next[k] = slices.DeleteFunc(slices.Clone(pages), replaced)
		found = found || len(next[k]) < len(pages)
	}
	if !found {
		return j
	}
	for _, k := range subjects {
		at := slices.IndexFunc(next[k], func(old page) bool { return old.index > index })
		if at < 0 {
			at = len(next[k])
		}
		next[k] = slices.Insert(next[k], at, page{index, p})
	}
	return next
}
