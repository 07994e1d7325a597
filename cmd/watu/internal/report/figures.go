package report

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/projections/strategic"
)

// labels are the turns' names, for the axis of a chart.
func labels(turns []events.Turn) []string {
	var list []string
	for _, t := range turns {
		list = append(list, t.Label)
	}
	return list
}

// baseTable is what became of the submarine bases, and their dice, in the order of events.
func baseTable(r *strategic.Report) document.Table {
	t := document.Table{Title: "Submarine bases", Columns: document.Columns("Turn", "#", "Base", "What")}
	add := func(turn, base, what string, event uint64, f projections.Fate) {
		t.Add(turn, f.Cell(event), base, document.Figure(event, what))
	}
	for _, p := range r.Postings {
		add(p.Turn, p.Base, p.Text(), p.Event, p.Fate)
	}
	for _, x := range r.Warfare {
		for _, d := range x.Readings {
			if strategic.IsBase(x.Procedure) {
				add(x.Turn, x.Subject, fmt.Sprintf("die %s, modified %d: %s", words.Numbers(d.Dice, "+"), d.Modified,
					d.Result), x.Event, x.Fate)
			}
		}
	}
	slices.SortStableFunc(t.Rows, func(a, b []document.Text) int {
		return cmp.Compare(a[1][0].To.Event, b[1][0].To.Event)
	})
	return t
}

// standing is how the campaign stands at its end.
func (t *builder) standing() []document.Table {
	list := []document.Table{}
	add := func(tables ...document.Table) {
		for _, x := range document.Filled(tables...) {
			list = append(list, x.Figures())
		}
	}
	if t.Income != nil {
		add(t.Income.TotalTable(), t.Income.TreasuryTable())
	}
	if t.Strategic != nil {
		add(t.Strategic.BaseTable(), t.Strategic.FigureTable())
	}
	if t.Pools != nil {
		add(t.Pools.PoolTable())
	}
	return list
}
