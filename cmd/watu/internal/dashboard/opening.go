package dashboard

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
	"github.com/watu-ledger/watu/events"
)

// opening is what a campaign began with: the opening, and the seats and chains that came with it.
type opening struct {
	events.CampaignOpened
	Pools []poolOpened
	Seats []service.Logged
	Came  []chainsOpened
}

// poolOpened is a deck as it began.
type poolOpened struct {
	events.Pool
	Size int
}

// chainsOpened are the chains that decide the dice and draws, and the event that states them.
type chainsOpened struct {
	Index uint64
	events.EpochBegun
}

// opening gathers it for the first event; nil for any other.
func (d *Dashboard) opening(ctx context.Context, x service.Explanation) (*opening, error) {
	p, ok := x.Event.Payload.(*events.CampaignOpened)
	if !ok {
		return nil, nil
	}
	out := &opening{CampaignOpened: *p}
	for _, pool := range p.Pools {
		size := 0
		for _, c := range pool.Cards {
			size += c.Count
		}
		out.Pools = append(out.Pools, poolOpened{pool, size})
	}
	first, err := d.service.Log(ctx, x.Campaign, 1, 1+mostRows)
	if err != nil {
		return nil, err
	}
	for _, l := range first {
		if l.CommandID != x.Event.CommandID {
			break
		}
		switch p := l.Payload.(type) {
		case *events.SeatTaken:
			out.Seats = append(out.Seats, l)
		case *events.EpochBegun:
			out.Came = append(out.Came, chainsOpened{l.Index, *p})
		}
	}
	return out, nil
}
