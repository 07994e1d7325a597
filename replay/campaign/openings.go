package campaign

import (
	"cmp"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// Openings are the openings that a viewer holds, by the event and slot that they open.
type Openings map[events.Ref]events.Opening

// OpeningsOf indexes a list.
func OpeningsOf(list []events.Opening) Openings {
	o := Openings{}
	o.Add(list...)
	return o
}

// Add adds openings.
func (o Openings) Add(list ...events.Opening) {
	for _, x := range list {
		o[events.Ref{Index: x.Index, Slot: x.Slot}] = x
	}
}

// Of gives the openings of an event's own commitments.
func (o Openings) Of(e *events.Event) []events.Opening {
	var list []events.Opening
	for _, c := range e.Commitments {
		if x, ok := o[events.Ref{Index: e.Index, Slot: c.Slot}]; ok {
			list = append(list, x)
		}
	}
	return list
}

// All gives every opening, by event and slot.
func (o Openings) All() []events.Opening {
	return slices.SortedFunc(maps.Values(o), func(a, b events.Opening) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Slot, b.Slot))
	})
}

// Sealed lists the commitments of events whose openings are not known.
func (o Openings) Sealed(list []events.Event) (at []events.Ref) {
	for i := range list {
		for _, c := range list[i].Commitments {
			ref := events.Ref{Index: list[i].Index, Slot: c.Slot}
			if _, open := o[ref]; !open {
				at = append(at, ref)
			}
		}
	}
	return at
}

// Own gives the openings of the commitments of events.
func (o Openings) Own(list []events.Event) Openings {
	own := Openings{}
	for i := range list {
		own.Add(o.Of(&list[i])...)
	}
	return own
}
