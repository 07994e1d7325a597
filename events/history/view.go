package history

import (
	"cmp"
	"iter"
	"slices"
	"sync"

	"github.com/watu-ledger/watu/events"
)

// View answers for the first events of a campaign. The zero View has none.
type View struct {
	x *Index
	n uint64
}

// At gives the view of the first n events, or of all that were added if these are fewer.
func (x *Index) At(n uint64) View {
	x.mu.RLock()
	defer x.mu.RUnlock()
	return View{x, min(n, x.len())}
}

// Head gives the view of all events that were added.
func (x *Index) Head() View { return x.At(^uint64(0)) }

// At gives the view of the first n events, or of all that this one has.
func (v View) At(n uint64) View { return View{v.x, min(n, v.n)} }

// Len is the number of events.
func (v View) Len() uint64 { return v.n }

// node gives an event, nil if the view does not have it. The index must be locked.
func (v View) node(i uint64) *node {
	if i >= v.n {
		return nil
	}
	return v.x.node(i)
}

// lock locks the index for reading, and gives what unlocks it.
func (v View) lock() *sync.RWMutex {
	x := v.x
	if x == nil {
		x = new(Index)
	}
	x.mu.RLock()
	return &x.mu
}

// Type is the type of an event, empty if there is no such event.
func (v View) Type(i uint64) events.Type {
	defer v.lock().RUnlock()
	if n := v.node(i); n != nil {
		return n.kind
	}
	return ""
}

// Standing gives the event whose content counts in the place of event i: i itself or its last correction that stands.
// The same is answered for a correction of i. It is false for an event that is voided: what counts instead are the
// Sources of Replaces.
func (v View) Standing(i uint64) (by uint64, ok bool) {
	defer v.lock().RUnlock()
	return v.standing(i)
}

func (v View) standing(i uint64) (by uint64, ok bool) {
	n := v.node(i)
	if n == nil {
		return 0, false
	}
	original := v.node(n.original)
	if original.at(v.n).void {
		return 0, false
	}
	for _, by := range slices.Backward(below(original.turned().versions, v.n)) {
		if c := v.node(by); c.kind == original.kind && !c.at(v.n).void {
			return by, true
		}
	}
	return n.original, true
}

// Versions lists all contents that an event has had, whether they stand or not: the original first, then its
// corrections. The same is answered for each of these.
func (v View) Versions(i uint64) []uint64 {
	defer v.lock().RUnlock()
	n := v.node(i)
	if n == nil {
		return nil
	}
	return append([]uint64{n.original}, below(v.node(n.original).turned().versions, v.n)...)
}

// Corrections lists the corrections from event from on, whether they stand or not.
func (v View) Corrections(from uint64) []uint64 {
	defer v.lock().RUnlock()
	if v.x == nil {
		return nil
	}
	all := below(v.x.corrected, v.n)
	first, _ := slices.BinarySearch(all, from)
	return all[first:]
}

// Stands reports whether an event counts: it is there, and is not voided.
func (v View) Stands(i uint64) bool {
	defer v.lock().RUnlock()
	n := v.node(i)
	return n != nil && !n.at(v.n).void
}

// VoidedBy gives the event that took another out of the campaign, and false if that stands. Of several it is the last.
func (v View) VoidedBy(i uint64) (by uint64, ok bool) {
	defer v.lock().RUnlock()
	n := v.node(i)
	if n == nil {
		return 0, false
	}
	c := n.at(v.n)
	return c.by, c.void
}

// at is how an event stood after n events.
func (n *node) at(events uint64) change {
	after, _ := slices.BinarySearchFunc(n.turned().voided, events+1,
		func(c change, from uint64) int { return cmp.Compare(c.from, from) })
	if after == 0 {
		return change{}
	}
	return n.turned().voided[after-1]
}

// Target follows a relation from an event. Where that names several it gives the first.
func (v View) Target(r Relation, i uint64) (uint64, bool) {
	defer v.lock().RUnlock()
	if n := v.node(i); n != nil {
		return n.target(r)
	}
	return 0, false
}

// Targets lists the events that event i names by a relation, field by field.
func (v View) Targets(r Relation, i uint64) (list []uint64) {
	defer v.lock().RUnlock()
	if n := v.node(i); n != nil {
		for _, l := range n.names {
			if l.relation == r {
				list = append(list, l.event)
			}
		}
	}
	return list
}

// Sources lists the events that name event i by a relation, ascending.
func (v View) Sources(r Relation, i uint64) (list []uint64) {
	defer v.lock().RUnlock()
	if n := v.node(i); n != nil {
		for _, l := range n.named {
			if l.relation == r && l.event < v.n {
				list = append(list, l.event)
			}
		}
	}
	return list
}

