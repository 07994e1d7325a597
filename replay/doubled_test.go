package replay_test

import (
	"flag"
	"iter"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/fixtures/longrun"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
)

var doubledMany = flag.Int("doubled.campaigns", longrun.Of(4, 8), "random campaigns whose events are doubled, "+
	"dropped and swapped")

// TestDoubled: in the record of a random campaign an event stands twice, or is missing, or two have changed places, and
// all is numbered and hashed anew. Whatever that leads to, it is heard to its end.
func TestDoubled(t *testing.T) {
	t.Parallel()
	d := newHost(t)
	var seen tally
	for n := range *doubledMany {
		p := newPlayer(d.lawful(n), uint64(n))
		for turn := range 2 {
			p.eventful(turn, &seen)
		}
		trial, err := p.c.umpire.Trial(p.c.id.ID)
		if err != nil {
			t.Fatal(err)
		}
		all := p.c.all()
		for at := 1; at < len(all)-1; at++ {
			swapped := slices.Clone(all)
			swapped[at], swapped[at+1] = swapped[at+1], swapped[at]
			for _, list := range [][]events.Event{slices.Insert(slices.Clone(all), at, all[at]),
				slices.Delete(slices.Clone(all), at, at+1), swapped} {
				spoilt := trial
				spoilt.Records, spoilt.Events = renumbered(list), uint64(len(list))
				_ = spoilt.Hear(func(review.Heard) error { return nil })
			}
		}
	}
}

// renumbered reads events as a record has them, in their order.
func renumbered(list []events.Event) campaign.Records {
	records, previous := make([]events.Record, 0, len(list)), events.Hash{}
	for i, e := range list {
		e.Index, e.Previous = uint64(i), previous
		b := e.Encode()
		previous = events.LeafHash(b)
		records = append(records, events.Record{Sequence: e.Index + 1, Campaign: e.Campaign, Index: e.Index, Bytes: b})
	}
	return func(from, to uint64) iter.Seq2[events.Record, error] {
		return func(yield func(events.Record, error) bool) {
			for i := from; i < min(to, uint64(len(records))); i++ {
				if !yield(records[i], nil) {
					return
				}
			}
		}
	}
}
