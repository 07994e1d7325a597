package keys

import (
	"crypto/sha256"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/chance"
)

// Epoch is an epoch of a record, with the anchors of its chains.
type Epoch struct {
	Number uint64
	Chains []events.Anchor
}

// Verify reads a campaign's secrets and holds them to the epochs of its record: the chains of every epoch must grow
// from them to the anchors stated there. An epoch that another host began is known as such by the file. Last is the
// epoch that is on.
//
// The file of an earlier version does not say so. There an epoch passes for one of another host if the
// secret that should have grown it is whole, having grown some other epoch.
func (v *Keys) Verify(campaign ulid.ULID, epochs []Epoch) (s Secrets, last uint64, err error) {
	if s, err = v.Secrets(campaign); err != nil {
		return s, 0, err
	}
	whole := map[events.Hash]bool{}
	var others []uint64
	for _, e := range epochs {
		last = max(last, e.Number)
		switch {
		case v.grows(campaign, e, s):
			whole[s.ForEpoch(e.Number)] = true
		case !slices.Contains(s.elsewhere, e.Number):
			others = append(others, e.Number)
		}
	}
	for _, n := range others {
		if !s.unsealed || !whole[s.ForEpoch(n)] || s.list[len(s.list)-1].from > last {
			return Secrets{}, last, fmt.Errorf("%w: %s holds another: the dice and draws of epoch %d do not "+
				"grow from it", ErrNoSecret, v.path(campaign), n)
		}
		s.elsewhere = append(s.elsewhere, n)
	}
	return s, last, nil
}

// grows reports whether all chains of an epoch grow from the secrets. It computes that once: a chain is thousands of
// hashes long.
func (v *Keys) grows(campaign ulid.ULID, e Epoch, s Secrets) bool {
	known := sha256.Sum256(fmt.Appendf(nil, "%s %s %d %v", s.ForEpoch(e.Number), campaign, e.Number, e.Chains))
	if _, ok := v.grew.Load(known); ok {
		return true
	}
	for _, a := range e.Chains {
		if a.Length < 1 || a.Length > chance.MaxLength ||
			s.Chain(campaign, e.Number, a.Chain, a.Length).Anchor() != a.Anchor {
			return false
		}
	}
	v.grew.Store(known, nil)
	return true
}

// NoteElsewhere writes down which epochs were begun by another host, so that they are not taken for damage later.
func (v *Keys) NoteElsewhere(campaign ulid.ULID, s Secrets, epochs []Epoch) error {
	known := len(s.elsewhere)
	for _, e := range epochs {
		if !v.grows(campaign, e, s) && !slices.Contains(s.elsewhere, e.Number) {
			s.elsewhere = append(s.elsewhere, e.Number)
		}
	}
	if len(s.elsewhere) == known {
		return nil
	}
	return v.Replace(campaign, s)
}
