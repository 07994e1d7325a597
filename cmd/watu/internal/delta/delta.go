// Package delta says which lines of a text changed since a reader got it, so that only those travel. HTTP calls that
// delta encoding (RFC 3229): a reader names the entity tag of what he has and a format in A-IM, and gets 226 IM Used.
//
// A patch in the format "watu-lines" begins with a line of orders, in the order of the new text: "12+40" takes forty
// lines of the old one from its line 12 on, counted from 0, and "3" takes the next three lines of the patch. So
//
//	0+1 1 2+1
//	Germany 21
//
// makes "Score", "Germany 21" and "Japan 10" of "Score", "Germany 27" and "Japan 10". Lines end at a newline; what
// stands behind the last one is a line too.
//
// Nobody's text is kept for that. Of a text that was sent [Memory] holds a hash of each line, and of as many texts as
// its bound allows, the longest unused forgotten first. Who has a text that is forgotten is sent the whole. A text
// that is for one reader alone is known to him alone: else who guesses it, and names its tag, would hear that it was
// sent.
package delta

import (
	"bytes"
	"container/list"
	"hash/maphash"
	"slices"
	"strconv"
	"sync"
)

// Format is what A-IM and IM call a patch.
const Format = "watu-lines"

// mostLines is how many lines a memory holds: eight bytes each, and about as much again where texts are short.
const mostLines = 1 << 19

// Memory is what texts were sent. The zero value is ready for use; it is safe for concurrent use.
type Memory struct {
	mu     sync.Mutex
	seed   maphash.Seed
	texts  map[key]*list.Element
	unused list.List // of *text, the longest unused at the back
	lines  int
}

// key is what a text is found by: whose it is, empty for everybody, and its tag.
type key struct{ whose, tag string }

// text is one that was sent.
type text struct {
	key  key
	sums []uint64 // of its lines
}

// Remember notes that a text was sent under a tag; whose it is, where it is for one reader alone.
func (m *Memory) Remember(whose, tag string, data []byte) {
	k := key{whose, tag}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.texts == nil {
		m.seed, m.texts = maphash.MakeSeed(), map[key]*list.Element{}
	}
	if e := m.texts[k]; e != nil {
		m.unused.MoveToFront(e)
		return
	}
	t := &text{key: k}
	for line := range bytes.SplitSeq(data, newline) {
		t.sums = append(t.sums, maphash.Bytes(m.seed, line))
	}
	m.texts[k], m.lines = m.unused.PushFront(t), m.lines+len(t.sums)
	for m.lines > mostLines {
		oldest := m.unused.Remove(m.unused.Back()).(*text)
		delete(m.texts, oldest.key)
		m.lines -= len(oldest.sums)
	}
}

// find gives the hashes of a text's lines; nil where it is forgotten.
func (m *Memory) find(k key) []uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	e := m.texts[k]
	if e == nil {
		return nil
	}
	m.unused.MoveToFront(e)
	return e.Value.(*text).sums
}

var newline = []byte{'\n'}

// Patch makes a text of the one that was sent under the tag old; false where that is forgotten, or another's.
func (m *Memory) Patch(whose, old string, data []byte) ([]byte, bool) {
	had := m.find(key{whose, old})
	if had == nil {
		return nil, false
	}
	at := map[uint64][]int{} // where a line stands in the old text
	for i, sum := range had {
		at[sum] = append(at[sum], i)
	}
	var orders, fresh []byte
	from, copied, taken := 0, 0, 0
	order := func() {
		switch {
		case copied > 0:
			orders = append(strconv.AppendInt(orders, int64(from), 10), '+')
			orders = append(strconv.AppendInt(orders, int64(copied), 10), ' ')
		case taken > 0:
			orders = append(strconv.AppendInt(orders, int64(taken), 10), ' ')
		}
		copied, taken = 0, 0
	}
	for line := range bytes.SplitSeq(data, newline) {
		sum := maphash.Bytes(m.seed, line)
		next := from + copied
		switch {
		case copied > 0 && next < len(had) && had[next] == sum:
			copied++
		case len(at[sum]) > 0:
			order()
			from, copied = near(at[sum], next), 1
		default:
			if copied > 0 {
				order()
				from = next
			}
			taken++
			fresh = append(append(fresh, '\n'), line...)
		}
	}
	order()
	return append(bytes.TrimSuffix(orders, []byte{' '}), fresh...), true
}

// near is the first of the places that is not before the next line, so that runs are long; the first of all
// where there is none.
func near(places []int, next int) int {
	if i, _ := slices.BinarySearch(places, next); i < len(places) {
		return places[i]
	}
	return places[0]
}
