package replay

import (
	"fmt"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// NoteReading records that somebody looks at what is sealed in a campaign, by what the host holds of it, once a turn.
// It is recorded where a seat has a key: before, nobody's word but the host's is in the record.
func (u *Umpire) NoteReading(id ulid.ULID, as string, file bool) error {
	r := events.SecretsRead{As: as, File: file}
	t, err := u.acquire(id)
	if err != nil {
		return nil // a campaign that takes no steps, its secret being lost, can be read all the same
	}
	defer t.mu.Unlock()
	if len(t.campaign.Keys) == 0 || t.campaign.Noted(r) {
		return nil
	}
	_, err = u.record(t, fmt.Sprintf("read/%d", t.campaign.Next), campaign.VerbRead, r.As, rules.Draft{Payload: &r})
	return err
}
