package dashboard

import (
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// disputed is a dispute as it stands at a moment.
type disputed struct {
	timeline.Dispute
	Ruled bool // by then
	Later bool // it waits at the moment, and was ruled later
}

// disputedAt lists the disputes that were opened up to a moment, those that wait first, and then the
// newest first.
func (d *Dashboard) disputedAt(c timeline.Campaign, m timeline.Moment) ([]disputed, error) {
	all, err := d.service.Disputes(c.ID, timeline.DisputeFilter{})
	if err != nil {
		return nil, err
	}
	var waiting, ruled []disputed
	for _, x := range slices.Backward(all.Disputes) {
		switch {
		case x.Index > m.Event:
		case x.Ruling == nil || x.Ruling.Event > m.Event:
			waiting = append(waiting, disputed{Dispute: x, Later: x.Ruling != nil})
		default:
			ruled = append(ruled, disputed{Dispute: x, Ruled: true})
		}
	}
	return append(waiting, ruled...), nil
}
