package axisallies

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Compensate hears {compensate: {treasury: {UK: 2}, reason: …, dispute: 80}}: what the umpire gives
// to treasuries, or takes from them, to make good what cannot be corrected. No rule speaks of it, so
// it cites none. Read gives the treasury for a name, and the power that it belongs to.
func (c Case) Compensate(read func(at, name string) (treasury, power string, ok bool)) {
	var entry struct {
		Compensate struct {
			Treasury map[string]*int `json:"treasury"`
			Reason   string          `json:"reason"`
			Dispute  int             `json:"dispute"`
		} `json:"compensate"`
	}
	if !c.Read(c.Command, &entry) {
		return
	}
	given := entry.Compensate
	p, ok := c.Compensation(given.Reason, given.Dispute)
	if !ok {
		return
	}
	if len(given.Treasury) == 0 {
		c.NothingGiven("treasury: {UK: 2}")
		return
	}
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(given.Treasury)) {
		at := "compensate.treasury." + name
		treasury, power, ok := read(at, name)
		switch {
		case !ok:
			return
		case told[treasury]: // GEN-UNIQUE
			c.ViolateField(at, rules.Input, "%s is given twice", treasury)
			return
		}
		told[treasury] = true
		if p := p; c.gives(at, treasury, given.Treasury[name], &p) {
			c.Record(power, &p)
		}
	}
}

// gives reads how much a treasury is given, or gives if negative: no more than it has, for a debt
// would be none that the rules know.
func (c Case) gives(at, treasury string, by *int, p *events.Compensated) bool {
	switch inHand := c.state.Treasury(treasury); {
	case by == nil || *by == 0:
		c.ViolateField(at, rules.Input, "%s: how many IPCs is %s given? Write %s: 2, or %s: -2 if it gives them", at, treasury, treasury, treasury)
		return false
	case !c.InRange(at, *by, -Limit):
		return false
	case *by < 0 && inHand+*by < 0:
		c.ViolateField(at, rules.Input, "%s has %d IPCs, so no more than %d can be taken from it, not %d", treasury, inHand, max(0, inHand), -*by)
		return false
	}
	p.What, p.Of, p.By = events.CompensatedTreasury, treasury, *by
	return true
}
