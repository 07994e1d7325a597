package picture

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Foot is the turns below a drawing. Of a long campaign a large drawing has those up to the moment, a small one has
// all of them, those of some decades together.
type Foot struct {
	Turns []Turn // as the reader goes to them: each, or some together
	Ends  string // the last event of each turn, by which a pointer finds them

	all        []Turn
	wide, room int // room is for names at the right
}

// Turn is a turn on the foot: its ordinal, label and last event are given, the rest is where it stands. Some together
// have the label and the end of the last, and a name for all of them.
type Turn struct {
	Ordinal, End uint64
	Label        string
	Decade       string // "Round 11–20"; empty for one alone

	X, Left, W int
	Named      bool // there is room for its label
	On         bool // the moment is in it
}

// place places the turns, of which the one with the ordinal on is that of the moment.
func (f *Foot) place(turns []Turn, on uint64, last bool) {
	f.all = slices.Clone(turns)
	at := slices.IndexFunc(f.all, func(t Turn) bool { return t.Ordinal == on })
	if at >= 0 {
		f.all[at].On = true
	}
	if n := len(f.all); last && n > mostTurns {
		to := max(at+1, mostTurns)
		f.all = f.all[to-mostTurns : to]
	}
	n, wide := len(f.all), f.Right()-plotLeft
	var ends []string
	for i := range f.all {
		x := &f.all[i]
		x.Left = plotLeft + i*wide/n
		x.W = plotLeft + (i+1)*wide/n - x.Left
		x.X = x.Left + x.W/2
		ends = append(ends, fmt.Sprint(x.End))
	}
	f.Ends = strings.Join(ends, " ")
	f.Turns = together(f.all, n <= mostTurns)
	f.name(last && len(turns) > mostTurns)
}

// decades are the numbers of turns that stand together.
var decades = []int{10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000}

// together makes one of ten turns, or more, so that there are few; each alone where that is asked for.
func together(all []Turn, alone bool) (list []Turn) {
	if alone {
		return slices.Clone(all)
	}
	by := decades[len(decades)-1]
	for _, d := range slices.Backward(decades) {
		if len(all)/d <= mostTurns {
			by = d
		}
	}
	first := ""
	for _, t := range all {
		n := len(list)
		if n > 0 && (t.Ordinal-1)/uint64(by) == (list[n-1].Ordinal-1)/uint64(by) {
			x := &list[n-1]
			x.W, x.On = t.Left+t.W-x.Left, x.On || t.On
			x.Decade, x.X = spanned(first, t.Label), x.Left+x.W/2
			x.Ordinal, x.End, x.Label = t.Ordinal, t.End, t.Label
			continue
		}
		list, first = append(list, t), t.Label
	}
	return list
}

// spanned names turns by the first and the last of them: "Round 11–20", "1940–1942"; by the last alone if they have
// no numbers.
func spanned(first, last string) string {
	of, from, numbered := cutLast(first)
	and, to, ok := cutLast(last)
	switch {
	case !numbered || !ok || from == to && of == and:
		return last
	case of == and:
		return of + from + "–" + to
	case from == to:
		return to
	}
	return from + "–" + to
}

// cutLast parts a label from the number at its end.
func cutLast(label string) (of, number string, ok bool) {
	of = strings.TrimRight(label, "0123456789")
	return of, label[len(of):], len(of) < len(label)
}

// Called is what stands below the drawing.
func (t Turn) Called() string { return cmp.Or(t.Decade, t.Label) }

// name finds the turns whose labels have room: the last, and by fives where the campaign is long, else every so many.
func (f *Foot) name(long bool) {
	n := len(f.Turns)
	if n == 0 {
		return
	}
	longest := 0
	for _, t := range f.Turns {
		longest = max(longest, len([]rune(t.Called())))
	}
	room := max((f.Right()-plotLeft)/(longest*plotLetter+10), 1)
	every := max((n+plotLabels-1)/plotLabels, (n+room-1)/room)
	free := f.wide + longest*plotLetter // where a label ends at most
	for i, t := range slices.Backward(f.Turns) {
		named := (n-1-i)%every == 0
		if long {
			named = i == n-1 || t.Ordinal%5 == 0
		}
		half := len([]rune(t.Called())) * plotLetter / 2
		if named && t.X+half < free {
			f.Turns[i].Named, free = true, t.X-half-6
		}
	}
}

// at is the place of a turn, -1 for one that is not shown.
func (f *Foot) at(ordinal uint64) int {
	i, found := slices.BinarySearchFunc(f.all, ordinal, func(t Turn, o uint64) int { return int(t.Ordinal) - int(o) })
	if !found {
		return -1
	}
	return i
}

// Width is that of the drawing, in its own units.
func (f Foot) Width() int { return f.wide }

// Height is that of the drawing.
func (f Foot) Height() int { return plotHigh }

// Left is where the turns begin.
func (f Foot) Left() int { return plotLeft }

// Right is where they end.
func (f Foot) Right() int { return f.wide - f.room }

// Edge is where names begin.
func (f Foot) Edge() int { return f.Right() + 14 }

// Base is where the ground is.
func (f Foot) Base() int { return plotHigh - plotFoot }
