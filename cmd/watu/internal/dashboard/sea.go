package dashboard

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/picture"
	"github.com/watu-ledger/watu/cmd/watu/internal/sea"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// sea draws what stands in the map's place where a campaign has no board; nil for nothing.
func (b *board) sea(as string, v timeline.Views) *sea.Picture {
	if b.Map != nil || v.Strategic == nil {
		return nil
	}
	knower, c := as, links{name: b.Campaign.Name}
	if as == timeline.Public || as == timeline.Umpire {
		knower = "the " + as
	}
	return sea.Draw(sea.Input{Strategic: v.Strategic, Pools: v.Pools, Now: b.Moment.Ordinal, Knower: knower,
		Event: c.event, Opening: c.path(openingPools), Tint: picture.Tint})
}
