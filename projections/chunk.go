package projections

import (
	"fmt"
	"iter"
	"runtime"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// chunk is a run of a campaign's events that crosses no multiple of Cadence, so that a
// snapshot can be due behind its last event only.
type chunk struct {
	campaign ulid.ULID
	from, to uint64         // from <= index < to
	wanted   []events.Event // decoded; the others change no view
	head     events.Hash    // of the last event
	err      error
}

var chunks = sync.Pool{New: func() any { return new(chunk) }}

// read fills the chunk from the source.
func (c *chunk) read(source Source, wanted types) {
	c.wanted, c.err = c.wanted[:0], nil
	index := c.from
	for r, err := range source.Read(c.campaign, c.from, c.to) {
		if err == nil && r.Index != index {
			err = fmt.Errorf("found event %d in place of %d", r.Index, index)
		}
		if err != nil {
			c.err = fmt.Errorf("campaign %s: %w", c.campaign, err)
			return
		}
		if wanted.has(r.Bytes) {
			c.wanted = append(c.wanted, events.Event{})
			if c.err = decode(&r, &c.wanted[len(c.wanted)-1]); c.err != nil {
				return
			}
		}
		index++
		if index == c.to {
			c.head = r.Hash()
		}
	}
	if index != c.to {
		c.err = fmt.Errorf("campaign %s: its events end at %d, not %d", c.campaign, index, c.to)
	}
}

// readAhead gives the campaign's chunks in order. Reading and decoding is most of the work of
// a rebuild and needs no order, so some chunks are read ahead, at the same time. A chunk is
// valid until the next one. When the iteration ends, nothing reads any more.
func readAhead(source Source, campaign ulid.ULID, from, to uint64, wanted types) iter.Seq[*chunk] {
	return func(yield func(*chunk) bool) {
		queue := make(chan chan *chunk, runtime.GOMAXPROCS(0))
		stop := make(chan struct{})
		var reading sync.WaitGroup
		defer reading.Wait()
		defer close(stop)
		reading.Go(func() {
			defer close(queue)
			for at := from; at < to; {
				c := chunks.Get().(*chunk)
				c.campaign, c.from, c.to = campaign, at, min(at-at%Cadence+Cadence, to)
				at = c.to
				done := make(chan *chunk, 1)
				select {
				case queue <- done:
				case <-stop:
					return
				}
				reading.Go(func() { c.read(source, wanted); done <- c })
			}
		})
		for done := range queue {
			c := <-done
			more := yield(c)
			chunks.Put(c)
			if !more {
				return
			}
		}
	}
}
