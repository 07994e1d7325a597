package document

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/events/words"
)

// Plain is a table of texts alone, as a terminal prints it.
type Plain struct {
	Title   string
	Columns []string
	Rows    [][]string // a row may be shorter than Columns
	Note    string     // lines below the table, over its whole width
}

// Plain is the table without marks and links. The note ends with what took the place of rows.
func (t Table) Plain() Plain {
	out := Plain{Title: t.Title, Note: t.Note.String()}
	var gone []string
	for _, c := range t.Columns {
		out.Columns = append(out.Columns, cmp.Or(c.Short, c.Name))
	}
	for _, row := range t.Rows {
		var cells []string
		for _, c := range row {
			cells = append(cells, c.String())
			if i := slices.IndexFunc(c, func(s Span) bool { return s.Mark == Gone }); i >= 0 {
				gone = append(gone, c[:i].String()+" is "+c[i].Text)
			}
		}
		out.Rows = append(out.Rows, cells)
	}
	if gone = slices.Compact(gone); gone != nil {
		out.Note = words.Join("\n", out.Note, "* not counted: "+strings.Join(gone, ", ")+".")
	}
	return out
}

const (
	pageWidth = 80
	gap       = 2
)

// String renders the table as text of at most 80 columns.
func (p Plain) String() string { return p.Text(pageWidth) }

// Text renders the table as aligned text of at most so many columns, ending with a newline.
// Cells too long for their column go on in the next line; columns of figures stand to the
// right. A table without rows says so.
func (p Plain) Text(width int) string {
	var b strings.Builder
	if p.Title != "" {
		b.WriteString(strings.Join(wrap(p.Title, width), "\n") + "\n")
	}
	if len(p.Rows) == 0 {
		return b.String() + "none yet\n"
	}
	widths, right := p.widths(width), p.right()
	rule := make([]string, len(widths))
	for i, w := range widths {
		rule[i] = strings.Repeat("-", w)
	}
	if strings.Join(p.Columns, "") != "" {
		writeRow(&b, p.Columns, widths, right)
		writeRow(&b, rule, widths, right)
	}
	for _, row := range p.Rows {
		writeRow(&b, row, widths, right)
	}
	for note := range strings.Lines(p.Note) {
		for _, line := range wrap(note, width) {
			if line != "" {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String()
}

// Plains are tables without marks and links.
func Plains(tables []Table) []Plain {
	var list []Plain
	for _, t := range tables {
		list = append(list, t.Plain())
	}
	return list
}

// String is [Plain.String] of the table.
func (t Table) String() string { return t.Plain().String() }

// widths gives each column the width of its widest cell, then takes from the widest column
// until the table fits: first where that only moves words to the next line, then anywhere.
func (p Plain) widths(width int) []int {
	widths, longest := make([]int, len(p.Columns)), make([]int, len(p.Columns)) // longest words
	total := gap * (len(widths) - 1)
	for i := range p.Columns {
		widths[i], longest[i] = 1, 1
		for _, row := range append([][]string{p.Columns}, p.Rows...) {
			if i < len(row) {
				widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
				for _, word := range strings.Fields(row[i]) {
					longest[i] = max(longest[i], utf8.RuneCountInString(word))
				}
			}
		}
		total += widths[i]
	}
	for _, least := range [][]int{longest, nil} {
		for total > width && narrow(widths, least) {
			total--
		}
	}
	return widths
}

// narrow takes one from the widest column that stays as wide as its least; false if none does.
func narrow(widths, least []int) bool {
	widest := -1
	for i, w := range widths {
		if w > 1 && (least == nil || w > least[i]) && (widest < 0 || w > widths[widest]) {
			widest = i
		}
	}
	if widest >= 0 {
		widths[widest]--
	}
	return widest >= 0
}

// right says which columns hold figures, and nothing that has a letter.
func (p Plain) right() []bool {
	right := make([]bool, len(p.Columns))
	for i := range right {
		cell := func(row []string) bool { return i < len(row) && row[i] != "" }
		letters := func(row []string) bool { return cell(row) && !isFigure(row[i]) }
		right[i] = slices.ContainsFunc(p.Rows, cell) && !slices.ContainsFunc(p.Rows, letters)
	}
	return right
}

// isFigure reports whether a cell holds a figure, or several, and nothing that has a letter.
func isFigure(cell string) bool {
	return cell != "" && strings.Trim(cell, "0123456789+-−–./*[]") == ""
}

func writeRow(b *strings.Builder, cells []string, widths []int, right []bool) {
	lines := make([][]string, len(widths))
	height := 1
	for i := range widths {
		if i < len(cells) {
			lines[i] = wrap(cells[i], widths[i])
			height = max(height, len(lines[i]))
		}
	}
	for n := range height {
		var line strings.Builder
		for i, w := range widths {
			cell := ""
			if n < len(lines[i]) {
				cell = lines[i][n]
			}
			fill := strings.Repeat(" ", w-utf8.RuneCountInString(cell))
			if right[i] {
				cell = fill + cell
			} else {
				cell += fill
			}
			line.WriteString(cell + strings.Repeat(" ", gap))
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}

// wrap breaks a text into lines of at most width, between words where it can.
func wrap(text string, width int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(Printable(text)) {
		n := utf8.RuneCountInString(word)
		if used > 0 && used+1+n <= width {
			line, used = line+" "+word, used+1+n
			continue
		}
		if used > 0 {
			lines = append(lines, line)
		}
		letters := []rune(word)
		for len(letters) > width {
			lines = append(lines, string(letters[:width]))
			letters = letters[width:]
		}
		line, used = string(letters), len(letters)
	}
	if used > 0 || len(lines) == 0 {
		lines = append(lines, line)
	}
	return lines
}
