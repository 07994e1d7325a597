package disk

import (
	"sync"
	"sync/atomic"
	"time"

	"github.com/cockroachdb/pebble/v2"
)

// backoff holds up what Pebble 2.1.7 tries again when it failed: it would do so at once, for
// ever, and at full speed.
type backoff struct {
	most     time.Duration
	ended    <-chan struct{} // closed when nothing is worth waiting for long
	failures atomic.Int64    // in a row
}

// heard counts how a try ended, and gives how many have failed in a row.
func (p *backoff) heard(err error) int64 {
	if err == nil {
		p.failures.Store(0)
		return 0
	}
	return p.failures.Add(1)
}

// wait comes back at once after a success, and later after each failure more: soon, when the store
// is closing, but not so soon that a busy machine is kept from closing it.
func (p *backoff) wait() {
	n := p.failures.Load()
	if n == 0 {
		return
	}
	select {
	case <-time.After(min(LeastWait<<min(n, 16), p.most)):
	case <-p.ended:
		time.Sleep(LeastWait)
	}
}

// Pebble forgets at once that a compaction of its level 0 failed: what a damaged table or a bad
// disk refused it would read again without end. For other levels it waits by itself.
const (
	// LeastWait is how long a retry waits after the first failure.
	LeastWait      = 10 * time.Millisecond
	compactionWait = 30 * time.Second
	flushWait      = time.Second
	// FlushTries is how many flushes fail, over about three seconds, before the ledger does.
	FlushTries = 8
)

// compactions lets Pebble run one compaction at a time, which is its default, and waits after
// one that failed. It is a pebble.CompactionScheduler and the handle of what it granted.
type compactions struct {
	backoff *backoff
	db      pebble.DBForCompaction

	calls sync.Mutex // held while db is called

	mu      sync.Mutex
	running bool
	waits   bool // the store was refused since it was asked last
	ended   bool
}

// Register implements pebble.CompactionScheduler.
func (c *compactions) Register(_ int, db pebble.DBForCompaction) { c.db = db }

// Unregister ends the calls of the store. It waits for the one under way.
func (c *compactions) Unregister() {
	c.mu.Lock()
	c.ended = true
	c.mu.Unlock()
	c.calls.Lock()
	defer c.calls.Unlock()
}

// TrySchedule implements pebble.CompactionScheduler.
func (c *compactions) TrySchedule() (bool, pebble.CompactionGrantHandle) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.running || c.ended {
		c.waits = true
		return false, nil
	}
	c.running = true
	return true, c
}

// UpdateGetAllowedWithoutPermission implements pebble.CompactionScheduler: one is allowed, always.
func (c *compactions) UpdateGetAllowedWithoutPermission() {}

// Started implements pebble.CompactionGrantHandle.
func (c *compactions) Started() {}

// MeasureCPU implements pebble.CompactionGrantHandle.
func (c *compactions) MeasureCPU(pebble.CompactionGoroutineKind) {}

// CumulativeStats implements pebble.CompactionGrantHandle.
func (c *compactions) CumulativeStats(pebble.CompactionGrantHandleStats) {}

// Done is called by a compaction that has ended. It grants the next.
func (c *compactions) Done() {
	c.backoff.wait()
	c.calls.Lock()
	defer c.calls.Unlock()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running = false
	for c.waits && !c.running && !c.ended {
		c.waits, c.running = false, true
		c.mu.Unlock()
		waiting, _ := c.db.GetWaitingCompaction()
		granted := waiting && c.db.Schedule(c)
		c.mu.Lock()
		if c.running = granted; granted {
			c.waits = true // Pebble says nothing where several wait
		}
	}
}
