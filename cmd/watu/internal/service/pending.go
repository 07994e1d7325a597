package service

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/history"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// consequences says what comes out otherwise.
func (f *Service) consequences(c ledger.Campaign, list []review.Consequence) ([]Consequence, error) {
	out := []Consequence{}
	for _, x := range list {
		e, err := f.Event(c.ID, x.Event)
		if err != nil {
			return nil, err
		}
		y := Consequence{
			Event: x.Event, Entry: x.Command, Turn: e.Turn.Label, Cause: x.Cause, Decision: x.Decision,
			KeptBy: x.KeptBy, Gone: x.Gone,
			Figures: append([]events.Change{}, x.Figures...), Waits: waitsFor(x),
		}
		if y.Results, err = f.shifts(c, x.Results, x.Figures); err != nil {
			return nil, err
		}
		if len(y.Results) == 0 {
			was := narrator.Sentence(&e)
			y.Results = append(y.Results, ChangedEvent{Event: x.Event, Was: was, Text: was})
		}
		out = append(out, y)
	}
	return out, nil
}

// Quiet reports whether nothing moves in a later entry but a step of a derivation, such as how many boats were counted
// that took nothing.
func (x Consequence) Quiet() bool {
	return x.Waits == "" && x.Gone == "" && DerivationsAlone(x.Figures)
}

// DerivationsAlone reports whether figures that move are steps of derivations alone.
func DerivationsAlone(figures []events.Change) bool {
	return len(figures) > 0 && !slices.ContainsFunc(figures, func(x events.Change) bool {
		_, name, named := strings.Cut(x.Field, ".")
		if !named || !strings.HasPrefix(x.Field, "#") {
			name = x.Field
		}
		return !strings.HasPrefix(name, "derivation[")
	})
}

// Offered are the later entries of a correction that the umpire decides on: the others go with it.
func (x Corrected) Offered() []Consequence {
	return slices.DeleteFunc(slices.Clone(x.Consequences), Consequence.Quiet)
}

// shifts describes the events of a command before and after.
func (f *Service) shifts(c ledger.Campaign, list []review.Result, figures []events.Change) ([]ChangedEvent, error) {
	now, err := f.History(context.Background(), c)
	out := []ChangedEvent{}
	for i, r := range list {
		out = append(out, shiftOf(now, r, figuresOf(figures, i, r)))
	}
	return out, err
}

// waitsFor says why a consequence cannot be applied by itself.
func waitsFor(x review.Consequence) string {
	return strings.TrimPrefix(x.Waits, review.ErrNotCorrectable.Error()+": ")
}

// figuresOf gives those figures of a consequence that are of its result at i, with their own names.
func figuresOf(figures []events.Change, i int, r review.Result) (own []events.Change) {
	if r.Was == nil {
		return nil
	}
	for _, x := range figures {
		name, named := strings.CutPrefix(x.Field, fmt.Sprintf("#%d.", r.Was.Index))
		if named || i == 0 && !strings.HasPrefix(name, "#") {
			own = append(own, events.Change{Field: name, Was: x.Was, Now: x.Now})
		}
	}
	return own
}

// shiftOf describes an event before and after. Where a sentence does not say what differs, its figures do. Of one that
// is corrected already it is the correction that is described.
func shiftOf(now history.View, r review.Result, figures []events.Change) (s ChangedEvent) {
	if r.Was != nil {
		s.Event, s.Was = r.Was.Index, narrator.Sentence(r.Was)
	}
	if r.Is != nil {
		s.Is = narrator.Sentence(r.Is)
	}
	switch {
	case r.Is == nil:
		s.Text = "would not happen: " + s.Was
	case r.CountsAgain():
		s.Event, s.Text = r.Is.Index, "would happen again: "+s.Is
	case r.Was == nil:
		s.Text = "new: " + s.Is
	case s.Was != s.Is:
		s.Text = narrator.Between(s.Was, s.Is)
	default:
		var lines []string
		for _, x := range figures {
			lines = append(lines, narrator.Field(x.Field)+": "+narrator.Between(narrator.Value(x.Was),
				narrator.Value(x.Now)))
		}
		s.Text = s.Was
		if len(lines) > 0 {
			s.Text += " (" + strings.Join(lines, "; ") + ")"
		}
	}
	if by, _ := now.Standing(s.Event); r.Was != nil && by > s.Event {
		s.Text = fmt.Sprintf("as corrected by #%d: %s", by, s.Text)
	}
	return s
}

