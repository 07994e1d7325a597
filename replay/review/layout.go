package review

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// layout says which events a corrected command's drafts are: the drafts before from are the events
// heard before from, those behind the new ones are the events from to on. Between, what was heard
// does not stand any more, and fresh drafts take its place; where nothing was heard between, they come
// before the event at from.
type layout struct {
	heard    []events.Event
	from, to int
	fresh    int
	open     bool   // whatever comes from the index from on is new
	at       uint64 // index of the correction; new events follow it
}

// place is the index of the n-th draft.
func (l layout) place(n int) uint64 {
	behind := n - l.fresh + l.to - l.from
	switch {
	case n < l.from:
		return l.heard[n].Index
	case l.open || n < l.from+l.fresh:
		return l.at + 1 + uint64(n-l.from)
	case behind < len(l.heard):
		return l.heard[behind].Index
	}
	return l.heard[len(l.heard)-1].Index
}

// of gives the event that the n-th draft is, nil for a new one.
func (l layout) of(n int) *events.Event {
	switch {
	case n < l.from:
		return &l.heard[n]
	case l.open || n < l.from+l.fresh:
		return nil
	}
	return &l.heard[n-l.fresh+l.to-l.from]
}

// fit finds what the drafts have in common with what was heard, at the front and at the back, and
// reports whether anything between them is other.
func (l *layout) fit(drafts []rules.Draft) bool {
	n, m := len(drafts), len(l.heard)
	front := 0
	for front < min(n, m) && sameKind(drafts[front], &l.heard[front]) {
		front++
	}
	if front == n && front == m {
		return false
	}
	back := 0
	for front+back < min(n, m) && sameKind(drafts[n-1-back], &l.heard[m-1-back]) {
		back++
	}
	l.from, l.to, l.fresh = front, m-back, n-back-front
	// What is new comes before an event that stands, or takes the place of one that does not; and
	// the first event, which carries the command, gives up its place to another only.
	for l.from == l.to && (l.from == 0 || l.to == m) || l.from == 0 && l.fresh == 0 {
		if l.to < m {
			l.to++
		} else {
			l.from--
		}
		l.fresh++
	}
	return true
}

// free holds the part that changes to what follows from figures: nothing in it fell, was drawn,
// chosen or sealed.
func (l layout) free(drafts []rules.Draft) error {
	for i := l.from; i < l.to; i++ {
		if e := &l.heard[i]; !movable(e) {
			return fmt.Errorf("%w: event %d (%s) would not happen, or not there; report what is different as facts "+
				"instead", ErrNotCorrectable, e.Index, e.Type.Words())
		}
	}
	for _, d := range drafts[l.from : l.from+l.fresh] {
		if !derived(d.Payload) || len(d.Secrets)+len(d.Opens) > 0 {
			return fmt.Errorf("%w: with these inputs there would be another %s; report what is different as facts "+
				"instead", ErrNotCorrectable, d.Payload.Type().Words())
		}
	}
	return nil
}

// sameKind reports whether a draft says of the same thing what the event says.
func sameKind(d rules.Draft, e *events.Event) bool {
	if d.Payload.Type() != e.Type {
		return false
	}
	is, ok := d.Payload.(events.Correctable)
	was, _ := events.PayloadOf(e)
	old, stood := was.(events.Correctable)
	return !ok || !stood || slices.Equal(is.Concerns(), old.Concerns())
}

// movable reports whether an event may give up its place.
func movable(e *events.Event) bool {
	p, _ := events.PayloadOf(e)
	return derived(p) && len(e.Commitments)+len(e.Openings) == 0
}

// derived reports whether a payload follows from figures alone.
func derived(p events.Payload) bool {
	switch p := p.(type) {
	case *events.RollDeclared, *events.ChoiceAsked, *events.ContestOpened, *events.ContestSettled:
		return false
	case *events.FactReported:
		return !p.Secret
	case *events.Compensated:
		return p.What != events.CompensatedCard // it may have been played again
	}
	_, ok := p.(events.Correctable)
	return ok
}
