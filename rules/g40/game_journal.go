package g40

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// journal keeps, by subject, what happened in the order in which it happened, and what the subject comes to by it: V. A
// correction changes an event where it stands, and what came later follows. It is a value; to enter an event costs the
// same however much happened before.
type journal[K comparable, V value[V]] map[K]rules.List[page[V]]

// value is what a subject comes to; after gives what it comes to by one event more.
type value[V any] interface{ after(p events.Payload) V }

type page[V any] struct {
	index   uint64 // of the event
	payload events.Payload
	latest  uint64 // the highest index up to here: an event that takes another's place has a higher one than those behind it
	comes   V      // what the subject comes to then
}

// unreckoned is the value in a chronicle.
type unreckoned struct{}

func (unreckoned) after(events.Payload) unreckoned { return unreckoned{} }

// chronicle is a journal whose subjects come to nothing but what happened.
type chronicle[K comparable] = journal[K, unreckoned]

// enter notes an event under its subjects. Begin gives what one comes to before anything happened, nil for the zero value.
func (j journal[K, V]) enter(index uint64, p events.Payload, begin func(K) V, subjects ...K) journal[K, V] {
	if len(subjects) == 0 {
		return j
	}
	next := maps.Clone(j)
	if next == nil {
		next = journal[K, V]{}
	}
	for _, k := range subjects {
		next.add(k, index, p, begin)
	}
	return next
}

// add puts a page behind those of a subject.
func (j journal[K, V]) add(k K, index uint64, p events.Payload, begin func(K) V) {
	last, _, ok := j[k].Last()
	if !ok && begin != nil {
		last.comes = begin(k)
	}
	j[k] = j[k].Append(page[V]{index, p, max(index, last.latest), last.comes.after(p)})
}

// amend puts a corrected event in the place of the one at index, if that stands in the journal and
// was of the same type; its subjects may be others.
func (j journal[K, V]) amend(index uint64, p events.Payload, begin func(K) V, subjects ...K) journal[K, V] {
	replaced := func(old page[V]) bool { return old.index == index && old.payload.Type() == p.Type() }
	next := maps.Clone(j)
	found := false
	for k, pages := range j {
		head, tail := pages.Cut(func(x page[V]) bool { return x.latest < index })
		if slices.ContainsFunc(tail, replaced) {
			next[k], found = head, true
			next.addAll(k, slices.DeleteFunc(tail, replaced), begin)
		}
	}
	if !found {
		return j
	}
	for _, k := range subjects {
		head, tail := next[k].Cut(func(x page[V]) bool { return x.latest <= index })
		next[k] = head
		next.add(k, index, p, begin)
		next.addAll(k, tail, begin)
	}
	return next
}

func (j journal[K, V]) addAll(k K, pages []page[V], begin func(K) V) {
	for _, x := range pages {
		j.add(k, x.index, x.payload, begin)
	}
}