// later describes figure by figure what is not applied.
func later(list []Consequence) []OutdatedFigure {
	out := []OutdatedFigure{}
	for _, x := range list {
		if x.Decision == review.Apply {
			continue
		}
		text := cmp.Or(x.Results[0].Was, x.Results[0].Is)
		for _, c := range x.Figures {
			out = append(out, OutdatedFigure{Text: text, Finding: review.Finding{Event: x.Event, Command: x.Entry,
				Field: c.Field, Recorded: c.Was, Derived: c.Now}})
		}
		if len(x.Figures) == 0 {
			out = append(out, OutdatedFigure{Text: text, Finding: review.Finding{Event: x.Event, Command: x.Entry,
				Field: "verdict", Recorded: "allowed", Derived: cmp.Or(x.Gone, x.Waits)}})
		}
	}
	return out
}

// pending lists what comes out otherwise on what was corrected since, as far as the viewer can know.
func (f *Service) pending(ctx context.Context, c ledger.Campaign, v timeline.Viewer) ([]Consequence, error) {
	left, _, err := f.pendingAt(ctx, c, v)
	if err != nil {
		return nil, err
	}
	return f.consequences(c, left.Consequences)
}

// leftBy lists what is pending because of the events given.
func (f *Service) leftBy(c ledger.Campaign, happened []timeline.NarratedEvent) ([]Consequence, error) {
	if len(happened) == 0 {
		return []Consequence{}, nil
	}
	now, err := f.Find(c.Name)
	if err != nil {
		return nil, err
	}
	list, err := f.pending(context.Background(), now, timeline.Viewer{As: timeline.Umpire})
	return slices.DeleteFunc(list, func(x Consequence) bool {
		return !slices.ContainsFunc(happened, func(l timeline.NarratedEvent) bool { return l.Index == x.Cause })
	}), err
}

// Pending lists what comes out otherwise on what was corrected or voided since, as far as a viewer can know.
func (f *Service) Pending(ctx context.Context, campaign string, v timeline.Viewer) (Pending, error) {
	c, err := f.Find(campaign)
	if err != nil {
		return Pending{}, err
	}
	out := Pending{Version: maintenance.Version, Campaign: c.Name, Causes: []Cause{}}
	left, n, err := f.pendingAt(ctx, c, v)
	if err != nil {
		return out, err
	}
	out.Events, out.Unchecked = n, left.Unchecked
	now, err := f.History(ctx, c)
	if err != nil {
		return out, err
	}
	if out.Unfinished, err = f.overtaken(c, now); err != nil {
		return out, err
	}
	if out.Pending, err = f.consequences(c, left.Consequences); err != nil {
		return out, err
	}
	for _, x := range out.Pending {
		if n := len(out.Causes); n > 0 && out.Causes[n-1].Index == x.Cause {
			continue
		}
		cause, err := f.cause(c, x.Cause)
		if err != nil {
			return out, err
		}
		out.Causes = append(out.Causes, cause)
	}
	return out, nil
}

// cause describes the event from which something follows.
func (f *Service) cause(c ledger.Campaign, index uint64) (Cause, error) {
	e, err := f.Event(c.ID, index)
	if err != nil {
		return Cause{}, err
	}
	reason, _ := reasonOf(&e)
	return Cause{NarratedEvent: timeline.NarrateEvent(&e, 0), Reason: reason}, nil
}

// reasonOf says why something was corrected or voided, and on account of which dispute.
func reasonOf(e *events.Event) (reason string, dispute uint64) {
	switch p, _ := events.PayloadOf(e); p := p.(type) {
	case *events.Corrected:
		return p.Reason, p.Dispute
	case *events.Voided:
		return p.Reason, p.Dispute
	case *events.DisputeRuled:
		return p.Reason, p.Dispute
	}
	return "", 0
}

// applying is the correction that applies what is pending at an event, for the reason that its cause had, and on
// account of the same dispute.
func (f *Service) applying(c ledger.Campaign, a CorrectionRequest) (review.Correction, error) {
	x, err := f.pendingBehind(c, a.Event, a.Cause)
	var none *problem.Problem
	if errors.As(err, &none) {
		plan, _ := f.Umpire().Propose(c.ID, review.Correction{Event: a.Event}) // which says by what it is void
		none.Message += ". To correct it, say what is wrong"
		none.Report = []string{fmt.Sprintf("watu correct %s %d -f correction.yaml", c.Name, a.Event),
			fmt.Sprintf("watu correct %s %d --set 'FIELD=VALUE'", c.Name, a.Event)}
		if plan.VoidedBy != 0 {
			none.Message = fmt.Sprintf("#%d is void since #%d: to enter it again in its place, say why", a.Event,
				plan.VoidedBy)
			none.Report = []string{fmt.Sprintf("watu correct %s %d --reason TEXT", c.Name, a.Event)}
		}
	}
	if err != nil {
		return review.Correction{}, err
	}
	cause, err := f.Event(c.ID, x.Cause)
	if err != nil {
		return review.Correction{}, err
	}
	reason, dispute := reasonOf(&cause)
	source, err := json.Marshal(map[string]any{"pending": x.Event, "cause": x.Cause, "events": c.Events})
	if err != nil {
		return review.Correction{}, err
	}
	a.Cause = x.Cause
	return decided(review.Correction{Event: a.Event, Code: "consequence", Reason: reason, Dispute: dispute,
		Source: source}, a)
}

