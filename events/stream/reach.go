package stream

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// reach is how far a stream is known to have been published at some time.
type reach struct {
	Published uint64      `json:"published"`     // sequence of the last event
	Hash      events.Hash `json:"hash,omitzero"` // of that event; zero where an older watu wrote it
}

// Reached is the highest sequence known to have been published.
func (l *Lease) Reached() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.reach.Published
}

// Confirmed is the sequence up to which the bucket says that the stream was published: nobody takes the
// lease without that.
func (l *Lease) Confirmed() uint64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.value.Published
}

// confirm has the bucket say at once that the stream has a sequence, unless it says so.
func (l *Lease) confirm(sequence uint64) bool {
	if l.Confirmed() >= sequence {
		return true
	}
	select {
	case l.hurry <- struct{}{}:
	default: // it is asked for
	}
	return false
}

// behind reports whether the stream has more than the bucket says.
func (l *Lease) behind() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.lost == nil && l.value.reach != l.reach
}

// reached notes that the stream has an event. While a stream is made again, the lease still says how far
// it was.
func (l *Lease) reached(r events.Record) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if had := l.reach; r.Sequence > had.Published || r.Sequence == had.Published && had.Hash.IsZero() {
		l.reach = reach{r.Sequence, r.Hash()}
	}
}

// reached notes that the stream agrees with the record up to a sequence.
func (c *comparison) reached(sequence uint64) error {
	if c.lease == nil || sequence == 0 || sequence < c.lease.Reached() {
		return nil
	}
	r, err := recordAt(c.log, sequence)
	if err == nil {
		c.lease.reached(r)
	}
	return err
}

// giveUp forgets what the stream had beyond a sequence of the record, or instead of it.
func (l *Lease) giveUp(log Log, sequence uint64) error {
	var last events.Record
	if sequence > 0 {
		var err error
		if last, err = recordAt(log, sequence); err != nil {
			return err
		}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.reach = reach{Published: sequence}
	if sequence > 0 {
		l.reach.Hash = last.Hash()
	}
	l.value.reach = reach{} // what the bucket says counts no longer
	return nil
}

// Lacking says whether a record lacks the last event that the stream is known to have had; nil if it has
// it, and where there is no lease. A length alone is not enough: a host that was cut off recorded something
// in the place of what another one answered. Last is how far the stream reaches now.
func (l *Lease) Lacking(log Log, last uint64) (*ShortError, error) {
	if l == nil {
		return nil, nil
	}
	l.mu.Lock()
	had := l.reach
	l.mu.Unlock()
	short := &ShortError{
		Name: StreamName(log.ID()), Reached: had.Published, Hash: had.Hash, Durable: log.Durable(), Last: last,
	}
	if had.Published > short.Durable {
		return short, nil
	}
	if had.Hash.IsZero() {
		return nil, nil
	}
	r, err := recordAt(log, had.Published)
	if err != nil || r.Hash() == had.Hash {
		return nil, err
	}
	short.Here = r.Hash()
	return short, nil
}

// recordAt reads one record.
func recordAt(log Log, sequence uint64) (events.Record, error) {
	for r, err := range log.After(sequence - 1) {
		switch {
		case err != nil:
			return r, fmt.Errorf("record behind sequence %d: %w", sequence-1, err)
		case r.Sequence != sequence:
			return r, fmt.Errorf("the record gives sequence %d where %d is due", r.Sequence, sequence)
		}
		return r, nil
	}
	return events.Record{}, fmt.Errorf("the record ends before sequence %d", sequence)
}

// ShortError says that a record lacks the last event that the stream is known to have had, and the stream
// lacks it as well: it lost its end, and the record may be an older copy, or that of a host that was
// overtaken. Nothing was changed. It is [ErrDiverged].
type ShortError struct {
	Name    string      // of the stream
	Reached uint64      // last sequence that the stream had, as the lease says
	Hash    events.Hash // of the event there; zero where an older watu wrote the lease
	Here    events.Hash // of the record's event there; zero if the record ends before
	Durable uint64      // last sequence of the record
	Last    uint64      // last sequence that the stream has now
}

func (e *ShortError) Error() string {
	if e.Here.IsZero() {
		return fmt.Sprintf(
			"%v: the lease says that the stream %s had %d events, the record here has %d, and the stream %d",
			ErrDiverged, e.Name, e.Reached, e.Durable, e.Last)
	}
	return fmt.Sprintf(
		"%v: the lease says that the stream %s had %d events, the last with hash %s, and the record here "+
			"has another in that place, with hash %s; the stream has %d",
		ErrDiverged, e.Name, e.Reached, e.Hash, e.Here, e.Last)
}

// Unwrap makes errors.Is find what it is.
func (e *ShortError) Unwrap() error { return ErrDiverged }
