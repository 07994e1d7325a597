package history

import (
	"container/heap"
	"slices"
	"strings"
	"sync"
	"unique"

	"github.com/watu-ledger/watu/events"
)

// Index holds the relations of a campaign's events. The zero Index is empty and ready for use.
type Index struct {
	mu        sync.RWMutex
	base      *Index           // of a fork: it has the events before from
	from      uint64           // else the events before this one are not known
	apart     map[uint64]*node // those of them that are named, or that a fork changed, and what changed of packed ones
	added     uint64           // how many events are known from that on
	pages     []*page          // they
	kinds     []events.Type    // of packed nodes
	kindAt    map[events.Type]uint64
	commands  map[string]*command
	disclosed map[events.Ref]uint64 // what was committed, and the event that opened it first
	settling  []settling            // ascending
	corrected []uint64              // corrections, ascending
}

// node is what is known of one event.
type node struct {
	kind     events.Type
	command  *command // that led to it
	behind   *command // that it belongs to
	home     uint64   // the event in whose place it counts: mostly itself
	original uint64   // the event that it corrects, over corrections of corrections: mostly itself
	names    []link   // earlier events, field by field
	named    []link   // later events that name it, ascending
	*turns            // nil for one that was never corrected nor voided
}

// turns are what became of an event.
type turns struct {
	versions []uint64 // of an original: its corrections, ascending
	voided   []change // how it came to stand or not, ascending; none if it was never voided
}

// none are the turns of an event that has none.
var none turns

// turned gives the turns of an event to read.
func (n *node) turned() *turns {
	if n.turns == nil {
		return &none
	}
	return n.turns
}

// turn gives the turns of an event to add to.
func (n *node) turn() *turns {
	if n.turns == nil {
		n.turns = &turns{}
	}
	return n.turns
}

// link is one end of a relation.
type link struct {
	relation Relation
	event    uint64
}

// change says that from a number of events on an event is voided by another, or stands again.
type change struct {
	from uint64
	void bool
	by   uint64
}

// command is what is known of a command.
type command struct {
	id       string
	first, n uint64 // the events that carry its id and stand together
	*further        // nil for one that has no others, and that nothing names
}

// further is what else is known of a command.
type further struct {
	events  []uint64 // others that carry its id, ascending
	changes []uint64 // corrections and voids that name it, ascending
}

// more gives what else is known of a command, to add to.
func (c *command) more() *further {
	if c.further == nil {
		c.further = &further{}
	}
	return c.further
}

// add adds an event that carries its id.
func (c *command) add(i uint64) {
	switch {
	case c.n == 0:
		c.first, c.n = i, 1
	case c.first+c.n == i && (c.further == nil || len(c.events) == 0):
		c.n++
	default:
		more := c.more()
		more.events = append(more.events, i)
	}
}

// before gives the command as it is known of the first n events.
func (c *command) before(n uint64) Command {
	out := Command{ID: c.id}
	for i := c.first; i < min(c.first+c.n, n); i++ {
		out.Events = append(out.Events, i)
	}
	if c.further != nil {
		out.Events, out.Changes = append(out.Events, below(c.events, n)...), below(c.changes, n)
	}
	return out
}

// settling is an event that changes what counted before it, from a place on.
type settling struct{ event, place uint64 }

// Add appends the campaign's next event. It keeps nothing of the event but its relations.
func (x *Index) Add(e *events.Event) {
	refs, named := read(e)
	x.mu.Lock()
	defer x.mu.Unlock()
	i := x.len()
	kind := unique.Make(e.Type).Value() // the event's is part of its record, which would stay in memory
	own := x.commandNamed(e.Command)
	if x.added%perPage == 0 {
		if k := len(x.pages) - 2; k >= 0 {
			x.pack(x.pages[k], x.from+uint64(k)*perPage)
		}
		x.pages = append(x.pages, &page{nodes: make([]node, 0, min(x.added, perPage))}) // most forks stay short
	}
	last := x.pages[len(x.pages)-1]
	last.nodes = append(last.nodes, node{kind: kind, command: own, behind: own, home: i, original: i})
	x.added++
	own.add(i)
	if e.Corrects != 0 {
		refs = append(refs, link{Corrects, e.Corrects})
	}
	if e.Replaces != 0 {
		refs = append(refs, link{Replaces, e.Replaces})
	}
	for _, o := range e.Openings {
		x.open(i, o)
		refs = append(refs, link{Opens, o.Index})
	}
	x.tie(i, refs)
	x.place(i, named)
	if place, settles := x.settle(i); settles {
		x.settling = append(x.settling, settling{i, place})
	}
}

