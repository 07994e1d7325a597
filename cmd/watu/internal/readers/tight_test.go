package readers

import (
	"math"
	"runtime/debug"
	"testing"
)

// TestMemoryLimit: while something is made the process has a limit, until the last is done. One that somebody set
// stays.
func TestMemoryLimit(t *testing.T) {
	limit := func() int64 { return debug.SetMemoryLimit(-1) }
	defer debug.SetMemoryLimit(limit())
	debug.SetMemoryLimit(math.MaxInt64)
	one, other := memory.hold(), memory.hold()
	one()
	if limit() < roomFor || limit() == math.MaxInt64 {
		t.Errorf("while something is made: %d", limit())
	}
	other()
	if limit() != math.MaxInt64 {
		t.Errorf("when nothing is made: %d", limit())
	}
	debug.SetMemoryLimit(4 << 30)
	release := memory.hold()
	if limit() != 4<<30 {
		t.Errorf("4 GiB were set, and are %d", limit())
	}
	release()
}
