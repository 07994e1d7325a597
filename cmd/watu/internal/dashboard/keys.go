package dashboard

import (
	"context"
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/document"
)

// keys lists the keys of the seats whose players sign, as they were at a moment; nil where there are none.
func (d *Dashboard) keys(ctx context.Context, c timeline.Campaign, events uint64) (*document.Section, error) {
	list, err := d.service.SeatKeys(ctx, c.ID, events)
	if len(list) == 0 || err != nil {
		return nil, err
	}
	s := &document.Section{ID: "keys", Title: "Keys of the seats"}
	s.Paragraph("Their players sign with these. Compare the fingerprints with them by another way than this page.")
	t := document.Table{Columns: document.Columns("Seat", "#", "Fingerprint", "Given by")}
	for _, k := range list {
		by := map[string]string{"umpire": "the umpire: what it signs is his word",
			"invitation": "the umpire's invitation", "earlier key": "the key before it"}[k.By]
		t.Add(k.Seat, document.Figure(k.Event, fmt.Sprint("#", k.Event)), k.Fingerprint, by)
	}
	s.Table(t)
	return s, nil
}
