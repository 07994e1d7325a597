package tree

import (
	"fmt"
	"slices"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/watu-ledger/watu/events"
)

// Tree is the tree of a campaign's events so far. It grows by [Tree.Add] and forgets nothing, so that it proves what
// any earlier tree of the campaign held. The zero Tree has no event. It may be read while nobody adds to it.
type Tree struct {
	events uint64
	hashes []tlog.Hash // in the order of tlog.StoredHashIndex
}

// Add appends the event with that hash.
func (t *Tree) Add(hash events.Hash) {
	more, err := tlog.StoredHashesForRecordHash(int64(t.events), tlog.Hash(hash), t)
	if err != nil {
		panic(fmt.Sprintf("tree: %v", err)) // [Tree.ReadHashes] fails for what is not there alone
	}
	t.hashes = append(t.hashes, more...)
	t.events++
}

// Events is the number of events in the tree.
func (t *Tree) Events() uint64 { return t.events }

// Root is the root of the tree of the first n events. It fails if there are not so many.
func (t *Tree) Root(n uint64) (events.Hash, error) {
	if err := t.has(n); err != nil {
		return events.Hash{}, err
	}
	root, err := tlog.TreeHash(int64(n), t)
	return events.Hash(root), err
}

// Edge is what a tree needs to grow, and to know its root (RFC 6962, section 2.1): the roots of the full trees that it
// consists of, one for each bit of its number of events. It proves nothing. The zero Edge has no event.
type Edge struct {
	events uint64
	roots  []tlog.Hash // the greatest first
}

// Add appends the event with that hash.
func (t *Edge) Add(hash events.Hash) {
	root, last := tlog.Hash(hash), len(t.roots)
	for n := t.events; n&1 == 1; n >>= 1 {
		last--
		root = tlog.NodeHash(t.roots[last], root)
	}
	t.roots = append(t.roots[:last], root)
	t.events++
}

// Root is the root of the tree.
func (t *Edge) Root() events.Hash {
	if t.events == 0 {
		return emptyRoot
	}
	last := len(t.roots) - 1
	root := t.roots[last]
	for _, left := range slices.Backward(t.roots[:last]) {
		root = tlog.NodeHash(left, root)
	}
	return events.Hash(root)
}

// Events is how many events the tree has.
func (t *Edge) Events() uint64 { return t.events }

// Clone gives an edge that grows by itself.
func (t *Edge) Clone() Edge { return Edge{t.events, slices.Clone(t.roots)} }

// Inclusion proves that the tree of the first n events holds the event at index.
func (t *Tree) Inclusion(n, index uint64) ([]events.Hash, error) {
	if err := t.has(n); err != nil {
		return nil, err
	}
	if index >= n {
		return nil, fmt.Errorf("the first %d events have no event #%d", n, index)
	}
	proof, err := tlog.ProveRecord(int64(n), int64(index), t)
	return convert[events.Hash](proof), err
}

// Extension proves that the tree of the first n events begins with those of the first m.
func (t *Tree) Extension(m, n uint64) ([]events.Hash, error) {
	if err := t.has(n); err != nil {
		return nil, err
	}
	if m < 1 || m > n {
		return nil, fmt.Errorf("a tree of %d events does not extend one of %d", n, m)
	}
	proof, err := tlog.ProveTree(int64(n), int64(m), t)
	return convert[events.Hash](proof), err
}

func (t *Tree) has(n uint64) error {
	if n > t.events {
		return fmt.Errorf("the tree has %d events, not %d", t.events, n)
	}
	return nil
}

// ReadHashes implements [tlog.HashReader].
func (t *Tree) ReadHashes(indexes []int64) ([]tlog.Hash, error) {
	found := make([]tlog.Hash, len(indexes))
	for i, x := range indexes {
		if x < 0 || x >= int64(len(t.hashes)) {
			return nil, fmt.Errorf("the tree of %d events has no hash %d", t.events, x)
		}
		found[i] = t.hashes[x]
	}
	return found, nil
}

// CheckInclusion reports whether the proof shows that the checkpoint's tree holds an event with that hash at index.
func CheckInclusion(c Checkpoint, index uint64, hash events.Hash, proof []events.Hash) bool {
	return c.Events < most && index < c.Events && tlog.CheckRecord(convert[tlog.Hash](proof), int64(c.Events),
		tlog.Hash(c.Root), int64(index), tlog.Hash(hash)) == nil
}

// CheckExtension reports whether the proof shows that the later checkpoint's tree begins with the earlier one's. They
// are of one campaign. Every tree extends the empty one, and needs no proof for it.
func CheckExtension(earlier, later Checkpoint, proof []events.Hash) bool {
	switch {
	case earlier.Campaign != later.Campaign, earlier.Events > later.Events, later.Events >= most:
		return false
	case earlier.Events == 0:
		return earlier.Root == emptyRoot && len(proof) == 0
	}
	return tlog.CheckTree(convert[tlog.Hash](proof), int64(later.Events), tlog.Hash(later.Root), int64(earlier.Events),
		tlog.Hash(earlier.Root)) == nil
}

// most is more events than any tree has: beyond it, tlog's numbers overflow.
const most = 1 << 62

func convert[To, From ~[32]byte](from []From) []To {
	to := make([]To, len(from))
	for i, h := range from {
		to[i] = To(h)
	}
	return to
}
