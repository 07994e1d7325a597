package timeline

import (
	"context"

	"github.com/watu-ledger/watu/projections/income"
)

// Balance is what an event did to a treasury: Before and Change and Adjusted are Now.
type Balance struct {
	Treasury string
	Before   int64
	Said     bool   // an event before it says what was in hand
	By       uint64 // that event
	What     string // the kind of the movement, as package income names it
	Change   int64
	Adjusted int64 // by a report of the umpire, or where the event states another figure
	Now      int64
}

// Balances says what an event did to treasuries, as these stood right behind it: of a correction, in the
// place of what it corrects. There is none for an event that moves no money.
func (r *Reader) Balances(ctx context.Context, campaign string, index uint64) ([]Balance, error) {
	v, err := r.ViewsAt(ctx, campaign, Viewer{As: Public}, index+1, income.Projection().Name)
	if err != nil || v.Income == nil {
		return nil, err
	}
	var list []Balance
	for i := range v.Income.Treasuries {
		list = append(list, movedBy(&v.Income.Treasuries[i], index)...)
	}
	return list, nil
}

// movedBy gives the movements of a treasury that an event made.
func movedBy(t *income.Treasury, index uint64) (list []Balance) {
	for i, m := range t.Movements {
		if m.Event != index {
			continue
		}
		x := Balance{Treasury: t.Power, What: m.What, Before: m.InHand - m.Change - m.Adjusted, Change: m.Change,
			Adjusted: m.Adjusted, Now: m.InHand}
		if i > 0 {
			x.Said, x.By = true, t.Movements[i-1].Event
		}
		list = append(list, x)
	}
	return list
}
