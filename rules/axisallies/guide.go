package axisallies

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// Near gives the territories that are so, by the names of the table, and the sea zones next to them: where new units
// appear.
func Near(b *board.Board, so func(board.Space) bool) (list []rules.Likely) {
	for _, name := range b.Called(func(s board.Space) bool {
		return !s.Water && so(s) || s.Water &&
			slices.ContainsFunc(s.Neighbours, func(next string) bool {
				t, err := b.Territory(next)
				return err == nil && so(t)
			})
	}) {
		list = append(list, rules.Likely{Name: name})
	}
	return list
}
