// Package standing says on pages how the sides of a campaign stand: sentences whose figures lead to their events, and
// the score as bars.
//
//	w := standing.Words{Lang: german, Path: func(event uint64) string { … }}
//	w.Spans(s)                 // "Deutschland", "27 IPC" with the path of #14
//	w.Bars(score, tint)        // an alliance a bar, split among its sides
package standing

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
)

// Words says sentences about one campaign.
type Words struct {
	Lang *story.Language
	Path func(event uint64) string
}

// Span is a piece of a sentence. A figure has the path of its event.
type Span struct {
	Text, Why string
	Figure    bool
}

// Spans are the pieces of a sentence.
func (w Words) Spans(s story.Sentence) []Span { return w.linked(w.Lang.Say(s)) }

// Amid is a piece of a line, without a capital; nothing for nil.
func (w Words) Amid(s *story.Sentence) []Span {
	if s == nil {
		return nil
	}
	return w.linked(w.Lang.Amid(*s))
}

// Maybe is a sentence with its full stop; nothing for nil.
func (w Words) Maybe(s *story.Sentence) []Span {
	if s == nil {
		return nil
	}
	return append(w.Spans(*s), Span{Text: "."})
}

// linked are pieces with the paths of their events.
func (w Words) linked(of []story.Span) (list []Span) {
	for _, x := range of {
		out := Span{Text: x.Text, Figure: x.Figure}
		if x.Event != 0 {
			out.Why = w.Path(x.Event)
		}
		list = append(list, out)
	}
	return list
}

// Side is a side's name by itself.
func (w Words) Side(name string) string { return w.alone(story.Name(name)) }

// Counted is a figure with what it is of: "44 escort factors".
func (w Words) Counted(c story.Count) string { return w.alone(c) }

func (w Words) alone(p story.Part) string {
	return w.Lang.Text(story.Sentence{Key: "name", With: story.Parts{"name": p}})
}

// Unit is what a figure is of, in words.
func (w Words) Unit(c story.Count) string { return strings.TrimLeft(w.Counted(c), "−0123456789 ") }

// Count is a figure that leads to its event.
func (w Words) Count(c story.Count) Span {
	f := Span{Text: fmt.Sprint(c.N), Figure: true}
	if c.Event != 0 {
		f.Why = w.Path(c.Event)
	}
	return f
}

// counted is a figure with what it is of, and leads to its event.
func (w Words) counted(c story.Count) Span {
	out := w.Count(c)
	out.Text = w.Counted(c)
	return out
}

// listed is a name in a list: the first has a capital.
func (w Words) listed(name string, i int) string {
	if i == 0 {
		return w.Side(name)
	}
	return w.Lang.Name(name)
}

// Leader is a figure that leads, and whose it is.
type Leader struct {
	Called string
	Count  Span
}

// Leaders are the two figures that lead: of the alliances, or of the sides with most.
func (w Words) Leaders(s story.Score) (list []Leader) {
	const most = 2
	if len(s.Groups) > 1 {
		for i, g := range s.Groups[:most] {
			list = append(list, Leader{w.listed(g.Name, i), w.counted(g.Total)})
		}
		return list
	}
	var sides []story.Side
	for _, g := range s.Groups {
		sides = append(sides, g.Sides...)
	}
	slices.SortStableFunc(sides, func(a, b story.Side) int { return cmp.Compare(b.Figure.N, a.Figure.N) })
	for i, x := range sides[:min(len(sides), most)] {
		list = append(list, Leader{w.listed(x.Name, i), w.counted(x.Figure)})
	}
	return list
}

// Bar is the score of an alliance, split among its sides, or that of one side.
type Bar struct {
	Called string
	Total  Span
	Parts  []Part
	Split  bool   // it is an alliance
	More   []Span // of a side alone: what is counted, and its second figure
}

// Part is a side's piece of a bar, in a box a thousand wide.
type Part struct {
	X, W   int64
	Tint   string
	Called string
	Figure Span
}

// Bars draws a score as bars on one scale; tint is the colour of a side.
func (w Words) Bars(s story.Score, tint func(side string) string) (list []Bar) {
	const wide, apart = 1000, 4
	groups := s.Groups
	allied := len(groups) != 1 || groups[0].Name != ""
	if !allied {
		groups = nil
		for _, x := range s.Groups[0].Sides {
			groups = append(groups, story.Group{Name: x.Name, Total: x.Figure, Sides: []story.Side{x}})
		}
	}
	top := int64(1)
	for _, g := range groups {
		top = max(top, g.Total.N)
	}
	for _, g := range groups {
		bar := Bar{Called: w.Side(g.Name), Total: w.Count(g.Total), Split: allied}
		if !allied {
			bar.More = []Span{w.counted(g.Total)}
			if x := g.Sides[0].Extra; x != nil {
				bar.More = append(append(bar.More, Span{Text: ", "}), w.Amid(x)...)
			}
		}
		sum := int64(0)
		for i, x := range g.Sides {
			from := sum * wide / top
			sum += x.Figure.N
			bar.Parts = append(bar.Parts, Part{X: from, W: max(sum*wide/top-from-apart, 0), Tint: tint(x.Name),
				Called: w.listed(x.Name, i), Figure: w.Count(x.Figure)})
		}
		list = append(list, bar)
	}
	return list
}

// Of says what the figures of a score are, and who leads by how much.
func (w Words) Of(s story.Score) string {
	text := w.Lang.Text(s.About())
	for _, g := range s.Groups {
		if g.Lead > 0 {
			text += ". " + story.LinesOf(w.Lang).Says("front-lead", "side", story.Name(g.Name), "n", g.Lead)
		}
	}
	return text + "."
}
