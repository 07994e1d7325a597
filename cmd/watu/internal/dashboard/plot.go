package dashboard

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	"github.com/watu-ledger/watu/cmd/watu/internal/timeline"
)

// scorePlot is the figures of all sides turn by turn, as lines. It has every turn up to the head, so that it leads to
// each of them, and lines as far as the moment goes.
type scorePlot struct {
	Name  string
	Grid  []plotLevel
	Turns []plotTurn
	Lines []plotLine
	room  int // for the names of the lines
}

// The measures of a plot, in its own units.
const (
	plotWide   = 864
	plotHigh   = 168
	plotLeft   = 34
	plotLetter = 7 // the width of a letter in a line's name
	plotTop    = 12
	plotFoot   = 28 // room for the names of the turns
	plotApart  = 14 // of names at the lines' ends
	mostTurns  = 24 // that a plot has: a longer campaign shows those up to the moment
	plotLabels = 8  // about so many turns are named
)

// plotLevel is a line of the grid.
type plotLevel struct {
	Y int
	N int64
}

// plotTurn is a turn on the plot's foot.
type plotTurn struct {
	X, Left, W int
	Label      string
	Named      bool // there is room for its label
	On         bool
	End        uint64 // its last event
	ordinal    uint64
}

// plotLine is the line of a side.
type plotLine struct {
	Tint, Called string
	Points       string
	Dots         []plotDot
	Label        int // where its name stands
	Ahead        int // and where the line ends
	N            int64
}

type plotDot struct {
	X, Y int
	N    int64
	Turn string
	Why  string
}

// plot draws the score of a campaign at a moment; nil where no side has a line.
func (t told) plot(turns []timeline.TurnPlayed, m timeline.Moment) *scorePlot {
	p := &scorePlot{Name: t.lang.Text(story.Sentence{Key: t.story.Score.Of}), room: t.room()}
	p.foot(turns, m)
	lowest, highest := int64(0), int64(1)
	for _, g := range t.story.Score.Groups {
		for _, s := range g.Sides {
			for _, x := range s.Series {
				lowest, highest = min(lowest, x.N), max(highest, x.N)
			}
		}
	}
	p.levels(lowest, highest)
	for _, g := range t.story.Score.Groups {
		for _, s := range g.Sides {
			p.line(t, s, lowest, highest)
		}
	}
	if len(p.Lines) == 0 || len(p.Turns) < 2 {
		return nil
	}
	p.spread()
	return p
}

// room is how wide the longest name of a line is, with a figure behind it.
func (t told) room() (most int) {
	for _, g := range t.story.Score.Groups {
		for _, s := range g.Sides {
			if len(s.Series) > 0 {
				most = max(most, len(t.called(s.Name)))
			}
		}
	}
	return (most+5)*plotLetter + 14
}

// foot places the turns.
func (p *scorePlot) foot(turns []timeline.TurnPlayed, m timeline.Moment) {
	on := 0
	for _, x := range turns {
		n := len(p.Turns)
		switch {
		case x.Ordinal == 0:
			continue
		case n > 0 && p.Turns[n-1].ordinal == x.Ordinal:
			p.Turns[n-1].End = lastOf(x)
		default:
			p.Turns = append(p.Turns, plotTurn{Label: x.Label, End: lastOf(x), ordinal: x.Ordinal})
		}
		if x.First <= m.Event {
			on = len(p.Turns) - 1
		}
	}
	if len(p.Turns) == 0 {
		return
	}
	p.Turns[on].On = true
	if n := len(p.Turns); n > mostTurns {
		to := max(on+1, mostTurns)
		p.Turns = p.Turns[to-mostTurns : to]
	}
	n := len(p.Turns)
	wide := (plotWide - plotLeft - p.room) / n
	every := (n + plotLabels - 1) / plotLabels
	for i := range p.Turns {
		x := &p.Turns[i]
		x.Left, x.W = plotLeft+i*wide, wide
		x.X, x.Named = x.Left+wide/2, (n-1-i)%every == 0
	}
}

// levels draws a grid of about four lines at round numbers.
func (p *scorePlot) levels(lowest, highest int64) {
	step := int64(1)
	for _, s := range []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000} {
		if step = s; (highest-lowest)/s <= 4 {
			break
		}
	}
	for n := lowest / step * step; n <= highest; n += step {
		p.Grid = append(p.Grid, plotLevel{height(n, lowest, highest), n})
	}
}

func height(n, lowest, highest int64) int {
	return plotHigh - plotFoot - int((n-lowest)*(plotHigh-plotFoot-plotTop)/(highest-lowest))
}

// line draws a side, if the plot has two turns of it.
func (p *scorePlot) line(t told, s story.Side, lowest, highest int64) {
	l := plotLine{Tint: tintOf(s.Name), Called: t.called(s.Name)}
	var points []string
	for _, x := range s.Series {
		i := slices.IndexFunc(p.Turns, func(f plotTurn) bool { return f.ordinal == x.Ordinal })
		if i < 0 {
			continue
		}
		d := plotDot{X: p.Turns[i].X, Y: height(x.N, lowest, highest), N: x.N, Turn: p.Turns[i].Label}
		if x.Event != 0 {
			d.Why = t.event(x.Event)
		}
		l.Dots, l.N, l.Label, l.Ahead = append(l.Dots, d), x.N, d.Y, d.Y
		points = append(points, fmt.Sprintf("%d,%d", d.X, d.Y))
	}
	if len(points) > 0 {
		l.Points = strings.Join(points, " ")
		p.Lines = append(p.Lines, l)
	}
}

// spread moves the names at the lines' ends apart, none off the plot.
func (p *scorePlot) spread() {
	order := make([]*plotLine, len(p.Lines))
	for i := range p.Lines {
		order[i] = &p.Lines[i]
	}
	slices.SortStableFunc(order, func(a, b *plotLine) int { return cmp.Compare(a.Label, b.Label) })
	for i := 1; i < len(order); i++ {
		order[i].Label = max(order[i].Label, order[i-1].Label+plotApart)
	}
	most := plotHigh - plotFoot + 6
	for _, l := range slices.Backward(order) {
		l.Label = min(l.Label, most)
		most = l.Label - plotApart
	}
}

// Width, Height, Left and Right are the plot's measures, Edge where names begin.
func (p *scorePlot) Width() int  { return plotWide }
func (p *scorePlot) Height() int { return plotHigh }
func (p *scorePlot) Left() int   { return plotLeft }
func (p *scorePlot) Right() int  { return plotWide - p.room }
func (p *scorePlot) Edge() int   { return plotWide - p.room + 14 }
func (p *scorePlot) Foot() int   { return plotHigh - plotFoot }

// End is where the line ends.
func (l plotLine) End() plotDot { return l.Dots[len(l.Dots)-1] }
