package timeline

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/problem"
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/turnfile"
	"github.com/watu-ledger/watu/replay/whatif"
)

// WhatIfRequest is a what-if; the answer is a [WhatIfResult]. It is the tool of whoever
// holds the ledger: a campaign is played again with all that its umpire knows.
type WhatIfRequest struct {
	// from the command behind this event on; 0: from the first event that a change names
	At      uint64   `json:"at,omitempty"`
	Changes []string `json:"changes"` // as [turnfile.ParseChange] reads them
	Seed    string   `json:"seed,omitempty"`
	As      string   `json:"as,omitempty"` // "public", which is the default, or "umpire", who sees the secrets too
}

// WhatIfResult is how a campaign would have gone, and `watu whatif --json`. Indexes of what is
// hypothetical are those of the hypothesis, not of the record.
type WhatIfResult struct {
	Version      int               `json:"version"`
	Hypothetical bool              `json:"hypothetical"` // always: nothing of this is recorded
	Campaign     string            `json:"campaign"`
	Title        string            `json:"title"`   // of the system
	Edition      string            `json:"edition"` // on which the campaign is played
	As           string            `json:"as"`
	Seed         string            `json:"seed"` // of the dice and cards that the record does not have
	Changes      []string          `json:"changes"`
	From         uint64            `json:"from"`  // the first event that is played again
	Turn         string            `json:"turn"`  // in which it lies
	Heard        int               `json:"heard"` // commands of the record that were heard again
	Recorded     uint64            `json:"recorded"`
	Events       uint64            `json:"events"` // of the hypothesis
	First        *FirstDifference  `json:"first,omitempty"`
	Unheard      []FailedCommand   `json:"unheard"`
	Differences  []EventDifference `json:"differences"`
	Fresh        []NarratedEvent   `json:"fresh"`             // what fell by the seed
	Waiting      *Waiting          `json:"waiting,omitempty"` // the question that is open at the end
	Views        []WhatIfView      `json:"views"`

	hides bool // something is hidden from a side
}

// FirstDifference is where record and hypothesis part: an event that differs, or a command that comes to
// nothing.
type FirstDifference struct {
	Event   *EventDifference `json:"event,omitempty"`
	Command *FailedCommand   `json:"command,omitempty"`
}

// FailedCommand is a command of the record that comes to nothing, or not to its end.
type FailedCommand struct {
	Command string `json:"command"`
	Verb    string `json:"verb"`
	Event   uint64 `json:"event"`  // its first, in the record
	Events  int    `json:"events"` // how many it led to there
	Why     string `json:"why"`    // "refused", "unfit", "open" or "left out"
	Say     string `json:"say,omitempty"`
	// for the public none where cards are hidden, else the rules alone
	Violations []Violation `json:"violations,omitempty"`
	Waiting    *Waiting    `json:"waiting,omitempty"` // what it asks, and the record does not answer
}

// EventDifference is an event of the record and the one in its place. One of them may be missing.
type EventDifference struct {
	Recorded     *NarratedEvent           `json:"recorded,omitempty"`
	Hypothetical *NarratedEvent           `json:"hypothetical,omitempty"`
	Figures      []whatif.FieldDifference `json:"figures"`
	Reasons      []whatif.FieldDifference `json:"reasons"`           // steps of the derivation, by rule
	Secrets      []whatif.FieldDifference `json:"secrets,omitempty"` // for the umpire alone
}

// WhatIf plays the campaign again with something changed, and appends nothing.
func (r *Reader) WhatIf(ctx context.Context, campaign string, s WhatIfRequest) (out WhatIfResult, err error) {
	c, err := r.Find(campaign)
	if err != nil {
		return out, err
	}
	if m := r.Ledger().ReadOnly(); m != nil && m.Because == ledger.Follows {
		return out, problem.New(problem.Refused, "%v; what was sealed is not in the stream, so a campaign cannot be "+
			"played again from this copy", m)
	}
	s.As = cmp.Or(s.As, Public)
	if s.As != Public && s.As != Umpire {
		return out, problem.New(problem.Input, "a what-if is shown to the %s or the %s, not to %q", Public, Umpire,
			s.As)
	}
	scenario, err := scenarioOf(s)
	if err != nil {
		return out, err
	}
	h, err := whatif.Run(r.Umpire(), c.ID, scenario)
	if errors.Is(err, whatif.ErrChange) {
		err = problem.New(problem.Input, "%v", err)
	}
	if err != nil {
		return out, err
	}
	out = WhatIfResult{
		Version: maintenance.Version, Hypothetical: true, Campaign: c.Name, As: s.As, Seed: h.Seed, Changes: s.Changes,
		From:  h.From,
		Heard: h.Heard, Recorded: c.Events, Events: h.Events(), Unheard: []FailedCommand{},
		Differences: []EventDifference{},
		Fresh:       []NarratedEvent{},
	}
	if out.Title, out.Edition, err = r.RulesAndEdition(c, c.Events); err != nil {
		return out, err
	}
	if h.From < c.Events {
		first, err := r.Event(c.ID, h.From)
		if err != nil {
			return out, err
		}
		out.Turn = first.Turn.Label
	}
	if out.hides, err = r.Hides(c); err != nil {
		return out, err
	}
	err = errors.Join(out.tell(h), r.compareViews(ctx, c, h, &out))
	return out, err
}

