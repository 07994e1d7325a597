package service

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/rules"
)

// viewAfter folds a projection for whoever looks, over so many events.
func (f *Service) viewAfter(ctx context.Context, c ledger.Campaign, looks Viewer, projection string,
	upTo uint64) (View, error) {
	out := View{Version: maintenance.Version, Campaign: c.Name, Projection: projection, As: looks.As, Events: upTo}
	p, err := f.projection(c, projection)
	if err != nil {
		return out, err
	}
	if out.Title, out.Edition, err = f.played(c, upTo); err != nil {
		return out, err
	}
	v, err := f.fold(ctx, c, p, looks, upTo)
	if err != nil {
		return out, err
	}
	if out.As == Public {
		out.Digest = projections.Digest(v).String()
	}
	if out.Events > 0 {
		last, err := f.Event(c.ID, out.Events-1)
		if err != nil {
			return out, err
		}
		out.Turn = last.Turn.Label
	}
	if out.Incomplete, err = f.incomplete(c); err != nil {
		return out, err
	}
	out.Tables = document.Plains(v.Tables())
	out.Report, err = json.Marshal(v.Report())
	return out, err
}

// played says by which rules the campaign is played, and on which edition of them after so many
// events.
func (f *Service) played(c ledger.Campaign, events uint64) (title, edition string, err error) {
	s, err := f.system(c.ID)
	if err != nil {
		return "", "", err
	}
	first, err := f.Event(c.ID, 0)
	if err != nil {
		return "", "", err
	}
	last, err := f.Event(c.ID, max(events, 1)-1)
	if err != nil {
		return "", "", err
	}
	edition, _, err = f.editionAfter(c, &first, &last)
	return s.Title, edition, err
}

// sideOf finds a side of a system by the names that people have for it.
func sideOf(s rules.System, sides []string, name string) (string, bool) {
	side, ok := sideNamed(sides, name)
	if !ok && s.SideNamed != nil {
		side, ok = s.SideNamed(name)
	}
	return side, ok
}

// ViewNames names them.
func ViewNames() []string {
	return rules.Each(maintenance.Projections(), func(p projections.Projection) string { return p.Name })
}

// projection finds a view by its name: one of those that show the campaign's rules.
func (f *Service) projection(c ledger.Campaign, name string) (projections.Projection, error) {
	s, err := f.system(c.ID)
	if err != nil {
		return projections.Projection{}, err
	}
	for _, p := range maintenance.Projections() {
		if p.Name == name && slices.Contains(s.Views, name) {
			return p, nil
		}
	}
	return projections.Projection{}, problem.New(problem.Input, "there is no view %q; there is %s", name,
		listed(s.Views))
}
