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
	to     uint64         // the events end before this index
	wanted []events.Event // decoded; the others change no view
	head   events.Hash    // of the last event
	err    error          // then the rest is void
}

// piece is some chunks in a row, read from the source in one go.
type piece []chunk

// pieceLength is the number of events of a piece: few enough to be read ahead, enough to
// make up for beginning to read.
const pieceLength = 5 * Cadence

var pieces = sync.Pool{New: func() any { return new(piece) }}

// next begins the piece's next chunk; its room is what the pool left there.
func (p *piece) next(to uint64) *chunk {
	if len(*p) < cap(*p) {
		*p = (*p)[:len(*p)+1]
	} else {
		*p = append(*p, chunk{})
	}
	c := &(*p)[len(*p)-1]
	*c = chunk{to: to, wanted: c.wanted[:0]}
	return c
}

// read fills the piece with the events from <= index < to.
func (p *piece) read(source Source, campaign ulid.ULID, from, to uint64, wanted types) {
	*p = (*p)[:0]
	c := p.next(chunkEnd(from, to))
	index := from
	for r, err := range source.Read(campaign, from, to) {
		if err == nil && r.Index != index {
			err = fmt.Errorf("found event %d in place of %d", r.Index, index)
		}
		if err != nil {
			c.err = fmt.Errorf("campaign %s: %w", campaign, err)
			return
		}
		if index == c.to {
			c = p.next(chunkEnd(index, to))
		}
		if wanted.has(r.Bytes) {
			if n := len(c.wanted); n < cap(c.wanted) {
				c.wanted = c.wanted[:n+1] // an event of the chunk before, whose lists serve again
			} else {
				c.wanted = append(c.wanted, events.Event{})
			}
			if c.err = decode(&r, &c.wanted[len(c.wanted)-1]); c.err != nil {
				return
			}
		}
		index++
		if index == c.to {
			c.head = r.Hash()
		}
	}
	if index != to {
		c.err = fmt.Errorf("campaign %s: its events end at %d, not %d", campaign, index, to)
	}
}

func chunkEnd(from, to uint64) uint64 { return min(from-from%Cadence+Cadence, to) }

// readAhead gives the campaign's chunks in order. Reading and decoding is most of the work of
// a rebuild and needs no order, so some pieces are read ahead, at the same time. A chunk is
// valid until the next one. When the iteration ends, nothing reads any more.
func readAhead(source Source, campaign ulid.ULID, from, to uint64, wanted types) iter.Seq[*chunk] {
	return func(yield func(*chunk) bool) {
		queue := make(chan chan *piece, runtime.GOMAXPROCS(0))
		stop := make(chan struct{})
		var reading sync.WaitGroup
		defer reading.Wait()
		defer close(stop)
		reading.Go(func() {
			defer close(queue)
			for at := from; at < to; {
				begin, end := at, min(at-at%Cadence+pieceLength, to)
				at = end
				done := make(chan *piece, 1)
				select {
				case queue <- done:
				case <-stop:
					return
				}
				reading.Go(func() {
					p := pieces.Get().(*piece)
					p.read(source, campaign, begin, end, wanted)
					done <- p
				})
			}
		})
		for done := range queue {
			p := <-done
			for i := range *p {
				if !yield(&(*p)[i]) {
					return
				}
			}
			pieces.Put(p)
		}
	}
}
