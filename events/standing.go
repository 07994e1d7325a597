package events

import "slices"

// # What stands
//
// An event is never deleted, and not every event stands for ever. One that was voided has no
// effect from then on, as if it had not happened; one that replaces a voided event takes its place
// in the order, and comes before the event that it names if that stands. So states and views are folds of the events that stand, and the fold of a campaign
// that nothing was voided in is that of its events as they come.

// Settles reports whether what stands before e is another with e: it takes events out of the
// campaign, or the place of one. Folds begin again there.
func Settles(e *Event) bool { return e.Replaces != 0 || len(Voids(e)) > 0 }

// Voids lists the events that e takes out of the campaign, ascending; none for nearly every event.
func Voids(e *Event) []uint64 {
	switch e.Type {
	case "voided":
		var p Voided
		if e.Read(&p) {
			return p.Events
		}
	case "corrected":
		var p Corrected
		if e.Read(&p) {
			return p.Voids
		}
	}
	return nil
}

// VoidedIn tells, of the events that do not stand any more, which event took each out. list holds a
// campaign's events in their order, from the first on; events of no concern may be missing. What a
// voided event took out stands again.
func VoidedIn(list []Event) map[uint64]uint64 {
	out := map[uint64]uint64{}
	for i := len(list) - 1; i >= 0; i-- { // an event is voided by later ones only
		e := &list[i]
		if _, void := out[e.Index]; void {
			continue
		}
		for _, index := range Voids(e) {
			if _, void := out[index]; !void && index < e.Index {
				out[index] = e.Index
			}
		}
	}
	return out
}

// Standing gives, of all of a campaign's events in their order, those that stand, in the order in
// which they count. An event that takes the
// place of a voided one comes where that was: in its turn and phase, as part of its command; Replaces
// names the first of those whose place it is.
func Standing(list []Event) []Event {
	if !slices.ContainsFunc(list, func(e Event) bool { return Settles(&e) }) {
		return list
	}
	voided := VoidedIn(list)
	s := standing{voided: voided, begun: map[uint64]bool{}, at: map[uint64]*Event{}, instead: map[uint64][]*Event{}}
	for i := range list {
		e := &list[i]
		s.at[e.Index] = e
		if e.Replaces != 0 {
			s.instead[e.Replaces] = append(s.instead[e.Replaces], e)
		}
	}
	for i := range list {
		if e := &list[i]; !s.placed(e) {
			s.take(e, e)
		}
	}
	return s.list
}

type standing struct {
	voided  map[uint64]uint64
	begun   map[uint64]bool // whether something stands in the place of a voided event
	at      map[uint64]*Event
	instead map[uint64][]*Event // what takes the place of a voided event, in order
	list    []Event
}

// placed reports whether e takes another's place.
func (s *standing) placed(e *Event) bool {
	return e.Replaces != 0 && e.Replaces < e.Index && s.at[e.Replaces] != nil
}

// take puts what stands of e, and what stands in its place, at the end of the list; of is the
// event whose place that is.
func (s *standing) take(e, of *Event) {
	for _, next := range s.instead[e.Index] {
		if next.Index > e.Index {
			s.take(next, of)
		}
	}
	if _, void := s.voided[e.Index]; !void {
		stands := *e
		if of != e {
			stands.Turn, stands.Phase, stands.Replaces = of.Turn, of.Phase, of.Index
			stands.Command, stands.Seat, stands.Request = of.Command, of.Seat, ""
			if _, void := s.voided[of.Index]; void && !s.begun[of.Index] {
				stands.Request, s.begun[of.Index] = of.Request, true
			}
		}
		s.list = append(s.list, stands)
	}
}

// Amended is [Standing] with each correction put in the place of what it corrects: how the campaign
// would have gone by what is known now.
func Amended(list []Event) []Event {
	stood := slices.Clone(Standing(list))
	last := map[uint64]*Event{}
	for i := range stood {
		if e := &stood[i]; e.Corrects != 0 {
			last[e.Corrects] = e
		}
	}
	var amended []Event
	for _, e := range stood {
		by, ok := last[e.Index]
		switch {
		case e.Corrects != 0:
			continue
		case ok && by.Type == e.Type:
			e.Payload, e.Derivation, e.Side = by.Payload, by.Derivation, by.Side
		}
		amended = append(amended, e)
	}
	return amended
}