// Beginning gives an index that knows of the first n events only that there are so many: whatever changes what counts
// before n says so by its place.
func Beginning(n uint64) *Index { return &Index{from: n} }

// ForkTo makes an empty index one that has the same events, and goes on by itself. What it answers of them is read from
// this one, which must not grow meanwhile: it costs nothing but a list of what settled.
func (x *Index) ForkTo(to *Index) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	to.base, to.from = x, x.len()
	to.settling, to.corrected = slices.Clip(x.settling), slices.Clip(x.corrected)
}

func (x *Index) len() uint64 { return x.from + x.added }

// at gives an event that was added, or one that is not known.
func (x *Index) at(i uint64) *node {
	if x.apart[i] == nil && (i < x.from || x.pages[(i-x.from)/perPage].nodes == nil) {
		n := *x.node(i)
		n.named = slices.Clip(n.named)
		if t := n.turns; t != nil {
			n.turns = &turns{slices.Clip(t.versions), slices.Clip(t.voided)}
		}
		x.keepApart(i, &n)
	}
	return x.node(i)
}

func (x *Index) keepApart(i uint64, n *node) {
	if x.apart == nil {
		x.apart = map[uint64]*node{}
	}
	x.apart[i] = n
}

// node gives an event to read.
func (x *Index) node(i uint64) *node {
	switch n := x.apart[i]; {
	case n != nil:
		return n
	case i >= x.from:
		return x.pages[(i-x.from)/perPage].node((i-x.from)%perPage, i, x.kinds)
	case x.base != nil:
		return x.base.node(i)
	}
	return unknown(i)
}

func unknown(i uint64) *node {
	none := &command{}
	return &node{command: none, behind: none, home: i, original: i}
}

// read gives what a payload names: events, and the command that a correction or a void is about.
func read(e *events.Event) (refs []link, command string) {
	if !events.HasRefs(e.Type) {
		return nil, ""
	}
	p, err := events.PayloadOf(e)
	if err != nil {
		return nil, "" // what does not read names nothing
	}
	for relation, index := range events.Refs(p) {
		refs = append(refs, link{Relation(relation), *index})
	}
	switch p := p.(type) {
	case *events.Corrected:
		command = p.Command
	case *events.Voided:
		command = p.Command
	}
	return refs, command
}

// commandNamed gives the command of an id.
func (x *Index) commandNamed(id string) *command {
	if c := x.commands[id]; c != nil {
		return c
	}
	if x.commands == nil {
		x.commands = map[string]*command{}
	}
	c := &command{id: strings.Clone(id)}
	if was := x.known(id); was != nil {
		if c.first, c.n = was.first, was.n; was.further != nil {
			c.further = &further{slices.Clip(was.events), slices.Clip(was.changes)}
		}
	}
	x.commands[c.id] = c
	return c
}

// known gives the command of an id to read, nil if there is none.
func (x *Index) known(id string) *command {
	c := x.commands[id]
	if c == nil && x.base != nil {
		return x.base.known(id)
	}
	return c
}

// open notes what an event discloses.
func (x *Index) open(i uint64, o events.Opening) {
	if x.disclosed == nil {
		x.disclosed = map[events.Ref]uint64{}
	}
	ref := events.Ref{Index: o.Index, Slot: unique.Make(o.Slot).Value()}
	if _, before := x.opened(ref); !before {
		x.disclosed[ref] = i
	}
}

// opened gives the event that opened a commitment first.
func (x *Index) opened(ref events.Ref) (by uint64, ok bool) {
	if by, ok = x.disclosed[ref]; !ok && x.base != nil {
		return x.base.opened(ref)
	}
	return by, ok
}

