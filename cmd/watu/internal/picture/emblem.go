package picture

import "strings"

// Emblem stands for a campaign without a map: the forces of its sides, a silhouette for each factor, base or card, or
// one for five where there are many.
type Emblem struct {
	Title      string
	Wide, High int // of a silhouette
	Shapes     []Shape
}

// Shape is a silhouette, in a box of 320 to 168.
type Shape struct {
	X, Y       int
	Kind, Tint string // kind is "boat", "ship", "base" or "card"
}

// Force is what a side has.
type Force struct {
	Called string // "Britain 44 escort factors"
	Of     string // what is counted, as package story has it
	N      int
	Tint   string
}

// glyphs are the silhouettes by what is counted.
var glyphs = map[string]string{"factor submarines": "boat", "factor asw": "ship", "base": "base", "card": "card"}

// The measures of an emblem: two columns of sides, in each silhouettes from its outer edge to the middle.
const (
	emblemWide, emblemHigh = 320, 168
	emblemEdge             = 16
	emblemGap              = 18 // between two rows of sides
	emblemColumn           = emblemWide/2 - emblemEdge - 8
)

// glyphWidths are how wide silhouettes may be, with the space behind them, the widest first.
var glyphWidths = []int{44, 36, 28, 22, 18}

// glyphHigh is how high a silhouette is with the space below it.
func glyphHigh(wide int) int { return wide * 17 / 22 }

// EmblemOf draws forces, at most four; nil for none.
func EmblemOf(forces []Force) *Emblem {
	forces = forces[:min(len(forces), 4)]
	var names []string
	var counts []int
	for _, f := range forces {
		names, counts = append(names, f.Called), append(counts, f.N)
	}
	wide, fits := widthOf(counts)
	if !fits { // each silhouette stands for five
		for i := range counts {
			counts[i] = (counts[i] + 4) / 5
		}
		wide, _ = widthOf(counts)
	}
	e := &Emblem{Title: strings.Join(names, ", "), Wide: wide - 2, High: glyphHigh(wide) - 2}
	rows := linesOf(counts, wide)
	top := max((emblemHigh-heightOf(rows, wide))/2, emblemEdge)
	for i, f := range forces {
		e.force(f, i%2, top, wide, counts[i])
		if i%2 == 1 {
			top += rows[i/2]*glyphHigh(wide) + emblemGap
		}
	}
	if len(e.Shapes) == 0 {
		return nil
	}
	return e
}

// widthOf is the greatest width at which all silhouettes fit; false if they do not at the least.
func widthOf(counts []int) (wide int, fits bool) {
	for _, wide = range glyphWidths {
		if heightOf(linesOf(counts, wide), wide) <= emblemHigh-2*emblemEdge {
			return wide, true
		}
	}
	return wide, false
}

// linesOf is how many lines each row of two sides has.
func linesOf(counts []int, wide int) (rows []int) {
	abreast := emblemColumn / wide
	for i, n := range counts {
		if i%2 == 0 {
			rows = append(rows, 1)
		}
		rows[i/2] = max(rows[i/2], (n+abreast-1)/abreast)
	}
	return rows
}

// heightOf is how high rows are together.
func heightOf(rows []int, wide int) int {
	high := (len(rows) - 1) * emblemGap
	for _, lines := range rows {
		high += lines * glyphHigh(wide)
	}
	return high
}

// force puts the silhouettes of a side at its edge of the box.
func (e *Emblem) force(f Force, column, top, wide, n int) {
	kind, ok := glyphs[f.Of]
	if !ok {
		kind = "base"
	}
	abreast := emblemColumn / wide
	for i := range n {
		x := emblemEdge + i%abreast*wide
		if column == 1 {
			x = emblemWide - emblemEdge - (i%abreast+1)*wide
		}
		y := top + i/abreast*glyphHigh(wide)
		if y+glyphHigh(wide) > emblemHigh {
			break // too many even so
		}
		e.Shapes = append(e.Shapes, Shape{X: x, Y: y, Kind: kind, Tint: f.Tint})
	}
}
