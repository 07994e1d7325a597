package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/watu-ledger/watu/cmd/internal/terminal"
	"github.com/watu-ledger/watu/cmd/watu/internal/narrator"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
	"github.com/watu-ledger/watu/cmd/watu/internal/worded"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
)

// mostJumped is how many events are printed where a jump passed over more.
const mostJumped = 20

// print prints a stop: what happened on the way, how it stands, what changed.
func (p *player) print(m timeline.Moment, jumped bool) {
	p.page.turn = ""
	p.page.Line(strings.Repeat("=", terminal.Width))
	at := fmt.Sprintf("%s: after #%d of %d", m.Campaign, m.Event, m.Of-1)
	for _, s := range []string{m.Turn, m.Phase} {
		if s != "" {
			at += ", " + s
		}
	}
	p.page.Flow("", "", terminal.Bold(at))
	p.page.Text("%s", seenBy(m.As))
	p.printPassage(m, jumped)
	if m.Since.Back || m.Since.Events == m.Events {
		p.page.Heading("Where this is")
		p.page.turn = ""
		p.printEvents(m.Here)
	}
	for _, d := range m.Disputes {
		p.page.Line("")
		rule := []terminal.Run{terminal.Bold(fmt.Sprintf("Dispute #%d is open, on #%d: %s", d.Dispute, d.Event,
			d.Claim))}
		if d.Rule != "" {
			rule = append(rule, terminal.Faint("["+d.Rule+"]"))
		}
		p.page.Flow("", "  ", rule...)
	}
	if !p.plain {
		for _, v := range m.Views {
			for _, table := range v.Tables {
				if len(table.Rows) > 0 {
					p.table(table)
				}
			}
		}
	}
	p.printChanges(m, jumped)
}

func seenBy(as string) string {
	if as == "public" || as == "umpire" {
		as = "the " + as
	}
	return "As " + as + " could know it then"
}

// printPassage prints what happened since the last stop, or what is taken back on the way to an
// earlier one.
func (p *player) printPassage(m timeline.Moment, jumped bool) {
	s := m.Since
	switch {
	case s.Events == m.Events:
		p.page.Heading("Nothing has happened since")
		return
	case s.Back:
		p.page.Heading("Taken back: what happened after #%d", m.Event)
	case s.Events == 0:
		p.page.Heading("What happened since the beginning")
	default:
		p.page.Heading("What happened since #%d", s.Events-1)
	}
	line := s.Happened
	if over := len(line) - mostJumped; jumped && over > 0 {
		if s.Back {
			line = line[:mostJumped]
		} else {
			line = line[over:]
			p.page.Text("  … %s before: watu log %s --from %d --to %d", words.Count(over, "event"), m.Campaign,
				s.Events, line[0].Index-1)
		}
	}
	for _, l := range line {
		p.printEvents(l)
	}
	if rest := s.Happened[len(line):]; s.Back && len(rest) > 0 {
		p.page.Text("  … %s more: watu log %s --from %d --to %d", words.Count(len(rest), "event"), m.Campaign,
			rest[0].Index, s.Events-1)
	}
}

func (p *player) printEvents(l timeline.MarkedEvent) {
	p.page.moment(l.Turn, l.Phase)
	if marks := marked(l); marks != "" {
		l.Text += " " + marks
	}
	p.page.event(l.NarratedEvent, "")
}

// marked says what became of an event, and that a throw was far from expectation.
func marked(l timeline.MarkedEvent) string {
	var list []string
	for _, k := range l.Marks {
		text := fmt.Sprintf("%s by #%d", k.Kind, k.By)
		if k.Kind == timeline.MarkDisputed {
			text = fmt.Sprintf("DISPUTED in #%d", k.By)
			switch {
			case k.Settled != 0:
				text = fmt.Sprintf("disputed in #%d, settled by correction #%d", k.By, k.Settled)
			case k.Ruled != 0:
				text = fmt.Sprintf("disputed in #%d, ruled in #%d: %s", k.By, k.Ruled,
					narrator.Ruling(k.Ruling, "", ""))
			}
		}
		if k.Later {
			text += ", later"
		}
		list = append(list, "("+text+")")
	}
	if u := l.Unlikely; u != nil {
		list = append(list, fmt.Sprintf("(FAR FROM EXPECTATION: %d on %dd%d, mean %s; the chance of as far or "+
			"farther is %s)",
			u.Sum, u.Dice, u.Sides, strconv.FormatFloat(u.Mean, 'f', -1, 64), timeline.Percent(u.Chance)))
	}
	return strings.Join(list, " ")
}

// printChanges prints what changed on the way, view by view.
func (p *player) printChanges(m timeline.Moment, jumped bool) {
	s, most := m.Since, math.MaxInt
	if jumped {
		most = 5
	}
	if s.Back {
		p.page.Heading("What changed on the way back")
	} else {
		p.page.Heading("What changed")
	}
	if len(s.Changes) == 0 {
		p.page.Line("  nothing that a view shows")
	}
	for _, v := range s.Changes {
		p.page.Flow("  ", "  ", terminal.Bold(v.Projection))
		if left := p.printChanged("    ", v.Changes, most); left > 0 {
			as := ""
			if m.As != "public" {
				as = " --as " + quoted(m.As)
			}
			p.page.Text("… and %d more: watu diff %s --from %d --to %d%s", left, m.Campaign, max(s.Events, 1)-1,
				m.Event, as)
		}
	}
}

