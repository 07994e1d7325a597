package replay

import (
	"errors"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/journal"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// heardBefore gives the first answer again if the command has been heard before: with the entry that it came with, or
// with the one to which that was corrected. What is signed is known again as it was signed, and not otherwise: else
// whoever has a key could guess at the entries of others.
func (u *Umpire) heardBefore(t *liveCampaign, c rules.Command, s *signature) (Answer, bool, error) {
	digest := t.digest(c, s)
	a, done, err := u.answered(t.campaign.ID, c.ID, digest)
	if s != nil || !errors.Is(err, journal.ErrEdited) {
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

// digest is what the record keeps of a command to know it again.
func (t *liveCampaign) digest(c rules.Command, s *signature) events.Hash {
	if s != nil && s.verb != campaign.VerbKey { // a key is public, and may come again in another envelope
		return events.CommandDigest(t.secrets.First(), c.ID, s.sent)
	}
	return events.CommandDigest(t.secrets.First(), c.ID, c.Body)
}
