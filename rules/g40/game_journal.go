package g40

import (
	"maps"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// chronicle keeps, by subject, what happened, in the order in which it happened. It is a value; to note an event costs
// the same however much happened before.
type chronicle[K comparable] map[K]rules.List[events.Payload]

// note notes an event under its subjects.
func (c chronicle[K]) note(p events.Payload, subjects ...K) chronicle[K] {
	if len(subjects) == 0 {
		return c
	}
	next := maps.Clone(c)
	if next == nil {
		next = chronicle[K]{}
	}
	for _, k := range subjects {
		next[k] = next[k].Append(p)
	}
	return next
}

// page is what happened to the units in a space, and how many it leaves.
type page struct {
	index   uint64 // of the event
	payload events.Payload
	// the highest index up to here: an event that takes another's place has a higher one than those behind it
	latest uint64
	comes  garrison
}

// enter puts a page behind those of each post.
func enter(units map[post]rules.List[page], index uint64, p events.Payload, posts []post) map[post]rules.List[page] {
	if len(posts) == 0 {
		return units
	}
	next := maps.Clone(units)
	if next == nil {
		next = map[post]rules.List[page]{}
	}
	for _, at := range posts {
		last, _, _ := next[at].Last()
		next[at] = next[at].Append(page{index, p, max(index, last.latest), last.comes.after(at, p)})
	}
	return next
}
