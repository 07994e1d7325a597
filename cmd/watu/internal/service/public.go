package service

import (
	"context"

	afteraction "github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
)

// What the interface asks beside what the pages read.

// CountPending counts what is pending in a campaign, as far as the viewer can know; nil for nothing.
func (f *Service) CountPending(ctx context.Context, campaign string, v timeline.Viewer) (
	*timeline.PendingCount, error,
) {
	c, err := f.Find(campaign)
	if err != nil {
		return nil, err
	}
	return f.pendingIn(ctx, c, v), nil
}

// Report writes the after-action report of some turns for a reader.
func (f *Service) Report(ctx context.Context, campaign string, reader timeline.Viewer,
	turns Period) (afteraction.Report, error) {
	c, err := f.Find(campaign)
	if err != nil {
		return afteraction.Report{}, err
	}
	record, err := f.recordOf(ctx, c, reader, turns)
	if err != nil {
		return afteraction.Report{}, err
	}
	return afteraction.New(ctx, record)
}

// Stepping finds a campaign that may go on here: not in a ledger that only follows, nor imported.
func (f *Service) Stepping(campaign string) (ledger.Campaign, error) {
	if err := f.CheckWritable(); err != nil {
		return ledger.Campaign{}, err
	}
	c, err := f.Find(campaign)
	if err != nil {
		return c, err
	}
	return c, f.CheckPlayable(campaign)
}

// Standing says how the ledger stands; see [Status].
func (f *Service) Standing() Status {
	out := Status{Standing: f.Host.Standing(), Pages: f.Site}
	for _, c := range f.Ledger().Campaigns() {
		w, _ := f.waits(c) // a record that does not read is not for this to say
		out.OpenDisputes += len(w.Disputes)
		if w.Asked != nil || len(w.Disputes) > 0 {
			out.Waits = append(out.Waits, w)
		}
	}
	return out
}

// waits says what a campaign waits for. A roll that waits for a round of a beacon is not among it: it comes by itself.
func (f *Service) waits(c ledger.Campaign) (Awaits, error) {
	out := Awaits{Campaign: c.Name}
	list, err := f.DisputesOf(c)
	if err != nil {
		return out, err
	}
	for i := range list {
		if d := &list[i]; d.Open() {
			out.Disputes = append(out.Disputes, Contested{Dispute: d.Index, Event: d.Claim.Event,
				Refused: d.Claim.Refused, Claim: d.Claim.Claim})
		}
	}
	q, err := f.OpenQuestion(context.Background(), c.ID.String(), c.Events)
	if err == nil && q != nil && q.Round == 0 && q.Of != timeline.OtherSeat {
		out.Asked = q
	}
	return out, err
}

// Status is [Service.Standing] with what is pending, after a look at all that lies beside the record: the whole of each
// chain and board is hashed.
func (f *Service) Status(ctx context.Context) Status {
	f.CheckFiles()
	out := f.Standing()
	out.Pending = f.allPending(ctx)
	out.Rolls, out.Links = f.dice.All()
	return out
}
