package dashboard

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events/words"
)

// piece is a stretch of text. Href leads to where it comes from.
type piece struct {
	Text string
	Href string
	Was  bool   // it does not stand any more
	Rule bool   // it is a rule's id
	ID   string // of what stands from here on, where a sum leads
}

// cell is what stands in a place of a table.
type cell []piece

// table is figures in rows. A row may be shorter than Columns.
type table struct {
	Title   string
	Columns []column
	Rows    [][]cell
	Note    []piece
}

// column is the head of a column, and the class of what stands in it: "n" for figures, "w" for what
// needs room, "m" for what has a row of its own below.
type column struct{ Name, Class string }

// columns reads heads: "#Factors" is one of figures, "+Made of" a wide one, and "&Made of" one that stands below its row.
func columns(heads ...string) []column {
	list := make([]column, len(heads))
	for i, h := range heads {
		list[i] = column{Name: strings.TrimLeft(h, "#+&")}
		switch h[:min(1, len(h))] {
		case "#":
			list[i].Class = "n"
		case "+":
			list[i].Class = "w"
		case "&":
			list[i].Class = "m"
		}
	}
	return list
}

// add appends a row, of cells and of what is text.
func (t *table) add(cells ...any) {
	row := make([]cell, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case cell:
			row[i] = c
		case piece:
			row[i] = cell{c}
		default:
			row[i] = cell{said(text(c))}
		}
	}
	t.Rows = append(t.Rows, row)
}

// last keeps no more than the last so many rows; the note says so.
func (t *table) last(most int) {
	if n := len(t.Rows) - most; n > 0 {
		t.Rows = t.Rows[n:]
		t.Note = append([]piece{said(words.Count(n, "row") + " before these left out. ")}, t.Note...)
	}
}

// unless leaves out the columns of these names in which no figure stands.
func (t *table) unless(names ...string) {
	for i := len(t.Columns) - 1; i >= 0; i-- {
		empty := func(row []cell) bool {
			return i >= len(row) || len(row[i]) == 0 || len(row[i]) == 1 && row[i][0].Text == "0"
		}
		if !slices.Contains(names, t.Columns[i].Name) || slices.ContainsFunc(t.Rows, func(row []cell) bool { return !empty(row) }) {
			continue
		}
		t.Columns = slices.Delete(t.Columns, i, i+1)
		for n, row := range t.Rows {
			if i < len(row) {
				t.Rows[n] = slices.Delete(row, i, i+1)
			}
		}
	}
}

func text(x any) string { return fmt.Sprint(x) }

func said(text string) piece { return piece{Text: text} }

// figure is a number, or what there is to say, with the way to its event; 0 is none.
func (f figures) figure(event uint64, what any) piece {
	p := said(text(what))
	if event != 0 {
		p.Href = f.event(event)
	}
	return p
}

// struck is a figure that another one has taken the place of.
func (f figures) struck(event uint64, what any) piece {
	p := f.figure(event, what)
	p.Was = true
	return p
}

// rule is a rule's id, with the way to what it was applied to.
func (f figures) rule(id string) piece {
	return piece{Text: id, Href: ruleTo(f.campaign, id).Path, Rule: true}
}

// rules are rule ids.
func (f figures) rules(ids []string) (list []piece) {
	for i, id := range ids {
		if i > 0 {
			list = append(list, said(" "))
		}
		list = append(list, f.rule(id))
	}
	return list
}

// signed is a modifier as people write it: +1, −2, 0.
func signed(n int64) string {
	switch {
	case n > 0:
		return fmt.Sprintf("+%d", n)
	case n < 0:
		return fmt.Sprintf("−%d", -n)
	}
	return "0"
}
