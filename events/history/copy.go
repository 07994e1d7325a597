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
	to.events = slices.Clone(x.events)
	for i := range to.events { // what is appended to a clipped list lies elsewhere
		n := &to.events[i]
		n.command, n.behind = of[n.command], of[n.behind]
		n.named, n.versions, n.voided = slices.Clip(n.named), slices.Clip(n.versions), slices.Clip(n.voided)
	}
	to.disclosed = maps.Clone(x.disclosed)
	to.settling, to.corrected = slices.Clip(x.settling), slices.Clip(x.corrected)
}
