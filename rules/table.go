package rules

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Table is a printed table of a rulebook, kept as a text file that looks like the sheet:
//
//	# Harbor Attack Table
//	# Modified roll of the dice across.
//	Dice roll | 2 3 4 5 6 7 8 9 10 11 12 13 14+
//	   Result | 0 0 1 1 2 2 3 3  4  4  4  5   6
//
// The first line names the table, further # lines are notes, then comes a header and one
// line a row. Everything is right-aligned and one space stands between columns, so that a
// table has exactly one text: [ParseTable] refuses any other, and [Table.String] gives it
// back to the byte. A column, and a cell too, may be a band of figures ("0-29", "40+", "7").
type Table struct {
	Name    string   // the first line
	Notes   []string // the other comment lines
	Corner  string   // what the row labels are
	Columns []string
	Rows    []Row
}

// Row is one line of a table: as many cells as the table has columns.
type Row struct {
	Label string
	Cells []string
}

// Mark names a cell of a table that a ruling consulted.
type Mark struct{ Row, Column string }

// ErrTable is wrapped by every error of [ParseTable].
var ErrTable = errors.New("malformed table")

const bar = " | "

// ParseTable reads the text of a table. It refuses rows of the wrong length, labels given
// twice, and a layout that String would not print.
func ParseTable(text string) (*Table, error) {
	var t Table
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		if comment, ok := strings.CutPrefix(line, "# "); ok && t.Columns == nil {
			t.comment(comment)
			continue
		}
		if err := t.line(line); err != nil {
			return nil, fmt.Errorf("%w: %w: %q", ErrTable, err, line)
		}
	}
	if t.Name == "" || len(t.Rows) == 0 {
		return nil, fmt.Errorf("%w: it needs a name and a row", ErrTable)
	}
	if t.String() != text {
		return nil, fmt.Errorf("%w: %s: its columns are not aligned", ErrTable, t.Name)
	}
	return &t, nil
}

func (t *Table) comment(text string) {
	if t.Name == "" {
		t.Name = text
		return
	}
	t.Notes = append(t.Notes, text)
}

func (t *Table) line(line string) error {
	label, rest, ok := strings.Cut(line, bar)
	if !ok {
		return errors.New("no bar behind the label")
	}
	label, cells := strings.TrimSpace(label), strings.Fields(rest)
	if t.Columns == nil {
		t.Corner, t.Columns = label, cells
		return nil
	}
	if len(cells) != len(t.Columns) {
		return fmt.Errorf("%d cells under %d columns", len(cells), len(t.Columns))
	}
	if slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Label == label }) {
		return errors.New("label given twice")
	}
	t.Rows = append(t.Rows, Row{Label: label, Cells: cells})
	return nil
}

// Cell gives the cell under a row label and a column, and false if there is none.
func (t *Table) Cell(row, column string) (string, bool) {
	c := slices.Index(t.Columns, column)
	r := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Label == row })
	if c < 0 || r < 0 {
		return "", false
	}
	return t.Rows[r].Cells[c], true
}

// Column gives the column whose band holds n; below the first band it is the first column.
// Between two bands and above a closed last band there is none.
func (t *Table) Column(n int) (string, bool) {
	for i, band := range t.Columns {
		low, high, ok := Band(band)
		if ok && (n >= low || i == 0) && n <= high {
			return band, true
		}
	}
	return "", false
}

// Band reads a band of figures: "7" is 7 to 7, "0-29" is 0 to 29, "40+" is 40 and more.
func Band(text string) (low, high int, ok bool) {
	const open = 1<<31 - 1
	if from, plus := strings.CutSuffix(text, "+"); plus {
		low, err := strconv.Atoi(from)
		return low, open, err == nil
	}
	from, to, ranged := strings.Cut(text, "-")
	if !ranged {
		to = from
	}
	low, err1 := strconv.Atoi(from)
	high, err2 := strconv.Atoi(to)
	return low, high, err1 == nil && err2 == nil
}

// String gives the text of the table's file.
func (t *Table) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s\n", t.Name)
	for _, note := range t.Notes {
		fmt.Fprintf(&b, "# %s\n", note)
	}
	t.print(&b, func(Row) bool { return true }, nil)
	return b.String()
}

// Lit prints the table's name, its header and the rows around the marked cells, with these
// cells in brackets. Rows left out show as a line of dots. Marks that are no cell are passed
// over; without any mark the whole table is printed.
func (t *Table) Lit(marks ...Mark) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", t.Name)
	t.print(&b, func(r Row) bool { return t.Near(r, marks...) }, marks)
	return b.String()
}

// Near reports whether a row stands within two rows of a mark, as every row does without any mark.
func (t *Table) Near(row Row, marks ...Mark) bool {
	const window = 2
	at := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Label == row.Label })
	found := false
	for _, m := range marks {
		marked := slices.IndexFunc(t.Rows, func(r Row) bool { return r.Label == m.Row })
		if marked < 0 {
			continue
		}
		found = true
		if at-marked <= window && marked-at <= window {
			return true
		}
	}
	return !found
}

func (t *Table) print(b *strings.Builder, shown func(Row) bool, marks []Mark) {
	label, widths := t.widths(shown, marks)
	printLine(b, label, t.Corner, widths, t.Columns)
	dots := false
	for _, r := range t.Rows {
		if !shown(r) {
			if !dots {
				fmt.Fprintf(b, "%s\n", pad("…", label))
			}
			dots = true
			continue
		}
		dots = false
		printLine(b, label, r.Label, widths, t.litCells(r, marks))
	}
}

func (t *Table) litCells(r Row, marks []Mark) []string {
	cells := slices.Clone(r.Cells)
	for i, column := range t.Columns {
		if slices.Contains(marks, Mark{Row: r.Label, Column: column}) {
			cells[i] = "[" + cells[i] + "]"
		}
	}
	return cells
}

// widths are those that the rows shown need.
func (t *Table) widths(shown func(Row) bool, marks []Mark) (label int, columns []int) {
	label = utf8.RuneCountInString(t.Corner)
	columns = make([]int, len(t.Columns))
	for i, c := range t.Columns {
		columns[i] = utf8.RuneCountInString(c)
	}
	for _, r := range t.Rows {
		if !shown(r) {
			continue
		}
		label = max(label, utf8.RuneCountInString(r.Label))
		for i, c := range t.litCells(r, marks) {
			columns[i] = max(columns[i], utf8.RuneCountInString(c))
		}
	}
	return label, columns
}

func printLine(b *strings.Builder, width int, label string, widths []int, cells []string) {
	b.WriteString(pad(label, width))
	b.WriteString(bar)
	for i, c := range cells {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(pad(c, widths[i]))
	}
	b.WriteByte('\n')
}

func pad(s string, width int) string {
	return strings.Repeat(" ", max(0, width-utf8.RuneCountInString(s))) + s
}