// Dependent finds the first event that stands, is none of those listed, and rests on one of them. The list is
// ascending.
func (v View) Dependent(on []uint64) (by, of uint64, rests bool) {
	defer v.lock().RUnlock()
	for _, i := range on {
		n := v.node(i)
		if n == nil {
			continue
		}
		for _, l := range n.named {
			if !l.relation.Rests() || l.event >= v.n || rests && l.event >= by || v.node(l.event).at(v.n).void {
				continue
			}
			if _, listed := slices.BinarySearch(on, l.event); !listed {
				by, of, rests = l.event, i, true
			}
		}
	}
	return by, of, rests
}

// Disclosed gives the first event that opens a commitment.
func (v View) Disclosed(s events.Ref) (by uint64, ok bool) {
	defer v.lock().RUnlock()
	if v.x != nil {
		by, ok = v.x.opened(s)
	}
	return by, ok && by < v.n
}

// Command is a command and its events.
type Command struct {
	ID      string
	Events  []uint64 // those that carry its id, ascending
	Changes []uint64 // the heads of its corrections, and what voided it, ascending; whether they stand or not
}

// First is the command's first event.
func (c Command) First() uint64 {
	if len(c.Events) == 0 {
		return 0
	}
	return c.Events[0]
}

// Command gives the command that an event belongs to. An event that corrects, replaces or answers another carries the
// id of a command of its own, and belongs to that of the other.
func (v View) Command(i uint64) Command {
	defer v.lock().RUnlock()
	if n := v.node(i); n != nil {
		return v.named(n.behind)
	}
	return Command{}
}

// Step gives the command whose id an event carries.
func (v View) Step(i uint64) Command {
	defer v.lock().RUnlock()
	if n := v.node(i); n != nil {
		return v.named(n.command)
	}
	return Command{}
}

// CommandNamed gives the command of that id, empty if it led to nothing.
func (v View) CommandNamed(id string) Command {
	defer v.lock().RUnlock()
	if v.x != nil {
		if c := v.x.known(id); c != nil {
			return c.before(v.n)
		}
	}
	return Command{ID: id}
}

// FirstNamed gives the first event of the command of that id, false if it led to nothing.
func (v View) FirstNamed(id string) (first uint64, ok bool) {
	defer v.lock().RUnlock()
	if v.x == nil {
		return 0, false
	}
	c := v.x.known(id)
	if c == nil || c.n == 0 || c.first >= v.n {
		return 0, false
	}
	return c.first, true
}

// named gives the command of a node, as the index knows it: one of before a fork may have changed since.
func (v View) named(c *command) Command {
	if is := v.x.known(c.id); v.x.base != nil && is != nil {
		c = is
	}
	return c.before(v.n)
}

// Alters reports whether what counted before event i is another with it: it voids events, corrects one, or takes the
// place of one. Place is where the difference begins.
func (v View) Alters(i uint64) (place uint64, ok bool) {
	defer v.lock().RUnlock()
	if i >= v.n {
		return 0, false
	}
	at, ok := slices.BinarySearchFunc(v.x.settling, i,
		func(s settling, event uint64) int { return cmp.Compare(s.event, event) })
	if !ok {
		return 0, false
	}
	return v.x.settling[at].place, true
}

// Changes gives the events from event from on that change what counts before them, ascending, each with the place from
// which on that is so.
func (v View) Changes(from uint64) iter.Seq2[uint64, uint64] {
	return func(yield func(event, place uint64) bool) {
		for _, s := range v.settling(from) {
			if !yield(s.event, s.place) {
				return
			}
		}
	}
}

func (v View) settling(from uint64) []settling {
	defer v.lock().RUnlock()
	if v.x == nil {
		return nil
	}
	at := func(event uint64) int {
		i, _ := slices.BinarySearchFunc(v.x.settling, event,
			func(s settling, event uint64) int { return cmp.Compare(s.event, event) })
		return i
	}
	return v.x.settling[:at(v.n)][min(at(from), at(v.n)):]
}

// Head gives the event with which the correction begins that an event is part of: the last before it, in its step, of
// type corrected. Of any other event it gives that itself.
func (v View) Head(i uint64) uint64 {
	defer v.lock().RUnlock()
	for head := i; v.node(head) != nil && v.node(head).command.id == v.node(i).command.id; head-- {
		if v.node(head).kind == "corrected" {
			return head
		}
		if head == 0 {
			break
		}
	}
	return i
}

// UnchangedUpTo gives the place up to which the first n events count as they do in this view: what comes later changes
// nothing before it.
func (v View) UnchangedUpTo(n uint64) (place uint64) {
	defer v.lock().RUnlock()
	place = min(n, v.n)
	if v.x == nil {
		return place
	}
	for _, s := range slices.Backward(v.x.settling) {
		if s.event < n {
			break
		}
		if s.event < v.n {
			place = min(place, s.place)
		}
	}
	return place
}

// below gives those of ascending indexes that are less than n.
func below(list []uint64, n uint64) []uint64 {
	end, _ := slices.BinarySearch(list, n)
	return list[:end:end]
}
