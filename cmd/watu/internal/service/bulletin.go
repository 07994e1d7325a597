package service

import (
	"context"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Bulletin is an event as anyone may be told of it, from the log alone, and its place in the record.
type Bulletin struct {
	Line
	Campaign string      `json:"campaign"` // its name
	Sequence uint64      `json:"sequence"` // in the record, over all campaigns
	Hash     events.Hash `json:"hash"`

	ID ulid.ULID `json:"-"` // of the campaign
}

// Reach is how far a campaign goes, as far as it is durable.
type Reach struct {
	ID     ulid.ULID
	Name   string
	Events uint64
}

// Reach says how far a campaign goes.
func (f *Service) Reach(campaign string) (Reach, error) {
	c, err := f.find(campaign)
	return Reach{ID: c.ID, Name: c.Name, Events: c.Events}, err
}

// Version is how far that has gone which an answer about a campaign is of; of one that is not here, the record.
func (f *Service) Version(campaign string) uint64 {
	if c, err := f.Umpire().Find(campaign); err == nil {
		return c.Events
	}
	return f.Ledger().Durable()
}

// Wait returns the sequence of the last durable event as soon as it is greater than after.
func (f *Service) Wait(ctx context.Context, after uint64) (uint64, error) {
	return f.Ledger().Wait(ctx, after)
}

// TellAfter tells the durable events behind a sequence, over all campaigns and in their order.
func (f *Service) TellAfter(sequence uint64) iter.Seq2[Bulletin, error] {
	return f.bulletins(f.Ledger().After(sequence))
}

// Tell tells the durable events of a campaign with from <= index < to.
func (f *Service) Tell(campaign ulid.ULID, from, to uint64) iter.Seq2[Bulletin, error] {
	return f.bulletins(f.Ledger().Read(campaign, from, to))
}

func (f *Service) bulletins(records iter.Seq2[events.Record, error]) iter.Seq2[Bulletin, error] {
	return func(yield func(Bulletin, error) bool) {
		for r, err := range records {
			var b Bulletin
			if err == nil {
				b, err = f.bulletin(r)
			}
			if !yield(b, err) || err != nil {
				return
			}
		}
	}
}

func (f *Service) bulletin(r events.Record) (Bulletin, error) {
	e, err := events.Decode(r.Bytes)
	if err != nil {
		return Bulletin{}, err
	}
	c, _ := f.Ledger().Campaign(r.Campaign)
	previous, err := f.correctedBefore(c, &e)
	return Bulletin{Line: lineOf(&e, previous), Campaign: c.Name, Sequence: r.Sequence, Hash: r.Hash(), ID: c.ID}, err
}
