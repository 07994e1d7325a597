package coast

import (
	"math"
	"slices"

	boards "github.com/watu-ledger/watu/rules/board"
)

// Spot is a place on the grid, between its lines too.
type Spot struct{ X, Y float64 }

// SpotOf is a point of the grid.
func SpotOf(p boards.Point) Spot { return Spot{float64(p.X), float64(p.Y)} }

// Inside reports whether a place is within the outline.
func (r Ring) Inside(p Spot) bool {
	in := false
	for i, a := range r {
		s, t := SpotOf(a), SpotOf(r[(i+1)%len(r)])
		if (s.Y > p.Y) != (t.Y > p.Y) && p.X < (t.X-s.X)*(p.Y-s.Y)/(t.Y-s.Y)+s.X {
			in = !in
		}
	}
	return in
}

// Nearest is the point of the outline that is nearest to a place.
func (r Ring) Nearest(p Spot) Spot {
	best, least := Spot{}, math.Inf(1)
	for i, a := range r {
		s, t := SpotOf(a), SpotOf(r[(i+1)%len(r)])
		dx, dy := t.X-s.X, t.Y-s.Y
		along := 0.0
		if l := dx*dx + dy*dy; l > 0 {
			along = min(max(((p.X-s.X)*dx+(p.Y-s.Y)*dy)/l, 0), 1)
		}
		q := Spot{s.X + along*dx, s.Y + along*dy}
		if d := math.Hypot(p.X-q.X, p.Y-q.Y); d < least {
			best, least = q, d
		}
	}
	return best
}

// Room is how many times as large a box of half that width and height about a place may be before it touches an
// outline.
func Room(p Spot, wide, high float64, outlines []Ring) float64 {
	most := math.Inf(1)
	for _, r := range outlines {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			most = min(most, away(Spot{(float64(a.X) - p.X) / wide, (float64(a.Y) - p.Y) / high},
				Spot{(float64(b.X) - p.X) / wide, (float64(b.Y) - p.Y) / high}))
		}
	}
	return most
}

// away is how far a line is from the origin, by the larger of its two coordinates: that is least at an end of the line,
// on an axis or on a diagonal.
func away(a, b Spot) float64 {
	dx, dy := b.X-a.X, b.Y-a.Y
	least := min(max(math.Abs(a.X), math.Abs(a.Y)), max(math.Abs(b.X), math.Abs(b.Y)))
	for _, t := range []float64{-a.X / dx, -a.Y / dy, (a.Y - a.X) / (dx - dy), -(a.X + a.Y) / (dx + dy)} {
		if t > 0 && t < 1 {
			least = min(least, max(math.Abs(a.X+t*dx), math.Abs(a.Y+t*dy)))
		}
	}
	return least
}

// Point is the nearest point of the grid.
func (p Spot) Point() boards.Point {
	return boards.Point{X: int(math.Round(p.X)), Y: int(math.Round(p.Y))}
}

// Frame is a rectangle on the grid.
type Frame struct{ Left, Top, Right, Bottom float64 }

// FrameAt is a rectangle about a place.
func FrameAt(p Spot, wide, high float64) Frame {
	return Frame{p.X - wide/2, p.Y - high/2, p.X + wide/2, p.Y + high/2}
}

// Meets reports whether two rectangles have room in common.
func (b Frame) Meets(c Frame) bool {
	return b.Left < c.Right && c.Left < b.Right && b.Top < c.Bottom && c.Top < b.Bottom
}

// Holds reports whether a place is in the rectangle.
func (b Frame) Holds(p Spot) bool {
	return b.Left <= p.X && p.X <= b.Right && b.Top <= p.Y && p.Y <= b.Bottom
}

// cell is the side of a square of a sea chart.
const cell = 4

// Chart says which squares of the map have land, summed from its corner: so a rectangle is looked up in four of them.
type Chart struct {
	wide, high int
	sums       []int32
}

// ChartOf finds where a map of that size has sea alone, about the outlines of its lands.
func ChartOf(wide, high int, lands []Ring) Chart {
	c := Chart{wide: wide/cell + 2, high: high/cell + 2}
	c.sums = make([]int32, c.wide*c.high)
	set := func(x, y float64) {
		if i, j := int(x)/cell, int(y)/cell; i >= 0 && j >= 0 && i < c.wide-1 && j < c.high-1 {
			c.sums[(j+1)*c.wide+i+1] = 1
		}
	}
	for _, r := range lands {
		r.squares(set)
	}
	for j := 1; j < c.high; j++ {
		for i := 1; i < c.wide; i++ {
			c.sums[j*c.wide+i] += c.sums[(j-1)*c.wide+i] + c.sums[j*c.wide+i-1] - c.sums[(j-1)*c.wide+i-1]
		}
	}
	return c
}

// squares gives a place in every square within the outline, and of every one through which it leads.
func (r Ring) squares(set func(x, y float64)) {
	least, most := r.Box()
	for i, a := range r {
		b := r[(i+1)%len(r)]
		steps := max(abs(b.X-a.X), abs(b.Y-a.Y), 1)
		for n := range steps {
			t := float64(n) / float64(steps)
			set(float64(a.X)+t*float64(b.X-a.X), float64(a.Y)+t*float64(b.Y-a.Y))
		}
	}
	for y := float64(least.Y/cell*cell) + cell/2; y < float64(most.Y); y += cell {
		var at []float64
		for i, a := range r {
			s, t := SpotOf(a), SpotOf(r[(i+1)%len(r)])
			if (s.Y > y) != (t.Y > y) {
				at = append(at, (t.X-s.X)*(y-s.Y)/(t.Y-s.Y)+s.X)
			}
		}
		slices.Sort(at)
		for i := 0; i+1 < len(at); i += 2 {
			for x := at[i]; x < at[i+1]; x += cell {
				set(x, y)
			}
		}
	}
}

func abs(n int) int { return max(n, -n) }

// Land counts the squares of a rectangle that have land.
func (c Chart) Land(b Frame) int32 {
	i, j := min(max(int(b.Left)/cell, 0), c.wide-1), min(max(int(b.Top)/cell, 0), c.high-1)
	k, l := min(max(int(b.Right)/cell+1, 0), c.wide-1), min(max(int(b.Bottom)/cell+1, 0), c.high-1)
	return c.sums[l*c.wide+k] - c.sums[j*c.wide+k] - c.sums[l*c.wide+i] + c.sums[j*c.wide+i]
}
