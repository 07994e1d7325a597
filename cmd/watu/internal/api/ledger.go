package api

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/maintenance"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// Ledger is what the public may know of a ledger: not where it lies, nor who holds it.
type Ledger struct {
	Version      int    `json:"version" doc:"of every shape of this interface; a reader refuses a greater one"`
	Ledger       string `json:"ledger" doc:"ULID"`
	Durable      uint64 `json:"durable" doc:"events in the record, over all campaigns"`
	Published    uint64 `json:"published" doc:"how many of them are on the stream"`
	Campaigns    int    `json:"campaigns" doc:"how many there are"`
	OpenDisputes int    `json:"open_disputes" doc:"that wait for a ruling, in all campaigns"`
}

// Turns are the game turns of a campaign.
type Turns struct {
	Version  int                   `json:"version"`
	Campaign string                `json:"campaign"`
	Turns    []timeline.TurnPlayed `json:"turns" doc:"in order; ordinal 0 is the time before the first"`
}

// nothing is an input without parameters.
type nothing struct{}

// CampaignInput is the input of what is asked of a campaign.
type CampaignInput struct {
	C string `path:"c" maxLength:"200" doc:"the campaign's name or ULID" example:"atlantic"`
}

// ViewerInput selects the viewer, whom package access finds out from the request.
type ViewerInput struct {
	As string `query:"as" maxLength:"200" example:"public"`
}

func (x *api) ledger(t *table) {
	read(t, "ledger", "/ledger", "ledger", "The ledger", "Which ledger this is, and how far it is published.",
		func(*exchange, *nothing) (Ledger, error) {
			l := x.service.Standing()
			list, err := x.service.Campaigns()
			return Ledger{
				Version: l.Version, Ledger: l.Ledger, Durable: l.Durable, Published: l.Published,
				Campaigns: len(list.All()), OpenDisputes: l.OpenDisputes,
			}, err
		})
	read(t, "campaigns", "/campaigns", "ledger", "The campaigns", "All campaigns at their heads, in the order in "+
		"which they were opened. Those that whoever keeps the ledger has archived stand apart, under `archived`.",
		func(*exchange, *nothing) (timeline.Campaigns, error) { return x.service.Campaigns() })
	read(t, "campaign", "/campaigns/{c}", "ledger", "A campaign", "A campaign at its head.",
		func(e *exchange, in *CampaignInput) (timeline.Campaign, error) {
			c, err := x.campaign(in.C)
			if err == nil {
				c.Keys, err = x.service.SeatKeys(e.request.Context(), c.ID, c.Events)
			}
			return c, err
		})
	read(t, "board", "/campaigns/{c}/board", "ledger", "Its board", "The territories and sea zones of the board that "+
		"a campaign is played on, as its files have them: owner, worth, what stands there, and what touches it.",
		func(_ *exchange, in *CampaignInput) (out timeline.Spaces, err error) {
			c, err := x.campaign(in.C)
			if err != nil {
				return out, err
			}
			return x.service.Spaces(c.ID)
		})
	read(t, "turns", "/campaigns/{c}/turns", "ledger", "Its game turns", "The game turns of a campaign, and which "+
		"events belong to each.",
		func(_ *exchange, in *CampaignInput) (Turns, error) {
			c, err := x.campaign(in.C)
			if err != nil {
				return Turns{}, err
			}
			list, err := x.service.Turns(c.ID)
			return Turns{Version: maintenance.Version, Campaign: c.Name, Turns: list}, err
		})
}
