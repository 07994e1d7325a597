package events

import "github.com/oklog/ulid/v2"

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
