// Package mapview draws the board of a campaign: the shapes of its spaces, who holds them, and what the record says of
// them at a moment. A [Board] is made once of a board's files, with a place for each name. A [Panel] is the board with
// the situation on it:
//
//	board := mapview.Plot(files) // nil for one without outlines
//	panel := board.Draw(mapview.Input{Situation: report, Event: path})
//
// Both are numbers and places on a grid 1200 wide; a template and the style sheet of the pages draw them. Names, boats,
// the plates that say what raids and bombs took, and stacks of units get a place where they cover nothing else, in this
// order. What finds no place stands in [Figures] alone, which lists all that the map shows. The package knows no page
// and no ledger.
package mapview

import (
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/projections/situation"
)

// Input is what a panel is made of, beside the board.
type Input struct {
	Situation situation.Report
	Units     []timeline.Garrison
	Marks     map[string]string // a mark of what was recorded of each space
	Language  *story.Language   // nil for English

	Event  func(index uint64) string // the path of an event
	Spaces string                    // the beginning of the paths of spaces
}
