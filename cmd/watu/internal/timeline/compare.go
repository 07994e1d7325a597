package timeline

import (
	"context"
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/projections/document"
	"github.com/watu-ledger/watu/replay/whatif"
	"github.com/watu-ledger/watu/rules"
)

// compareViews compares the views of record and hypothesis at their ends.
func (r *Reader) compareViews(ctx context.Context, c ledger.Campaign, h *whatif.Result, out *WhatIfResult) error {
	system, err := r.Rules(c.ID)
	if err != nil {
		return err
	}
	var known []events.Opening
	if out.As == Umpire {
		if known, err = h.Openings(); err != nil {
			return err
		}
	}
	out.Views = []WhatIfView{}
	for _, name := range system.Views {
		p, err := r.Projection(c, name)
		if err != nil {
			return err
		}
		is, err := r.Fold(ctx, c, p, Viewer{As: out.As}, c.Events)
		if err != nil {
			return err
		}
		would, err := projections.Fold(p, h.Records(), known)
		if err != nil {
			return err
		}
		out.Views = append(out.Views, WhatIfView{Projection: name, Rows: rowsDiffer(is.Tables(), would.Tables())})
	}
	return nil
}

// WhatIfView is a view of the record and that of a hypothesis, both at their ends.
type WhatIfView struct {
	Projection string         `json:"projection"`
	Rows       []WhatIfFigure `json:"rows"` // none where they are the same
}

// WhatIfFigure is one figure of a view.
type WhatIfFigure struct {
	Table        string `json:"table"`
	Row          string `json:"row"`    // what the row is about: "Round 2, UK"
	Column       string `json:"column"` // empty for a row that only one of the two has
	Recorded     string `json:"recorded"`
	Hypothetical string `json:"hypothetical"`
}

// rowsDiffer sets two views side by side, table by table and row by row as people read them: events
// have other indexes in a hypothesis, so [projections.Changes] would not find them again. What a table shows of
// single events is passed over: those are shown as such.
func rowsDiffer(is, would []document.Table) []WhatIfFigure {
	list := []WhatIfFigure{}
	ofEvents := func(t document.Table) bool { return t.Title == "" || t.About.Kind == document.ToEvent }
	for _, a := range is {
		if !ofEvents(a) {
			list = append(list, tablesDiffer(a, tableNamed(would, a.Title))...)
		}
	}
	for _, b := range would {
		if !ofEvents(b) && tableNamed(is, b.Title).Title == "" {
			list = append(list, tablesDiffer(document.Table{}, b)...)
		}
	}
	return list
}

func tableNamed(list []document.Table, title string) document.Table {
	t, _ := rules.Find(list, func(t document.Table) bool { return t.Title == title })
	return t
}

func tablesDiffer(a, b document.Table) (list []WhatIfFigure) {
	title, columns := a.Title, a.Columns
	if title == "" {
		title, columns = b.Title, b.Columns
	}
	was, is := rowsOf(a), rowsOf(b)
	before, now := placesOf(was), placesOf(is)
	for _, r := range was {
		i, ok := now[r.key]
		if !ok {
			list = append(list, WhatIfFigure{Table: title, Row: r.key, Recorded: r.text()})
			continue
		}
		for n, column := range columns {
			if x, y := r.cell(n), is[i].cell(n); unplaced(x) != unplaced(y) {
				list = append(list, WhatIfFigure{
					Table: title, Row: r.key, Column: column.Name, Recorded: x.String(), Hypothetical: y.String(),
				})
			}
		}
	}
	for _, r := range is {
		if _, ok := before[r.key]; !ok {
			list = append(list, WhatIfFigure{Table: title, Row: r.key, Hypothetical: r.text()})
		}
	}
	return list
}

// row is a row of a table, and what it is about.
type row struct {
	key    string
	labels int // cells that say so
	cells  []document.Text
}

// placesOf gives the place of each row by its key, of which no two rows have the same.
func placesOf(list []row) map[string]int {
	places := make(map[string]int, len(list))
	for i, r := range list {
		places[r.key] = i
	}
	return places
}

func (r row) cell(n int) document.Text {
	if n >= len(r.cells) || n < r.labels {
		return nil
	}
	return r.cells[n]
}

// unplaced is a cell without the places of events: where the events before one are more or fewer it has another.
func unplaced(cell document.Text) string {
	out := ""
	for _, s := range cell {
		switch {
		case s.Mark == document.Gone:
		case s == document.Event(s.To.Event):
			out += "#"
		default:
			out += s.Text
		}
	}
	return out
}

// event reports whether a cell names an event.
func event(cell document.Text) bool {
	return len(cell) > 0 && cell[0] == document.Event(cell[0].To.Event)
}

// text is what stands behind the labels.
func (r row) text() string {
	var words []string
	for _, c := range r.cells[min(r.labels, len(r.cells)):] {
		if c.String() != "" && !event(c) {
			words = append(words, c.String())
		}
	}
	return strings.Join(words, ", ")
}

// rowsOf finds what each row is about: the cells before the first figure, a blank one standing for
// the cell above it; of several rows about the same, which it is.
func rowsOf(t document.Table) []row {
	labels, figures := 1, t.Right()
	for labels < len(t.Columns) && !figures[labels] {
		labels++
	}
	if labels == len(t.Columns) {
		labels = 1
	}
	above := make([]document.Text, labels)
	seen := map[string]int{}
	var list []row
	for _, cells := range t.Rows {
		var key []string
		for i := range labels {
			if i < len(cells) && cells[i].String() != "" {
				above[i] = cells[i]
			}
			if !event(above[i]) {
				key = append(key, above[i].String())
			}
		}
		r := row{key: strings.Join(key, ", "), labels: labels, cells: cells}
		if seen[r.key]++; seen[r.key] > 1 {
			r.key = fmt.Sprintf("%s (%d)", r.key, seen[r.key])
		}
		list = append(list, r)
	}
	return list
}
