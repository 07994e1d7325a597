package dashboard

import (
	"context"
	"fmt"

	"github.com/watu-ledger/watu/cmd/watu/internal/service"
)

// reckoned is how the figures of an event come about that no rule gives: the territories behind an
// income, and what was in hand before.
type reckoned struct {
	Earnings *service.Earnings
	Hands    []service.InHand
}

// reckon gathers them.
func (d *Dashboard) reckon(ctx context.Context, campaign string, index uint64) (out reckoned, err error) {
	if out.Earnings, err = d.service.Earnings(ctx, campaign, index); err != nil {
		return out, err
	}
	out.Hands, err = d.service.InHand(ctx, campaign, index)
	return out, err
}

// movedAs is what a movement of a treasury is called.
var movedAs = map[string]string{
	"opening": "at the opening", "reported": "as the umpire reported it", "income": "income", "purchase": "purchase",
	"repair":   "repairs",
	"facility": "a facility", "research": "research", "loot": "taken with a capital", "compensation": "compensation",
	"sbr": "bombing", "rockets": "rockets",
}

// Moved says of what kind a movement is.
func (why) Moved(h service.InHand) string { return movedAs[h.What] }

// Plus is a figure as it is added: "+ 12", "− 3".
func (why) Plus(n int64) string {
	if n < 0 {
		return fmt.Sprintf("− %d", -n)
	}
	return fmt.Sprintf("+ %d", n)
}
