package api

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// whichOf is which disputes of a campaign are asked for.
type whichOf struct {
	CampaignInput
	timeline.DisputeFilter
}

// disputeSeen is a dispute, and who looks at it.
type disputeSeen struct {
	EventInput
	ViewerInput
}

// lookingAt is a campaign, and who looks at it.
type lookingAt struct {
	CampaignInput
	ViewerInput
}

func (x *api) disputes(t *table) {
	read(t, "disputes", "/disputes", "disputes", "Disputes of all campaigns", "By campaign, in the order in which "+
		"they were opened.",
		func(_ *exchange, in *timeline.DisputeFilter) (timeline.Disputes, error) {
			return x.service.Disputes("", *in)
		})
	read(t, "campaign-disputes", "/campaigns/{c}/disputes", "disputes", "Disputes of a campaign",
		"In the order in which they were opened.",
		func(_ *exchange, in *whichOf) (out timeline.Disputes, err error) {
			c, err := x.campaign(in.C)
			if err != nil {
				return out, err
			}
			return x.service.Disputes(c.ID, in.DisputeFilter)
		})
	read(t, "dispute", "/campaigns/{c}/disputes/{index}", "disputes", "A dispute",
		"Claim, statements, evidence, ruling, and what follows from it. A dispute is named by the event that opened "+
			"it. Of a refused command that is sealed, what the viewer may know.",
		func(e *exchange, in *disputeSeen) (out service.DisputeDetails, err error) {
			c, v, err := x.looks(e, in.C)
			if err != nil {
				return out, err
			}
			out, err = x.service.Dispute(e.request.Context(), c.ID, in.Index, v)
			return out, unknown(err)
		})
}

func (x *api) pending(t *table) {
	read(t, "pending", "/campaigns/{c}/pending", "disputes", "What is pending",
		"The entries that come out otherwise on what was corrected or voided since, as far as the viewer can know, "+
			"by the correction they follow from: kept as they are recorded, waiting for what the record does not "+
			"have, or undecided.",
		func(e *exchange, in *lookingAt) (out service.Pending, err error) {
			if x.owned {
				return x.service.PendingForHolder(e.request.Context(), in.C, in.As)
			}
			c, v, err := x.looks(e, in.C)
			if err != nil {
				return out, err
			}
			return x.service.Pending(e.request.Context(), c.ID, v)
		})
}

// RuleInput names a rule.
type RuleInput struct {
	ID string `path:"id" maxLength:"100" doc:"the rule's id, in any case" example:"AAR-4-CAP"`
}

func (x *api) rulebook(t *table) {
	read(t, "rules", "/rules", "rules", "All rules", "What every id of the rules says, in the order of their texts.",
		func(*exchange, *nothing) (timeline.RuleList, error) { return timeline.Rules(), nil })
	read(t, "rule", "/rules/{id}", "rules", "A rule", "What the id of a rule says: its title, the paragraph of its "+
		"text, the rule in a sentence, an example, and the options that settle it.",
		func(_ *exchange, in *RuleInput) (out timeline.RuleNamed, err error) {
			if out, err = timeline.FindRule(in.ID); err != nil {
				return out, unknown(err)
			}
			return out, nil
		})
	read(t, "rulings", "/campaigns/{c}/rulings", "rules", "Options and rulings",
		"How the campaign reads what the text of its rules leaves open, every question that was put to its umpire, "+
			"and every dispute ruled on.",
		func(e *exchange, in *CampaignInput) (out timeline.Rulings, err error) {
			c, err := x.campaign(in.C)
			if err != nil {
				return out, err
			}
			return x.service.Rulings(e.request.Context(), c.ID)
		})
	read(t, "editions", "/campaigns/{c}/editions", "rules", "Editions",
		"The editions of the campaign's rules, and on which of them it was and is played.",
		func(_ *exchange, in *CampaignInput) (out timeline.Editions, err error) {
			c, err := x.campaign(in.C)
			if err != nil {
				return out, err
			}
			return x.service.Editions(c.ID)
		})
}
