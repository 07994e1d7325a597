package timeline

import (
	"testing"

	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
)

// What leads to an event is compared; which event it is, and whether it counts, is not.
func TestRowsDiffer(t *testing.T) {
	losses := func(event uint64, f projections.Fate, units string) []document.Table {
		t := document.Table{Title: "Losses", Columns: document.Columns("Turn", "#", "Of", "#Units")}
		t.Add("Round 1", f.Cell(event), "UK", document.Figure(event, units))
		return []document.Table{t}
	}
	is := losses(7, projections.Fate{VoidedBy: 9}, "1 bomber")
	if got := rowsDiffer(is, losses(8, projections.Fate{}, "1 bomber")); len(got) != 0 {
		t.Errorf("%+v", got)
	}
	want := WhatIfFigure{Table: "Losses", Row: "Round 1, UK", Column: "Units", Recorded: "1 bomber",
		Hypothetical: "2 bombers"}
	if got := rowsDiffer(is, losses(8, projections.Fate{}, "2 bombers")); len(got) != 1 || got[0] != want {
		t.Errorf("%+v", got)
	}
}
