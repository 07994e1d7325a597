package readers

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// tight keeps the memory of the process small while something is made: what is made of a long campaign leaves
// much behind, and the collector would let it grow to as much again as is in use.
type tight struct {
	mu     sync.Mutex
	making int
	was    int64 // the limit when nothing is made
}

var memory tight

// roomFor is what the process may take while something is made, where it has little in use. One that has more may
// take a quarter as much again: a collector without room would do nothing else.
const roomFor = 512 << 20

// hold sets the limit, until what it gives is called. Who sets one himself, as by GOMEMLIMIT, gives the process
// another, which stays.
func (t *tight) hold() (release func()) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.making == 0 {
		t.was = debug.SetMemoryLimit(-1)
	}
	if t.was != math.MaxInt64 {
		return func() {}
	}
	t.making++
	debug.SetMemoryLimit(max(roomFor, inUse()*5/4))
	return func() {
		t.mu.Lock()
		defer t.mu.Unlock()
		if t.making--; t.making == 0 {
			debug.SetMemoryLimit(t.was)
		}
	}
}

// inUse is how much the last collection left, in bytes.
func inUse() int64 {
	live := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(live)
	return int64(live[0].Value.Uint64())
}
