package store_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"flag"
	"iter"
	"testing"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/internal/recordtest"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/store"
	"github.com/watu-ledger/watu/projections/strategic"
)

// recordStore is a record in Pebble, keyed by campaign and index.
type recordStore struct {
	db      *pebble.DB
	lengths []extent
}

type extent struct {
	campaign ulid.ULID
	events   uint64
}

// newRecordStore writes wars of so many events each.
func newRecordStore(tb testing.TB, campaigns, each int) *recordStore {
	o := &pebble.Options{FormatMajorVersion: pebble.FormatNewest, DisableWAL: true, Logger: quiet{}}
	for i := range o.Levels {
		o.Levels[i].BlockSize = 32 << 10
	}
	db, err := pebble.Open(tb.TempDir(), o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { db.Close() })
	s := &recordStore{db: db}
	war := recordtest.War(0, each/80)
	for n := range campaigns {
		id := recordtest.Begin(n + 1).ID
		for i := range each {
			// The war goes on from its start: what counts here is the work, not the sense.
			stored := war.Stored[i%len(war.Stored)]
			if i >= len(war.Stored) || n > 0 {
				e := war.Events[i%len(war.Events)]
				e.Campaign, e.Index = id, uint64(i)
				stored = e.Encode()
			}
			if err := db.Set(recordKey(id, uint64(i)), stored, pebble.NoSync); err != nil {
				tb.Fatal(err)
			}
		}
		s.lengths = append(s.lengths, extent{id, uint64(each)})
	}
	if err := db.Flush(); err != nil {
		tb.Fatal(err)
	}
	if err := db.Compact(context.Background(), []byte{0}, []byte{0xff}, false); err != nil {
		tb.Fatal(err)
	}
	return s
}

type quiet struct{}

func (quiet) Infof(string, ...any)  {}
func (quiet) Errorf(string, ...any) {}
func (quiet) Fatalf(string, ...any) {}

func recordKey(campaign ulid.ULID, index uint64) []byte {
	return binary.BigEndian.AppendUint64(bytes.Clone(campaign[:]), index)
}

func (s *recordStore) Each(f func(ulid.ULID, uint64)) {
	for _, x := range s.lengths {
		f(x.campaign, x.events)
	}
}

func (s *recordStore) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		it, err := s.db.NewIter(&pebble.IterOptions{LowerBound: recordKey(campaign, from),
			UpperBound: recordKey(campaign,
				to)})
		if err != nil {
			yield(events.Record{}, err)
			return
		}
		defer it.Close()
		for ok := it.First(); ok; ok = it.Next() {
			if !yield(events.Record{Campaign: campaign, Index: binary.BigEndian.Uint64(it.Key()[16:]),
				Bytes: it.Value()}, nil) {
				return
			}
		}
	}
}

func (s *recordStore) Durable() uint64 { return 0 }

func (s *recordStore) Wait(ctx context.Context, _ uint64) (uint64, error) {
	<-ctx.Done()
	return 0, ctx.Err()
}

// scan reads every key and value, and does nothing with them.
func (s *recordStore) scan(tb testing.TB) (n, size int) {
	it, err := s.db.NewIter(nil)
	if err != nil {
		tb.Fatal(err)
	}
	defer it.Close()
	for ok := it.First(); ok; ok = it.Next() {
		n++
		size += len(it.Value())
	}
	return n, size
}

var benchEvents = flag.Int("events", 1_000_000, "events of the record whose views BenchmarkRebuild builds")

// BenchmarkRebuild rebuilds all views of a record and scans the same keys, in turns,
// and reaches events from snapshots. It prints ratios: "x-scan" is the speed of the rebuild
// against the scan's (floor 0.25), "x-reach" how many times faster an event is reached than
// by a rebuild (floor 500).
func BenchmarkRebuild(b *testing.B) {
	for _, x := range []struct {
		name            string
		campaigns, each int
		views           []projections.Projection
	}{
		{"64campaigns/pools", 64, *benchEvents / 64, []projections.Projection{pools.Projection()}},
		{"1campaign/pools", 1, *benchEvents, []projections.Projection{pools.Projection()}},
		{"64campaigns/all", 64, *benchEvents / 64, []projections.Projection{pools.Projection(),
			strategic.Projection()}},
	} {
		b.Run(x.name, func(b *testing.B) { benchmarkRebuild(b, newRecordStore(b, x.campaigns, x.each), x.views) })
	}
}

func benchmarkRebuild(b *testing.B, s *recordStore, views []projections.Projection) {
	kept, err := store.Open(b.TempDir(), store.Options{})
	if err != nil {
		b.Fatal(err)
	}
	defer kept.Close()
	r, err := projections.Open(s, kept, nil, views...)
	if err != nil {
		b.Fatal(err)
	}
	ctx := context.Background()
	var scanning, building, reaching time.Duration
	events, reached := 0, 0
	for b.Loop() {
		start := time.Now()
		n, _ := s.scan(b)
		scanning += time.Since(start)
		start = time.Now()
		if err := r.Rebuild(ctx, nil); err != nil {
			b.Fatal(err)
		}
		building += time.Since(start)
		events += n
		start = time.Now()
		for i := range 100 {
			x := s.lengths[i%len(s.lengths)]
			if _, err := r.At(b.Context(), views[0].Name, x.campaign, x.events*uint64(i+1)/101); err != nil {
				b.Fatal(err)
			}
			reached++
		}
		reaching += time.Since(start)
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(float64(events)/building.Seconds(), "events/s")
	b.ReportMetric(scanning.Seconds()/building.Seconds(), "x-scan")
	b.ReportMetric(building.Seconds()/float64(b.N)/(reaching.Seconds()/float64(reached)), "x-reach")
}
