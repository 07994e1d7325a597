// Package terminal prints what watu and watu-verify say to people: pages of at most 80 columns, and the report of
// a verification.
//
// A page is plain text where it goes to a file. On a terminal headings are bold and ids faint, unless NO_COLOR is
// set. Whatever would steer a terminal is replaced: names and reasons come from whoever typed them.
package terminal

import (
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/projections/document"
	"golang.org/x/term"
)

// Width is how wide a page is, in columns.
const Width = 80

// Ink is how a word looks on a terminal.
type Ink string

// The inks.
const (
	InkPlain Ink = ""
	InkBold  Ink = "1"
	InkFaint Ink = "2"
)

// Run is a stretch of text in one ink.
type Run struct {
	Text  string
	Ink   Ink
	Whole bool // it stays on one line, if a line has room for it
}

// Plain is text as it is.
func Plain(text string) Run { return Run{Text: text} }

// Bold is text that stands out.
func Bold(text string) Run { return Run{Text: text, Ink: InkBold} }

// Faint is text that stands back.
func Faint(text string) Run { return Run{Text: text, Ink: InkFaint} }

// Typed is what somebody may type next: it is not broken between its words.
func Typed(command string) Run { return Run{Text: command, Whole: true} }

// Page prints text of at most [Width] columns.
type Page struct {
	Out    io.Writer
	Colour bool
}

// Colours reports whether f is a terminal whose user wants colours (no-color.org).
func Colours(f *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

// Paint gives a text in an ink.
func (p *Page) Paint(i Ink, text string) string {
	if !p.Colour || i == InkPlain || text == "" {
		return text
	}
	return "\x1b[" + string(i) + "m" + text + "\x1b[0m"
}

// Line prints a line as it is, of our own making.
func (p *Page) Line(text string) { fmt.Fprintln(p.Out, text) }

// Text prints a paragraph.
func (p *Page) Text(format string, args ...any) { p.Flow("", "", Plain(fmt.Sprintf(format, args...))) }

// Heading prints a heading with a blank line before it.
func (p *Page) Heading(format string, args ...any) {
	p.Line("")
	p.Flow("", "", Bold(fmt.Sprintf(format, args...)))
}

// Block prints a text of several lines, each indented.
func (p *Page) Block(indent, text string) {
	for line := range strings.Lines(text) {
		p.Line(indent + strings.TrimRight(line, "\n"))
	}
}

// Flow prints runs as one paragraph: the first line begins with first, the others with hang,
// which is blank.
func (p *Page) Flow(first, hang string, runs ...Run) {
	line, used := first, utf8.RuneCountInString(first)
	empty := true
	for _, r := range runs {
		list := strings.Fields(document.Printable(r.Text))
		if whole := strings.Join(list, " "); r.Whole && utf8.RuneCountInString(hang+whole) <= Width {
			list = []string{whole}
		}
		for _, word := range list {
			n := utf8.RuneCountInString(word)
			if !empty && used+1+n > Width {
				p.Line(line)
				line, used, empty = hang, utf8.RuneCountInString(hang), true
			}
			if !empty {
				line, used = line+" ", used+1
			}
			for limit := Width - used; n > limit && limit > 20; n, limit = utf8.RuneCountInString(word), Width-used {
				letters := []rune(word)
				p.Line(line + p.Paint(r.Ink, string(letters[:limit])))
				word, line, used = string(letters[limit:]), hang, utf8.RuneCountInString(hang)
			}
			line, used, empty = line+p.Paint(r.Ink, word), used+n, false
		}
	}
	p.Line(strings.TrimRight(line, " "))
}
