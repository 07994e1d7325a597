package replay_test

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/replay/review"
	"github.com/watu-ledger/watu/rules"
)

// consequencesLaw holds a campaign to what is promised of corrections that move later figures: a correction that is
// taken back leaves everything as it was; of one that keeps all, what it kept is pending and stays kept whatever is
// corrected elsewhere; and where all that is pending is applied, each by its own name, nothing is pending.
func (c *harness) consequencesLaw(p *player, seen *tally) {
	c.t.Helper()
	k, ok := p.miscounted("law", 10, true)
	if !ok {
		return
	}
	before, was := c.now(), c.pending()
	a, err := c.umpire.Correct(c.id.ID, k)
	if err != nil || a.Verdict != rules.Allowed {
		c.t.Errorf("%s: #%d is corrected as proposed: %+v, %v", c.id.Name, k.Event, a, err)
		return
	}
	if a, err := c.umpire.UndoLast(c.id.ID, a.First, "a law"); err != nil || a.Verdict != rules.Allowed {
		c.t.Errorf("%s: the correction of #%d is taken back: %+v, %v", c.id.Name, k.Event, a, err)
		return
	}
	c.stands(before, fmt.Sprintf("the correction of #%d taken back", k.Event))
	if is := c.pending(); planned(is) != planned(was) {
		c.t.Errorf("%s: the correction of #%d taken back: pending\n%swas\n%s", c.id.Name, k.Event, planned(is),
			planned(was))
	}
	seen.count("consequences taken back")
	c.keptLaw(p, k, was, seen)
	c.appliedLaw(seen)
}

// outstanding lists what is pending, as a trial of the whole record finds it.
func (c *harness) outstanding() ([]review.Consequence, error) {
	t, err := c.umpire.Trial(c.id.ID)
	if err != nil {
		return nil, err
	}
	left, err := t.Pending()
	if len(left.Unchecked) > 0 {
		c.t.Errorf("%s: the umpire could not hear again: %+v", c.id.Name, left.Unchecked)
	}
	return left.Consequences, err
}

// pending lists what is pending.
func (c *harness) pending() []review.Consequence {
	c.t.Helper()
	list, err := c.outstanding()
	if err != nil {
		c.t.Fatal(err)
	}
	return list
}

// miscounted corrects some figure: one from which something follows, if that is wanted. It may find none in so many
// tries.
func (p *player) miscounted(name string, tries int, follows bool) (k review.Correction, ok bool) {
	var figured []uint64 // what later figures often rest on
	for _, e := range p.c.all() {
		if slices.Contains(carried, e.Type) {
			figured = append(figured, e.Index)
		}
	}
	for try := range tries {
		event, value := 3+uint64(p.lot.IntN(max(1, int(p.c.now().Next)-3))), float64(p.lot.IntN(9))
		if len(figured) > 0 && try%3 > 0 {
			event = pick(p.lot, figured...)
		}
		var path []string
		k = review.Correction{
			Event: event, Code: "mistyped", Reason: "a law", ID: fmt.Sprintf("%s/%d/%d/%d", name, event, p.c.now().Next,
				try),
			Replace: func(body json.RawMessage) (json.RawMessage, []events.Change, error) {
				var v any
				if err := json.Unmarshal(body, &v); err != nil {
					return nil, nil, err
				}
				if path == nil {
					if path, _ = someFigure(v, p); path == nil {
						return nil, nil, review.ErrNotCorrectable
					}
				}
				setAt(v, path, value)
				out, err := json.Marshal(v)
				return out, changesOf(body, out), err
			},
		}
		plan, err := p.c.umpire.Propose(p.c.id.ID, k)
		if err == nil && len(plan.Violations) == 0 && len(plan.Consequences) > 0 || !follows && len(plan.Results) > 0 {
			return k, true
		}
	}
	return k, false
}

// carried are types of events of which the figures go on into later ones.
var carried = []events.Type{"income_collected", "submarines_reported", "fact_reported", "units_purchased",
	"rp_allocated", "research_result", "result_adjudicated"}

// keptLaw: what a correction keeps is pending, and nothing else that was not; it stays kept.
func (c *harness) keptLaw(p *player, k review.Correction, was []review.Consequence, seen *tally) {
	c.t.Helper()
	k.ID, k.Default = k.ID+"/kept", review.Keep
	plan, err := c.propose(k)
	if err == nil {
		_, err = plan.record()
	}
	if err != nil {
		c.t.Errorf("%s: #%d corrected, and all is kept: %v", c.id.Name, k.Event, err)
		return
	}
	among := func(list []review.Consequence, x review.Consequence) bool {
		return slices.ContainsFunc(list, func(y review.Consequence) bool { return y.Command == x.Command })
	}
	is := c.pending()
	for _, x := range is {
		if kept := among(plan.Consequences, x); kept && x.Decision != review.Keep || !kept && !among(was, x) {
			c.t.Errorf("%s: #%d corrected, and all is kept: pending is\n%snot\n%s", c.id.Name, k.Event, planned(is),
				planned(plan.Consequences))
		}
	}
	for _, x := range plan.Consequences {
		if !among(is, x) {
			c.t.Errorf("%s: #%d is kept, and not pending:\n%s", c.id.Name, x.Event, planned(is))
		}
	}
	seen.count("all is kept")
	kept := slices.DeleteFunc(is, func(x review.Consequence) bool { return x.Decision != review.Keep })
	k, ok := p.miscounted("elsewhere", 4, false)
	if named := (review.Consequence{Command: c.now().History.Command(k.Event).ID}); !ok || among(kept, named) {
		return
	}
	a, err := c.umpire.Correct(c.id.ID, k)
	if err != nil {
		c.t.Errorf("%s: #%d is corrected as proposed: %v", c.id.Name, k.Event, err)
		return
	}
	stands := c.now().History.Stands // a correction that would not happen any more keeps nothing
	kept = slices.DeleteFunc(kept, func(x review.Consequence) bool { return !stands(x.KeptBy) })
	for _, e := range c.events(a.First, campaign.Everything) {
		var head events.Corrected
		if e.Read(&head) && among(kept, review.Consequence{Command: head.Command}) {
			c.t.Errorf("%s: #%d corrects what is kept:\n%s", c.id.Name, e.Index, planned(kept))
		}
	}
	for _, x := range c.pending() {
		if among(kept, x) && x.Decision != review.Keep {
			c.t.Errorf("%s: #%d is kept no more, since #%d", c.id.Name, x.Event, a.First)
		}
	}
	seen.count("kept, and corrected elsewhere")
}

// appliedLaw: where each that is pending is applied by its own name, nothing is pending but what waits.
func (c *harness) appliedLaw(seen *tally) {
	c.t.Helper()
	for range 40 {
		list := c.pending()
		next := slices.IndexFunc(list, func(x review.Consequence) bool { return x.Waits == "" })
		if next < 0 {
			seen.count("all is applied")
			return
		}
		x := list[next]
		k := review.Correction{Event: x.Event, Cause: x.Cause, Code: "applied", Reason: "a law"}
		if a, err := c.umpire.Correct(c.id.ID, k); err != nil || a.Verdict != rules.Allowed {
			c.t.Errorf("%s: what is pending of #%d at #%d is not applied: %+v, %v", c.id.Name, x.Cause, x.Event, a, err)
			return
		}
	}
	c.t.Errorf("%s: pending though all was applied:\n%s", c.id.Name, planned(c.pending()))
}
