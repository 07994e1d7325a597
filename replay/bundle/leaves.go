package bundle

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/tree"
)

// leaves are the hashes of the events, from which their tree grows. Only the newest are kept, and the edge of the tree
// before each page: the others are worked out again from the file.
type leaves struct {
	newest events.Hash
	edge   tree.Edge     // of all
	edges  []tree.Edge   // before each page
	walked tree.Edge     // of the first so many, whose root was asked for last
	recent []events.Hash // of the page before the last, and of that
	count  int
	known  int // how many there are up to the head that was given; 0 where it did not come
}

func (l *leaves) len() int { return l.count }

// leaf takes the hash of the next event.
func (c *check) leaf(hash events.Hash) {
	l := &c.ties.leaves
	if l.count%perPage == 0 {
		l.edges = append(l.edges, l.edge.Clone())
		l.recent = slices.Delete(l.recent, 0, max(0, len(l.recent)-perPage))
	}
	l.edge.Add(hash)
	l.newest, l.recent = hash, append(l.recent, hash)
	if l.count++; l.known == 0 && hash == c.options.Head {
		l.known = l.count
	}
}

// hashAt gives the hash of the event at a place.
func (c *check) hashAt(place uint64) events.Hash {
	l := &c.ties.leaves
	if first := uint64(l.count - len(l.recent)); place >= first {
		return l.recent[place-first]
	}
	for b, err := range c.file.Stored(place, place+1) {
		if err == nil {
			return events.LeafHash(b)
		}
		c.unreadable(err)
	}
	return events.Hash{}
}

// rootOf is the root of the tree of the first n events; zero where there are not so many.
func (c *check) rootOf(n uint64) events.Hash {
	l := &c.ties.leaves
	switch {
	case n > uint64(l.count):
		return events.Hash{}
	case n == uint64(l.count):
		return l.edge.Root()
	}
	edge := &l.walked // each head that somebody saw mostly extends the one before
	if edge.Events() < n-n%perPage || edge.Events() > n {
		*edge = l.edges[n/perPage].Clone()
	}
	for first := uint64(l.count - len(l.recent)); first <= edge.Events() && edge.Events() < n; {
		edge.Add(l.recent[edge.Events()-first])
	}
	for b, err := range c.file.Stored(edge.Events(), n) {
		if err != nil {
			c.unreadable(err)
			return events.Hash{}
		}
		edge.Add(events.LeafHash(b))
	}
	return edge.Root()
}
