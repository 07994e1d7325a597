package ledger

import (
	"fmt"
	"iter"
	"math"
	"sync"
	"testing"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// BenchmarkAppend appends steps of one event and of four, in turn with a plain Pebble store
// that writes and syncs the same event bytes. The ratio is the ledger's speed in units of
// Pebble's.
func BenchmarkAppend(b *testing.B) {
	for _, campaigns := range []int{1, 64} {
		for _, size := range []int{1, 4} {
			b.Run(fmt.Sprintf("campaigns=%d/events=%d", campaigns, size), func(b *testing.B) {
				benchAppend(b, campaigns, size)
			})
		}
	}
}

func benchAppend(b *testing.B, campaigns, size int) {
	dir := b.TempDir()
	l, err := Open(dir+"/ledger", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer closeLedger(b, l)
	base, err := OpenBaseline(dir+"/base", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer base.Close()
	r := rounds{size: size}
	for i := range campaigns {
		r.chains = append(r.chains, newChain(i))
	}
	ours := func() error {
		return r.each(func(s Step, _ []events.Record) error {
			_, err := l.Append(s)
			return err
		})
	}
	theirs := func() error {
		return r.each(func(_ Step, records []events.Record) error { return base.Append(records) })
	}
	var sum float64
	for b.Loop() {
		r.prepare()
		ratio, err := Interleave(1, ours, theirs)
		if err != nil {
			b.Fatal(err)
		}
		r.prepare()
		inverse, err := Interleave(1, theirs, ours)
		if err != nil {
			b.Fatal(err)
		}
		sum += ratio + 1/inverse
	}
	b.ReportMetric(sum/float64(2*b.N), "ratio")
}

const roundSteps = 16 // steps of each campaign in a round

// rounds prepares steps beforehand, so that only the appending is measured.
type rounds struct {
	size    int // events in a step
	chains  []*chain
	steps   [][]Step
	records [][][]events.Record // the same events
}

func (r *rounds) prepare() {
	r.steps, r.records = make([][]Step, len(r.chains)), make([][][]events.Record, len(r.chains))
	for i, c := range r.chains {
		for range roundSteps {
			s := c.step(fmt.Sprintf("command %d", c.next), r.size)
			c.took(s)
			var same []events.Record
			for k := range s.Events {
				e := s.Events[k].Event()
				same = append(same, events.Record{Campaign: e.Campaign, Index: e.Index, Bytes: s.Events[k].Bytes()})
			}
			r.steps[i], r.records[i] = append(r.steps[i], s), append(r.records[i], same)
		}
	}
}

// each does the work of a round: every campaign on its own, its steps one after another.
func (r *rounds) each(work func(Step, []events.Record) error) error {
	var wg sync.WaitGroup
	errs := make(chan error, len(r.chains))
	for i := range r.chains {
		wg.Go(func() {
			for k := range r.steps[i] {
				if err := work(r.steps[i][k], r.records[i][k]); err != nil {
					errs <- err
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	return <-errs
}

// BenchmarkRead reads a campaign of 100,000 events, in turn with a bare scan of the same keys.
func BenchmarkRead(b *testing.B) {
	l, err := Open(b.TempDir(), Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer closeLedger(b, l)
	c := newChain(1)
	for i := 0; c.next < 100_000; i++ {
		c.append(b, l, fmt.Sprint("command ", i), 500)
	}
	if err := l.db.Flush(); err != nil {
		b.Fatal(err)
	}
	scan := func() error {
		_, _, err := l.BareScan(c.campaign)
		return err
	}
	for name, read := range map[string]func(ulid.ULID, uint64, uint64) iter.Seq2[events.Record, error]{
		"Read": l.Read, "Walk": l.Walk,
	} {
		all := func() error {
			for _, err := range read(c.campaign, 0, math.MaxUint64) {
				if err != nil {
					return err
				}
			}
			return nil
		}
		b.Run(name, func(b *testing.B) {
			var sum float64
			for b.Loop() {
				ratio, err := Interleave(1, all, scan)
				if err != nil {
					b.Fatal(err)
				}
				sum += ratio
			}
			b.ReportMetric(sum/float64(b.N), "ratio")
		})
	}
}
