package rules

import (
	"crypto/sha256"
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// Fingerprint names what judges by an edition: the SHA-256 of the edition's hash and the system's revision. Two
// programs of one fingerprint rule alike on every case of the system's corpus.
func (s System) Fingerprint(e Edition) events.Hash {
	return sha256.Sum256(fmt.Appendf(nil, "watu/rules/v1\n%s\n%s\n%d\n", s.Name, e.Hash, s.Revision))
}

// Edition gives the system's edition of a hash, and false where this program does not have it.
func (s System) Edition(hash events.Hash) (Edition, bool) {
	return Find(s.Editions, func(e Edition) bool { return e.Hash == hash })
}
