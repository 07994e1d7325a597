package main

import (
	"fmt"
	"io"
	"os"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/term"

	"github.com/watu-ledger/watu/cmd/watu/internal/office"
)

// width is how wide a page is, in columns.
const width = 80

// ink is how a word looks on a terminal.
type ink string

const (
	inkPlain ink = ""
	inkBold  ink = "1"
	inkFaint ink = "2"
)

// page prints text of at most 80 columns. On a terminal headings are bold, and indexes and rule
// ids faint.
type page struct {
	out    io.Writer
	colour bool
	turn   string // heading printed last by happened
}

func newPage(out io.Writer, colour bool) *page { return &page{out: out, colour: colour} }

// colours reports whether f is a terminal whose user wants colours (no-color.org).
func colours(f *os.File) bool {
	return os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && term.IsTerminal(int(f.Fd()))
}

func (p *page) paint(i ink, text string) string {
	if !p.colour || i == inkPlain || text == "" {
		return text
	}
	return "\x1b[" + string(i) + "m" + text + "\x1b[0m"
}

// line prints a line as it is, of our own making.
func (p *page) line(text string) { fmt.Fprintln(p.out, text) }

// text prints a paragraph.
func (p *page) text(format string, args ...any) {
	p.flow("", "", words{fmt.Sprintf(format, args...), inkPlain})
}

// heading prints a heading with a blank line before it.
func (p *page) heading(format string, args ...any) {
	p.line("")
	p.flow("", "", words{fmt.Sprintf(format, args...), inkBold})
}

// block prints a text of several lines, each indented.
func (p *page) block(indent, text string) {
	for line := range strings.Lines(text) {
		p.line(indent + strings.TrimRight(line, "\n"))
	}
}

// folded prints a line of Markdown; what does not fit stands below, under the text of its item or quotation.
func (p *page) folded(line string) {
	marker := markers.FindString(line)
	hang := strings.Repeat(" ", len(marker))
	if marker == "> " {
		hang = marker
	}
	p.flow(marker, hang, words{line[len(marker):], inkPlain})
}

// markers begin a line of Markdown that hangs: an item of a list, a quotation, a row of a table.
var markers = regexp.MustCompile(`^ *([->|] )?`)

// words are a stretch of text in one ink.
type words struct {
	text string
	ink  ink
}

// flow prints runs as one paragraph: the first line begins with first, the others with hang,
// which is blank.
func (p *page) flow(first, hang string, runs ...words) {
	line, used := first, utf8.RuneCountInString(first)
	empty := true
	for _, r := range runs {
		for _, word := range strings.Fields(printable(r.text)) {
			n := utf8.RuneCountInString(word)
			if !empty && used+1+n > width {
				p.line(line)
				line, used, empty = hang, utf8.RuneCountInString(hang), true
			}
			if !empty {
				line, used = line+" ", used+1
			}
			for limit := width - used; n > limit && limit > 20; n, limit = utf8.RuneCountInString(word), width-used {
				letters := []rune(word)
				p.line(line + p.paint(r.ink, string(letters[:limit])))
				word, line, used = string(letters[limit:]), hang, utf8.RuneCountInString(hang)
			}
			line, used, empty = line+p.paint(r.ink, word), used+n, false
		}
	}
	p.line(strings.TrimRight(line, " "))
}

// happened tells events, with a heading where the turn or phase changes.
func (p *page) happened(lines []office.Line) {
	for _, l := range lines {
		p.moment(l.Turn, l.Phase)
		p.event(l, "")
	}
}

// moment prints the heading of a turn and phase, if it is not the one printed last.
func (p *page) moment(turn, phase string) {
	at := strings.TrimSuffix(turn+", "+phase, ", ")
	if at == "" || at == p.turn {
		return
	}
	p.turn = at
	p.flow("  ", "  ", words{at, inkBold})
}

// event tells one event; kind stands before the sentence if it is given.
func (p *page) event(l office.Line, kind string) {
	index := fmt.Sprintf("%5s ", fmt.Sprintf("#%d", l.Index))
	hang := strings.Repeat(" ", len(index))
	first := p.paint(inkFaint, index)
	if kind != "" {
		hang += strings.Repeat(" ", kindWidth)
		first += fmt.Sprintf("%-*s", kindWidth, kind)
	}
	runs := []words{{l.Text, inkPlain}}
	if len(l.Rules) > 0 {
		runs = append(runs, words{"[" + rulesText(l.Rules) + "]", inkFaint})
	}
	p.flowAfter(first, hang, runs...)
}

// kindWidth is the column of an event's type: the longest has 21 letters.
const kindWidth = 22

// flowAfter is flow where first is painted already and as wide as hang.
func (p *page) flowAfter(first, hang string, runs ...words) {
	at := &strings.Builder{}
	q := &page{out: at, colour: p.colour}
	q.flow(hang, hang, runs...)
	text := strings.TrimSuffix(at.String(), "\n")
	p.line(strings.TrimRight(first+text[min(len(hang), len(text)):], " "))
}

// rulesText names the rules of an event: all of them, unless they are many.
func rulesText(ids []string) string {
	const most = 4
	if len(ids) <= most+1 {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
}

// printable replaces what would steer a terminal: names and reasons come from whoever typed
// them.
func printable(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) || r == '\n' || r == '\t' {
			return r
		}
		return '?'
	}, text)
}

// plural is "1 event", "2 events".
func plural(n int, what string) string {
	switch {
	case n == 1:
		return "1 " + what
	case strings.HasSuffix(what, "y"):
		return fmt.Sprintf("%d %sies", n, strings.TrimSuffix(what, "y"))
	}
	return fmt.Sprintf("%d %ss", n, what)
}
