package replay

import (
	"errors"
	"fmt"
	"iter"

	"github.com/oklog/ulid/v2"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/keys"
	"github.com/watu-ledger/watu/replay/review"
)

// library is what the umpire's campaigns are folded with.
func (u *Umpire) library() campaign.Library {
	return campaign.Library{Systems: u.systems, Board: u.boards.Get, Games: u.games}
}

// records reads a campaign of the ledger. Bytes are good until the next record.
func (u *Umpire) records(id ulid.ULID) campaign.Records {
	return func(from, to uint64) iter.Seq2[events.Record, error] { return u.ledger.Walk(id, from, to) }
}

// timeline begins the timeline of a campaign of the ledger, as the umpire sees it.
func (u *Umpire) timeline(id ulid.ULID) *campaign.Timeline {
	return campaign.NewTimeline(u.library(), u.records(id), u.openings(id))
}

// openings reads the umpire's openings of a campaign.
func (u *Umpire) openings(id ulid.ULID) campaign.OpeningsReader {
	return func(from, to uint64) (campaign.Openings, error) {
		list, err := u.ledger.Openings(id, from, to)
		return campaign.OpeningsOf(list), err
	}
}

// Trial gives the trial of a campaign as the umpire may hold it: with every opening and every link.
func (u *Umpire) Trial(id ulid.ULID) (review.Trial, error) {
	c, ok := u.ledger.Campaign(id)
	if !ok {
		return review.Trial{}, fmt.Errorf("%w: %s", campaign.ErrUnknownCampaign, id)
	}
	t := review.Trial{Board: u.boards.Get, Records: u.records(id), Events: c.Events, Games: u.games}
	for _, name := range u.systemNames() {
		t.Systems = append(t.Systems, u.systems[name])
	}
	var err error
	if t.Openings, err = u.ledger.Openings(id, 0, c.Events); err != nil {
		return t, err
	}
	secrets, _, err := u.held(id)
	switch {
	case err == nil:
		t.Secrets = &secrets
	case !errors.Is(err, keys.ErrNoSecret):
		return t, err
	}
	return t, nil
}
