package replay

import (
	"errors"
	"fmt"
	"slices"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/rules"
)

// NoteReading records that somebody looks at what is sealed in a campaign, by what the host holds of it, once a turn.
// It is recorded where a seat has a key, for before nobody's word but the host's is in the record; and where a side has
// something to hide: elsewhere there is nothing to see that the record does not show.
func (u *Umpire) NoteReading(id ulid.ULID, as string, file bool) error {
	r := events.SecretsRead{As: as, File: file}
	t, err := u.acquire(id)
	switch takesNone := []error{keys.ErrNoSecret, campaign.ErrNotKnown, ErrNoBoard}; {
	case slices.ContainsFunc(takesNone, func(why error) bool { return errors.Is(err, why) }):
		return nil // a campaign that takes no steps can be read all the same
	case err != nil:
		return err
	}
	defer t.mu.Unlock()
	if len(t.campaign.Keys) == 0 || t.campaign.Noted(r) {
		return nil
	}
	if hides, err := t.hides(); err != nil || !hides {
		return err
	}
	_, err = u.record(t, fmt.Sprintf("read/%d", t.campaign.Next), campaign.VerbRead, r.As, rules.Draft{Payload: &r})
	return err
}
