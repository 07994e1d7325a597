package eots

import (
	"slices"
	"strconv"
)

// The rows of the scenario table.
const (
	rowWilkes    = "Wilkes"
	rowLockwood4 = "Lockwood (4)"
	rowFife      = "Fife"
	rowLockwood6 = "Lockwood (6)"
	rowSWM       = "SWM Marker"
)

// Start is where a scenario puts a Sub Base.
type Start struct {
	Name string
	Hex  string
}

// Starts gives the Sub Bases that stand on the map when a scenario of that year begins, and the SWM
// then (EOTS-11.21.B-7). It reports false for a year that no scenario begins in.
func Starts(year int) (bases []Start, swm int, ok bool) {
	column := strconv.Itoa(year)
	if !slices.Contains(scenarioTable.Columns, column) {
		return nil, 0, false
	}
	for _, row := range []struct{ label, name string }{{rowWilkes, Wilkes}, {rowLockwood4, Lockwood}, {rowFife, Fife},
		{rowLockwood6, Lockwood}} {
		if cell := scenarioTable.MustCell(row.label, column); len(cell) == 4 {
			bases = append(bases, Start{Name: row.name, Hex: cell})
		}
	}
	return bases, scenarioTable.MustFigure(rowSWM, column), true
}

// arrival is the turn in whose Reinforcement Segment a base arrives.
func arrival(row string) int { return scenarioTable.MustFigure(row, scenarioTable.Columns[0]) }
