package axisallies

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// Limit bounds every number that a turn file may give; no figure of a game comes near.
const Limit = 9999

// Case is a command that is being judged on a state. Its readers refuse what they cannot read
// ([rules.Input]) and then report false; field is the part of the entry at fault, such as
// "purchase.power".
type Case struct {
	*rules.Hearing
	Command rules.Command

	state State
}

// Case takes up a command.
func (s State) Case(c rules.Command, h *rules.Hearing) Case { return Case{h, c, s} }

// InTime reports whether the command can be judged now: there is a board, and the ROUND is that
// for which the command was written.
func (c Case) InTime() bool {
	if c.state.Board == nil {
		c.Violate(rules.Input, "the board of the campaign is not here, so nothing can be decided")
		return false
	}
	return c.Hearing.InTime(c.Command, c.state.Turn, "no ROUND has begun: begin the file with turn: Round 1")
}

func (c Case) now() string {
	if c.state.Turn.Ordinal == 0 {
		return "no ROUND yet"
	}
	return c.state.Turn.Label
}

// Power reads the name of a power that plays, by the rulebook's name or the board's.
func (c Case) Power(field, name string) (string, bool) {
	p := c.named(name)
	if !slices.Contains(c.state.Powers, p) {
		c.Unknown(c.Command, field, "power", name, c.state.Powers)
		return "", false
	}
	return p, true
}

// named gives the rulebook's name of a power of the board, whether it plays or not; empty for none.
func (c Case) named(name string) string {
	for _, p := range c.state.Powers {
		if strings.EqualFold(p, name) {
			return p
		}
	}
	if file, err := c.state.Board.Power(name); err == nil {
		return c.state.Board.TablePower(file)
	}
	return ""
}

// Territory reads the name of a territory and gives the board's.
func (c Case) Territory(field, name string) (string, bool) {
	s, ok := c.Space(field, name, c.state.Board.Territory)
	return s.Name, ok
}

// Space reads the name of a space with one of the board's own readers, such as its SeaZone.
func (c Case) Space(field, name string, read func(string) (board.Space, error)) (board.Space, bool) {
	if name == "" {
		c.ViolateField(field, rules.Input, "%s is missing: name a space of the board", field)
		return board.Space{}, false
	}
	s, err := read(name)
	if err != nil {
		c.ViolateField(field, rules.Input, "%v", err)
	}
	return s, err == nil
}

// InRange reports whether a number given is one that could be meant: least to [Limit].
func (c Case) InRange(field string, n, least int) bool {
	if n < least || n > Limit {
		c.ViolateField(field, rules.Input, "%s: %d is not a number from %d to %d", field, n, least, Limit)
		return false
	}
	return true
}