// pendingBehind finds what is pending of the entry behind an event, because of a cause, or of any for 0.
func (f *Service) pendingBehind(c ledger.Campaign, event, cause uint64) (x review.Consequence, err error) {
	left, _, err := f.pendingAt(context.Background(), c, timeline.Viewer{As: timeline.Umpire})
	if err != nil {
		return x, err
	}
	e, err := f.Event(c.ID, event)
	if err != nil {
		return x, err
	}
	var others []string
	for _, x := range left.Consequences {
		if (x.Event == event || x.Command == e.Command) && (cause == 0 || cause == x.Cause) {
			return x, nil
		}
		others = append(others, fmt.Sprintf("#%d, by #%d", x.Event, x.Cause))
	}
	if len(others) == 0 {
		return x, problem.New(problem.Input, "nothing is pending at #%d, nor anywhere else in %s", event, c.Name)
	}
	return x, problem.New(problem.Input, "nothing is pending at #%d; what is: %s", event, strings.Join(others, "; "))
}

// pendingBecause lists what is pending because of some events, or left by them.
func (f *Service) pendingBecause(
	ctx context.Context, c ledger.Campaign, v timeline.Viewer, now history.View, of []uint64,
) ([]Consequence, error) {
	if len(of) == 0 {
		return nil, nil
	}
	left, _, err := f.pendingAt(ctx, c, v)
	if err != nil {
		return nil, ctx.Err() // what keeps it from being found out, an audit says
	}
	list := slices.DeleteFunc(slices.Clone(left.Consequences), func(x review.Consequence) bool {
		return !slices.ContainsFunc(append(now.Sources(history.Left, x.Event), x.Cause), func(by uint64) bool {
			return now.Stands(by) && slices.Contains(of, by)
		})
	})
	if len(list) == 0 {
		return nil, nil
	}
	return f.consequences(c, list)
}

// PendingForHolder is [Service.Pending] for whoever holds the directory: left out, the viewer is whose secrets are
// here.
func (f *Service) PendingForHolder(ctx context.Context, campaign, as string) (Pending, error) {
	c, err := f.Find(campaign)
	if err != nil {
		return Pending{}, err
	}
	if as == "" {
		if as, err = f.Holder(c); err != nil {
			return Pending{}, err
		}
	}
	v, err := f.Viewer(c.Name, as)
	if err == nil {
		err = f.NoteReading(c.Name, v, false)
	}
	if err != nil {
		return Pending{}, err
	}
	out, err := f.Pending(ctx, c.Name, v)
	out.As, out.ReadOnly = v.As, f.CheckChangeable(c) != nil
	return out, err
}

// Keep decides that what is pending at an event stays as it is recorded. The viewer must be the umpire.
func (f *Service) Keep(campaign string, viewer timeline.Viewer, k KeepRequest) (Kept, error) {
	c, err := f.umpires(campaign, viewer, "such a decision")
	if err != nil {
		return Kept{}, err
	}
	out := Kept{Version: maintenance.Version, Campaign: c.Name, Happened: []timeline.NarratedEvent{}}
	switch {
	case k.Event >= c.Events:
		return out, problem.NoEvent(c.Name, k.Event, c.Events)
	case strings.TrimSpace(k.Reason) == "":
		return out, problem.New(problem.Input, "say why it stays as it is recorded: the others will read it")
	}
	if _, err := f.pendingBehind(c, k.Event, 0); err != nil {
		return out, err
	}
	answer, err := f.Umpire().KeepConsequence(c.ID, k.Event, k.Reason)
	if err != nil {
		return out, err
	}
	if answer.Verdict == rules.Refused {
		return out, problem.OfViolations("", answer.Violations)
	}
	out.Happened, err = f.Narrate(c, answer.First, answer.First+uint64(answer.Events))
	return out, err
}
