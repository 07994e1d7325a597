package axisallies

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// The facts that all games report.
const (
	FactControl  = "control"  // territory to power
	FactTreasury = "treasury" // treasury to IPCs
)

// The tags of these facts.
const (
	TagControl  = `of:"territory" offer:"holder"`
	TagTreasury = `of:"treasury" least:"-9999" each:"IPCs"`
)

// State is what all games know of a campaign. It is a value: what a map or slice holds is replaced,
// never changed.
type State struct {
	Board   *board.Board // nil where events are applied and nothing is decided
	Phases  []string     // of a power's TURN, in their order
	Options map[string]string
	Powers  []string // in the order of play

	Turn      events.Turn               // the ROUND
	Player    string                    // whose TURN it is, empty for nobody's yet
	Phase     string                    // of that TURN
	Control   map[string]Figure[string] // territory to power, where it was reported
	Collected []string                  // who has collected income in this ROUND

	treasuries map[string]int // IPCs in hand
}

// Figure is what was reported of something, and by which event.
type Figure[T any] struct {
	Value T
	From  uint64
}

// Apply applies what an event says to all games, and the moves of treasuries that the game itself
// reads out of it.
func (s State) Apply(e *events.Event, p events.Payload, own ...Move) State {
	return s.apply(e.Index, p).book(append(common(p), own...))
}

func (s State) apply(index uint64, p events.Payload) State {
	s.Options = rules.OptionsAfter(s.Options, p)
	switch p := p.(type) {
	case *events.CampaignOpened:
		s.Powers = p.Sides
	case *events.TurnAdvanced:
		s.Turn = events.Turn{Ordinal: p.Ordinal, Label: p.Label}
		s.Player, s.Phase, s.Collected = "", "", nil
	case *events.PhaseAdvanced:
		s.Player, s.Phase = p.Player, p.Phase
	case *events.IncomeCollected:
		s.Collected = append(slices.Clone(s.Collected), p.Power)
	case *events.FactReported:
		return s.report(index, p)
	}
	return s
}

func (s State) report(index uint64, p *events.FactReported) State {
	switch p.Fact {
	case factAliases:
		if s.Board != nil {
			s.Board, _ = s.Board.With(p.Names) // what does not fit is passed over
		}
	case FactControl:
		holder := ""
		if len(p.Names) > 0 {
			holder = p.Names[0]
		}
		s.Control = rules.Put(s.Control, p.Subject, Figure[string]{holder, index})
	}
	return s
}

// TurnNow implements rules.Game.
func (s State) TurnNow() (events.Turn, string) {
	if s.Player == "" {
		return s.Turn, ""
	}
	return s.Turn, s.Player + " " + s.Phase
}

// Over reports whether a power's TURN in this ROUND has been and gone.
func (s State) Over(player string) bool {
	return s.Player != "" && slices.Index(s.Powers, player) < slices.Index(s.Powers, s.Player)
}

// Controller is the power that holds a territory now; empty for nobody.
func (s State) Controller(t board.Space) string {
	if f, ok := s.Control[t.Name]; ok {
		return f.Value
	}
	return s.Board.TablePower(t.Owner)
}

// At gives a space of the board by its name there.
func (s State) At(name string) board.Space {
	space, _ := s.Board.Space(name)
	return space
}

// TerritoryValue is the sum of what a power's territories are worth.
func (s State) TerritoryValue(power string) int {
	return rules.Sum(s.Earnings(power), func(e rules.Earning) int { return e.IPCs })
}

// Earnings lists the territories that a power holds and that are worth something.
func (s State) Earnings(power string) []rules.Earning {
	var held []board.Space
	for _, t := range s.Board.Spaces() {
		if s.Controller(t) == power {
			held = append(held, t)
		}
	}
	return EarningsOf(held)
}

// EarningsOf are what territories are worth, those of no worth left out.
func EarningsOf(territories []board.Space) []rules.Earning {
	var list []rules.Earning
	for _, t := range territories {
		if t.Production != 0 {
			list = append(list, rules.Earning{Territory: t.Name, IPCs: t.Production})
		}
	}
	return list
}

// CapitalLost is a capital of the power that another holds, if there is one.
func (s State) CapitalLost(power string) (board.Space, bool) {
	return rules.Find(s.Board.Spaces(), func(t board.Space) bool {
		return t.Capital != "" && s.Board.TablePower(t.Capital) == power && s.Controller(t) != power
	})
}
