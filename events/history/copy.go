package history

import (
	"maps"
	"slices"
)

// CopyTo makes an empty index one that has the same events, and goes on by itself. It costs O(events), and reads none.
func (x *Index) CopyTo(to *Index) {
	x.mu.RLock()
	defer x.mu.RUnlock()
	of := make(map[*command]*command, len(x.commands))
	to.commands = make(map[string]*command, len(x.commands))
	for id, c := range x.commands {
		own := &command{id: id, events: slices.Clip(c.events), changes: slices.Clip(c.changes)}
		of[c], to.commands[id] = own, own
	}
	own := func(n *node) { // what is appended to a clipped list lies elsewhere
		if of[n.command] != nil { // else the event is not known
			n.command = of[n.command]
		}
		if of[n.behind] != nil {
			n.behind = of[n.behind]
		}
		n.named, n.versions, n.voided = slices.Clip(n.named), slices.Clip(n.versions), slices.Clip(n.voided)
	}
	to.from, to.events = x.from, slices.Clone(x.events)
	for i := range to.events {
		own(&to.events[i])
	}
	to.before = make(map[uint64]*node, len(x.before))
	for i, n := range x.before {
		copied := *n
		own(&copied)
		to.before[i] = &copied
	}
	to.disclosed = maps.Clone(x.disclosed)
	to.settling, to.corrected = slices.Clip(x.settling), slices.Clip(x.corrected)
}
