// Package document holds tables and sentences as they are drawn: on a terminal, on a page, in Markdown and as JSON.
//
// A [Text] is a sentence or a cell, in spans. A [Span] has a mark, which says what is particular about it, and a
// link, which says where it leads: to an event, to a rule. How a mark looks and what path a link has is the writer's
// business:
//
//	t := document.Table{Title: "In hand", Columns: document.Columns("Power", "#IPCs", "Event")}
//	t.Add("UK", document.Span{Text: "27", Mark: document.Was}, document.Event(15))
//
//	Table.Plain, Plain.String   aligned text of at most 80 columns, without marks and links
//	Table.HTML                  a table element; <del>, <ins>, and links by a function from [Link] to path
//	Table.Markdown              a table of GitHub's Markdown; ~~was~~, **now**
//	encoding/json               {"title", "columns", "rows": [[[{"text", "mark", "to"}]]], "note"}
//
// The package knows no event and no view: it leaves to them what a table says.
package document

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events/words"
)

// Text is a sentence or more, or a cell of a table, in stretches that are marked or not.
type Text []Span

// Span is a stretch of text.
type Span struct {
	Text string `json:"text"`
	Mark Mark   `json:"mark,omitempty"`
	To   Link   `json:"to,omitzero"` // where it comes from
	ID   string `json:"-"`           // of what stands from here on: a [Part] leads there
}

// Mark says what is particular about a stretch of text.
type Mark string

// The marks.
const (
	Was    Mark = "was"    // it does not stand any more
	Now    Mark = "now"    // it stands in place of what was
	Sealed Mark = "sealed" // the log does not tell it: the reader holds its opening
	Lit    Mark = "lit"    // a cell that was consulted; as text it stands in brackets
	Sum    Mark = "sum"    // the first cell of a row that adds up those above
	Strong Mark = "strong"
	Code   Mark = "code" // a hash
	Pips   Mark = "pips" // a die of six sides as it fell, for the eye: as text it is left out
	Die    Mark = "die"  // a die that shows its number; left out likewise
	Time   Mark = "time" // a moment as RFC 3339 writes it; a page says it in words
	Gone   Mark = "gone" // what took the place of a row, behind the row's event: as text a star, and a line of the note
)

// Link is what a span leads to; the zero Link leads nowhere.
type Link struct {
	Kind  Kind   `json:"kind"`
	Event uint64 `json:"event,omitempty"`
	Name  string `json:"name,omitempty"` // a rule's id; a place on an event's page, or on this one
}

// Kind says what a link leads to.
type Kind string

// The kinds of links.
const (
	ToEvent  Kind = "event"   // an event, or the part of its page that Name names
	ToEvents Kind = "events"  // the events from one on
	ToRule   Kind = "rule"    // a rule
	ToCase   Kind = "dispute" // a dispute, by the event that opened it; Name is the campaign, if it is another
	ToPart   Kind = "part"    // the span of this document that has the ID
)

// Event is "#15", with the way to it.
func Event(index uint64) Span { return Figure(index, fmt.Sprintf("#%d", index)) }

// About is the link to an event.
func About(index uint64) Link { return Link{Kind: ToEvent, Event: index} }

// Rule is a rule's id, with the way to what it was applied to.
func Rule(id string) Span { return Span{Text: id, To: Link{Kind: ToRule, Name: id}} }

// Figure is what an event says, with the way to it. Nothing leads nowhere.
func Figure(index uint64, what any) Span {
	text := fmt.Sprint(what)
	if text == "" {
		return Span{}
	}
	return Span{Text: text, To: About(index)}
}

// Struck is the span where it does not stand any more.
func (s Span) Struck() Span {
	s.Mark = Was
	return s
}

// Plainly is a text without marks and links.
func Plainly(text string) Text { return Text{{Text: text}} }

// String is the text without its marks, what was struck included. What is lit stands in brackets.
func (t Text) String() string {
	var b strings.Builder
	for _, s := range t {
		switch s.Mark {
		case Pips, Die:
		case Lit:
			b.WriteString("[" + s.Text + "]")
		case Gone:
			b.WriteString("*")
		default:
			b.WriteString(s.Text)
		}
	}
	return b.String()
}

// Table is figures in rows. A row may be shorter than Columns. Where no column has a name, it has no head.
type Table struct {
	Title   string   `json:"title"`
	About   Link     `json:"-"` // what all of it is about, if that is one event
	Class   string   `json:"-"` // of its element on a page
	Columns []Column `json:"columns"`
	Rows    [][]Text `json:"rows"`
	Note    Note     `json:"note,omitempty"`
}

// Note stands below a table, over its whole width. As JSON it is its text.
type Note Text

// Noted is a note of text alone; of none, it is none.
func Noted(text string) Note {
	if text == "" {
		return nil
	}
	return Note(Plainly(text))
}

// String is the note's text.
func (n Note) String() string { return Text(n).String() }

// MarshalText gives the note's text.
func (n Note) MarshalText() ([]byte, error) { return []byte(n.String()), nil }

// UnmarshalText reads a note that is text alone.
func (n *Note) UnmarshalText(text []byte) error {
	*n = Noted(string(text))
	return nil
}

// Column is the head of a column. As JSON it is its name. Where no column of a table has a kind, those stand to the
// right that hold nothing but figures.
type Column struct {
	Name  string
	Kind  ColumnKind
	Short string // its name on a terminal, if that is another
}

// ColumnKind says how a column is drawn.
type ColumnKind string

// The kinds of columns.
const (
	Figures ColumnKind = "n" // they stand to the right
	Below   ColumnKind = "m" // each cell stands in a row of its own below
	Heads   ColumnKind = "h" // each cell says what its row is about
)

