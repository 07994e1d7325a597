package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Plot is the figures of all sides turn by turn, as lines. It has every turn up to the head, so that it leads to each
// of them, and lines as far as the moment goes.
type Plot struct {
	Grid  []Level
	Turns []Turn
	Lines []Line
	room  int // for the names of the lines
}

// The measures of a plot, in its own units.
const (
	plotWide   = 864
	plotHigh   = 168
	plotLeft   = 34
	plotTop    = 12
	plotFoot   = 28 // room for the names of the turns
	plotLetter = 7  // the width of a letter in a line's name
	plotApart  = 14 // of names at the lines' ends
	mostTurns  = 24 // that a plot has: a longer campaign shows those up to the moment
	plotLabels = 8  // about so many turns are named
)

// Level is a line of the grid.
type Level struct {
	Y int
	N int64
}

// Turn is a turn on the plot's foot: its ordinal, label and last event are given, the rest is where it stands.
type Turn struct {
	Ordinal, End uint64
	Label        string

	X, Left, W int
	Named      bool // there is room for its label
	On         bool // the moment is in it
}

// Line is the line of a side: its colour, name and figures are given, the rest is where it stands.
type Line struct {
	Tint, Called string
	Dots         []Dot

	Points string
	Label  int // where its name stands
	Ahead  int // and where the line ends
}

// Dot is a figure of a turn, by its ordinal.
type Dot struct {
	Ordinal uint64
	N       int64
	Event   uint64 // that it comes from

	X, Y int
	Turn string
}

// PlotOf places lines over turns, of which the one with the ordinal on is that of the moment; nil where there is
// nothing to compare.
func PlotOf(turns []Turn, on uint64, lines []Line) *Plot {
	p := &Plot{Turns: slices.Clone(turns)}
	lowest, highest, longest := int64(0), int64(1), 0
	for _, l := range lines {
		longest = max(longest, utf8.RuneCountInString(l.Called))
		for _, d := range l.Dots {
			lowest, highest = min(lowest, d.N), max(highest, d.N)
		}
	}
	p.room = (longest+5)*plotLetter + 14
	p.foot(on)
	p.levels(lowest, highest)
	for _, l := range lines {
		p.line(l, lowest, highest)
	}
	if len(p.Lines) == 0 || len(p.Turns) < 2 {
		return nil
	}
	p.spread()
	return p
}

// foot places the turns.
func (p *Plot) foot(on uint64) {
	at := slices.IndexFunc(p.Turns, func(t Turn) bool { return t.Ordinal == on })
	if at >= 0 {
		p.Turns[at].On = true
	}
	if n := len(p.Turns); n > mostTurns {
		to := max(at+1, mostTurns)
		p.Turns = p.Turns[to-mostTurns : to]
	}
	n := len(p.Turns)
	every := (n + plotLabels - 1) / plotLabels
	for i := range p.Turns {
		x, wide := &p.Turns[i], (plotWide-plotLeft-p.room)/n
		x.Left, x.W = plotLeft+i*wide, wide
		x.X, x.Named = x.Left+wide/2, (n-1-i)%every == 0
	}
}

// levels draws a grid of about four lines at round numbers.
func (p *Plot) levels(lowest, highest int64) {
	step := int64(1)
	for _, s := range []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000} {
		if step = s; (highest-lowest)/s <= 4 {
			break
		}
	}
	for n := lowest / step * step; n <= highest; n += step {
		p.Grid = append(p.Grid, Level{height(n, lowest, highest), n})
	}
}

func height(n, lowest, highest int64) int {
	return plotHigh - plotFoot - int((n-lowest)*(plotHigh-plotFoot-plotTop)/(highest-lowest))
}

// line draws the figures of those turns that the plot has.
func (p *Plot) line(l Line, lowest, highest int64) {
	var points []string
	given := l.Dots
	l.Dots = nil
	for _, d := range given {
		i := slices.IndexFunc(p.Turns, func(t Turn) bool { return t.Ordinal == d.Ordinal })
		if i < 0 {
			continue
		}
		d.X, d.Y, d.Turn = p.Turns[i].X, height(d.N, lowest, highest), p.Turns[i].Label
		l.Dots, l.Label, l.Ahead = append(l.Dots, d), d.Y, d.Y
		points = append(points, fmt.Sprintf("%d,%d", d.X, d.Y))
	}
	if len(points) > 0 {
		l.Points = strings.Join(points, " ")
		p.Lines = append(p.Lines, l)
	}
}

// spread moves the names at the lines' ends apart, none off the plot.
func (p *Plot) spread() {
	order := make([]*Line, len(p.Lines))
	for i := range p.Lines {
		order[i] = &p.Lines[i]
	}
	slices.SortStableFunc(order, func(a, b *Line) int { return cmp.Compare(a.Label, b.Label) })
	for i := 1; i < len(order); i++ {
		order[i].Label = max(order[i].Label, order[i-1].Label+plotApart)
	}
	most := plotHigh - plotFoot + 6
	for _, l := range slices.Backward(order) {
		l.Label = min(l.Label, most)
		most = l.Label - plotApart
	}
}

// Width is that of the plot, in its own units.
func (p *Plot) Width() int { return plotWide }

// Height is that of the plot.
func (p *Plot) Height() int { return plotHigh }

// Left is where the lines begin.
func (p *Plot) Left() int { return plotLeft }

// Right is where they end.
func (p *Plot) Right() int { return plotWide - p.room }

// Edge is where their names begin.
func (p *Plot) Edge() int { return plotWide - p.room + 14 }

// Foot is where the lines' ground is.
func (p *Plot) Foot() int { return plotHigh - plotFoot }

// End is the last figure of a line.
func (l Line) End() Dot { return l.Dots[len(l.Dots)-1] }
