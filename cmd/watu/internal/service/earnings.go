package service

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/rules"
)

// Earnings breaks the board's figure of an income down by territory. Where there is no list, Why says so in a sentence:
// a list that does not add up to the figure is never given.
type Earnings struct {
	Treasury    string
	Board       int
	Territories []Earned
	Why         string
}

// Earned is a territory that a treasury earned from.
type Earned struct {
	rules.Earning
	Event uint64 // that gave it to its holder; 0 where it was his at the set-up
}

// Earnings lists the territories that an income was collected from, as they were held right before it; nil for an event
// that is no income of territories.
func (f *Service) Earnings(ctx context.Context, campaign string, index uint64) (*Earnings, error) {
	c, err := f.Find(campaign)
	if err != nil {
		return nil, err
	}
	e, err := f.Event(c.ID, index)
	var p events.IncomeCollected
	if err != nil || !e.Read(&p) || p.Board == 0 {
		return nil, err
	}
	out := &Earnings{Treasury: p.Power, Board: p.Board}
	if _, here, err := f.Map(campaign); err != nil || !here {
		out.Why = "The files of the board are not here, so that its territories cannot be listed."
		return out, nil
	}
	x, err := f.reader(ctx, c)
	if err != nil {
		return nil, err
	}
	before := x.history.Versions(index)[0]
	at, err := f.Umpire().At(c.ID, before)
	if err != nil {
		return nil, err
	}
	v, err := f.ViewsAt(ctx, campaign, timeline.Viewer{As: timeline.Public}, before, situation.Projection().Name)
	if err != nil {
		return nil, err
	}
	out.list(at.System.Earnings(at.Game, p.Power), v.Situation)
	return out, x.err
}

// list names the territories, if they add up to the figure.
func (w *Earnings) list(territories []rules.Earning, now *situation.Report) {
	given := map[string]uint64{}
	if now != nil {
		for _, t := range now.Territories {
			given[t.Territory] = t.Event
		}
	}
	for _, t := range territories {
		w.Territories = append(w.Territories, Earned{t, given[t.Territory]})
	}
	if rules.Sum(territories, func(t rules.Earning) int { return t.IPCs }) != w.Board {
		w.Territories = nil
		w.Why = "What was recorded of the board does not tell which territories these are."
	}
}
