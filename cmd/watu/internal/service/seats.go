package service

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/replay/campaign"
)

// seats gives the players' seats of a new campaign, their sides as they were named.
func seats(n NewCampaign) []campaign.Seat {
	var list []campaign.Seat
	for _, s := range n.Seats {
		list = append(list, campaign.Seat{Name: s.Name, Sides: s.Sides})
	}
	return list
}

// seated gives the seats that were taken when the campaign was opened.
func (f *Service) seated(c ledger.Campaign) ([]Seat, error) {
	list := []Seat{}
	for r, err := range f.Ledger().Read(c.ID, 1, c.Events) {
		if err != nil {
			return nil, err
		}
		e, err := events.Decode(r.Bytes)
		if err != nil {
			return nil, err
		}
		var p events.SeatTaken
		if !e.Read(&p) {
			break
		}
		list = append(list, Seat{Name: p.Seat, Role: p.Role, Sides: p.Sides})
	}
	return list, nil
}

// seat is who asks.
func (s Submission) seat() string {
	if s.Seat == "" {
		return campaign.UmpireSeat
	}
	return s.Seat
}
