package strategic

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/projections"
)

// Hunt is a hunt for the submarines in one sea zone.
type Hunt struct {
	projections.Place
	events.SubmarinesHunted
}

// Loss is units taken off the board by a result.
type Loss struct {
	projections.Place
	events.UnitsLost
}

type (
	hunt struct {
		projections.Entry
		events.SubmarinesHunted
	}
	loss struct {
		projections.Entry
		events.UnitsLost
	}
)

// addLosses fills in what was hunted and lost.
func (v *View) addLosses(r *Report) {
	r.Hunts, r.Losses = []Hunt{}, []Loss{}
	for _, x := range projections.InReportOrder(v.hunts) {
		x.Groups = append([]events.HuntedGroup{}, x.Groups...)
		for i := range x.Groups {
			x.Groups[i].Submarines = append([]string{}, x.Groups[i].Submarines...)
		}
		r.Hunts = append(r.Hunts, Hunt{x.Place, x.SubmarinesHunted})
	}
	for _, x := range projections.InReportOrder(v.losses) {
		x.Units = append([]events.Unit{}, x.Units...)
		r.Losses = append(r.Losses, Loss{x.Place, x.UnitsLost})
	}
}