// EventColumn is the name of the column that names the event of each row; a blank cell stands for the one above it.
const EventColumn = "#"

// Columns reads heads: "#Factors" is a column of figures, "&Made of" one whose cells stand below their rows, and
// "Factors|SF" one that is called SF on a terminal. A sign alone is a name.
func Columns(heads ...string) []Column {
	list := make([]Column, len(heads))
	for i, h := range heads {
		list[i].Name = h
		if kind, ok := map[string]ColumnKind{"#": Figures, "&": Below}[h[:min(1, len(h))]]; ok && len(h) > 1 {
			list[i].Name, list[i].Kind = h[1:], kind
		}
		list[i].Name, list[i].Short, _ = strings.Cut(list[i].Name, "|")
	}
	return list
}

// MarshalText gives the column's name.
func (c Column) MarshalText() ([]byte, error) { return []byte(c.Name), nil }

// UnmarshalText reads a column's name.
func (c *Column) UnmarshalText(name []byte) error {
	c.Name = string(name)
	return nil
}

// Add appends a row, of texts, spans, and whatever else is a cell as it is printed.
func (t *Table) Add(cells ...any) { t.Rows = append(t.Rows, Row(cells...)) }

// AddUnder appends a row that begins with lead. It gives what the next row of the same begins with: as many empty
// cells.
func (t *Table) AddUnder(lead []any, cells ...any) []any {
	t.Add(append(lead, cells...)...)
	blank := make([]any, len(lead))
	for i := range blank {
		blank[i] = ""
	}
	return blank
}

// Row is a row of a table, of texts, spans, and whatever else is a cell as it is printed.
func Row(cells ...any) []Text {
	row := make([]Text, len(cells))
	for i, c := range cells {
		switch c := c.(type) {
		case Text:
			row[i] = c
		case Span:
			row[i] = Text{c}
		default:
			row[i] = Plainly(fmt.Sprint(c))
		}
	}
	return row
}

// WithoutEmpty leaves out the columns of these names in which nothing stands but 0; without names, all in which nothing
// stands at all.
func (t Table) WithoutEmpty(names ...string) Table {
	var empty []string
	for i, c := range t.Columns {
		filled := func(row []Text) bool {
			return i < len(row) && row[i].String() != "" && (len(names) == 0 || row[i].String() != "0")
		}
		if (len(names) == 0 || slices.Contains(names, c.Name)) && !slices.ContainsFunc(t.Rows, filled) {
			empty = append(empty, c.Name)
		}
	}
	return t.Without(empty...)
}

// Without leaves out the columns of these names.
func (t Table) Without(names ...string) Table {
	t.Rows = slices.Clone(t.Rows)
	for i := len(t.Columns) - 1; i >= 0; i-- {
		if !slices.Contains(names, t.Columns[i].Name) {
			continue
		}
		t.Columns = slices.Delete(slices.Clone(t.Columns), i, i+1)
		for n, row := range t.Rows {
			if i < len(row) {
				t.Rows[n] = slices.Delete(slices.Clone(row), i, i+1)
			}
		}
	}
	return t
}

// Figures links the figures of each row to the row's event. Where that does not count, what leads to it is struck, and
// what took its place stands beside it.
func (t Table) Figures() Table {
	at := slices.IndexFunc(t.Columns, func(c Column) bool { return c.Name == EventColumn })
	if at < 0 {
		return t
	}
	right, rows := t.Right(), t.Rows
	t.Columns, t.Rows = slices.Clone(t.Columns), nil
	for i := range t.Columns {
		if right[i] {
			t.Columns[i].Kind = Figures
		}
	}
	var event Link
	var gone []Span
	for _, row := range rows {
		row = slices.Clone(row)
		own := len(row) > at && row[at].String() != ""
		if own {
			n := slices.IndexFunc(row[at], func(s Span) bool { return s.Mark == Gone }) + 1
			event, gone = row[at][0].To, row[at][max(0, n-1):n]
			row[at] = slices.Concat(row[at][:max(0, n-1)], row[at][n:])
		}
		for i, cell := range row {
			row[i] = slices.Clone(cell)
			for j := range cell {
				s := &row[i][j]
				if s.To == (Link{}) && isFigure(s.Text) {
					s.To = event
				}
				if len(gone) > 0 && s.To == event {
					s.Mark = Was
				}
			}
		}
		for _, s := range gone {
			if own {
				row[at] = append(row[at], Span{Text: ", "}, Span{Text: s.Text, To: s.To})
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// Last keeps no more than the last rows; the note says how many are left out.
func (t *Table) Last(most int) {
	if n := len(t.Rows) - most; n > 0 {
		t.Rows = t.Rows[n:]
		t.Note = append(Noted(words.Count(n, "row")+" before these left out. "), t.Note...)
	}
}

// headless reports whether no column has a name.
func (t Table) headless() bool {
	return !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Name != "" })
}

// Right says which columns stand to the right.
func (t Table) Right() []bool {
	if !slices.ContainsFunc(t.Columns, func(c Column) bool { return c.Kind != "" }) {
		return t.Plain().right()
	}
	right := make([]bool, len(t.Columns))
	for i, c := range t.Columns {
		right[i] = c.Kind == Figures
	}
	return right
}

// Printable replaces what would steer a terminal or turn the direction of writing: names and reasons come from whoever
// typed them.
func Printable(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsPrint(r) || r == '\n':
			return r
		case unicode.IsSpace(r):
			return ' '
		}
		return '?'
	}, text)
}
