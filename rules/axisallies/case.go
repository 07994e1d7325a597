package axisallies

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// Case is a command that is being judged on a state. Its readers refuse what they cannot read
// ([rules.Input]) and then report false; field is the part of the entry at fault, such as
// "purchase.power". The kinds of names that all games know are power, treasury, phase, territory,
// sea zone and space.
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

// Named reads the names of what all games have. It implements [rules.Judge].
func (c Case) Named(kind, field, name string) (string, bool) {
	read := c.state.Board.Space
	switch kind {
	case "power", "side", "treasury":
		return c.Power(field, name)
	case "phase":
		return c.Word(c.Command, field, kind, name, c.state.Phases)
	case "territory":
		read = c.state.Board.Territory
	case "sea zone":
		read = c.state.Board.SeaZone
	}
	s, ok := c.Space(field, name, read)
	return s.Name, ok
}

// Heard implements [rules.Judge].
func (c Case) Heard() (*rules.Hearing, rules.Command) { return c.Hearing, c.Command }

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
