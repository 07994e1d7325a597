package axisallies

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// BeginRound begins the next ROUND: {turn: Round 2}.
func (c Case) BeginRound() {
	var entry struct {
		Turn string `json:"turn"`
	}
	if !c.Read(c.Command, &entry) {
		return
	}
	ordinal := c.state.Turn.Ordinal + 1
	next := fmt.Sprintf("Round %d", ordinal)
	if entry.Turn != next {
		c.ViolateField("turn", rules.Input, "%q cannot begin: the campaign is in %s, and the next ROUND is written %s", entry.Turn, c.now(), next)
		return
	}
	c.Record("", &events.TurnAdvanced{Ordinal: ordinal, Label: next})
}

// BeginPhase begins a phase by hand, {phase: combat move, player: UK}; entries begin the phase that
// they belong to themselves.
func (c Case) BeginPhase() {
	var entry struct {
		Phase  string `json:"phase"`
		Player string `json:"player"`
	}
	if !c.Read(c.Command, &entry) {
		return
	}
	phase := strings.ToLower(entry.Phase)
	if !slices.Contains(c.state.Phases, phase) {
		c.Unknown(c.Command, "phase", "phase", entry.Phase, c.state.Phases)
		return
	}
	player, ok := c.Power("player", entry.Player)
	if !ok {
		return
	}
	if player == c.state.Player && phase == c.state.Phase {
		c.ViolateField("phase", rules.Input, "it is %s %s already", player, phase)
		return
	}
	c.Enter(player, phase, rules.Input)
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
	c.Record(player, &events.PhaseAdvanced{Phase: phase, Player: player})
	return true
}
