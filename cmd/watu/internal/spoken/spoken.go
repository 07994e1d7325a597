// Package spoken puts what stands on a page into the language of its reader: tables and sections that a view made in
// English, and the links, which keep the language.
//
//	spoken.Table(german, t)   // {"Sea zone", "Taken"} becomes {"Seezone", "Genommen"}
//	spoken.Kept(german, page) // href="/campaigns/a#map" becomes href="/campaigns/a?lang=de#map"
//
// It puts heads, titles and cells over that package story has a word or a name for, and leaves all else as it is: what
// an event says, and what people typed. It makes no sentence; those come from story by their keys.
package spoken

import (
	"bytes"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/projections/document"
)

// Section is a section with its title, its paragraphs and its tables in a language; nil is English.
func Section(l *story.Language, s document.Section) document.Section {
	if english(l) {
		return s
	}
	s.Title, s.Blocks = l.Word(s.Title), slices.Clone(s.Blocks)
	for i := range s.Blocks {
		b := &s.Blocks[i]
		b.Text = Text(l, b.Text)
		if b.Table != nil {
			t := Table(l, *b.Table)
			b.Table = &t
		}
	}
	return s
}

// Table is a table with its title, its heads, its note and the words in its cells in a language.
func Table(l *story.Language, t document.Table) document.Table {
	if english(l) {
		return t
	}
	t.Title, t.Columns, t.Rows = l.Word(t.Title), slices.Clone(t.Columns), slices.Clone(t.Rows)
	t.Note = document.Note(Text(l, document.Text(t.Note)))
	for i, c := range t.Columns {
		t.Columns[i].Name = l.Word(c.Name)
	}
	for i, row := range t.Rows {
		t.Rows[i] = slices.Clone(row)
		for k, cell := range row {
			t.Rows[i][k] = Text(l, cell)
		}
	}
	return t
}

// Foreign is a note that stays English on a page in another language; nil where there is none. One that leads to the
// list of events is the page's own.
func Foreign(l *story.Language, n document.Note) document.Note {
	t := Text(l, document.Text(n))
	own := slices.ContainsFunc(t, func(s document.Span) bool { return s.To.Kind == document.ToEvents })
	if english(l) || own || t.String() != document.Text(n).String() || len(t) == 0 {
		return nil
	}
	return n
}

// Text has the pieces of a text that are a word or a name by themselves in a language.
func Text(l *story.Language, t document.Text) document.Text {
	if english(l) {
		return t
	}
	t = slices.Clone(t)
	for i, s := range t {
		if s.Mark == "" {
			t[i].Text = Phrase(l, s.Text)
		}
	}
	return t
}

// Phrase is a word of a view or the name of a side, as a language has it, with the space about it.
func Phrase(l *story.Language, english string) string {
	bare := strings.TrimSpace(english)
	own := l.Word(bare)
	if own == bare {
		own = l.Name(bare)
	}
	if bare == "" || own == bare {
		return english
	}
	return strings.Replace(english, bare, own, 1)
}

// piece is what stands between commas and colons.
var piece = regexp.MustCompile(`[^,:]+`)

// lettering is what is written in a drawing.
var lettering = regexp.MustCompile(`>[^<>]+<`)

// Drawn is an SVG with the words and names in it in a language.
func Drawn(l *story.Language, svg string) string {
	if english(l) {
		return svg
	}
	return lettering.ReplaceAllStringFunc(svg, func(found string) string {
		text := html.UnescapeString(found[1 : len(found)-1])
		own := Phrase(l, text)
		if head, _, counted := strings.Cut(text, " Of "); own == text && counted && Phrase(l, head) != head {
			own = Phrase(l, head) // how many of its strips are drawn is left out: the drawing shows them
		}
		if own == text { // "European Axis, 26×d6"
			own = piece.ReplaceAllStringFunc(text, func(part string) string { return Phrase(l, part) })
		}
		return ">" + html.EscapeString(own) + "<"
	})
}

// english reports whether a language leaves all as it is.
func english(l *story.Language) bool { return l == nil || l == story.English }

// link is a link within the site, up to its fragment, with what it asks for; so is where a form of a campaign goes.
var link = regexp.MustCompile(`( (?:href="/(?:(?:campaigns|embed)/[^"?#]*)?|action="/campaigns/[^"?#]*))` +
	`(\?[^"#]*)?((?:#[^"]*)?")( hreflang)?`)

// Kept has the links of a page within the site keep the language of the page, but for those that name one.
func Kept(l *story.Language, page []byte) []byte {
	if english(l) {
		return page
	}
	return link.ReplaceAllFunc(page, func(found []byte) []byte {
		m := link.FindSubmatch(found)
		before := "?"
		if len(m[2]) > 0 {
			before = string(m[2]) + "&amp;"
		}
		if len(m[4]) > 0 || bytes.Contains(m[2], []byte("lang=")) {
			return found
		}
		return slices.Concat(m[1], []byte(before+"lang="+l.Tag), m[3])
	})
}
