package timeline

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events/ledger"
)

// RulesApplied are the rules that a campaign has named up to a moment, by id.
type RulesApplied struct {
	Events uint64       `json:"events"` // how many had happened
	Rules  []RuleCounts `json:"rules"`
}

// RuleCounts is a rule, how many events name it, and what the latest of them says.
type RuleCounts struct {
	ID     string     `json:"id"`
	Events int        `json:"events"`
	Last   uint64     `json:"last"`
	Said   []RuleText `json:"said"`
}

// RuleApplied is what a rule was applied to in a campaign, up to a moment. All of it is public.
type RuleApplied struct {
	ID         string          `json:"id"`
	Events     int             `json:"events"` // that name it
	Turns      []RuleTurn      `json:"turns"`
	Uses       []RuleUse       `json:"uses"`            // the newest first, as many as were asked for
	Older      *uint64         `json:"older,omitempty"` // where the uses before these begin
	Newer      *uint64         `json:"newer,omitempty"`
	Options    []CurrentOption `json:"options"` // that settle it
	Rulings    []OptionRuling  `json:"rulings"`
	Questions  []QuestionAsked `json:"questions"`
	Disputes   []Dispute       `json:"disputes"`   // that turn on it
	Precedents []Dispute       `json:"precedents"` // of other campaigns, for the league
}

// RuleTurn is a game turn and how many of its events name a rule. Before the first the label is empty.
type RuleTurn struct {
	Label  string `json:"turn"`
	Events int    `json:"events"`
}

// RuleUse is an event that names a rule, and what it says of it.
type RuleUse struct {
	MarkedEvent
	Said []RuleText `json:"said"`
}

// RulePage is which uses of a rule are asked for: those after at events, from the event From backwards
// (nil for the newest), Most of them.
type RulePage struct {
	At   uint64
	From *uint64
	Most int
}

// RulesApplied lists the rules that the events of a campaign had named after at events.
func (r *Reader) RulesApplied(ctx context.Context, campaign string, at uint64) (out RulesApplied, err error) {
	c, err := r.Find(campaign)
	if err != nil {
		return out, err
	}
	out = RulesApplied{Events: min(at, c.Events), Rules: []RuleCounts{}}
	all, err := r.ruled(ctx, c)
	if err != nil {
		return out, err
	}
	for _, named := range all {
		named = named.before(at)
		if len(named.events) == 0 {
			continue
		}
		last := named.events[len(named.events)-1]
		e, err := r.Event(c.ID, last)
		if err != nil {
			return out, err
		}
		out.Rules = append(out.Rules, RuleCounts{ID: named.id, Events: len(named.events), Last: last,
			Said: saidOf(&e, named.id)})
	}
	return out, nil
}

// ruled gives the rules that a campaign has named, by id.
func (r *Reader) ruled(ctx context.Context, c ledger.Campaign) ([]ruled, error) {
	it, err := r.Index(ctx, c)
	if err != nil {
		return nil, err
	}
	return slices.SortedFunc(maps.Values(it.ruled), func(a, b ruled) int { return byNumber(a.id, b.id) }), nil
}

// RuleApplied says what a rule was applied to in a campaign. It is an error where no event had named it.
func (r *Reader) RuleApplied(ctx context.Context, campaign, id string, ask RulePage) (out RuleApplied, err error) {
	c, err := r.Find(campaign)
	if err != nil {
		return out, err
	}
	ask.At = min(ask.At, c.Events)
	it, err := r.Index(ctx, c)
	if err != nil {
		return out, err
	}
	found, known := it.ruled[strings.ToUpper(id)]
	if !known {
		return out, problem.New(problem.Input, "campaign %s has applied no rule %q", c.Name, id)
	}
	named := found.before(ask.At)
	if len(named.events) == 0 {
		return out, problem.New(problem.Input, "campaign %s had not applied rule %s yet after %d events; the first to "+
			"name it is #%d", c.Name, found.id, ask.At, found.events[0])
	}
	out = RuleApplied{ID: named.id, Events: len(named.events), Disputes: []Dispute{}, Precedents: []Dispute{}}
	if out.Turns, err = r.turnsOf(c, named.events); err != nil {
		return out, err
	}
	if out.Uses, err = r.uses(c, &it, named, ask, &out); err != nil {
		return out, err
	}
	if err := r.settling(c, &it, ask.At, &out); err != nil {
		return out, err
	}
	err = r.quarrels(c, ask.At, &out)
	return out, err
}

