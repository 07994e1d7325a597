package service

import (
	"context"
	afteraction "github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/events/ledger"
)

// What the public interface asks beside what the pages read.

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

// Difference sets a campaign at one moment beside the same at another, as the viewer may know it.
func (f *Service) Difference(ctx context.Context, campaign string, looks Viewer, from, to string) (Difference, error) {
	c, err := f.find(campaign)
	if err != nil {
		return Difference{}, err
	}
	return f.difference(ctx, c, looks, from, to)
}

// Rulings tells how a campaign reads what the text of its rules leaves open.
func (f *Service) Rulings(ctx context.Context, campaign string) (Rulings, error) {
	c, err := f.find(campaign)
	if err != nil {
		return Rulings{}, err
	}
	return f.rulings(ctx, c)
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

// Editions lists the editions of a system of rules, called by its name or by that of a campaign.
func (f *Service) Editions(name string) (Editions, error) { return f.editions(name) }

// Asked is which disputes are asked for.
type Asked struct {
	Open       bool   // that wait for a ruling
	Precedents bool   // that bind later rulings; of a campaign, also those for the league
	Rule       string // that turn on this rule
}

// DisputesAsked lists the disputes of a campaign, or of all for "", that are asked for.
func (f *Service) DisputesAsked(campaign string, a Asked) (Disputes, error) {
	out := Disputes{Version: Version, Disputes: []Disputed{}}
	only := ""
	if campaign != "" {
		c, err := f.find(campaign)
		if err != nil {
			return out, err
		}
		only = c.Name
	}
	list, err := f.listDisputes(f.ledger.Campaigns(), only, disputeQuery{open: a.Open, precedents: a.Precedents, rule: a.Rule})
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
	c, err := f.find(campaign)
	if err != nil {
		return c, err
	}
	if m := f.ledger.ReadOnly(); m != nil {
		return c, m
	}
	if err := f.tenure.May(); err != nil {
		return c, err
	}
	return c, f.takesSteps(campaign)
}
