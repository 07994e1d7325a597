package axisallies

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Move is what an event does to a treasury.
type Move struct {
	Treasury string
	Kind     MoveKind
	IPCs     int
	Least    int // no move leaves less than 0, unless its event says so
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
func (s State) book(moves []Move) State {
	for _, m := range moves {
		s.treasuries = rules.Put(s.treasuries, m.Treasury, m.after(s.treasuries[m.Treasury]))
	}
	return s
}

// after is what is in hand after a move.
func (m Move) after(ipcs int) int {
	least := min(m.Least, ipcs) // nothing that is paid or earned settles a debt but its own figure
	switch m.Kind {
	case Reported:
		return m.IPCs
	case Earned:
		return max(least, ipcs+m.IPCs)
	case Spent:
		return max(least, ipcs-m.IPCs)
	case Damaged:
		return ipcs - max(0, min(m.IPCs, ipcs))
	}
	return ipcs
}

// Treasury is what a treasury has in hand.
func (s State) Treasury(name string) int { return s.treasuries[name] }
