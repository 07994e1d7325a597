package events

import (
	"fmt"
	"iter"

	"github.com/oklog/ulid/v2"
)

// Record is an event as the ledger holds it: its stored bytes and its place in the ledger.
// Sequence is a cursor over all campaigns, from 1 and without holes; it is never identity.
type Record struct {
	Sequence uint64
	Campaign ulid.ULID
	Index    uint64
	Bytes    []byte
}

// Hash is the leaf hash of the stored bytes.
func (r Record) Hash() Hash { return LeafHash(r.Bytes) }

// Decoded decodes records as they are read. The error names the event that does not read; nothing follows it.
func Decoded(records iter.Seq2[Record, error]) iter.Seq2[*Event, error] {
	return func(yield func(*Event, error) bool) {
		for r, err := range records {
			if err != nil {
				yield(nil, err)
				return
			}
			e, err := Decode(r.Bytes)
			if err != nil {
				yield(nil, fmt.Errorf("event %d: %w", r.Index, err))
				return
			}
			if !yield(&e, nil) {
				return
			}
		}
	}
}
