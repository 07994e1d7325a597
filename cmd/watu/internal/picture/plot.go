package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Plot is the figures of all sides turn by turn, as lines over a [Foot].
type Plot struct {
	Foot
	Grid  []Level
	Lines []Line
	Strip *Strip // of a long campaign, the whole of it

	scale  int64
	point  string
	signed bool
}

// Draft is what a plot is made of.
type Draft struct {
	Turns []Turn // every one up to the head, so that a plot leads to each of them
	On    uint64 // the ordinal of that of the moment
	Lines []Line // as far as the moment goes

	Small  bool   // a plot of half the width, of all turns
	Point  string // between a figure and its parts; empty for a full stop
	Scale  int64  // so many parts of a unit are what figures are given in; 0 for whole units
	Signed bool   // figures are differences, which have a sign
}

// The measures of a plot, in its own units.
const (
	plotWide   = 864
	plotHigh   = 168
	plotSmall  = 420 // the width of a small one
	plotLeft   = 34
	plotTop    = 12
	plotFoot   = 28 // room for the names of the turns
	plotLetter = 7  // the width of a letter in a line's name
	plotApart  = 14 // of names at the lines' ends
	mostTurns  = 24 // that a plot has: a longer campaign shows those up to the moment, and a strip of all
	plotLabels = 8  // about so many turns are named
)

// Level is a line of the grid.
type Level struct {
	Y    int
	N    int64
	Text string
}

// Line is the line of a side: its colour, name and figures are given, the rest is where it stands.
type Line struct {
	Tint, Called string
	Dots         []Dot
	Band         []Range // about the line 0: what it may be expected to lie in

	Points, Area string // of the line and of the band
	Label        int    // where its name stands
	Ahead        int    // and where the line ends
	Said         string // its last figure
}

// Dot is a figure of a turn, by its ordinal.
type Dot struct {
	Ordinal uint64
	N       int64
	Event   uint64 // that it comes from

	X, Y       int
	Turn, Said string
}

// Range is from one figure to another in a turn, by its ordinal.
type Range struct {
	Ordinal   uint64
	Low, High int64
}

// PlotOf places lines over turns, of which the one with the ordinal on is that of the moment; nil where there is
// nothing to compare.
func PlotOf(turns []Turn, on uint64, lines []Line) *Plot {
	return Draft{Turns: turns, On: on, Lines: lines}.Plot()
}

// Plot places the lines; nil where there is nothing to compare.
func (d Draft) Plot() *Plot {
	p := &Plot{scale: max(d.Scale, 1), point: cmp.Or(d.Point, "."), signed: d.Signed}
	lowest, highest, longest := int64(0), p.scale, 0
	for _, l := range d.Lines {
		longest = max(longest, utf8.RuneCountInString(l.Called))
		for _, x := range l.Dots {
			lowest, highest = min(lowest, x.N), max(highest, x.N)
		}
		for _, x := range l.Band {
			lowest, highest = min(lowest, x.Low), max(highest, x.High)
		}
	}
	p.Foot = Foot{wide: plotWide, room: (longest+5)*plotLetter + 14}
	if d.Small {
		p.wide = plotSmall
	}
	p.place(d.Turns, d.On, !d.Small)
	for _, n := range levels(lowest, highest, p.scale) {
		p.Grid = append(p.Grid, Level{height(n, lowest, highest), n, p.say(n)})
	}
	for _, l := range d.Lines {
		p.line(l, lowest, highest)
	}
	if len(p.Lines) == 0 || len(p.all) < 2 {
		return nil
	}
	p.spread()
	if !d.Small && len(d.Turns) > mostTurns {
		p.Strip = stripOf(d, p, lowest, highest)
	}
	return p
}

// levels are about four round numbers.
func levels(lowest, highest, scale int64) (list []int64) {
	step := int64(1)
	for _, s := range []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000} {
		if step = s; (highest-lowest)/s <= 4 {
			break
		}
	}
	if scale > 1 {
		step = max(step, scale/2)
	}
	for n := lowest / step * step; n <= highest; n += step {
		list = append(list, n)
	}
	return list
}

func height(n, lowest, highest int64) int {
	return plotHigh - plotFoot - int((n-lowest)*(plotHigh-plotFoot-plotTop)/(highest-lowest))
}

// say writes a figure.
func (p *Plot) say(n int64) string {
	text := fmt.Sprint(max(n, -n) / p.scale)
	if part := max(n, -n) % p.scale; part != 0 {
		text += p.point + fmt.Sprint(part*10/p.scale)
	}
	switch {
	case n < 0:
		return "−" + text
	case n > 0 && p.signed:
		return "+" + text
	}
	return text
}

// line draws the figures of those turns that the plot has.
func (p *Plot) line(l Line, lowest, highest int64) {
	given := l.Dots
	l.Dots = nil
	for _, d := range given {
		i := p.at(d.Ordinal)
		if i < 0 {
			continue
		}
		d.X, d.Y, d.Turn, d.Said = p.all[i].X, height(d.N, lowest, highest), p.all[i].Label, p.say(d.N)
		l.Dots, l.Label, l.Ahead, l.Said = append(l.Dots, d), d.Y, d.Y, d.Said
	}
	if len(l.Dots) == 0 {
		return
	}
	l.Points = points(l.Dots)
	var above, below []string
	for _, x := range l.Band {
		if i := p.at(x.Ordinal); i >= 0 {
			above = append(above, fmt.Sprintf("%d,%d", p.all[i].X, height(x.High, lowest, highest)))
			below = append(below, fmt.Sprintf("%d,%d", p.all[i].X, height(x.Low, lowest, highest)))
		}
	}
	slices.Reverse(below)
	l.Area = strings.Join(append(above, below...), " ")
	if len(p.all) > mostTurns { // a figure is found in the table
		l.Dots = l.Dots[len(l.Dots)-1:]
	}
	p.Lines = append(p.Lines, l)
}

func points(dots []Dot) string {
	var list []string
	for _, d := range dots {
		list = append(list, fmt.Sprintf("%d,%d", d.X, d.Y))
	}
	return strings.Join(list, " ")
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
	most := plotHigh - plotFoot
	for _, l := range slices.Backward(order) {
		l.Label = min(l.Label, most)
		most = l.Label - plotApart
	}
}

// Zero is where the line 0 lies; 0 where that is the ground.
func (p *Plot) Zero() int {
	for _, l := range p.Grid {
		if l.N == 0 && l.Y != p.Base() {
			return l.Y
		}
	}
	return 0
}

// End is the last figure of a line.
func (l Line) End() Dot { return l.Dots[len(l.Dots)-1] }
