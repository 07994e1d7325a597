package service

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Sheet is a printed table, with the cells marked that a reading consulted.
type Sheet struct {
	Name    string     `json:"name"`
	Notes   []string   `json:"notes,omitempty"`
	Corner  string     `json:"corner"` // what the rows are
	Columns []string   `json:"columns"`
	Rows    []SheetRow `json:"rows"`
}

// SheetRow is a row of a printed table.
type SheetRow struct {
	Label string      `json:"label"`
	Cells []SheetCell `json:"cells"`
	Near  bool        `json:"near,omitempty"` // it stands at the cells consulted, or close to them
}

// SheetCell is a cell of a printed table.
type SheetCell struct {
	Text string `json:"text"`
	Lit  bool   `json:"lit,omitempty"` // it was consulted
}

// sheetOf marks in the table what a reading consulted; nil where that is no cell of it.
func sheetOf(t *rules.Table, r events.Reading) *Sheet {
	marks := marksOf(t, r)
	out := &Sheet{Name: t.Name, Notes: t.Notes, Corner: t.Corner, Columns: t.Columns}
	found := false
	for _, row := range t.Rows {
		marked := SheetRow{Label: row.Label, Near: t.Near(row, marks...)}
		for i, text := range row.Cells {
			lit := slices.Contains(marks, rules.Mark{Row: row.Label, Column: t.Columns[i]})
			marked.Cells = append(marked.Cells, SheetCell{text, lit})
			found = found || lit
		}
		out.Rows = append(out.Rows, marked)
	}
	if !found {
		return nil
	}
	return out
}

// marksOf are the cells that a reading consulted. A reading without rows is of the last row, if that
// has a name and not a figure: a table's result or DRM line.
func marksOf(t *rules.Table, r events.Reading) []rules.Mark {
	var marks []rules.Mark
	for _, row := range r.Rows {
		marks = append(marks, rules.Mark{Row: strconv.Itoa(row), Column: r.Column})
	}
	last := t.Rows[len(t.Rows)-1].Label
	if _, err := strconv.Atoi(last); err != nil && len(marks) == 0 {
		marks = append(marks, rules.Mark{Row: last, Column: r.Column})
	}
	return marks
}
