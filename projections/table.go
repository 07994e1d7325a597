package projections

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Table is a part of a view for people: on a terminal, later on a page.
type Table struct {
	Title   string
	Columns []string
	Rows    [][]string // a row may be shorter than Columns
	Note    string     // lines below the table, over its whole width
}

const (
	pageWidth = 80
	gap       = 2
)

// String renders the table as aligned text of at most 80 columns, ending with a newline.
// Cells too long for their column go on in the next line; columns of figures stand to the
// right. A table without rows says so.
func (t Table) String() string {
	var b strings.Builder
	if t.Title != "" {
		b.WriteString(strings.Join(wrap(t.Title, pageWidth), "\n") + "\n")
	}
	if len(t.Rows) == 0 {
		return b.String() + "none yet\n"
	}
	widths := t.widths()
	right := make([]bool, len(widths))
	rule := make([]string, len(widths))
	for i, w := range widths {
		right[i] = t.figures(i)
		rule[i] = strings.Repeat("-", w)
	}
	writeRow(&b, t.Columns, widths, right)
	writeRow(&b, rule, widths, right)
	for _, row := range t.Rows {
		writeRow(&b, row, widths, right)
	}
	for note := range strings.Lines(t.Note) {
		for _, line := range wrap(note, pageWidth) {
			if line != "" {
				b.WriteString(line + "\n")
			}
		}
	}
	return b.String()
}

// widths gives each column the width of its widest cell, then takes from the widest column
// until the table fits: first where that only moves words to the next line, then anywhere.
func (t Table) widths() []int {
	widths, words := make([]int, len(t.Columns)), make([]int, len(t.Columns))
	total := gap * (len(widths) - 1)
	for i := range t.Columns {
		widths[i], words[i] = 1, 1
		for _, row := range append([][]string{t.Columns}, t.Rows...) {
			if i < len(row) {
				widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
				for _, word := range strings.Fields(row[i]) {
					words[i] = max(words[i], utf8.RuneCountInString(word))
				}
			}
		}
		total += widths[i]
	}
	for _, least := range [][]int{words, nil} {
		for total > pageWidth && narrow(widths, least) {
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

// figures reports whether the column holds figures, and nothing that has a letter.
func (t Table) figures(column int) bool {
	found := false
	for _, row := range t.Rows {
		if column >= len(row) || row[column] == "" {
			continue
		}
		found = true
		if strings.Trim(row[column], "0123456789+-/*") != "" {
			return false
		}
	}
	return found
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

// printable replaces what would steer a terminal: names come from whoever typed them.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || unicode.IsSpace(r) {
			return r
		}
		return '?'
	}, text)
}

// wrap breaks a text into lines of at most width, between words where it can.
func wrap(text string, width int) []string {
	var lines []string
	line, used := "", 0
	for _, word := range strings.Fields(printable(text)) {
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
