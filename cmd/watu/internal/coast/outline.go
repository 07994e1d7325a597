// Package coast has the shapes of a board that is drawn: outlines put on a grid and simplified, coasts for a board that
// was drawn with a ruler, how much room there is within them, and where there is sea alone. What stands there is the
// page's.
package coast

import (
	"slices"
	"strconv"

	boards "github.com/watu-ledger/watu/rules/board"
)

// A board's outlines are traced from pictures several thousand pixels wide, with a point for each
// pixel of a coast. Here they are put on a grid as fine as the drawing shows, and points within a
// unit of the line between others are left out. All of it is in whole numbers: the same board is the
// same drawing everywhere.

// Ring is one closed outline on the grid; its last point is joined to the first.
type Ring []boards.Point

// RingOf puts an outline on the grid and simplifies it.
func RingOf(outline []boards.Point, scaled func(boards.Point) boards.Point) Ring {
	r := make(Ring, 0, len(outline))
	for _, p := range outline {
		if q := scaled(p); len(r) == 0 || r[len(r)-1] != q {
			r = append(r, q)
		}
	}
	for len(r) > 1 && r[0] == r[len(r)-1] {
		r = r[:len(r)-1]
	}
	return r.Simplified()
}

// Simplified leaves out points by Douglas and Peucker's rule, on both sides of two that stay: the
// leftmost, which neighbours that share a border are likely to share, and that farthest from it.
func (r Ring) Simplified() Ring {
	if len(r) < 4 {
		return r
	}
	start := 0
	for i, p := range r {
		if q := r[start]; p.X < q.X || p.X == q.X && p.Y < q.Y {
			start = i
		}
	}
	r = slices.Concat(r[start:], r[:start])
	far := 0
	for i := range r {
		if squared(r[0], r[i]) > squared(r[0], r[far]) {
			far = i
		}
	}
	stays := make([]bool, len(r)+1)
	closed := append(r, r[0])
	stays[0], stays[far] = true, true
	keep(closed, 0, far, stays)
	keep(closed, far, len(r), stays)
	out := Ring{}
	for i, p := range r {
		if stays[i] {
			out = append(out, p)
		}
	}
	return out
}

// keep marks the points between two that stay which are too far from the line between them.
func keep(points []boards.Point, from, to int, stays []bool) {
	worst, at := int64(0), -1
	a, b := points[from], points[to]
	length := squared(a, b)
	for i := from + 1; i < to; i++ {
		if away := distance(points[i], a, b); away > worst {
			worst, at = away, i
		}
	}
	// Too far is more than 0.8 of a unit: worst is the squared distance, times the line's squared length
	// unless the two points are one.
	if at < 0 || worst*25 <= 16*max(length, 1) {
		return
	}
	stays[at] = true
	keep(points, from, at, stays)
	keep(points, at, to, stays)
}

// distance is the squared distance of a point from the line through a and b, times that line's
// squared length; from the point a alone where b is the same.
func distance(p, a, b boards.Point) int64 {
	if a == b {
		return squared(a, p)
	}
	cross := int64(b.X-a.X)*int64(p.Y-a.Y) - int64(b.Y-a.Y)*int64(p.X-a.X)
	return cross * cross
}

func squared(a, b boards.Point) int64 {
	dx, dy := int64(a.X-b.X), int64(a.Y-b.Y)
	return dx*dx + dy*dy
}

// Area is twice the area within the outline.
func (r Ring) Area() int {
	sum := 0
	for i, p := range r {
		q := r[(i+1)%len(r)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return max(sum, -sum)
}

// Box is the least rectangle around the outline.
func (r Ring) Box() (least, most boards.Point) {
	if len(r) == 0 {
		return
	}
	least, most = r[0], r[0]
	for _, p := range r {
		least = boards.Point{X: min(least.X, p.X), Y: min(least.Y, p.Y)}
		most = boards.Point{X: max(most.X, p.X), Y: max(most.Y, p.Y)}
	}
	return least, most
}

// PathOf writes outlines as the commands of an SVG path, each step from where the last one ended.
func PathOf(rings []Ring) string {
	var w pathText
	at := boards.Point{}
	for i, r := range rings {
		if i == 0 {
			w.step('M', r[0].X, r[0].Y)
		} else {
			w.step('m', r[0].X-at.X, r[0].Y-at.Y)
		}
		at = r[0] // and again after z
		from := at
		for _, p := range r[1:] {
			switch dx, dy := p.X-from.X, p.Y-from.Y; {
			case dy == 0:
				w.step('h', dx)
			case dx == 0:
				w.step('v', dy)
			default:
				w.step('l', dx, dy)
			}
			from = p
		}
		w.step('z')
	}
	return string(w.text)
}

// pathText is the text of a path. A command that repeats is not written again.
type pathText struct {
	text []byte
	last byte
}

func (w *pathText) step(command byte, numbers ...int) {
	fresh := command != w.last
	if fresh {
		w.text, w.last = append(w.text, command), command
	}
	for i, n := range numbers {
		if (i > 0 || !fresh) && n >= 0 {
			w.text = append(w.text, ' ')
		}
		w.text = strconv.AppendInt(w.text, int64(n), 10)
	}
}
