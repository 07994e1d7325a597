package projections

import (
	"context"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
)

// Source is the record that the views are views of. It is safe for concurrent use; several
// parts of a campaign are read at the same time.
type Source interface {
	// Each calls f for every campaign with the number of its durable events.
	Each(f func(campaign ulid.ULID, events uint64))
	// Read gives the campaign's records with from <= index < to, in order. A record's bytes
	// are valid until the next one.
	Read(campaign ulid.ULID, from, to uint64) iter.Seq2[events.Record, error]
	// Durable is the last sequence that is durable, over all campaigns; 0 for none.
	Durable() uint64
	// Wait returns once a sequence above after is durable, and returns the last one; or the
	// error of ctx.
	Wait(ctx context.Context, after uint64) (uint64, error)
}

// Saved is a view as a store keeps it.
type Saved struct {
	Campaign   ulid.ULID
	Projection string
	Applied    uint64      // the cursor: events 0 to Applied-1 are in the view
	Head       events.Hash // of the event at Applied-1, zero if Applied is 0
	View       []byte      // as View.Save gave it
}

// Store keeps views. Nothing in it is lost if it is lost: an error on reading makes the
// runner reset the store and fill it again. It is safe for concurrent use.
type Store interface {
	// Version is the projection's version that the store has views of, 0 for none.
	Version(projection string) (int, error)
	// Begin forgets the projection's views and notes the version of those to come.
	Begin(projection string, version int) error
	// Latest is the newest view of the campaign, false if there is none.
	Latest(projection string, campaign ulid.ULID) (Saved, bool, error)
	// Nearest is the view or snapshot with the most events, but at most applied.
	Nearest(projection string, campaign ulid.ULID, applied uint64) (Saved, bool, error)
	// Save keeps views, each in place of the latest one of its projection and campaign, and
	// snapshots beside those that are there: all or nothing.
	Save(views, snapshots []Saved) error
	// Forget drops the campaign's views and snapshots of one projection.
	Forget(projection string, campaign ulid.ULID) error
	// Reset forgets everything, also what can no longer be read.
	Reset() error
}
