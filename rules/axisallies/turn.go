package axisallies

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

func (s State) nextRound() string { return fmt.Sprintf("Round %d", s.Turn.Ordinal+1) }

// BeginRound begins the next ROUND: {turn: Round 2}.
func (c Case) BeginRound(label string) {
	ordinal, next := c.state.Turn.Ordinal+1, c.state.nextRound()
	if label != next {
		c.ViolateField("turn", rules.Input, "%q cannot begin: the campaign is in %s, and the next ROUND is written %s",
			label, c.now(), next)
		return
	}
	s := c.state
	if left := s.earning(s.Powers[slices.Index(s.Powers, s.Player)+1:]); ordinal > 1 && len(left) > 0 {
		c.Warn("%s begins before its time: %s had no TURN in %s", next, words.And(left)+words.Number(len(left), " has",
			" have"), s.Turn.Label)
	}
	c.warnUnfinished("")
	c.Record("", &events.TurnAdvanced{Ordinal: ordinal, Label: next})
}

// warnUnfinished warns where the TURN of another power begins, or the next ROUND, before the power whose TURN it is has
// come to its last phase.
func (c Case) warnUnfinished(player string) {
	s := c.state
	last := s.Phases[len(s.Phases)-1]
	if s.Player != player && s.Phase != last && len(s.earning([]string{s.Player})) > 0 {
		c.Warn("the TURN of %s in %s ends with its %s phase: it has not come to %s, and no phase of it can follow",
			s.Player, s.Turn.Label, s.Phase, last)
	}
}

// Phase is an entry {phase: combat move, player: UK}.
type Phase struct {
	Phase  string `json:"phase" is:"phase"`
	Player string `json:"player" is:"power" doc:"whose TURN it is"`
}

// BeginPhase begins a phase by hand; entries begin the phase that they belong to themselves.
func (c Case) BeginPhase(e Phase) {
	if e.Player == c.state.Player && e.Phase == c.state.Phase {
		c.ViolateField("phase", rules.Input, "it is %s %s already", e.Player, e.Phase)
		return
	}
	c.Enter(e.Player, e.Phase, rules.Input)
}

// Enter begins a phase of a power's TURN unless it is that phase now. Neither TURNS nor phases go
// back within a ROUND; rule is what forbids it.
func (c Case) Enter(player, phase, rule string) bool {
	s := c.state
	_, now := s.TurnNow()
	switch {
	case s.Player == player && s.Phase == phase:
		return true
	case s.Over(player):
		c.Violate(rule, "the TURN of %s in %s is over; it is now %s", player, s.Turn.Label, now)
		return false
	case s.Player == player && slices.Index(s.Phases, phase) < slices.Index(s.Phases, s.Phase):
		c.Violate(rule, "%s %s is over in %s; it is now %s", player, phase, s.Turn.Label, now)
		return false
	}
	if passed := s.Passed(player); len(passed) > 0 {
		c.Warn("%s begins its TURN in %s before its time: %s not had one, and cannot in this ROUND any more; undo the "+
			"entry if that is a slip", player, s.Turn.Label, words.And(passed)+words.Number(len(passed), " has",
			" have"))
	}
	c.warnUnfinished(player)
	c.Record(player, &events.PhaseAdvanced{Phase: phase, Player: player})
	return true
}

// Passed are the powers whose TURN in this ROUND has not been when that of another begins. The order of play is the
// board's: the texts name none, and a power for which nothing is to be ruled on has no entry.
func (s State) Passed(player string) []string {
	first, now := slices.Index(s.Powers, s.Player)+1, max(0, slices.Index(s.Powers, player))
	return s.earning(s.Powers[min(first, now):now])
}

// earning are those of some powers whose TURN comes to an income: none is due while another holds their capital.
func (s State) earning(powers []string) []string {
	return slices.DeleteFunc(slices.Clone(powers), func(p string) bool {
		_, lost := s.CapitalLost(p)
		return lost || p == ""
	})
}
