package service

import (
	"context"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	afteraction "github.com/watu-ledger/watu/cmd/watu/internal/report"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/review"
)

// Period is which game turns a report covers, by their labels: one, or from one to another; all if
// none is named.
type Period struct{ Turn, From, To string }

// recordOf gathers what an after-action report is made of: the log, and the views and the openings
// of whoever it is for, as every view of his has them.
func (f *Service) recordOf(ctx context.Context, c ledger.Campaign, reader timeline.Viewer,
	turns Period) (out afteraction.Record, err error) {
	out = afteraction.Record{Campaign: c.Name, Head: c.Head, As: reader.As}
	if out.Title, _, err = f.RulesAndEdition(c, c.Events); err != nil {
		return out, err
	}
	if out.From, out.To, err = f.period(c, turns); err != nil {
		return out, err
	}
	out.Events = make([]events.Event, 0, c.Events)
	for stored, err := range f.Records(ctx, c.ID, 0, c.Events) {
		if err != nil {
			return out, err
		}
		e, err := events.Decode(stored.Bytes)
		if err != nil {
			return out, err
		}
		out.Events = append(out.Events, e)
	}
	left, err := f.Pending(ctx, c.Name, reader)
	if err != nil {
		return out, err
	}
	out.Pending = reportPending(left.Pending)
	for _, x := range left.Unchecked {
		out.Unchecked = append(out.Unchecked, x.Event)
	}
	if err := f.reportViews(ctx, c, reader, &out); err != nil || out.As == timeline.Public {
		return out, err
	}
	out.Openings, err = f.Openings(ctx, c, reader, c.Events)
	return out, err
}

// reportPending says what is pending, event by event.
func reportPending(list []Consequence) (pending []afteraction.Pending) {
	for _, x := range list {
		why := "pending"
		switch {
		case x.Waits != "":
			why = "waits: " + x.Waits
		case x.Decision == review.Keep:
			why = "kept"
		case x.Decision == review.Undecided:
			why = "undecided"
		}
		for _, s := range x.Results {
			if s.Event == 0 {
				continue
			}
			remark := why
			if differs, ok := strings.CutPrefix(s.Text, s.Was+" ("); ok && s.Was == s.Is {
				remark += "; " + strings.TrimSuffix(differs, ")")
			}
			pending = append(pending, afteraction.Pending{Event: s.Event, Cause: x.Cause, Was: s.Was, Is: s.Is,
				Remark: remark})
		}
	}
	return pending
}

// reportViews folds the views that the campaign's rules have.
func (f *Service) reportViews(ctx context.Context, c ledger.Campaign, reader timeline.Viewer,
	out *afteraction.Record) error {
	v, err := f.ViewsAt(ctx, c.ID.String(), reader, c.Events)
	if err != nil {
		return err
	}
	out.Income, out.Strategic, out.Pools, out.Situation = v.Income, v.Strategic, v.Pools, v.Situation
	b, ok, err := f.Map(c.ID.String())
	if ok {
		out.Board = story.BoardOf(b)
	}
	return err
}

// period finds the ordinals of the turns to tell; 0 and 0 for all.
func (f *Service) period(c ledger.Campaign, turns Period) (from, to uint64, err error) {
	first, last := turns.From, turns.To
	if turns.Turn != "" {
		if first != "" || last != "" {
			return 0, 0, problem.New(problem.Input, "turn names one game turn, from and to the first and the last of "+
				"several: give the one or the others")
		}
		first, last = turns.Turn, turns.Turn
	}
	if first == "" && last == "" {
		return 0, 0, nil
	}
	to = ^uint64(0)
	if first != "" {
		if from, err = f.ordinal(c, first); err != nil {
			return 0, 0, err
		}
	}
	if last != "" {
		if to, err = f.ordinal(c, last); err != nil {
			return 0, 0, err
		}
	}
	if from > to {
		return 0, 0, problem.New(problem.Input, "%s comes behind %s", first, last)
	}
	return from, to, nil
}

// ordinal is the number of a game turn by its label.
func (f *Service) ordinal(c ledger.Campaign, label string) (uint64, error) {
	from, _, err := f.Turn(c.Name, label)
	if err != nil {
		return 0, err
	}
	e, err := f.Event(c.ID, from)
	return e.Turn.Ordinal, err
}
