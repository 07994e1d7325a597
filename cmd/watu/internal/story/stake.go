package story

import "github.com/watu-ledger/watu/events"

// AtStake says what a dispute is about, by the event that is contested: the figure that it turns on, or else what
// happened. It reports false where no language has a sentence for it.
func AtStake(e *events.Event) (Sentence, bool) {
	if p, err := events.PayloadOf(e); err == nil {
		if p, ok := p.(*events.IncomeCollected); ok {
			return Sentence{"stake-income", Parts{"side": Name(p.Power), "net": ipcs(int64(p.Net), e.Index),
				"base": number(p.Base + p.Bonus)}}, true
		}
	}
	return Happened(e)
}

// Gained says what a ruling gave or took, by the contested event and the one that stands in its place; it reports false
// where that is no sum of money.
func Gained(was, is *events.Event) (Sentence, bool) {
	side, before, ok := sumOf(was)
	_, after, both := sumOf(is)
	switch {
	case !ok || !both:
		return Sentence{}, false
	case after > before:
		return Sentence{"stake-more", Parts{"side": Name(side), "n": ipcs(after-before, is.Index)}}, true
	case after < before:
		return Sentence{"stake-less", Parts{"side": Name(side), "n": ipcs(before-after, is.Index)}}, true
	}
	return Sentence{Key: "stake-same"}, true
}

// sumOf is what an event brings a side, or takes from it.
func sumOf(e *events.Event) (side string, n int64, ok bool) {
	p, err := events.PayloadOf(e)
	if err != nil {
		return "", 0, false
	}
	switch p := p.(type) {
	case *events.IncomeCollected:
		return p.Power, int64(p.Net), true
	case *events.ConvoyRaided:
		return p.Victim, -int64(p.Damage), true
	case *events.EconomicAttackMade:
		return p.Victim, -int64(p.Damage), true
	case *events.UnitsPurchased:
		return p.Power, -int64(p.Cost), true
	}
	return "", 0, false
}
