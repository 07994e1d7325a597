package ledger

import (
	"errors"
	"time"

	"github.com/cockroachdb/pebble/v2"
	"github.com/cockroachdb/pebble/v2/vfs"
	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger/disk"
)

// Baseline is what the ledger's benchmarks compare with: a Pebble store with the ledger's
// options, to which the bytes of the same events are written and synced without any of the
// ledger's checks, indexes and order.
type Baseline struct{ db *pebble.DB }

// OpenBaseline opens a store in dir. A nil fs is the real file system.
func OpenBaseline(dir string, fs vfs.FS) (*Baseline, error) {
	if fs == nil {
		fs = vfs.Default
	}
	db, err := pebble.Open(dir, disk.Options(fs, disk.New(func(string, ...any) {}, nil)))
	return &Baseline{db: db}, err
}

// Append writes records of one campaign as one synced batch. It may be called at the same
// time from many goroutines.
func (b *Baseline) Append(records []events.Record) error {
	batch := b.db.NewBatch()
	for _, r := range records {
		if err := batch.Set(numberKey(keyRecord, r.Campaign, r.Index), r.Bytes, nil); err != nil {
			return err
		}
	}
	return errors.Join(batch.Commit(pebble.Sync), batch.Close())
}

// Close closes the store.
func (b *Baseline) Close() error { return b.db.Close() }

// BareScan walks the records of a campaign as Pebble holds them, without copying or looking:
// what a rebuild is compared with. It gives their number and their bytes.
func (l *Ledger) BareScan(campaign ulid.ULID) (records int, bytes int64, err error) {
	if err := l.enter(); err != nil {
		return 0, 0, err
	}
	defer l.leave()
	err = l.scan(campaignKey(keyRecord, campaign), func(_, value []byte) (bool, error) {
		records++
		bytes += int64(len(value))
		return true, nil
	})
	return records, bytes, err
}

// Interleave runs ours and base in turn, the same work each, rounds times, so that both meet
// the same machine. It gives the speed of ours in units of base's: 1 is as fast, 0.5 half.
func Interleave(rounds int, ours, base func() error) (ratio float64, err error) {
	var spent [2]time.Duration
	for i := range 2 * rounds {
		work := ours
		which := (i + i/2) % 2 // ours base, base ours, ours base, …
		if which == 1 {
			work = base
		}
		began := time.Now()
		if err := work(); err != nil {
			return 0, err
		}
		spent[which] += time.Since(began)
	}
	return float64(spent[1]) / float64(spent[0]), nil
}
