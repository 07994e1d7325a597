package document

import (
	"fmt"
	"slices"
	"strings"
)

// Document is a page of text: a sentence under a title, and sections.
type Document struct {
	Title    string    `json:"title"`
	Mark     Mark      `json:"mark,omitempty"` // Was: what the document is about does not count any more
	Text     Text      `json:"text"`           // the sentence
	Blocks   []Block   `json:"blocks"`         // below the sentence
	Sections []Section `json:"sections"`
}

// Section is a part of a document under a heading.
type Section struct {
	ID     string  `json:"id"` // unique in the document
	Title  string  `json:"title"`
	Mark   Mark    `json:"mark,omitempty"` // Was or Now: the section says what does not count, or what took its place
	Blocks []Block `json:"blocks"`
}

// Block is one of a heading, a paragraph, a list and a table.
type Block struct {
	Heading string `json:"heading,omitempty"`
	Text    Text   `json:"text,omitempty"`
	List    *List  `json:"list,omitempty"`
	Table   *Table `json:"table,omitempty"`
	Fold    string `json:"fold,omitempty"` // the table is drawn on demand, under this; text leaves it out
}

// List is a list of items.
type List struct {
	Kind  ListKind `json:"kind"`
	Items []Item   `json:"items"`
}

// Item is an item of a list: "#12" and a sentence, a rule and a step. One without a lead belongs to the item before it.
type Item struct {
	Lead Text `json:"lead,omitempty"`
	Text Text `json:"text"`
}

// ListKind says what the leads of a list are.
type ListKind string

// The kinds of lists.
const (
	EventList ListKind = "events"     // numbers of events
	StepList  ListKind = "derivation" // the rules of a derivation: each step follows from those before it
	PairList  ListKind = "pairs"      // names, whose values are the texts
	SumList   ListKind = "answers"    // the figures that somebody would ask about
)

// Concat joins texts, spans, and whatever else is text as it is printed.
func Concat(parts ...any) (t Text) {
	for _, p := range parts {
		switch p := p.(type) {
		case Text:
			t = append(t, p...)
		case Span:
			t = append(t, p)
		default:
			if s := fmt.Sprint(p); s != "" {
				t = append(t, Span{Text: s})
			}
		}
	}
	return t
}

// Add appends an item.
func (l *List) Add(lead any, parts ...any) {
	l.Items = append(l.Items, Item{Lead: Concat(lead), Text: Concat(parts...)})
}

// Paragraph appends a paragraph of the parts that [Concat] joins.
func (s *Section) Paragraph(parts ...any) { s.Blocks = append(s.Blocks, Block{Text: Concat(parts...)}) }

// Heading appends a heading.
func (s *Section) Heading(title string) { s.Blocks = append(s.Blocks, Block{Heading: title}) }

// List appends a list that has items.
func (s *Section) List(l List) {
	if len(l.Items) > 0 {
		s.Blocks = append(s.Blocks, Block{List: &l})
	}
}

// Table appends a table that has rows.
func (s *Section) Table(t Table) {
	if len(t.Rows) > 0 {
		s.Blocks = append(s.Blocks, Block{Table: &t})
	}
}

// Filled leaves out tables without a row.
func Filled(list ...Table) []Table {
	return slices.DeleteFunc(list, func(t Table) bool { return len(t.Rows) == 0 })
}

// sectionClasses are the classes of marked sections.
var sectionClasses = map[Mark]string{Was: ` class="gone"`, Now: ` class="mended"`}

// HTML draws the section as a section element, with links as [Text.HTML] draws them.
func (s Section) HTML(link Linker) string {
	var b strings.Builder
	b.WriteString(`<section id="` + html(s.ID) + `"` + sectionClasses[s.Mark] + "><h2>" + html(s.Title) + "</h2>\n")
	for _, block := range s.Blocks {
		b.WriteString(block.HTML(link))
	}
	b.WriteString("</section>\n")
	return b.String()
}

// HTML draws the block.
func (x Block) HTML(link Linker) string {
	switch {
	case x.Fold != "":
		return "<details><summary>" + html(x.Fold) + "</summary>" + x.Table.block(link) + "</details>\n"
	case x.Heading != "":
		return "<h3>" + html(x.Heading) + "</h3>\n"
	case x.List != nil:
		return x.List.html(link)
	case x.Table != nil:
		return x.Table.block(link)
	}
	return "<p>" + x.Text.HTML(link) + "</p>\n"
}

// block draws a table that scrolls where it is too wide, and its note. Who scrolls by the keyboard stops at one that
// has no link to stop at.
func (t Table) block(link Linker) string {
	table, stop := t.HTML(link), ""
	if !strings.Contains(table, "<a ") {
		stop = ` tabindex="0"`
	}
	drawn := `<div class="scroll"` + stop + ">" + table + "</div>\n"
	if t.Note != nil {
		drawn += `<p class="faint">` + Text(t.Note).HTML(link) + "</p>\n"
	}
	return drawn
}

func (l *List) html(link Linker) string {
	var b strings.Builder
	list, item := "ul", `<li><span class="lead">%s</span> <span>%s</span></li>`
	if l.Kind == PairList {
		list, item = "dl", "<dt>%s</dt><dd>%s</dd>"
	}
	b.WriteString("<" + list + ` class="` + string(l.Kind) + `">`)
	for _, i := range l.Items {
		if l.Kind == PairList && i.Lead == nil {
			b.WriteString("\n<dd>" + i.Text.HTML(link) + "</dd>")
			continue
		}
		fmt.Fprintf(&b, "\n"+item, i.Lead.HTML(link), i.Text.HTML(link))
	}
	b.WriteString("</" + list + ">\n")
	return b.String()
}