// tie notes both ends of an event's relations.
func (x *Index) tie(i uint64, refs []link) {
	refs = slices.DeleteFunc(refs, func(l link) bool { return l.event >= i || !l.relation.names(l.event) })
	if len(refs) == 0 {
		return
	}
	x.at(i).names = slices.Clip(refs)
	for _, l := range refs {
		if to := x.at(l.event); !to.isNamed(l.relation, i) {
			to.named = append(to.named, link{l.relation, i})
		}
	}
}

// isNamed reports whether the last event added is known to name n by a relation.
func (n *node) isNamed(r Relation, by uint64) bool {
	for _, l := range slices.Backward(n.named) {
		if l.event != by {
			return false
		}
		if l.relation == r {
			return true
		}
	}
	return false
}

// place finds the place and the command of an event; named is the command that it is about, if it is a correction's
// head or a void.
func (x *Index) place(i uint64, named string) {
	n := x.at(i)
	corrects, corrected := n.target(Corrects)
	replaces, replaced := n.target(Replaces)
	roll, fell := n.target(Roll)
	if corrected {
		n.original = x.at(corrects).original
		to := x.at(n.original).turn()
		to.versions = append(to.versions, i)
		x.corrected = append(x.corrected, i)
	}
	if replaced {
		n.home = x.at(replaces).home
	}
	switch {
	case corrected:
		n.behind = x.at(corrects).behind
	case replaced:
		n.behind = x.at(replaces).behind
	case fell && n.kind == "dice_rolled":
		n.behind = x.at(roll).behind
	case n.kind == "corrected" && named != "":
		n.behind = x.commandNamed(named)
	}
	if n.kind == "corrected" || n.kind == "voided" {
		about := x.commandNamed(named).more()
		about.changes = append(about.changes, i)
	}
}

// target gives the first event that a node names by a relation.
func (n *node) target(r Relation) (uint64, bool) {
	for _, l := range n.names {
		if l.relation == r {
			return l.event, true
		}
	}
	return 0, false
}

// settle works out what the event last added takes out of the campaign and what stands again for that. It gives the
// first place at which something else counts than before.
func (x *Index) settle(i uint64) (place uint64, settles bool) {
	n := x.at(i)
	place = n.home
	settles = place != i
	if n.original != i {
		place, settles = x.at(n.original).home, true
	}
	// An event is voided by later ones only: going back, each is settled before an earlier one asks for it.
	todo := n.voids(nil)
	settles = settles || len(todo) > 0
	for last := i; len(todo) > 0; {
		at := todo.pop()
		if at == last {
			continue
		}
		last = at
		v := x.at(at)
		was, is := v.now(), x.voiding(v)
		if was.void == is.void && was.by == is.by {
			continue
		}
		is.from = i + 1
		v.turn().voided = append(v.turn().voided, is)
		if was.void != is.void {
			place = min(place, x.at(v.original).home)
			todo = v.voids(todo)
		}
	}
	return place, settles
}

// voids adds the events that a node voids to those that are to be settled.
func (n *node) voids(todo descending) descending {
	for _, l := range n.names {
		if l.relation == Voids {
			todo.push(l.event)
		}
	}
	return todo
}

// descending gives indexes from the greatest down: a heap.
type descending []uint64

func (h *descending) push(index uint64) { heap.Push(h, index) }

func (h *descending) pop() uint64 { return heap.Pop(h).(uint64) }

func (h descending) Len() int           { return len(h) }
func (h descending) Less(i, j int) bool { return h[i] > h[j] }
func (h descending) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }
func (h *descending) Push(index any)    { *h = append(*h, index.(uint64)) }
func (h *descending) Pop() any {
	last := (*h)[len(*h)-1]
	*h = (*h)[:len(*h)-1]
	return last
}

// now is how an event stands after all that was added.
func (n *node) now() change {
	voided := n.turned().voided
	if len(voided) == 0 {
		return change{}
	}
	return voided[len(voided)-1]
}

// voiding finds the last event that stands and voids another.
func (x *Index) voiding(n *node) change {
	for _, l := range slices.Backward(n.named) {
		if l.relation == Voids && !x.at(l.event).now().void {
			return change{void: true, by: l.event}
		}
	}
	return change{}
}
