package ledger

import (
	"fmt"
	"os"
	"sync"
	"testing"

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

const roundSteps = 16 // steps of each campaign in a round

func benchAppend(b *testing.B, campaigns, size int) {
	dir, err := os.MkdirTemp("", "watu-append")
	if err != nil {
		b.Fatal(err)
	}
	defer os.RemoveAll(dir)
	l, err := Open(dir+"/ledger", Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer l.Close()
	base, err := OpenBaseline(dir+"/base", nil)
	if err != nil {
		b.Fatal(err)
	}
	defer base.Close()
	chains := make([]*chain, campaigns)
	for i := range chains {
		chains[i] = newChain(i)
	}
	var steps [][]Step
	var records [][][]events.Record
	prepare := func() {
		steps, records = nil, nil
		for _, c := range chains {
			var mine []Step
			var same [][]events.Record
			for range roundSteps {
				s := c.step(fmt.Sprintf("command %d", c.next), size)
				c.took(s)
				mine = append(mine, s)
				var r []events.Record
				for i := range s.Events {
					e := &s.Events[i]
					r = append(r, events.Record{Campaign: e.Campaign, Index: e.Index, Bytes: e.Encode()})
				}
				same = append(same, r)
			}
			steps, records = append(steps, mine), append(records, same)
		}
	}
	each := func(work func(i int) error) error {
		var wg sync.WaitGroup
		errs := make(chan error, campaigns)
		for i := range chains {
			wg.Go(func() {
				if err := work(i); err != nil {
					errs <- err
				}
			})
		}
		wg.Wait()
		close(errs)
		return <-errs
	}
	ours := func() error {
		return each(func(i int) error {
			for _, s := range steps[i] {
				if _, err := l.Append(s); err != nil {
					return err
				}
			}
			return nil
		})
	}
	theirs := func() error {
		return each(func(i int) error {
			for _, r := range records[i] {
				if err := base.Append(r); err != nil {
					return err
				}
			}
			return nil
		})
	}
	var sum float64
	for b.Loop() {
		prepare()
		ratio, err := Interleave(1, ours, theirs)
		if err == nil {
			sum += ratio
			prepare()
			ratio, err = Interleave(1, theirs, ours)
		}
		if err != nil {
			b.Fatal(err)
		}
		sum += 1 / ratio
	}
	b.ReportMetric(sum/float64(2*b.N), "ratio")
	b.ReportMetric(float64(b.N)*float64(campaigns*roundSteps*size), "events")
}
