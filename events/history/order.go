package history

import (
	"iter"

	"github.com/watu-ledger/watu/events"
)

// Reader reads an event of the campaign by its index. What it gives must not change afterwards.
type Reader func(index uint64) (*events.Event, error)

// From reads events that are in memory, from index 0 on.
func From(list []events.Event) Reader {
	return func(index uint64) (*events.Event, error) { return &list[index], nil }
}

// Effective is an event as and where it counts.
type Effective struct {
	*events.Event
	Was []uint64 // earlier versions of its content, the original first
}

// Effective gives the events that count, in the order in which they count, from the place of event from on. Each has
// the content of its last correction; one that replaces another has its turn, phase, seat and command, and Replaces
// names the event whose place that is. The corrections themselves are passed over.
func (v View) Effective(from uint64, read Reader) iter.Seq2[Effective, error] {
	return func(yield func(Effective, error) bool) {
		for place := from; place < v.n; place++ {
			for e, err := range v.InPlaceOf(place, read) {
				if !yield(e, err) || err != nil {
					return
				}
			}
		}
	}
}

// InPlaceOf gives those of [View.Effective] that count in the place of event i: what replaces it, and itself if it
// stands.
func (v View) InPlaceOf(i uint64, read Reader) iter.Seq2[Effective, error] {
	return func(yield func(Effective, error) bool) {
		var few [4]uint64
		for n, at := range v.counting(i, few[:0]) {
			e, err := v.effective(at, i, n == 0, read)
			if !yield(e, err) || err != nil {
				return
			}
		}
	}
}

// counting adds to a list the events that count in the place of event i: those that replace it, or replace one of
// these, and itself.
func (v View) counting(i uint64, list []uint64) []uint64 {
	defer v.lock().RUnlock()
	if n := v.node(i); n != nil && n.home == i {
		list = v.takes(n, i, list)
	}
	return list
}

func (v View) takes(n *node, i uint64, list []uint64) []uint64 {
	for _, l := range n.named {
		if l.relation == Replaces && l.event < v.n {
			list = v.takes(v.node(l.event), l.event, list)
		}
	}
	if !n.at(v.n).void && n.original == i {
		list = append(list, i)
	}
	return list
}

// effective gives an event as it counts in a place. The first that takes the place of a voided event is what its
// request led to.
func (v View) effective(i, place uint64, first bool, read Reader) (Effective, error) {
	e, err := read(i)
	if err != nil {
		return Effective{}, err
	}
	by, was := v.content(i)
	if i == place && by == i {
		return Effective{Event: e}, nil
	}
	own := *e
	if i != place {
		of, err := read(place)
		if err != nil {
			return Effective{}, err
		}
		own.Turn, own.Phase, own.Replaces = of.Turn, of.Phase, of.Index
		own.Command, own.Seat, own.Request = of.Command, of.Seat, ""
		if _, void := v.VoidedBy(place); void && first {
			own.Request = of.Request
		}
	}
	if by != i {
		is, err := read(by)
		if err != nil {
			return Effective{}, err
		}
		own.Payload, own.Derivation, own.Side = is.Payload, is.Derivation, is.Side
	}
	return Effective{&own, was}, nil
}

// content gives the event whose content counts for one that stands, and the earlier versions of that.
func (v View) content(i uint64) (by uint64, was []uint64) {
	defer v.lock().RUnlock()
	if n := v.node(i); n == nil || len(n.turned().versions) == 0 {
		return i, nil
	}
	if by, _ = v.standing(i); by != i {
		was = append([]uint64{i}, below(v.node(i).turned().versions, by)...)
	}
	return by, was
}
