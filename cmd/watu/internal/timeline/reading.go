package timeline

import (
	"context"
	"errors"
	"io/fs"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/projections/pools"
	"github.com/watu-ledger/watu/projections/situation"
	"github.com/watu-ledger/watu/projections/strategic"
	"github.com/watu-ledger/watu/replay"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// Campaigns lists the campaigns in the order in which they were opened, those that are archived apart.
func (r *Reader) Campaigns() (Campaigns, error) {
	list := Campaigns{Version: maintenance.Version, Campaigns: []Campaign{}}
	for _, c := range r.Ledger().Campaigns() {
		described, err := r.Describe(c)
		if err != nil {
			return list, err
		}
		if described.Archived {
			list.Archived = append(list.Archived, described)
		} else {
			list.Campaigns = append(list.Campaigns, described)
		}
	}
	return list, nil
}

// Campaign describes a campaign at its head.
func (r *Reader) Campaign(campaign string) (Campaign, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return Campaign{}, err
	}
	return r.Describe(c)
}

// Views are the views of a campaign; nil for one that its rules have not.
type Views struct {
	Pools     *pools.Report
	Strategic *strategic.Report
	Income    *income.Report
	Situation *situation.Report
}

// ViewsAt gives the views after so many events, as the viewer may know them: those that are named, or all where
// none is.
func (r *Reader) ViewsAt(ctx context.Context, campaign string, viewer Viewer, events uint64,
	only ...string) (out Views, err error) {
	c, err := r.Find(campaign)
	if err != nil {
		return out, err
	}
	s, err := r.Rules(c.ID)
	if err != nil {
		return out, err
	}
	for _, name := range s.Views {
		if len(only) > 0 && !slices.Contains(only, name) {
			continue
		}
		p, err := r.Projection(c, name)
		if err != nil {
			return out, err
		}
		v, err := r.Fold(ctx, c, p, viewer, min(events, c.Events))
		if err != nil {
			return out, err
		}
		switch r := v.Report().(type) {
		case pools.Report:
			out.Pools = &r
		case strategic.Report:
			out.Strategic = &r
		case income.Report:
			out.Income = &r
		case situation.Report:
			out.Situation = &r
		}
	}
	return out, nil
}

// Log gives the events with from <= index < to, as they are described now.
func (r *Reader) Log(ctx context.Context, campaign string, from, to uint64) ([]LogEvent, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return nil, err
	}
	m, err := r.marks(ctx, c)
	if err != nil {
		return nil, err
	}
	list := []LogEvent{}
	for record, err := range r.Records(ctx, c.ID, from, min(to, c.Events)) {
		if err != nil {
			return nil, err
		}
		l, err := r.logged(record, m)
		if err != nil {
			return nil, err
		}
		list = append(list, l)
	}
	return list, nil
}

// TurnPlayed is a game turn of a campaign and its events. Ordinal 0 is the time before the first.
type TurnPlayed struct {
	Ordinal uint64 `json:"turn_ordinal"`
	Label   string `json:"turn"`
	First   uint64 `json:"first"`  // index of its first event
	Events  uint64 `json:"events"` // how many it has
}

// Turns lists the game turns of a campaign.
func (r *Reader) Turns(campaign string) ([]TurnPlayed, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return nil, err
	}
	turns, err := r.Ledger().Turns(c.ID)
	if err != nil {
		return nil, err
	}
	list := []TurnPlayed{}
	for i, t := range turns {
		end := c.Events
		if i+1 < len(turns) {
			end = turns[i+1].First
		}
		list = append(list, TurnPlayed{Ordinal: t.Ordinal, Label: t.Label, First: t.First, Events: end - t.First})
	}
	return list, nil
}

// BoardPlayed names the board that a campaign is played on, and its files; it has none where a campaign
// is played without.
func (r *Reader) BoardPlayed(campaign string) (events.Board, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return events.Board{}, err
	}
	first, err := r.Event(c.ID, 0)
	if err != nil {
		return events.Board{}, err
	}
	var p events.CampaignOpened
	first.Read(&p)
	return p.Board, nil
}

// Map reads the board that a campaign is played on; false if it is played on none, or if the files
// are not here, as those of a campaign that was imported may not be.
func (r *Reader) Map(campaign string) (*board.Board, bool, error) {
	played, err := r.BoardPlayed(campaign)
	if err != nil {
		return nil, false, err
	}
	kept, err := r.Boards().Get(played)
	if errors.Is(err, replay.ErrNoBoard) || errors.Is(err, fs.ErrNotExist) || len(kept) == 0 && err == nil {
		return nil, false, nil
	}
	if err != nil {
		return nil, false, err
	}
	files := rules.Each(kept, func(k rules.BoardFile) board.File { return board.File{Name: k.Name, Data: k.Data} })
	b, err := board.Read(files...)
	return b, err == nil, err
}

// Record gives an event's bytes as they are stored and hashed.
func (r *Reader) Record(campaign string, index uint64) (events.Record, error) {
	c, err := r.Find(campaign)
	if err != nil {
		return events.Record{}, err
	}
	for r, err := range r.Ledger().Read(c.ID, index, index+1) {
		return r, err
	}
	return events.Record{}, problem.NoEvent(c.Name, index, c.Events)
}

// Listed is how far the record goes, and what is archived, for the keys of caches of what lists campaigns.
func (r *Reader) Listed() uint64 { return r.Ledger().Durable() + r.Archive().Changes() }

// Durable is the sequence of the last event in the record, over all campaigns.
func (r *Reader) Durable() uint64 { return r.Ledger().Durable() }
