package picture

import "testing"

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
		if len(p.Grid) > want || len(p.Grid) < 3 || p.Grid[0].N != 0 || p.Grid[0].Y != p.Foot() {
			t.Errorf("up to %d: %+v", most, p.Grid)
		}
	}
	p := PlotOf([]Turn{{Ordinal: 1}, {Ordinal: 2}}, 2, []Line{{Dots: []Dot{{Ordinal: 1, N: -6}, {Ordinal: 2, N: 7}}}})
	if y := p.Lines[0].Dots[0].Y; y != p.Foot() {
		t.Errorf("the lowest figure stands at %d", y)
	}
}
