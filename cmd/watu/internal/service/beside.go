package service

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/ledger"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/replay"
)

// beside compares the campaign's views at their ends.
func (f *Service) beside(ctx context.Context, c ledger.Campaign, h *replay.WhatIf, out *Supposed) error {
	system, err := f.system(c.ID)
	if err != nil {
		return err
	}
	var known []events.Opening
	if out.As == Umpire {
		if known, err = h.Openings(); err != nil {
			return err
		}
	}
	out.Views = []ViewsDiffer{}
	for _, name := range system.Views {
		p, err := f.projection(c, name)
		if err != nil {
			return err
		}
		is, err := f.fold(ctx, c, p, Viewer{As: out.As}, c.Events)
		if err != nil {
			return err
		}
		would, err := projections.Fold(p, h.Records(), known)
		if err != nil {
			return err
		}
		out.Views = append(out.Views, ViewsDiffer{Projection: name, Rows: rowsDiffer(is.Tables(), would.Tables())})
	}
	return nil
}

// ViewsDiffer is a view of the record and that of a hypothesis, both at their ends.
type ViewsDiffer struct {
	Projection string       `json:"projection"`
	Rows       []RowsDiffer `json:"rows"` // none where they are the same
}

// RowsDiffer is one figure of a view.
type RowsDiffer struct {
	Table        string `json:"table"`
	Row          string `json:"row"`    // what the row is about: "Round 2, UK"
	Column       string `json:"column"` // empty for a row that only one of the two has
	Recorded     string `json:"recorded"`
	Hypothetical string `json:"hypothetical"`
}

// rowsDiffer sets two views side by side, table by table and row by row as people read them: events
// have other indexes in a hypothesis, so [projections.Changes] would not find them again. What a table tells of single events is
// passed over: those are told as such.
func rowsDiffer(is, would []projections.Table) []RowsDiffer {
	list := []RowsDiffer{}
	ofEvents := func(t projections.Table) bool { return t.Title == "" || strings.Contains(t.Title, "#") }
	for _, a := range is {
		if !ofEvents(a) {
			list = append(list, tablesDiffer(a, tableNamed(would, a.Title))...)
		}
	}
	for _, b := range would {
		if !ofEvents(b) && tableNamed(is, b.Title).Title == "" {
			list = append(list, tablesDiffer(projections.Table{}, b)...)
		}
	}
	return list
}

func tableNamed(list []projections.Table, title string) (t projections.Table) {
	if i := slices.IndexFunc(list, func(t projections.Table) bool { return t.Title == title }); i >= 0 {
		t = list[i]
	}
	return t
}

func tablesDiffer(a, b projections.Table) (list []RowsDiffer) {
	title, columns := a.Title, a.Columns
	if title == "" {
		title, columns = b.Title, b.Columns
	}
	was, is := rowsOf(a), rowsOf(b)
	before, now := placesOf(was), placesOf(is)
	for _, r := range was {
		i, ok := now[r.key]
		if !ok {
			list = append(list, RowsDiffer{Table: title, Row: r.key, Recorded: r.text()})
			continue
		}
		for n, column := range columns {
			if x, y := r.cell(n), is[i].cell(n); unplaced(x) != unplaced(y) {
				list = append(list, RowsDiffer{Table: title, Row: r.key, Column: column, Recorded: x, Hypothetical: y})
			}
		}
	}
	for _, r := range is {
		if _, ok := before[r.key]; !ok {
			list = append(list, RowsDiffer{Table: title, Row: r.key, Hypothetical: r.text()})
		}
	}
	return list
}

// row is a row of a table, and what it is about.
type row struct {
	key    string
	labels int // cells that say so
	cells  []string
}

// placesOf gives the place of each row by its key, of which no two rows have the same.
func placesOf(list []row) map[string]int {
	places := make(map[string]int, len(list))
	for i, r := range list {
		places[r.key] = i
	}
	return places
}

func (r row) cell(n int) string {
	if n >= len(r.cells) || n < r.labels {
		return ""
	}
	return r.cells[n]
}

// indexed is how a view points at an event. Where the events before it are more or fewer it is another.
var indexed = regexp.MustCompile(`#\d+\*?`)

// unplaced is a cell without the places of events.
func unplaced(cell string) string { return indexed.ReplaceAllString(cell, "#") }

// text is what stands behind the labels.
func (r row) text() string {
	var words []string
	for _, c := range r.cells[min(r.labels, len(r.cells)):] {
		if c != "" && !strings.HasPrefix(c, "#") {
			words = append(words, c)
		}
	}
	return strings.Join(words, ", ")
}

// rowsOf finds what each row is about: the cells before the first figure, a blank one standing for
// the cell above it; of several rows about the same, which it is.
func rowsOf(t projections.Table) []row {
	labels := 1
	for labels < len(t.Columns) && !figures(t, labels) {
		labels++
	}
	if labels == len(t.Columns) {
		labels = 1
	}
	above := make([]string, labels)
	seen := map[string]int{}
	var list []row
	for _, cells := range t.Rows {
		var key []string
		for i := range labels {
			if i < len(cells) && cells[i] != "" {
				above[i] = cells[i]
			}
			if !strings.HasPrefix(above[i], "#") {
				key = append(key, above[i])
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

// figures reports whether a column holds figures, indexes of events aside.
func figures(t projections.Table, column int) bool {
	any := false
	for _, cells := range t.Rows {
		if column >= len(cells) || cells[column] == "" {
			continue
		}
		if strings.Trim(cells[column], "0123456789+-−*/ ") != "" {
			return false
		}
		any = true
	}
	return any
}
