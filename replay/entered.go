package replay

import (
	"errors"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// heardBefore gives the first answer again if the command has been heard before: with the entry that it came with, or
// with the one to which that was corrected.
func (u *Umpire) heardBefore(t *liveCampaign, c rules.Command, digest events.Hash) (Answer, bool, error) {
	a, done, err := u.answered(t.campaign.ID, c.ID, digest)
	if !errors.Is(err, journal.ErrEdited) {
		return a, done, err
	}
	old, _, failed := u.ledger.Command(t.campaign.ID, c.ID)
	if failed != nil || old.First >= t.campaign.Next {
		return a, done, errors.Join(err, failed)
	}
	if !review.CorrectedTo(t.timeline, t.campaign, old.First, c) {
		return a, done, err
	}
	return u.answered(t.campaign.ID, c.ID, old.Digest)
}
