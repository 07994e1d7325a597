package api

import (
	"github.com/danielgtaylor/huma/v2"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// Which is which disputes are asked for.
type Which struct {
	Open       bool   `query:"open" doc:"only those that wait for a ruling"`
	Precedents bool   `query:"precedents" doc:"only those that bind later rulings; of a campaign, with those for the league"`
	Rule       string `query:"rule" maxLength:"200" doc:"only those that turn on this rule" example:"AWAW-48.81"`
}

func (w Which) asked() service.Asked {
	return service.Asked{Open: w.Open, Precedents: w.Precedents, Rule: w.Rule}
}

// whichOf is which disputes of a campaign are asked for.
type whichOf struct {
	OfCampaign
	Which
}

// disputeSeen is a dispute, and who looks at it.
type disputeSeen struct {
	OfEvent
	AsViewer
}

// lookingAt is a campaign, and who looks at it.
type lookingAt struct {
	OfCampaign
	AsViewer
}

func (x *api) disputes(h huma.API) {
	read(h, "disputes", "/disputes", "disputes", "Disputes of all campaigns", "By campaign, in the order in which they were opened.",
		func(_ *exchange, in *Which) (service.Disputes, error) { return x.service.DisputesAsked("", in.asked()) })
	read(h, "campaign-disputes", "/campaigns/{c}/disputes", "disputes", "Disputes of a campaign", "In the order in which they were opened.",
		func(_ *exchange, in *whichOf) (out service.Disputes, err error) {
			c, err := x.campaign(in.C)
			if err != nil {
				return out, err
			}
			return x.service.DisputesAsked(c.ID, in.asked())
		})
	read(h, "dispute", "/campaigns/{c}/disputes/{index}", "disputes", "A dispute",
		"Claim, statements, evidence, ruling, and what follows from it. A dispute is named by the event that opened it. Of a refused command that is sealed, what the viewer may know.",
		func(e *exchange, in *disputeSeen) (out service.DisputeShown, err error) {
			c, v, err := x.looks(e, in.C)
			if err != nil {
				return out, err
			}
			out, err = x.service.Dispute(e.request.Context(), c.ID, in.Index, v)
			return out, unknown(err)
		})
}

func (x *api) pending(h huma.API) {
	read(h, "pending", "/campaigns/{c}/pending", "disputes", "What is pending",
		"The entries that come out otherwise on what was corrected or voided since, as far as the viewer can know, by the correction they follow from: "+
			"kept as they are recorded, waiting for what the record does not have, or undecided.",
		func(e *exchange, in *lookingAt) (out service.Pending, err error) {
			c, v, err := x.looks(e, in.C)
			if err != nil {
				return out, err
			}
			return x.service.Pending(e.request.Context(), c.ID, v)
		})
}

func (x *api) rulebook(h huma.API) {
	read(h, "rulings", "/campaigns/{c}/rulings", "rules", "Options and rulings",
		"How the campaign reads what the text of its rules leaves open, every question that was put to its umpire, and every dispute ruled on.",
		func(e *exchange, in *OfCampaign) (out service.Rulings, err error) {
			c, err := x.campaign(in.C)
			if err != nil {
				return out, err
			}
			return x.service.Rulings(e.request.Context(), c.ID)
		})
	read(h, "editions", "/campaigns/{c}/editions", "rules", "Editions",
		"The editions of the campaign's rules, and on which of them it was and is played.",
		func(_ *exchange, in *OfCampaign) (out service.Editions, err error) {
			c, err := x.campaign(in.C)
			if err != nil {
				return out, err
			}
			return x.service.Editions(c.ID)
		})
}
