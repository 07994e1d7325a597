package ledger

import (
	"bytes"
	"context"
	"fmt"
	"iter"

	"github.com/cockroachdb/pebble/v2"

	"github.com/watu-ledger/watu/events"
)

// Durable is the sequence of the last durable event, 0 if there is none.
func (l *Ledger) Durable() uint64 { return l.durable.Load() }

// Wait returns [Ledger.Durable] as soon as it is greater than after. It ends early with the
// context's error, with [ErrClosed] or with [ErrFailed].
func (l *Ledger) Wait(ctx context.Context, after uint64) (uint64, error) {
	for {
		l.published.Lock()
		if d := l.durable.Load(); d > after {
			l.published.Unlock()
			return d, nil
		}
		l.waiting++
		moved := l.moved
		l.published.Unlock()

		var err error
		select {
		case <-moved:
		case <-ctx.Done():
			err = ctx.Err()
		case <-l.ending:
			err = ErrClosed
		case <-l.failed:
			err = l.failure
		}
		l.published.Lock()
		l.waiting--
		l.published.Unlock()
		if err != nil {
			return l.Durable(), err
		}
	}
}

// After gives the durable records behind sequence, in order of sequence, and ends behind the
// last one that is durable when it gets there. The newest come from memory. Bytes are the
// receiver's to keep and not to change.
func (l *Ledger) After(sequence uint64) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		var some []events.Record
		pages := arena{}
		for at := sequence; at < l.Durable(); {
			var ok bool
			if some, ok = l.recent(some[:0], at); !ok {
				var err error
				if some, err = l.older(some[:0], at, &pages); err != nil {
					yield(events.Record{}, err)
					return
				}
			}
			for _, r := range some {
				if !yield(r, nil) {
					return
				}
				at = r.Sequence
			}
		}
	}
}

// tail is the newest durable records, without holes.
type tail struct {
	records []events.Record
	bytes   int
}

const (
	tailRecords = 8192
	tailBytes   = 8 << 20
	handful     = 512 // records taken from the tail at a time
)

// add appends records. The older half goes when there are too many.
func (t *tail) add(records []events.Record) {
	for _, r := range records {
		t.bytes += len(r.Bytes)
	}
	t.records = append(t.records, records...)
	for len(t.records) > tailRecords || t.bytes > tailBytes && len(t.records) > 1 {
		half := (len(t.records) + 1) / 2
		for _, r := range t.records[:half] {
			t.bytes -= len(r.Bytes)
		}
		t.records = append(make([]events.Record, 0, tailRecords+handful), t.records[half:]...)
	}
}

// recent appends to some the records behind sequence that the tail holds; false if it begins
// later.
func (l *Ledger) recent(some []events.Record, sequence uint64) ([]events.Record, bool) {
	l.published.Lock()
	defer l.published.Unlock()
	t := l.tail.records
	if len(t) == 0 || t[0].Sequence > sequence+1 {
		return some, false
	}
	t = t[min(uint64(len(t)), sequence+1-t[0].Sequence):]
	return append(some, t[:min(len(t), handful)]...), true
}

// older appends to some the durable records behind sequence, as many as fit a page.
func (l *Ledger) older(some []events.Record, sequence uint64, pages *arena) ([]events.Record, error) {
	durable := l.Durable()
	if err := l.enter(); err != nil {
		return some, err
	}
	defer l.leave()
	start, err := l.stepHolding(sequence + 1)
	if err != nil {
		return some, err
	}
	from := []byte{keyRecord}
	records, err := l.db.NewIter(&pebble.IterOptions{LowerBound: from, UpperBound: after(from)})
	if err != nil {
		return some, unread(err)
	}
	defer records.Close()
	pages.turn()
	err = l.scanRange(stepKey(start), stepKey(durable+1), func(key, value []byte) (bool, error) {
		s, first, err := readStep(key, value)
		if err != nil || first > sequence+1 {
			return false, fmt.Errorf("%w: no step holds sequence %d", ErrDamaged, sequence+1)
		}
		for i := sequence + 1 - first; i < uint64(s.count); i++ {
			r, ok, err := readRecord(records, s, first, i, pages)
			if err != nil || !ok {
				return false, err
			}
			some = append(some, r)
			sequence++
		}
		return true, nil
	})
	if err == nil && len(some) == 0 {
		err = fmt.Errorf("%w: no step holds sequence %d", ErrDamaged, sequence+1)
	}
	return some, err
}

// stepHolding gives the sequence of the first event of the step that holds sequence.
func (l *Ledger) stepHolding(sequence uint64) (first uint64, err error) {
	it, err := l.db.NewIter(&pebble.IterOptions{LowerBound: stepKey(0), UpperBound: stepKey(sequence + 1)})
	if err != nil {
		return 0, unread(err)
	}
	defer it.Close()
	if !it.Last() {
		if it.Error() != nil {
			return 0, unread(it.Error())
		}
		return 0, fmt.Errorf("%w: no step holds sequence %d", ErrDamaged, sequence)
	}
	_, first, err = readStep(it.Key(), it.Value())
	return first, err
}

// readRecord reads event i of a step whose first has the sequence first; false if the page
// is full.
func readRecord(it *pebble.Iterator, s step, first, i uint64, pages *arena) (events.Record, bool, error) {
	key := numberKey(keyRecord, s.campaign, s.first+i)
	if !(it.Valid() && it.Next() && bytes.Equal(it.Key(), key)) && !it.SeekGE(key) || !bytes.Equal(it.Key(), key) {
		if it.Error() != nil {
			return events.Record{}, false, unread(it.Error())
		}
		return events.Record{}, false, fmt.Errorf("%w: no event %d of campaign %s", ErrDamaged, s.first+i, s.campaign)
	}
	value, err := it.ValueAndErr()
	if err != nil {
		return events.Record{}, false, unread(err)
	}
	if len(value) < 8 || sequenceOf(value) != first+i {
		return events.Record{}, false, damaged(key)
	}
	b, ok := pages.keep(bytesOf(value))
	return events.Record{Sequence: first + i, Campaign: s.campaign, Index: s.first + i, Bytes: b}, ok, nil
}
