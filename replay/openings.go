package replay

import (
	"cmp"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// openings are the openings that a viewer holds, by the event and slot that they open.
type openings map[events.Ref]events.Opening

func openingsOf(list []events.Opening) openings {
	o := openings{}
	o.add(list...)
	return o
}

func (o openings) add(list ...events.Opening) {
	for _, x := range list {
		o[events.Ref{Index: x.Index, Slot: x.Slot}] = x
	}
}

// of gives the openings of an event's own commitments.
func (o openings) of(e *events.Event) []events.Opening {
	var list []events.Opening
	for _, c := range e.Commitments {
		if x, ok := o[events.Ref{Index: e.Index, Slot: c.Slot}]; ok {
			list = append(list, x)
		}
	}
	return list
}

// all gives every opening, by event and slot.
func (o openings) all() []events.Opening {
	return slices.SortedFunc(maps.Values(o), func(a, b events.Opening) int {
		return cmp.Or(cmp.Compare(a.Index, b.Index), cmp.Compare(a.Slot, b.Slot))
	})
}

// sealed lists the commitments of events whose openings are not known.
func (o openings) sealed(list []events.Event) (at []events.Ref) {
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

// own gives the openings of the commitments of events.
func (o openings) own(list []events.Event) openings {
	own := openings{}
	for i := range list {
		own.add(o.of(&list[i])...)
	}
	return own
}
