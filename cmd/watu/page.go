package main

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// page prints events besides: under the turn and phase that they happened in.
type page struct {
	terminal.Page
	turn string // heading printed last by happened
}

func newPage(out io.Writer, colour bool) *page {
	return &page{Page: terminal.Page{Out: out, Colour: colour}}
}

// folded prints a line of Markdown; what does not fit stands below, under the text of its item or quotation.
func (p *page) folded(line string) {
	marker := markers.FindString(line)
	hang := strings.Repeat(" ", len(marker))
	if marker == "> " {
		hang = marker
	}
	p.Flow(marker, hang, terminal.Plain(line[len(marker):]))
}

// markers begin a line of Markdown that hangs: an item of a list, a quotation, a row of a table.
var markers = regexp.MustCompile(`^ *([->|] )?`)

// happened prints events, with a heading where the turn or phase changes.
func (p *page) happened(lines []timeline.NarratedEvent) {
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
	p.Flow("  ", "  ", terminal.Bold(at))
}

// event prints one event; kind stands before the sentence if it is given.
func (p *page) event(l timeline.NarratedEvent, kind string) {
	index := indexed(l.Index)
	hang := strings.Repeat(" ", len(index))
	first := p.Paint(terminal.InkFaint, index)
	if kind != "" {
		hang += strings.Repeat(" ", kindWidth)
		first += fmt.Sprintf("%-*s", kindWidth, kind)
	}
	runs := []terminal.Run{terminal.Plain(l.Text)}
	if len(l.Rules) > 0 {
		runs = append(runs, terminal.Faint("["+rulesText(l.Rules)+"]"))
	}
	p.flowAfter(first, hang, runs...)
}

// oneLine prints a text behind a lead, cut where the line ends.
func (p *page) oneLine(lead, text string) {
	letters := []rune(text)
	if room := terminal.Width - utf8.RuneCountInString(lead); len(letters) > room {
		letters = append(letters[:room-1], '…')
	}
	p.Flow(lead, lead, terminal.Plain(string(letters)))
}

// labelled prints a text behind a label, and nothing where there is no text.
func (p *page) labelled(label, text string) {
	if text != "" {
		p.Flow(fmt.Sprintf("%-8s", label), "        ", terminal.Plain(text))
	}
}

// indexed is an event's index in the column before its text.
func indexed(event uint64) string { return fmt.Sprintf("%5s ", fmt.Sprintf("#%d", event)) }

// kindWidth is the column of an event's type: the longest has 21 letters.
const kindWidth = 22

// flowAfter is flow where first is painted already and as wide as hang.
func (p *page) flowAfter(first, hang string, runs ...terminal.Run) {
	at := &strings.Builder{}
	q := terminal.Page{Out: at, Colour: p.Colour}
	q.Flow(hang, hang, runs...)
	text := strings.TrimSuffix(at.String(), "\n")
	p.Line(strings.TrimRight(first+text[min(len(hang), len(text)):], " "))
}

// rulesText names the rules of an event: all of them, unless they are many.
func rulesText(ids []string) string {
	const most = 4
	if len(ids) <= most+1 {
		return strings.Join(ids, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(ids[:most], ", "), len(ids)-most)
}
