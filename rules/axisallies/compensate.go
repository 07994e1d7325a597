package axisallies

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Compensation is an entry {compensate: {treasury: {UK: 2}, reason: …, dispute: 80}}: what the umpire
// gives to treasuries, or takes from them, to make good what cannot be corrected.
type Compensation struct {
	Treasury rules.Mapping[*int] `json:"treasury" of:"treasury" doc:"IPCs given, less than 0 for those taken"`
	Reason   string              `json:"reason" doc:"for the players"`
	Dispute  int                 `json:"dispute" doc:"the event that opened the dispute that it settles"`
}

// Compensate hears a compensation. No rule speaks of it, so it cites none. Owner gives the power that a
// treasury belongs to.
func (c Case) Compensate(e Compensation, owner func(treasury string) string) {
	p, ok := c.Compensation(e.Reason, e.Dispute)
	if ok && len(e.Treasury) == 0 {
		c.NothingGiven("treasury: {UK: 2}")
	}
	for _, t := range e.Treasury {
		if p := p; ok && c.gives(t.At, t.Name, t.Value, &p) {
			c.Record(owner(t.Name), &p)
		}
	}
}

// gives reads how much a treasury is given, or gives if negative: no more than it has, for a debt
// would be none that the rules know.
func (c Case) gives(at, treasury string, by *int, p *events.Compensated) bool {
	switch inHand := c.state.Treasury(treasury); {
	case by == nil || *by == 0:
		c.ViolateField(at, rules.Input, "%s: how many IPCs is %s given? Write %s: 2, or %s: -2 if it gives them", at,
			treasury, treasury, treasury)
		return false
	case !c.InRange(at, *by, -rules.Limit, rules.Limit):
		return false
	case *by < 0 && inHand+*by < 0:
		c.ViolateField(at, rules.Input, "%s has %d IPCs, so no more than %d can be taken from it, not %d", treasury,
			inHand, max(0, inHand), -*by)
		return false
	}
	p.What, p.Of, p.By = events.CompensatedTreasury, treasury, *by
	return true
}
