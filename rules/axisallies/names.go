package axisallies

import (
	"errors"
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// factAliases is the fact that the board has more names, in lines of an alias file.
const factAliases = "aliases"

// Aliases is an entry {aliases: [space Ostland = Baltic States, zone Zone # = # Sea Zone]}: more names for the powers
// and spaces of the board, as [board.Read] takes them. They count from there on.
type Aliases struct {
	Aliases rules.OneOrMore[string] `json:"aliases" need:"write a name a line, such as space Ostland = Baltic States"`
}

// Names implements [rules.Lister] for what all games have.
func (s State) Names(kind string) []string {
	land := func(x board.Space) bool { return !x.Water }
	switch kind {
	case "turn":
		return []string{s.nextRound()}
	case "power", "side", "treasury":
		return s.Powers
	case "holder":
		return s.holders()
	case "phase":
		return s.Phases
	case "territory":
		return s.Board.Called(land)
	case "sea zone":
		return s.Board.Called(func(x board.Space) bool { return x.Water })
	case "space":
		return s.Board.Called(func(board.Space) bool { return true })
	}
	return nil
}

// AddNames hears of more names. No rule speaks of them, so it cites none.
func (c Case) AddNames(e Aliases) {
	more, err := c.state.Board.With(e.Aliases)
	var at *board.Error
	if errors.As(err, &at) {
		c.ViolateField(fmt.Sprintf("aliases[%d]", at.Line-1), rules.Input, "%s", at.Message)
		return
	}
	if more.Names() == c.state.Board.Names() {
		c.ViolateField("aliases", rules.Input, "these add no name: the board has each of them already")
		return
	}
	p := &events.FactReported{Fact: factAliases}
	for _, line := range e.Aliases {
		if line = strings.TrimSpace(line); line != "" && line[0] != '#' && !strings.HasPrefix(line, "title ") {
			p.Names = append(p.Names, line)
		}
	}
	c.Record("", p)
}
