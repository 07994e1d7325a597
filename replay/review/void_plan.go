package review

import (
	"slices"

	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// VoidPlan is what would come of a ruling that strikes out an act.
type VoidPlan struct {
	Gone         []uint64          // events that would not stand any more
	Back         []uint64          // events that would stand again
	Consequences []Consequence     // later commands that would come out otherwise
	Violations   []rules.Violation // why it is refused; nothing else is set then
}

// PlanVoid judges what would follow if the act behind an event were struck out on account of a dispute. It stores
// nothing.
func (h Reviewer) PlanVoid(event, dispute uint64) (out VoidPlan, err error) {
	p, violations, err := h.Void(event, CodeDispute, "", dispute)
	if err != nil || len(violations) > 0 {
		return VoidPlan{Violations: violations}, err
	}
	a := NewActFinder(h.Campaign.History, h.Timeline.Event)
	x, err := a.Find(event, CodeDispute)
	if err != nil {
		return out, err
	}
	changed := a.changed(x, a.Without(x))
	slices.Sort(changed)
	for _, index := range changed {
		if a.StillStands(index) {
			out.Gone = append(out.Gone, index)
		} else {
			out.Back = append(out.Back, index)
		}
	}
	b, err := campaign.NewBranch(h.Timeline, h.Maker, []campaign.Part{p})
	if err != nil {
		return out, err
	}
	all := &pass{Timeline: b.Timeline, campaign: h.Campaign, secrets: h.Secrets, drawn: h.Drawn}
	left, err := all.pending()
	out.Consequences = slices.DeleteFunc(left.Consequences, func(c Consequence) bool {
		return c.Cause < h.Campaign.Next // that is pending without it
	})
	return out, err
}
