package axisallies

import (
	"slices"

	"github.com/watu-ledger/watu/events"
)

// Move is what an event does to a treasury.
type Move struct {
	Treasury string
	Kind     MoveKind
	IPCs     int
	Least    int // no move leaves less than 0, unless its event has said so
}

// MoveKind is how a treasury moves.
type MoveKind int

// The kinds of moves.
const (
	Reported MoveKind = iota // in hand, as the umpire says
	Earned                   // added
	Spent                    // taken
	Damaged                  // taken, as far as there is anything
)

// account is everything that moved a treasury, in the order in which it happened. A correction
// changes a move where it stands, so that what was paid or reported later follows.
type account []entry

type entry struct {
	index uint64 // of the event
	Move
}

// common are the moves that an event makes in all games.
func common(p events.Payload) []Move {
	switch p := p.(type) {
	case *events.CampaignOpened:
		var moves []Move
		for _, t := range p.Treasuries {
			moves = append(moves, Move{t.Power, Reported, t.IPCs, 0})
		}
		return moves
	case *events.FactReported:
		if p.Fact == FactTreasury {
			return []Move{{p.Subject, Reported, p.Number, 0}}
		}
	case *events.IncomeCollected:
		return []Move{{p.Power, Earned, p.Net, min(0, p.Treasury)}}
	case *events.UnitsPurchased:
		return []Move{{p.Power, Spent, p.Cost, min(0, p.Treasury)}}
	case *events.Compensated:
		if p.What == events.CompensatedTreasury {
			return []Move{{p.Of, Earned, p.By, 0}}
		}
	}
	return nil
}

// book enters what an event does to treasuries.
func (s State) book(index uint64, moves []Move) State {
	for _, m := range moves {
		s.accounts = With(s.accounts, m.Treasury, append(slices.Clone(s.accounts[m.Treasury]), entry{index, m}))
	}
	return s
}

// rebook puts what a corrected event does in the place of what the event at index did.
func (s State) rebook(index uint64, moves []Move) State {
	for _, m := range moves {
		a := slices.Clone(s.accounts[m.Treasury])
		if i := slices.IndexFunc(a, func(old entry) bool { return old.index == index && old.Kind == m.Kind }); i >= 0 {
			a[i].Move = m
			s.accounts = With(s.accounts, m.Treasury, a)
		}
	}
	return s
}

// Treasury is what a treasury has in hand.
func (s State) Treasury(name string) int {
	ipcs := 0
	for _, m := range s.accounts[name] {
		least := min(m.Least, ipcs) // nothing that is paid or earned settles a debt but its own figure
		switch m.Kind {
		case Reported:
			ipcs = m.IPCs
		case Earned:
			ipcs = max(least, ipcs+m.IPCs)
		case Spent:
			ipcs = max(least, ipcs-m.IPCs)
		case Damaged:
			ipcs -= max(0, min(m.IPCs, ipcs))
		}
	}
	return ipcs
}
