package timeline

import (
	"context"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/projections/income"
	"github.com/watu-ledger/watu/rules"
)

// OnTurn is the side whose turn it is in a campaign: the one in whose phase it is, or where that side has collected,
// the next to collect. It is empty where neither is known.
func (r *Reader) OnTurn(ctx context.Context, c Campaign) (string, error) {
	side, _ := rules.Find(c.Sides, func(side string) bool { return strings.HasPrefix(c.Phase, side+" ") })
	views, err := r.ViewsAt(ctx, c.ID, Viewer{As: Public}, c.Events, income.Projection().Name)
	if err != nil || views.Income == nil {
		return side, err
	}
	rest, next := NotCollected(c, *views.Income)
	if !slices.ContainsFunc(rest, func(treasury string) bool { return Keeps(side, treasury) }) {
		side, _ = rules.Find(c.Sides, func(side string) bool { return Keeps(side, next) })
	}
	return side, nil
}

// NotCollected are the treasuries that have collected nothing yet in the turn that is on and still may, and of them the
// first behind the last that has; next is empty where none is behind it.
func NotCollected(c Campaign, r income.Report) (rest []string, next string) {
	now := slices.IndexFunc(c.Sides, func(side string) bool { return strings.HasPrefix(c.Phase, side+" ") })
	over := func(treasury string) bool { // its TURN, or its capital is in other hands
		lost := false
		for _, x := range r.Captures {
			if x.Counts() && x.Capital == treasury {
				lost = !Keeps(x.Holder, treasury)
			}
		}
		return lost || slices.IndexFunc(c.Sides, func(s string) bool { return Keeps(s, treasury) }) < now
	}
	for _, t := range r.Treasuries {
		switch collected := slices.ContainsFunc(r.Turns, func(x income.Turn) bool {
			return x.Ordinal == c.TurnOrdinal && x.Power == t.Power && x.Income != nil && x.Income.VoidedBy == 0
		}); {
		case collected:
			next = ""
		case c.TurnOrdinal > 0 && !over(t.Power):
			rest = append(rest, t.Power)
			if next == "" {
				next = t.Power
			}
		}
	}
	return rest, next
}

// Keeps reports whether a treasury is a side's, by its name or behind the side's: UK Pacific.
func Keeps(side, treasury string) bool {
	return side != "" && (treasury == side || strings.HasPrefix(treasury, side+" "))
}