// printChanged prints changes in words: first the figures that differ, then what came and what went.
// Entries that are described by their event are named by it. Of what takes a line of its own it prints most
// and gives how many are left.
func (t *tool) printChanged(margin string, list []projections.Change, most int) (left int) {
	var whole []terminal.Run
	var came, went entries
	for _, c := range list {
		path := figureOf(c.Path)
		of, event, isEntry := entryOf(c.Path)
		switch {
		case c.Was == "" && isEntry:
			came.add(of, event)
		case c.Now == "" && isEntry:
			went.add(of, event)
		case isDate(c.Path):
		case isShort(c.Was) && isShort(c.Now):
			t.page.Flow(margin, margin+"  ", terminal.Plain(path+":"), terminal.Faint(cmp.Or(c.Was, "-")+" →"),
				terminal.Bold(cmp.Or(c.Now, "-")))
		case c.Was == "":
			whole = append(whole, terminal.Plain(entirely(c.Path, "is new", c.Now)))
		case c.Now == "":
			whole = append(whole, terminal.Plain(entirely(c.Path, "is gone", c.Was)))
		default:
			t.page.Flow(margin, margin+"  ", terminal.Plain(path+":"), terminal.Faint(short(c.Was)+" →"),
				terminal.Bold(short(c.Now)))
		}
	}
	for _, w := range whole[:min(most, len(whole))] {
		t.page.Flow(margin, margin+"  ", w)
	}
	for _, of := range came.of {
		t.page.Flow(margin, margin+"  ", terminal.Plain("new in "+of+": "+strings.Join(came.events[of], ", ")))
	}
	for _, of := range went.of {
		t.page.Flow(margin, margin+"  ", terminal.Plain("gone from "+of+": "+strings.Join(went.events[of], ", ")))
	}
	return max(0, len(whole)-most)
}

// entirely says that an entry came or went, by its name, and which figures it has: "Russia is new in treasuries: in
// hand 12, opening 12". What lies deeper in it is left out: the events that led to it say that.
func entirely(path, what, figures string) string {
	text, name := what, path
	if i := strings.LastIndex(path, " / "); i >= 0 {
		text, name = what+" in "+figureOf(path[:i]), path[i+3:]
	}
	if what == "is gone" {
		text = strings.Replace(text, "gone in", "gone from", 1)
	}
	text = figureOf(name) + " " + text
	var plain []string
	for _, f := range fieldsOf(figures) {
		if figure := strings.TrimSpace(f); !strings.ContainsAny(figure, "():") &&
			!strings.HasPrefix(strings.TrimPrefix(figure, "turn "), "ordinal ") && figure != "yes" {
			plain = append(plain, figure)
		}
	}
	if len(plain) > 0 {
		text += ": " + short(strings.Join(plain, ", "))
	}
	return text
}

// figureOf names a figure of a view; one of an event by the event alone, wherever the view lists it.
func figureOf(path string) string {
	if i := strings.LastIndex(path, " / #"); i >= 0 {
		path = path[i+3:]
	}
	return worded.Sentence(strings.ReplaceAll(path, " / ", ", "))
}

// fieldsOf parts a line of figures at its commas, but for those in parentheses.
func fieldsOf(line string) (list []string) {
	depth, from := 0, 0
	for i, r := range line {
		switch {
		case r == '(':
			depth++
		case r == ')':
			depth--
		case r == ',' && depth == 0:
			list, from = append(list, line[from:i]), i+1
		}
	}
	return append(list, line[from:])
}

// isShort prints a figure from what takes a line of its own.
func isShort(text string) bool {
	return utf8.RuneCountInString(text) <= 24 && !strings.Contains(text, ", ")
}

// entries are entries of lists that are named by their events, by list in the order met.
type entries struct {
	of     []string
	events map[string][]string
}

func (e *entries) add(of, event string) {
	if e.events == nil {
		e.events = map[string][]string{}
	}
	if e.events[of] == nil {
		e.of = append(e.of, of)
	}
	e.events[of] = append(e.events[of], event)
}

// entryOf takes apart the path of an entry that is named by its event.
func entryOf(path string) (of, event string, ok bool) {
	i := strings.LastIndex(path, " / #")
	if i < 0 || strings.Contains(path[i+3:], " / ") {
		return "", "", false
	}
	return strings.ReplaceAll(path[:i], " / ", ", "), path[i+3:], true
}

// isDate prints the event and the turn in which a figure was stated last, which say nothing beside it.
func isDate(path string) bool {
	dates := []string{" / event", " / turn", " / turn ordinal"}
	return path == "turn ordinal" || slices.ContainsFunc(dates, func(date string) bool {
		return strings.HasSuffix(path, date)
	})
}

// mostTold is how much of a text is printed of what came or went as a whole.
const mostTold = 110

func short(text string) string {
	letters := []rune(text)
	if len(letters) <= mostTold {
		return text
	}
	return string(letters[:mostTold]) + "…"
}
