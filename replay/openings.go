package replay

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
)

// openings are the openings that a viewer holds, by the event and slot that they open.
type openings map[events.Ref]events.Opening

func openingsOf(list []events.Opening) openings {
	o := openings{}
	for _, x := range list {
		o[events.Ref{Index: x.Index, Slot: x.Slot}] = x
	}
	return o
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

// chosen gives the options of a choice, from its opening if it was a secret one.
func chosen(e *events.Event, p *events.ChoiceMade, known openings) []string {
	if len(p.Options) > 0 {
		return p.Options
	}
	var options []string
	if x, ok := known[events.Ref{Index: e.Index, Slot: "choice"}]; ok {
		_ = json.Unmarshal([]byte(x.Fact), &options)
	}
	return options
}
