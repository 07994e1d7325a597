package ledger

import (
	"encoding/binary"
	"fmt"
	"iter"
	"sync"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Turn says where a game turn begins.
type Turn struct {
	Ordinal uint64
	Label   string
	First   uint64 // index of its first event
}

// Read gives the durable records of a campaign from index from to before index to
// (math.MaxUint64 for the end), in order. Bytes are the receiver's to keep and not to change.
// The record is not held between two records, so the receiver may take its time.
func (l *Ledger) Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return l.read(campaign, from, to, false)
}

// Walk is [Ledger.Read] for who decodes each record at once and keeps no bytes, such as a
// rebuild: Bytes are good until the next record, and nothing is allocated for them.
func (l *Ledger) Walk(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error] {
	return l.read(campaign, from, to, true)
}

func (l *Ledger) read(campaign ulid.ULID, from, to uint64, reuse bool) iter.Seq2[events.Record, error] {
	return func(yield func(events.Record, error) bool) {
		c, _ := l.Campaign(campaign)
		from, to := from, min(to, c.Events)
		var some []events.Record
		pages := &arena{}
		if reuse {
			pages = walkers.Get().(*arena)
			defer walkers.Put(pages)
		}
		for from < to {
			var err error
			if some, err = l.readPage(some[:0], campaign, from, to, pages); err != nil {
				yield(events.Record{}, err)
				return
			}
			for _, r := range some {
				if !yield(r, nil) {
					return
				}
			}
			from += uint64(len(some))
		}
	}
}

// readPage appends to some the records from index from, as many as fit a page.
func (l *Ledger) readPage(
	some []events.Record, campaign ulid.ULID, from, to uint64, pages *arena,
) ([]events.Record, error) {
	if err := l.enter(); err != nil {
		return some, err
	}
	defer l.leave()
	pages.turn()
	next := from
	err := l.scanRange(numberKey(keyRecord, campaign, from), numberKey(keyRecord, campaign, to),
		func(key, value []byte) (bool, error) {
			if len(key) != lenCampaignKey+8 || len(value) < 8 {
				return false, damaged(key)
			}
			if binary.BigEndian.Uint64(key[lenCampaignKey:]) != next {
				return false, fmt.Errorf("%w: no event %d of campaign %s", ErrDamaged, next, campaign)
			}
			b, ok := pages.keep(bytesOf(value))
			if ok {
				some = append(some, events.Record{
					Sequence: sequenceOf(value), Campaign: campaign, Index: next, Bytes: b,
				})
				next++
			}
			return ok, nil
		})
	if err == nil && next == from {
		err = fmt.Errorf("%w: no event %d of campaign %s", ErrDamaged, next, campaign)
	}
	return some, err
}

// Command gives what became of a command; false if no durable step came of it.
func (l *Ledger) Command(campaign ulid.ULID, id string) (Answered, bool, error) {
	if err := l.enter(); err != nil {
		return Answered{}, false, err
	}
	defer l.leave()
	a, found, err := l.answered(campaign, id)
	c, _ := l.Campaign(campaign)
	if err != nil || !found || a.First+uint64(a.Count) > c.Events {
		return Answered{}, false, err
	}
	return a, true, nil
}

// Turns lists the campaign's turns in order, the time before the first turn included.
func (l *Ledger) Turns(campaign ulid.ULID) ([]Turn, error) {
	if err := l.enter(); err != nil {
		return nil, err
	}
	defer l.leave()
	c, _ := l.Campaign(campaign)
	var list []Turn
	err := l.scan(campaignKey(keyTurn, campaign), func(key, value []byte) (bool, error) {
		t, err := readTurn(key, value)
		if err != nil || t.First >= c.Events {
			return false, err
		}
		list = append(list, t)
		return true, nil
	})
	return list, err
}

// Openings gives the stored openings of commitments in the events from index from to before
// index to, by index and slot. They are secret: what may be shown, and to whom, is the
// caller's to know.
func (l *Ledger) Openings(campaign ulid.ULID, from, to uint64) ([]events.Opening, error) {
	if err := l.enter(); err != nil {
		return nil, err
	}
	defer l.leave()
	c, _ := l.Campaign(campaign)
	to = min(to, c.Events)
	if from >= to {
		return nil, nil
	}
	var list []events.Opening
	err := l.scanRange(numberKey(keyOpening, campaign, from), numberKey(keyOpening, campaign, to),
		func(key, value []byte) (bool, error) {
			o, err := readOpening(key, value)
			list = append(list, o)
			return true, err
		})
	return list, err
}

// arena hands out copies of stored bytes from pages, so that a long read costs few
// allocations and a short one little memory.
type arena struct {
	page  []byte
	size  int
	reuse bool // the old page may be overwritten
}

const (
	firstPage = 16 << 10
	lastPage  = 512 << 10
)

// walkers are the arenas of [Ledger.Walk], whose pages serve one walk after the other.
var walkers = sync.Pool{New: func() any { return &arena{reuse: true} }}

// turn begins a new page, twice as large as the last. The old one belongs to its receivers.
func (a *arena) turn() {
	grown := min(max(2*a.size, firstPage), lastPage)
	if a.reuse && a.size == grown {
		a.page = a.page[:0]
		return
	}
	a.size = grown
	a.page = make([]byte, 0, a.size)
}

// keep copies b; false if it does not fit the page, unless the page is empty.
func (a *arena) keep(b []byte) ([]byte, bool) {
	if len(b) > cap(a.page)-len(a.page) {
		if len(a.page) > 0 {
			return nil, false
		}
		a.page = make([]byte, 0, len(b))
	}
	n := len(a.page)
	a.page = append(a.page, b...)
	return a.page[n:len(a.page):len(a.page)], true
}
