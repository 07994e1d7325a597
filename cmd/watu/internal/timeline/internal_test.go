package timeline

import (
	"context"

	"github.com/watu-ledger/watu/events/ledger"
)

// MomentOf is Moment for a campaign as it was found before.
func (r *Reader) MomentOf(ctx context.Context, c ledger.Campaign, looks Viewer, g Going) (Moment, error) {
	return r.stop(ctx, c, looks, g)
}
