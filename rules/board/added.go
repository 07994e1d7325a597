package board

import (
	"maps"
	"slices"
)

// With gives the board with more names for its powers and spaces: lines of an alias file. What the table prefers stays
// as it is, and so do the board's files and hash. The error is an [*Error] at the first line that cannot be: it names
// nothing of the board, or stands for something else already. The board then has the names of the other lines.
func (b *Board) With(lines []string) (*Board, error) {
	more := *b
	more.powerNames, more.spaceNames = b.powerNames.copied(), b.spaceNames.copied()
	r := &aliasReader{board: &more, lines: map[string]int{}, later: true}
	var first error
	for i, line := range lines {
		if err := r.line(i+1, line); err != nil && first == nil {
			first = err
		}
	}
	return &more, first
}

// Names counts the names of powers and spaces, those of the game file and those of the table.
func (b *Board) Names() int { return len(b.powerNames.all) + len(b.spaceNames.all) }

func (n *names) copied() *names {
	return &names{own: n.own, known: maps.Clone(n.known), all: slices.Clip(n.all), preferred: n.preferred}
}
