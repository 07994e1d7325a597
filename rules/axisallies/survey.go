package axisallies

import (
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// few is how many names a line of a survey shows.
const few = 6

// Look is a board being looked over for a system.
type Look struct {
	*board.Board
	Found rules.Survey
}

// LookOver reads a board and says which powers of the rules it lacks, and which of its own they do not have. A board
// that does not read is for Open to refuse. Plays gives the rules' name of a power by that at the table, if they have
// it.
func LookOver(files []rules.BoardFile, powers []string,
	plays func(power string) (name string, ok bool)) (*Look, bool) {
	b, err := ReadBoard(files)
	if err != nil {
		return nil, false
	}
	l := &Look{Board: b}
	var others, there []string
	for _, p := range b.Powers() {
		if name, ok := plays(b.TablePower(p.Name)); p.Plays && ok {
			there = append(there, name)
		} else if p.Plays {
			others = append(others, b.TablePower(p.Name))
		}
	}
	missing := slices.DeleteFunc(slices.Clone(powers), func(p string) bool { return slices.Contains(there, p) })
	if len(missing) > 0 {
		l.Lack("no power of the board plays as %s: if one goes by another name, open with an alias file that names "+
			"every power, with a line power %s = NAME", words.Or(missing), missing[0])
	}
	if len(others) > 0 {
		l.Lack("%s %s on the board, and not in these rules", board.Few(others, few),
			words.Number(len(others), "plays", "play"))
	}
	return l, true
}

// Lack notes what the board lacks.
func (l *Look) Lack(format string, args ...any) {
	l.Found.Lacks = append(l.Found.Lacks, fmt.Sprintf(format, args...))
}

// Unsaid ends the survey with what the files leave open, whatever the rules.
func (l *Look) Unsaid() rules.Survey {
	l.Found.Lacks = append(l.Found.Lacks, l.Board.Unsaid()...)
	return l.Found
}

// Named is "8 convoy zones (SZ 10, SZ 19 and 6 more)".
func Named(names []string, one, many string) string {
	return fmt.Sprintf("%s (%s)", words.CountOf(len(names), one, many), board.Few(names, few))
}

// Marks are those of Global 1940 that a board has, each with its names.
func (l *Look) Marks() []string {
	var marks []string
	for _, m := range []struct {
		one string
		is  func(board.Space) bool
	}{
		{"convoy zone", func(s board.Space) bool { return s.Convoy }},
		{"kamikaze zone", func(s board.Space) bool { return s.Kamikaze }},
		{"air base", func(s board.Space) bool { return s.AirBase != "" }},
		{"naval base", func(s board.Space) bool { return s.NavalBase != "" }},
	} {
		if names := l.Called(m.is); len(names) > 0 {
			marks = append(marks, Named(names, m.one, m.one+"s"))
		}
	}
	return marks
}

// Complexes names the industrial complexes of the set-up.
func (l *Look) Complexes(report string) {
	names := l.Called(func(s board.Space) bool { return s.Complex != "" })
	if len(names) == 0 {
		l.Lack("the board places no industrial complex: report them, %s", report)
		return
	}
	l.Lack("the set-up has %s: report those that players add, %s",
		Named(names, "industrial complex", "industrial complexes"), report)
}
