package dashboard

import (
	"context"
	"net/http"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// standing is a campaign as it stands on the list.
type standing struct {
	timeline.Campaign
	Last eventLine
	Open []timeline.Dispute // disputes
}

// lists are the campaigns, and those that stand apart.
type lists struct {
	Campaigns []standing
	Archived  []timeline.Campaign
}

// campaigns draws the list of all campaigns.
func (d *Dashboard) campaigns(r *http.Request) (page, error) {
	list, err := d.service.Campaigns()
	if err != nil {
		return page{}, err
	}
	body := lists{Archived: list.Archived}
	for _, c := range list.Campaigns {
		s, err := d.standing(r.Context(), c)
		if err != nil {
			return page{}, err
		}
		body.Campaigns = append(body.Campaigns, s)
	}
	return page{name: "campaigns", Title: "Campaigns", Live: "/live", Body: body}, nil
}

func (d *Dashboard) standing(ctx context.Context, c timeline.Campaign) (standing, error) {
	s := standing{Campaign: c}
	last, err := d.service.MarkedEvents(ctx, c.ID, c.Events-1, c.Events, c.Events)
	if err != nil {
		return s, err
	}
	s.Last = eventLine{c.Name, last[0]}
	if c.OpenDisputes == 0 {
		return s, nil
	}
	disputes, err := d.service.Disputes(c.ID, timeline.DisputeFilter{})
	for _, x := range disputes.Disputes {
		if x.Open {
			s.Open = append(s.Open, x)
		}
	}
	return s, err
}
