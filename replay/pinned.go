package replay

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/replay/campaign"
	"github.com/watu-ledger/watu/rules"
)

// commonTypes are the types of event that a campaign of any system may have.
var commonTypes = []events.Type{
	"campaign_opened", "seat_taken", "epoch_begun", "turn_advanced", "phase_advanced", "fact_reported",
	"roll_declared", "dice_typed", "dice_denied", "dice_rolled", "result_adjudicated", "choice_asked", "choice_made",
	"referred", "option_ruled", "opened", "corrected", "consequence_kept", "voided", "compensated", "edition_moved",
	"rules_changed",
	"dispute_opened", "statement_made", "evidence_brought", "dispute_ruled",
}

// required lists, sorted, the types of event that a program must know to go on with a campaign of a system. One with a
// published seed keeps the dice of earlier versions.
func required(c *campaign.Campaign) []string {
	var list []string
	if !c.Demo {
		list = append(list, campaign.RequiresPosition)
	}
	if c.Dice == campaign.Beacon {
		list = append(list, campaign.RequiresBeacon)
	}
	if c.Dice == campaign.Contested {
		list = append(list, campaign.RequiresContested)
	}
	if c.BySeats {
		list = append(list, campaign.RequiresSeats)
	}
	if c.Unwitnessed != "" {
		list = append(list, campaign.RequiresUnwitnessed)
	}
	if c.Signed {
		list = append(list, campaign.RequiresSigned)
	}
	if c.Hands != "" {
		list = append(list, campaign.RequiresHands)
	}
	for _, t := range slices.Concat(commonTypes, c.System.Types) {
		list = append(list, string(t))
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// pinned reports whether the record says by which rules this program judges. A [Simulator] leaves that as it is.
func (u *Umpire) pinned(t *liveCampaign) bool {
	return u.simulated != nil || t.campaign.Rules == t.campaign.Fingerprint()
}

// stated reports whether the record says what a program must know to go on with these steps in it: that corrections
// have consequences, beside what judges.
func (u *Umpire) stated(t *liveCampaign, steps []campaign.Part) bool {
	corrects := slices.ContainsFunc(steps, func(p campaign.Part) bool {
		return slices.ContainsFunc(p.Drafts, func(d rules.Draft) bool {
			return d.Payload.Type() == "corrected" || d.Payload.Type() == "consequence_kept"
		})
	})
	return u.pinned(t) && (!corrects || u.simulated != nil || slices.Contains(t.campaign.Requires, "consequence_kept"))
}

// pin records, before anything else is, that the rules of this program judge from here on, if those before it were
// others, or were not stated.
func (u *Umpire) pin(t *liveCampaign) error {
	if u.pinned(t) {
		return nil
	}
	return u.stateRules(t)
}

// stateRules records the rules of this program, and what a program must know to go on.
func (u *Umpire) stateRules(t *liveCampaign) error {
	c := t.campaign
	is := c.Fingerprint()
	p := &events.RulesChanged{Was: c.Rules, Rules: is, Requires: required(c)}
	entry := map[string]any{"were": c.Rules, "are": is}
	_, err := u.record(t, fmt.Sprintf("%s/%d", campaign.VerbRules, c.Next), campaign.VerbRules, entry,
		rules.Draft{Payload: p})
	return err
}
