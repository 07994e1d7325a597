package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Stack is how something is made up turn by turn: layers upon each other, over a [Foot].
type Stack struct {
	Foot
	Grid   []Level
	Layers []Layer
}

// Layer is one part: its kind, which has a fill, its name and how many there are of it in each turn, by ordinal.
type Layer struct {
	Kind, Called string
	N            map[uint64]int64

	Area   string // as a path
	Last   int64
	Middle int // of its end
	Label  int // where its name stands
}

// StackOf places layers over turns, the first at the bottom; nil where there is nothing to see.
func StackOf(turns []Turn, on uint64, layers []Layer) *Stack {
	s := &Stack{Foot: Foot{wide: plotSmall}}
	longest := 0
	for _, l := range layers {
		longest = max(longest, len([]rune(l.Called)))
	}
	s.room = (longest+3)*plotLetter + 14
	s.place(turns, on, false)
	most, last := int64(0), -1
	for i, t := range s.all {
		sum, known := int64(0), false
		for _, l := range layers {
			n, ok := l.N[t.Ordinal]
			sum, known = sum+n, known || ok
		}
		most = max(most, sum)
		if known {
			last = i
		}
	}
	if most == 0 || len(s.all) < 2 {
		return nil
	}
	for _, n := range levels(0, most, 1) {
		s.Grid = append(s.Grid, Level{height(n, 0, most), n, fmt.Sprint(n)})
	}
	below := make([]int64, len(s.all))
	for _, l := range layers {
		s.layer(l, below, most, last)
	}
	s.spread()
	return s
}

// layer puts a layer upon those below it, which it adds up.
func (s *Stack) layer(l Layer, below []int64, most int64, last int) {
	var path strings.Builder
	for i, t := range s.all {
		n := l.N[t.Ordinal]
		if i == last {
			l.Last, l.Middle = n, (height(below[i], 0, most)+height(below[i]+n, 0, most))/2
		}
		if n > 0 {
			top, foot := height(below[i]+n, 0, most), height(below[i], 0, most)
			fmt.Fprintf(&path, "M%d %dH%dV%dH%dz", t.Left, top, t.Left+t.W, foot, t.Left)
		}
		below[i] += n
	}
	if l.Area = path.String(); l.Area != "" {
		l.Label = l.Middle
		s.Layers = append(s.Layers, l)
	}
}

// spread moves the names of layers apart.
func (s *Stack) spread() {
	var order []*Layer
	for i := range s.Layers {
		if s.Layers[i].Last > 0 {
			order = append(order, &s.Layers[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *Layer) int { return cmp.Compare(a.Label, b.Label) })
	for i := 1; i < len(order); i++ {
		order[i].Label = max(order[i].Label, order[i-1].Label+plotApart)
	}
	most := s.Base()
	for _, l := range slices.Backward(order) {
		l.Label = min(l.Label, most)
		most = l.Label - plotApart
	}
}
