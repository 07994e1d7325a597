package history

import (
	"iter"

	"github.com/watu-ledger/watu/events"
)

// Row is an event that counts or counted once, where it counts or did.
type Row struct {
	*events.Event        // in the turn and phase of its place
	Place         uint64 // the event in whose place it counts: mostly itself
	Original      uint64 // the event whose content it states anew: mostly itself
	By            uint64 // the event that took its place, a correction or a void; 0 if it counts
	Void          bool   // that was a void

	index uint64
}

// Alone is an event to which nothing else refers: it counts in its own place.
func Alone(e *events.Event) Row {
	return Row{Event: e, Place: e.Index, Original: e.Index, index: e.Index}
}

// Counts reports whether the event counts.
func (r *Row) Counts() bool { return r.By == 0 }

// Alters reports whether an event may change what counts before it: it voids events, corrects one, or takes the place
// of one. [View.Alters] knows more, and wants an index.
func Alters(e *events.Event) bool {
	return e.Corrects != 0 || e.Replaces != 0 || e.Type == "voided" || e.Type == "corrected" && len(events.Voids(e)) > 0
}

// Rows gives all events from the place of event from on, also those that do not count any more. They come in the order
// of [View.Effective], each in all its versions. What corrects an event of another type, or one that is void, is an
// event like any other.
func (v View) Rows(from uint64, read Reader) iter.Seq2[Row, error] {
	return func(yield func(Row, error) bool) {
		for place := from; place < v.n; place++ {
			for _, r := range v.rows(place) {
				err := r.read(read)
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// rows lists what counts or counted in a place, the events not read.
func (v View) rows(place uint64) []Row {
	defer v.lock().RUnlock()
	n := v.node(place)
	if n == nil || n.home != place {
		return nil
	}
	return v.gather(nil, place, place)
}

// gather adds the rows of an event with its versions, behind those of what replaces it.
func (v View) gather(list []Row, i, place uint64) []Row {
	for _, l := range v.node(i).named {
		if l.relation == Replaces && l.event < v.n {
			list = v.gather(list, l.event, place)
		}
	}
	return append(list, v.family(i, place)...)
}

// family gives the rows of an event and of its corrections, none for a correction that comes with what it corrects.
func (v View) family(i, place uint64) (list []Row) {
	n := v.node(i)
	if n.original != i && v.restates(i) {
		return nil
	}
	list = []Row{{Place: place, Original: i, index: i}}
	for _, by := range below(n.turned().versions, v.n) {
		if v.restates(by) {
			list = append(list, Row{Place: place, Original: i, index: by})
		}
	}
	next := uint64(0) // the version that took the place of those before it
	for k := len(list) - 1; k >= 0; k-- {
		r := &list[k]
		if c := v.node(r.index).at(v.n); c.void {
			r.By, r.Void = c.by, true
			continue
		}
		r.By, next = next, r.index
	}
	return list
}

// restates reports whether a correction is a version of what it corrects, whether that stands or both are void.
func (v View) restates(i uint64) bool {
	n := v.node(i)
	of := v.node(n.original)
	return n.kind == of.kind && (!of.at(v.n).void || n.at(v.n).void)
}

// read fills in the event.
func (r *Row) read(read Reader) (err error) {
	if r.Event, err = read(r.index); err != nil || r.Place == r.index {
		return err
	}
	of, err := read(r.Place)
	if err != nil {
		return err
	}
	e := *r.Event
	e.Turn, e.Phase = of.Turn, of.Phase
	r.Event = &e
	return nil
}
