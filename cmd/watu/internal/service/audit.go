package service

import (
	"context"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// Audit is what comes out when the rules are run again over a campaign, with the answers recorded
// (dice, draws, choices, rulings), and `watu audit --json`.
type Audit struct {
	Version   int                      `json:"version"`
	Campaign  string                   `json:"campaign"`
	System    string                   `json:"system"`
	Title     string                   `json:"title"`   // of the system
	Played    []timeline.EditionPlayed `json:"played"`  // the campaign's own editions
	Edition   string                   `json:"edition"` // another by which it was judged now; empty for its own
	From      uint64                   `json:"from"`    // first event asked for
	Events    uint64                   `json:"events"`  // of the campaign
	Commands  int                      `json:"commands"`
	Checked   uint64                   `json:"checked"` // events that the commands heard again led to
	Aside     []review.Underived       `json:"aside"`   // events that no rule derives
	Unchecked []review.Unchecked       `json:"unchecked"`
	Findings  []AuditFinding           `json:"findings"`         // in the order of the record
	Affected  []AuditFigure            `json:"affected"`         // figures of the views at the end of the campaign
	Causes    []Cause                  `json:"causes,omitempty"` // the corrections from which follows what is pending
	// what comes out otherwise on what was corrected or voided since, and no finding
	Pending []Consequence `json:"pending,omitempty"`
}

// AuditFinding is one thing that comes out otherwise than recorded.
type AuditFinding struct {
	review.Finding
	Turn string `json:"turn"`
	Text string `json:"text"` // the event as it is recorded, in words
}

// AuditFigure is a figure of a view that what comes out otherwise leads to.
type AuditFigure struct {
	View     string `json:"view"`
	Path     string `json:"path"`
	Recorded string `json:"recorded"`
	Derived  string `json:"derived"`
}

// Audit runs the rules again over a campaign, from an event on. There is an error beside the result if something
// comes out otherwise by the campaign's own edition.
func (f *Service) Audit(ctx context.Context, campaign, edition string, from uint64,
	progress maintenance.Progress) (*Audit, error) {
	c, err := f.Find(campaign)
	if err != nil {
		return nil, err
	}
	s, err := f.Rules(c.ID)
	if err != nil {
		return nil, err
	}
	out := &Audit{
		Version: maintenance.Version, Campaign: c.Name, System: s.Name, Title: s.Title, From: from, Events: c.Events,
		Aside: []review.Underived{}, Unchecked: []review.Unchecked{}, Findings: []AuditFinding{},
		Affected: []AuditFigure{}, Causes: []Cause{}, Pending: []Consequence{},
	}
	if from >= c.Events {
		return nil, problem.NoEvent(c.Name, from, c.Events)
	}
	if out.Played, err = f.EditionsPlayed(c, s); err != nil {
		return nil, err
	}
	if edition != "" && !slices.ContainsFunc(s.Editions, func(e rules.Edition) bool { return e.Name == edition }) {
		return nil, problem.New(problem.Input, "%s has no edition %q; watu edition list %s shows those it has", s.Name,
			edition, s.Name)
	}
	if len(out.Played) != 1 || out.Played[0].Name != edition {
		out.Edition = edition
	}
	t, err := f.trial(c, timeline.Umpire)
	if err != nil {
		return nil, err
	}
	t.Events, t.From, t.Edition = c.Events, from, out.Edition
	a, err := t.Audit(func(done uint64) error {
		if progress != nil {
			progress(done, c.Events)
		}
		return ctx.Err()
	})
	if err != nil {
		return nil, err
	}
	if err := f.tellAudit(out, c, a); err != nil {
		return nil, err
	}
	if out.Edition == "" {
		left, err := f.Pending(ctx, c.ID.String(), timeline.Viewer{As: timeline.Umpire})
		if err != nil {
			return nil, err
		}
		out.Causes, out.Pending = left.Causes, left.Pending
	}
	if out.Affected, err = f.affected(ctx, c, s, a); err != nil || len(out.Findings) == 0 || out.Edition != "" {
		return out, err
	}
	first := out.Findings[0]
	return out, problem.New(problem.Unverified, "%s is not what the rules make of it: %s, #%d first", c.Name,
		words.Count(eventsIn(out.Findings), "event"), first.Event)
}

func eventsIn(list []AuditFinding) uint64 {
	seen := map[uint64]bool{}
	for _, f := range list {
		seen[f.Event] = true
	}
	return uint64(len(seen))
}

// tellAudit fills in what was found.
func (f *Service) tellAudit(out *Audit, c ledger.Campaign, a review.Audit) error {
	out.Commands, out.Checked, out.From = a.Commands, a.Events, a.From
	out.Aside = append(out.Aside, a.Underived...)
	out.Unchecked = append(out.Unchecked, a.Unchecked...)
	for _, found := range a.Findings {
		e, err := f.Event(c.ID, found.Event)
		if err != nil {
			return err
		}
		out.Findings = append(out.Findings,
			AuditFinding{Finding: found, Turn: e.Turn.Label, Text: narrator.Sentence(&e)})
	}
	return nil
}

// affected folds the campaign's views as recorded and as derived, and compares them.
func (f *Service) affected(ctx context.Context, c ledger.Campaign, s rules.System,
	a review.Audit) ([]AuditFigure, error) {
	list := []AuditFigure{}
	if len(a.Derived) == 0 {
		return list, nil
	}
	openings, err := f.Ledger().Openings(c.ID, 0, c.Events)
	if err != nil {
		return list, err
	}
	for _, name := range s.Views {
		p, err := f.Projection(c, name)
		if err != nil {
			return list, err
		}
		recorded, err := projections.Fold(p, f.Records(ctx, c.ID, 0, c.Events), openings)
		if err != nil {
			return list, fmt.Errorf("view %s: %w", name, err)
		}
		derived, err := projections.Fold(p, a.Derived.Records(f.Records(ctx, c.ID, 0, c.Events)),
			a.Derived.Openings(openings))
		if err != nil {
			return list, fmt.Errorf("view %s, as derived: %w", name, err)
		}
		for _, x := range projections.Changes(recorded.Report(), derived.Report()) {
			list = append(list, AuditFigure{name, x.Path, x.Was, x.Now})
		}
	}
	return list, nil
}
