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
	"github.com/watu-ledger/watu/replay/bundle"
	"github.com/watu-ledger/watu/rules"
)

// labels are the turns' names, for the axis of a chart.
func labels(turns []events.Turn) []string {
	return rules.Each(turns, func(t events.Turn) string { return t.Label })
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
	add(t.keyTable())
	return list
}

// keyTable lists the keys of the seats whose players sign, also those that they have no more.
func (t *builder) keyTable() document.Table {
	out := document.Table{Title: "Keys of the seats", Columns: document.Columns("Seat", "#", "Fingerprint", "Given by")}
	for i := range t.Events {
		e := &t.Events[i]
		p, _ := events.PayloadOf(e) // nil for what does not read
		if k, is := bundle.KeyGiven(e, p); is {
			out.Add(k.Seat, document.Figure(k.Event, fmt.Sprint("#", k.Event)), k.Fingerprint, k.By)
		}
	}
	return out
}
