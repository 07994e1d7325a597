package ledger

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// Whoever watches the ledger is told of each step once it is durable: not of one that was applied
// before, nor of one that was not taken.
func TestAppendedIsTold(t *testing.T) {
	t.Parallel()
	var reported []int
	var l *Ledger
	var seen []uint64
	l, err := Open("/watu/ledger", Options{FS: vfs.NewMem(), Appended: func(events int, took time.Duration) {
		reported, seen = append(reported, events), append(seen, l.Durable())
		if took <= 0 {
			t.Errorf("a step took %v", took)
		}
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Err(); err != nil {
		t.Errorf("an open ledger has failed: %v", err)
	}
	c := newChain(1)
	c.append(t, l, "open", 1)
	again := c.step("second", 3)
	c.append(t, l, "second", 3)
	if a, err := l.Append(again); err != nil || !a.Replayed {
		t.Fatal(a, err)
	}
	stale := c.step("third", 2)
	stale.Expected++
	if _, err := l.Append(stale); !errors.Is(err, ErrConflict) {
		t.Fatal(err)
	}
	c.append(t, l, "third", 2)
	closeLedger(t, l)
	if want := []int{1, 3, 2}; !slices.Equal(reported, want) {
		t.Errorf("learned of steps with %v events, not %v", reported, want)
	}
	if want := []uint64{1, 4, 6}; !slices.Equal(seen, want) {
		t.Errorf("when told, %v events were durable, not %v", seen, want)
	}
	if err := l.Err(); !errors.Is(err, ErrClosed) {
		t.Errorf("a closed ledger: %v", err)
	}
}
