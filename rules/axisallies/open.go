package axisallies

import (
	"crypto/sha256"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// New gives the state before the first event; without a board it can apply events alone. The error
// says what is wrong with the board.
func New(files []rules.BoardFile, phases []string) (State, error) {
	if len(files) == 0 {
		return State{Phases: phases}, nil
	}
	b, err := ReadBoard(files)
	return State{Board: b, Phases: phases}, err
}

// ReadBoard reads the files of a board.
func ReadBoard(files []rules.BoardFile) (*board.Board, error) {
	return board.Read(rules.Each(files, func(f rules.BoardFile) board.File { return board.File(f) })...)
}

// Open serves a system's Open: it writes the board, those of the powers that play on it in their
// order of play, their treasuries and every option into the first event.
func Open(system string, powers []string, l rules.OptionList, e rules.Edition, options map[string]string,
	files []rules.BoardFile) (*events.CampaignOpened, []rules.BoardFile, rules.Findings) {
	chosen, f := l.Choose(e, options)
	p := &events.CampaignOpened{System: system, Edition: e.Name, Dice: "chain", Options: chosen}
	b, err := ReadBoard(files)
	if err != nil {
		f.ViolateField("board", rules.Input, "%v", err)
		return p, nil, f
	}
	for _, power := range b.Powers() {
		if name := b.TablePower(power.Name); power.Plays && slices.Contains(powers, name) {
			p.Sides = append(p.Sides, name)
			p.Treasuries = append(p.Treasuries, events.Treasury{Power: name, IPCs: power.PUs})
		}
	}
	if len(p.Sides) == 0 {
		f.ViolateField("board", rules.Input,
			"no power of %q plays in these rules; they have %s: give an alias file with lines such as power UK "+
				"= British", b.Title(), strings.Join(powers, ", "))
	}
	p.Board = events.Board{Title: b.Title(), Version: b.Version(), Hash: b.Hash(), Lacks: b.Lacks()}
	var used []rules.BoardFile
	for _, file := range b.Files() {
		used = append(used, rules.BoardFile(file))
		p.Board.Files = append(p.Board.Files, events.BoardFile{Name: file.Name, Hash: sha256.Sum256(file.Data)})
	}
	return p, used, f
}
