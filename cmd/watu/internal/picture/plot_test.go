package picture

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestPlotOfALongCampaign: of many turns those up to the moment are shown, few of them named, and no name lies on
// another or off the plot.
func TestPlotOfALongCampaign(t *testing.T) {
	var turns []Turn
	lines := []Line{{Called: "Germany"}, {Called: "the European Axis"}, {Called: "US"}, {Called: "UK"}}
	for i := range uint64(300) {
		turns = append(turns, Turn{Ordinal: i + 1, Label: "Round", End: 10 * i})
		for k := range lines {
			lines[k].Dots = append(lines[k].Dots, Dot{Ordinal: i + 1, N: int64(20 + k%2), Event: 10 * i})
		}
	}
	p := PlotOf(turns, 200, lines)
	if len(p.Turns) != mostTurns || p.Turns[mostTurns-1].Ordinal != 200 || !p.Turns[mostTurns-1].On {
		t.Fatalf("%d turns up to %d", len(p.Turns), p.Turns[len(p.Turns)-1].Ordinal)
	}
	named := 0
	for _, x := range p.Turns {
		if x.Named {
			named++
		}
	}
	if named < 4 || named > plotLabels {
		t.Errorf("%d turns are named", named)
	}
	for i, a := range p.Lines {
		if a.Label < 0 || a.Label > plotHigh || len(a.Dots) != mostTurns || a.End().Event != 1990 {
			t.Errorf("%s at %d, with %d figures", a.Called, a.Label, len(a.Dots))
		}
		for _, b := range p.Lines[:i] {
			if max(a.Label-b.Label, b.Label-a.Label) < plotApart {
				t.Errorf("%s lies on %s", a.Called, b.Called)
			}
		}
	}
	if PlotOf(turns[:1], 1, lines) != nil || PlotOf(turns, 1, nil) != nil {
		t.Error("there is nothing to compare, and a plot of it")
	}
}

// TestPlotLevels: the grid has round numbers, also where a figure is negative.
func TestPlotLevels(t *testing.T) {
	for most, want := range map[int64]int{3: 4, 44: 5, 94: 5, 900: 5} {
		p := PlotOf([]Turn{{Ordinal: 1}, {Ordinal: 2}}, 2, []Line{{Dots: []Dot{{Ordinal: 1}, {Ordinal: 2, N: most}}}})
		if len(p.Grid) > want || len(p.Grid) < 3 || p.Grid[0].N != 0 || p.Grid[0].Y != p.Base() {
			t.Errorf("up to %d: %+v", most, p.Grid)
		}
	}
	p := PlotOf([]Turn{{Ordinal: 1}, {Ordinal: 2}}, 2, []Line{{Dots: []Dot{{Ordinal: 1, N: -6}, {Ordinal: 2, N: 7}}}})
	if y := p.Lines[0].Dots[0].Y; y != p.Base() {
		t.Errorf("the lowest figure stands at %d", y)
	}
}

// TestLongPlots: above the plot of a long campaign stands all of it, a small plot has decades, and the last events of
// all turns are there for the pointer.
func TestLongPlots(t *testing.T) {
	var turns []Turn
	l := Line{Called: "Germany"}
	layer := Layer{Kind: "blank", Called: "Blank", N: map[uint64]int64{}}
	for i := range uint64(300) {
		turns = append(turns, Turn{Ordinal: i + 1, Label: fmt.Sprintf("Round %d", i+1), End: 10 * i})
		l.Dots = append(l.Dots, Dot{Ordinal: i + 1, N: int64(i), Event: 10 * i})
		layer.N[i+1] = int64(i)
	}
	d := Draft{Turns: turns, On: 200, Lines: []Line{l}}
	s := d.Plot().Strip
	if s == nil || len(s.Turns) > mostTurns || len(strings.Fields(s.Ends)) != 300 || s.Turns[0].End != 190 {
		t.Fatalf("%+v", s)
	}
	if s.From <= s.Left() || s.From+s.W >= s.Right() {
		t.Errorf("the window is %d wide at %d", s.W, s.From)
	}
	d.Small = true
	small := d.Plot()
	if small.Strip != nil || len(small.Turns) != 15 || len(small.Lines[0].Dots) != 1 {
		t.Errorf("%d turns, %d figures", len(small.Turns), len(small.Lines[0].Dots))
	}
	for _, foot := range []Foot{small.Foot, s.Foot, StackOf(turns, 200, []Layer{layer}).Foot} {
		right := 0
		if d := foot.Turns[1]; d.Decade != "Round 21–40" || d.X != d.Left+d.W/2 {
			t.Errorf("the second decade: %+v", d)
		}
		for _, x := range foot.Turns {
			if half := utf8.RuneCountInString(x.Called()) * plotLetter / 2; x.Named {
				if x.X-half < right {
					t.Errorf("%s lies on another name", x.Label)
				}
				right = x.X + half
			}
		}
		if right == 0 {
			t.Error("no turn is named")
		}
	}
	if StackOf(turns, 1, []Layer{{Called: "x", N: map[uint64]int64{1: 0}}}) != nil {
		t.Error("nothing is drawn")
	}
}

// TestTenths: figures in parts of a unit are written with their sign.
func TestTenths(t *testing.T) {
	d := Draft{Turns: []Turn{{Ordinal: 1}, {Ordinal: 2}}, Scale: 10, Signed: true,
		Lines: []Line{{Dots: []Dot{{Ordinal: 1, N: 21}, {Ordinal: 2, N: -30}},
			Band: []Range{{1, -50, 50}, {2, -60, 60}}}}}
	p := d.Plot()
	if a, b := p.Lines[0].Dots[0].Said, p.Lines[0].Said; a != "+2.1" || b != "−3" {
		t.Errorf("%s, %s", a, b)
	}
	if len(strings.Fields(p.Lines[0].Area)) != 4 || p.Zero() == 0 {
		t.Errorf("%+v, nought at %d", p.Lines[0], p.Zero())
	}
}

// TestDecadesAreNamed: by the turns in them, and by years where turns are seasons.
func TestDecadesAreNamed(t *testing.T) {
	for _, x := range [][3]string{{"Round 11", "Round 20", "Round 11–20"},
		{"Spring 1940", "Summer 1942", "1940–1942"},
		{"Spring 1940", "Winter 1940", "1940"}, {"Spring 1940", "Spring 1942", "Spring 1940–1942"},
		{"dawn", "dusk", "dusk"}, {"dawn", "Round 2", "Round 2"}, {"Round 3", "Round 3", "Round 3"}} {
		if got := spanned(x[0], x[1]); got != x[2] {
			t.Errorf("%s to %s: %q, want %q", x[0], x[1], got, x[2])
		}
	}
}
