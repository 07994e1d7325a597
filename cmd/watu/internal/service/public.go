package service

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	afteraction "github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/events/ledger"
)

// What the interface asks beside what the pages read.

// View gives a projection of a campaign as the viewer may know it: after the event at, a whole number,
// or at whatever moment at names as it does for a [Going]; at the head for "".
func (f *Service) View(ctx context.Context, campaign string, looks Viewer, projection, at string) (View, error) {
	c, err := f.find(campaign)
	if err != nil {
		return View{}, err
	}
	upTo := c.Events
	if at != "" {
		if upTo, err = f.instant(ctx, c, at); err != nil {
			return View{}, err
		}
	}
	return f.viewAfter(ctx, c, looks, projection, upTo)
}

// PendingIn counts what is pending in a campaign, as far as the viewer can know; nil for nothing.
func (f *Service) PendingIn(ctx context.Context, campaign string, v Viewer) (*PendingIn, error) {
	c, err := f.find(campaign)
	if err != nil {
		return nil, err
	}
	return f.pendingIn(ctx, c, v), nil
}

// Report writes the after-action report of some turns for a reader.
func (f *Service) Report(ctx context.Context, campaign string, reader Viewer, told Period) (afteraction.Report, error) {
	c, err := f.find(campaign)
	if err != nil {
		return afteraction.Report{}, err
	}
	record, err := f.recordOf(ctx, c, reader, told)
	if err != nil {
		return afteraction.Report{}, err
	}
	return afteraction.Of(ctx, record)
}

// Disputes lists the disputes of a campaign, or of all for "", that are asked for.
func (f *Service) Disputes(campaign string, a Asked) (Disputes, error) {
	out := Disputes{Version: maintenance.Version, Disputes: []Disputed{}}
	only := ""
	if campaign != "" {
		c, err := f.find(campaign)
		if err != nil {
			return out, err
		}
		only = c.Name
	}
	list, err := f.listDisputes(f.Ledger().Campaigns(), only, a)
	out.Disputes = append(out.Disputes, list...)
	return out, err
}

// Turn finds the events of a game turn by its label: the first, and the one behind the last.
func (f *Service) Turn(campaign, label string) (from, to uint64, err error) {
	c, err := f.find(campaign)
	if err != nil {
		return 0, 0, err
	}
	s, err := f.turn(c, label)
	return s.from, s.to, err
}

// stepping finds a campaign that may go on here: not in a ledger that only follows, nor imported.
func (f *Service) stepping(campaign string) (ledger.Campaign, error) {
	if err := f.MayStep(); err != nil {
		return ledger.Campaign{}, err
	}
	c, err := f.find(campaign)
	if err != nil {
		return c, err
	}
	return c, f.TakesSteps(campaign)
}

// Standing says how the ledger stands; see [Ledger].
func (f *Service) Standing() Ledger {
	out := Ledger{Standing: f.Host.Standing()}
	for _, c := range f.Ledger().Campaigns() {
		n, _ := f.openDisputes(c) // a record that does not read is not for this to say
		out.OpenDisputes += n
	}
	return out
}

// Status is [Service.Standing] with what is pending, after a look at all that lies beside the record: the whole of each
// chain and board is hashed.
func (f *Service) Status(ctx context.Context) Ledger {
	f.Look()
	out := f.Standing()
	out.Pending = f.allPending(ctx)
	return out
}
