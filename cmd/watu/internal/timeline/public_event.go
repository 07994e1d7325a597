package timeline

import (
	"context"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// PublicEvent is an event as anyone may know it, from the log alone, and its place in the record.
type PublicEvent struct {
	NarratedEvent
	Campaign string      `json:"campaign"` // its name
	Sequence uint64      `json:"sequence"` // in the record, over all campaigns
	Hash     events.Hash `json:"hash"`

	ID ulid.ULID `json:"-"` // of the campaign
}

// Extent is how far a campaign goes, as far as it is durable.
type Extent struct {
	ID     ulid.ULID
	Name   string
	Events uint64
}

// Extent says how far a campaign goes.
func (r *Reader) Extent(campaign string) (Extent, error) {
	c, err := r.Find(campaign)
	return Extent{ID: c.ID, Name: c.Name, Events: c.Events}, err
}

// Version is how far a campaign goes, and whether it is archived, for the keys of caches; of one that is not here, that
// of the list.
func (r *Reader) Version(campaign string) uint64 {
	if c, err := r.Umpire().Find(campaign); err == nil {
		return c.Events + r.Archive().Changes()
	}
	return r.Listed()
}

// Wait returns the sequence of the last durable event as soon as it is greater than after.
func (r *Reader) Wait(ctx context.Context, after uint64) (uint64, error) {
	return r.Ledger().Wait(ctx, after)
}

// PublicEventsAfter gives the durable events behind a sequence, over all campaigns and in their order.
func (r *Reader) PublicEventsAfter(sequence uint64) iter.Seq2[PublicEvent, error] {
	return r.publicEvents(r.Ledger().After(sequence))
}

// PublicEvents gives the durable events of a campaign with from <= index < to.
func (r *Reader) PublicEvents(campaign ulid.ULID, from, to uint64) iter.Seq2[PublicEvent, error] {
	return r.publicEvents(r.Ledger().Read(campaign, from, to))
}

func (r *Reader) publicEvents(records iter.Seq2[events.Record, error]) iter.Seq2[PublicEvent, error] {
	return func(yield func(PublicEvent, error) bool) {
		for record, err := range records {
			var b PublicEvent
			if err == nil {
				b, err = r.publicEvent(record)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

func (r *Reader) publicEvent(record events.Record) (PublicEvent, error) {
	e, err := events.Decode(record.Bytes)
	if err != nil {
		return PublicEvent{}, err
	}
	c, _ := r.Ledger().Campaign(record.Campaign)
	previous, err := r.PreviousCorrection(c, &e)
	return PublicEvent{NarratedEvent: NarrateEvent(&e, previous), Campaign: c.Name, Sequence: record.Sequence,
		Hash: record.Hash(),
		ID:   c.ID}, err
}