// turnsOf counts events turn by turn.
func (r *Reader) turnsOf(c ledger.Campaign, list []uint64) ([]RuleTurn, error) {
	turns, err := r.Ledger().Turns(c.ID)
	if err != nil {
		return nil, err
	}
	out := []RuleTurn{}
	for i, t := range turns {
		n, _ := slices.BinarySearch(list, t.First)
		end := len(list)
		if i+1 < len(turns) {
			end, _ = slices.BinarySearch(list, turns[i+1].First)
		}
		if end > n {
			out = append(out, RuleTurn{Label: t.Label, Events: end - n})
		}
	}
	return out, nil
}

// uses describes the events that are asked for, and finds the pages beside.
func (r *Reader) uses(c ledger.Campaign, it *Index, named ruled, ask RulePage, out *RuleApplied) ([]RuleUse, error) {
	end := len(named.events)
	if ask.From != nil {
		end, _ = slices.BinarySearch(named.events, min(*ask.From, c.Events)+1)
	}
	first := max(0, end-ask.Most)
	if first > 0 {
		out.Older = &named.events[first-1]
	}
	if end < len(named.events) {
		out.Newer = &named.events[min(end+ask.Most, len(named.events))-1]
	}
	far, err := farOf("")
	if err != nil {
		return nil, err
	}
	marks, list := it.marks(ask.At), []RuleUse{}
	for _, index := range slices.Backward(named.events[first:end]) {
		e, err := r.Event(c.ID, index)
		if err != nil {
			return nil, err
		}
		list = append(list, RuleUse{MarkedEvent{NarrateEvent(&e, PreviousCorrection(it.History(), &e)), marks(&e),
			it.fell(e.Index, far)}, saidOf(&e, named.id)})
	}
	return list, nil
}

// settling gathers the options that settle the rule, and what was asked and ruled on them.
func (r *Reader) settling(c ledger.Campaign, it *Index, at uint64, out *RuleApplied) error {
	var all Rulings
	if err := r.settled(c, it, at, &all); err != nil {
		return err
	}
	other := func(id string) bool { return !strings.EqualFold(id, out.ID) }
	out.Options = slices.DeleteFunc(all.Options, func(o CurrentOption) bool { return other(o.Ambiguity) })
	out.Rulings = slices.DeleteFunc(all.Rulings, func(o OptionRuling) bool { return other(o.Ambiguity) })
	out.Questions = slices.DeleteFunc(all.Questions, func(o QuestionAsked) bool { return other(o.Ambiguity) })
	return nil
}

// quarrels gathers the disputes that turn on the rule, and the precedents for the league that other
// campaigns had set by then.
func (r *Reader) quarrels(c ledger.Campaign, at uint64, out *RuleApplied) error {
	own, err := r.ListDisputes(r.Ledger().Campaigns(), c.Name, DisputeFilter{})
	if err != nil {
		return err
	}
	for _, d := range own {
		if d.Ruling != nil && d.Ruling.Event >= at {
			d.Ruling, d.Open = nil, true
		}
		if d.Index < at && (d.Broke(out.ID, at) || d.TurnsOn(out.ID)) {
			out.Disputes = append(out.Disputes, d)
		}
	}
	league, err := r.ListDisputes(r.Ledger().Campaigns(), c.Name, DisputeFilter{Precedents: true, Rule: out.ID})
	if err != nil {
		return err
	}
	now, err := r.Record(c.Name, at-1)
	if err != nil {
		return err
	}
	for _, d := range league {
		if d.Campaign == c.Name {
			continue
		}
		ruled, err := r.Record(d.Campaign, d.Ruling.Event)
		if err != nil {
			return err
		}
		// At the head a precedent counts whenever it was set: the campaign goes on by it.
		if at == c.Events || ruled.Sequence < now.Sequence {
			out.Precedents = append(out.Precedents, d)
		}
	}
	return nil
}
