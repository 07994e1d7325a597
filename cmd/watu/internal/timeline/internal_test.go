package timeline

import (
	"context"

	"github.com/watu-ledger/watu/events/ledger"
)

// MomentOf is Moment for a campaign as it was found before.
func (r *Reader) MomentOf(ctx context.Context, c ledger.Campaign, viewer Viewer, g MomentQuery) (Moment, error) {
	return r.stop(ctx, c, viewer, g)
}