// Hides reports whether something in a campaign is hidden from a side: then the id of a broken rule may tell a card.
func (r *Reader) Hides(c ledger.Campaign) (bool, error) {
	first, err := r.Event(c.ID, 0)
	var p events.CampaignOpened
	return !first.Read(&p) || len(p.Pools) > 0, err
}

func scenarioOf(s WhatIfRequest) (whatif.Scenario, error) {
	out := whatif.Scenario{At: s.At, Seed: s.Seed}
	out.Seed = cmp.Or(out.Seed, "1")
	for _, text := range s.Changes {
		k, err := turnfile.ParseChange(text)
		if err != nil {
			return out, err
		}
		out.Changes = append(out.Changes, k)
	}
	return out, nil
}

// tell says what differs, as far as the reader may know.
func (s *WhatIfResult) tell(h *whatif.Result) error {
	for _, u := range h.Unheard {
		s.Unheard = append(s.Unheard, s.unheard(u))
	}
	for i := range h.Differences {
		if d, ok := s.differing(&h.Differences[i]); ok {
			s.Differences = append(s.Differences, d)
		}
	}
	switch first := h.First; {
	case first != nil && first.Unheard != nil:
		u := s.unheard(*first.Unheard)
		s.First = &FirstDifference{Command: &u}
	case len(s.Differences) > 0:
		s.First = &FirstDifference{Event: &s.Differences[0]}
	}
	if h.Open != nil {
		s.Waiting = WaitingFor(h.Open)
	}
	return s.fresh(h)
}

func (s *WhatIfResult) unheard(u whatif.UnheardCommand) FailedCommand {
	out := FailedCommand{Command: u.Command, Verb: u.Verb, Event: u.Recorded, Events: u.Events, Why: u.Why, Say: u.Say}
	for _, v := range Violations(u.Violations) {
		if s.As != Umpire && s.hides {
			break
		}
		if s.As != Umpire {
			v.Message = ""
		}
		out.Violations = append(out.Violations, v)
	}
	if u.Question != nil {
		out.Waiting = WaitingFor(u.Question)
	}
	return out
}

// differing describes a difference; ok is false for one that only the umpire may see.
func (s *WhatIfResult) differing(d *whatif.Difference) (out EventDifference, ok bool) {
	out = EventDifference{
		Figures: append([]whatif.FieldDifference{}, d.Fields...), Reasons: append([]whatif.FieldDifference{},
			d.Reasons...),
	}
	if d.Recorded != nil {
		l := NarrateEvent(d.Recorded, 0)
		out.Recorded = &l
	}
	if d.Hypothetical != nil {
		l := NarrateEvent(d.Hypothetical, 0)
		out.Hypothetical = &l
	}
	if s.As == Umpire {
		out.Secrets = d.Secrets
	}
	missing := d.Recorded == nil || d.Hypothetical == nil
	return out, missing || len(out.Figures)+len(out.Reasons)+len(out.Secrets) > 0
}

// fresh describes the dice and cards that fell by the seed.
func (s *WhatIfResult) fresh(h *whatif.Result) error {
	if len(h.Fresh) == 0 {
		return nil
	}
	for r, err := range h.Records() {
		if err != nil {
			return err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return err
		}
		var rolled events.DiceRolled
		var drawn events.CardsDrawn
		if (e.Read(&rolled) || e.Read(&drawn)) && slices.Contains(h.Fresh, max(rolled.Declared, drawn.Declared)) {
			s.Fresh = append(s.Fresh, NarrateEvent(&e, 0))
		}
	}
	return nil
}
