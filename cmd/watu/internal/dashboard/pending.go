package dashboard

import (
	"context"

	"github.com/watu-ledger/watu/cmd/watu/internal/explain"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/document"
)

// pendingAt lists what is pending at the head of a campaign; nil for nothing, and for another moment. Known is false
// while it is being found out. What is sealed to the reader is no news where the campaign is played: that something
// could not be heard again stands beside what is pending, and by itself in an import alone, where nobody knows more.
func (d *Dashboard) pendingAt(ctx context.Context, c timeline.Campaign, viewer timeline.Viewer, last bool) (
	list *document.Section, known bool, err error) {
	if !last {
		return nil, true, nil
	}
	p, known, err := d.service.PendingIfKnown(ctx, c.ID, viewer)
	nothing := len(p.Pending) == 0 && (len(p.Unchecked) == 0 || !p.ReadOnly)
	if err != nil || known && nothing {
		return nil, true, ctx.Err() // what keeps it from being found out, an audit says
	}
	s := explain.Pending(p.Pending, len(p.Unchecked))
	if !known {
		s.Blocks = nil
		s.Paragraph("What corrections left is being found out. Look again in a moment.")
	}
	return &s, known, nil
}
