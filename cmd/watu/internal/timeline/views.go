package timeline

import (
	"context"
	"encoding/json"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/situation"
)

// viewAfter folds a projection for whoever looks, over so many events.
func (r *Reader) viewAfter(ctx context.Context, c ledger.Campaign, viewer Viewer, projection string,
	upTo uint64) (View, error) {
	out := View{Version: maintenance.Version, Campaign: c.Name, Projection: projection, As: viewer.As, Events: upTo}
	p, err := r.Projection(c, projection)
	if err != nil {
		return out, err
	}
	if out.Title, out.Edition, err = r.RulesAndEdition(c, upTo); err != nil {
		return out, err
	}
	v, err := r.Fold(ctx, c, p, viewer, upTo)
	if err != nil {
		return out, err
	}
	if out.As == Public {
		out.Digest = projections.Digest(v).String()
	}
	if out.Events > 0 {
		last, err := r.Event(c.ID, out.Events-1)
		if err != nil {
			return out, err
		}
		out.Turn = last.Turn.Label
	}
	if out.Incomplete, err = r.incomplete(c); err != nil {
		return out, err
	}
	tables := v.Tables()
	if projection == situation.Projection().Name {
		units, err := r.Garrisons(ctx, c.ID.String(), upTo)
		if err != nil {
			return out, err
		}
		if len(units) > 0 {
			tables = append(tables, unitTable(units))
		}
	}
	out.Tables = document.Plains(tables)
	out.Report, err = json.Marshal(v.Report())
	return out, err
}

// RulesAndEdition says by which rules the campaign is played, and on which edition of them after so many
// events.
func (r *Reader) RulesAndEdition(c ledger.Campaign, events uint64) (title, edition string, err error) {
	s, err := r.Rules(c.ID)
	if err != nil {
		return "", "", err
	}
	first, err := r.Event(c.ID, 0)
	if err != nil {
		return "", "", err
	}
	last, err := r.Event(c.ID, max(events, 1)-1)
	if err != nil {
		return "", "", err
	}
	edition, _, err = r.editionAfter(c, &first, &last)
	return s.Title, edition, err
}

// Projection finds a view by its name: one of those that show the campaign's rules.
func (r *Reader) Projection(c ledger.Campaign, name string) (projections.Projection, error) {
	s, err := r.Rules(c.ID)
	if err != nil {
		return projections.Projection{}, err
	}
	for _, p := range maintenance.Projections() {
		if p.Name == name && slices.Contains(s.Views, name) {
			return p, nil
		}
	}
	return projections.Projection{}, problem.New(problem.Input, "campaign %s has no view %q; its views are %s",
		c.Name, name, strings.Join(s.Views, ", "))
}
