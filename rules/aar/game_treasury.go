package aar

import (
	"slices"

	"github.com/watu-ledger/watu/events"
)

// account is everything that moved a power's treasury, in the order in which it happened. A
// correction changes a move where it stands, so that what was paid or reported later follows.
type account []move

// move is what one event did to a treasury.
type move struct {
	index uint64
	kind  moveKind
	ipcs  int
	least int // no move leaves less than 0, unless its event has said so: income_floor none
}

type moveKind int

const (
	reported moveKind = iota // in hand, as the umpire says
	earned                   // added
	spent                    // taken
	damaged                  // taken, as far as there is anything
)

// inHand is what the moves come to.
func (a account) inHand() int {
	ipcs := 0
	for _, m := range a {
		switch m.kind {
		case reported:
			ipcs = m.ipcs
		case earned:
			ipcs = max(m.least, ipcs+m.ipcs)
		case spent:
			ipcs = max(m.least, ipcs-m.ipcs)
		case damaged:
			ipcs -= max(0, min(m.ipcs, ipcs))
		}
	}
	return ipcs
}

// treasury is what a power has in hand.
func (g game) treasury(power string) int { return g.accounts[power].inHand() }

// moved reads out of an event whose treasury it moves and how, false for none.
func moved(index uint64, p events.Payload) (power string, m move, ok bool) {
	switch p := p.(type) {
	case *events.FactReported:
		return p.Subject, move{index, reported, p.Number, 0}, p.Fact == factTreasury
	case *events.EconomicAttackMade:
		return p.Victim, move{index, damaged, p.Damage, 0}, true
	case *events.IncomeCollected:
		return p.Power, move{index, earned, p.Net, min(0, p.Treasury)}, true
	case *events.UnitsPurchased:
		return p.Power, move{index, spent, p.Cost, min(0, p.Treasury)}, true
	}
	return "", move{}, false
}

// book enters what an event does to a treasury.
func (g game) book(index uint64, p events.Payload) game {
	if power, m, ok := moved(index, p); ok {
		g.accounts = with(g.accounts, power, append(slices.Clone(g.accounts[power]), m))
	}
	return g
}

// rebook puts what a corrected event does in the place of what the event at index did.
func (g game) rebook(index uint64, p events.Payload) game {
	power, m, ok := moved(index, p)
	i := slices.IndexFunc(g.accounts[power], func(old move) bool { return old.index == index && old.kind == m.kind })
	if !ok || i < 0 {
		return g
	}
	a := slices.Clone(g.accounts[power])
	a[i].ipcs, a[i].least = m.ipcs, m.least
	g.accounts = with(g.accounts, power, a)
	return g
}
