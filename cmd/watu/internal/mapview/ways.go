package mapview

import (
	"fmt"
	"math"
	"slices"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	boards "github.com/watu-ledger/watu/rules/board"
)

// way leads from where raiders lie to what they raid, or whence bombers came, in the game turn that is on.
type way struct {
	Bombs      bool
	Path       string
	Tip        boards.Point
	Angle      int    // of its head, in degrees
	Width      string // in pixels: the wider, the more it took
	Casing     string // of its edge
	Half, Long string // of its head
	Title, Why string
	From       string       // whence it comes, written at the edge over which it leads; empty for any other
	At         boards.Point // the middle of that

	space         string // where it begins
	damage, count int
}

// whence is where the boats of a power lie, or the middle of the space.
func (w *marking) whence(space, power string) (coast.Spot, bool) {
	for _, b := range w.Boats {
		if b.zone == space && b.power == power {
			return coast.SpotOf(b.At), true
		}
	}
	s, ok := w.lands[space]
	if !ok {
		return coast.Spot{}, false
	}
	return coast.SpotOf(s.At), true
}

// lead draws a way to the coast of a territory, bent so that each of several is seen. One that leads over the
// edge of the map is drawn from the edge over which it comes, and says there whence.
func (w *marking) lead(x way, from coast.Spot, territory string) {
	to, shown := w.lands[territory]
	if !shown {
		return
	}
	over := 0.0
	if across := from.X - float64(to.At.X); math.Abs(across) > mapWide/2 {
		over = math.Copysign(mapWide, across)
	}
	from.X -= over
	end := to.rings[0].Nearest(from)
	if x.Bombs {
		end = coast.SpotOf(to.At)
	}
	dx, dy := end.X-from.X, end.Y-from.Y
	long := math.Hypot(dx, dy)
	if long < 1 {
		return
	}
	if !x.Bombs { // it begins beside the boat
		from = coast.Spot{X: from.X + dx/long*boatWide*.56*w.unit, Y: from.Y + dy/long*boatHigh*.6*w.unit}
		if long < 1.5*boatWide*w.unit { // above it and its count, where they are close
			from = coast.Spot{X: from.X - dx/long*boatWide*.56*w.unit,
				Y: from.Y - dy/long*boatHigh*.6*w.unit - boatHigh*.8*w.unit}
			end = to.rings[0].Nearest(coast.Spot{X: from.X + dx, Y: from.Y})
		}
	}
	by := w.bent(from, end)
	width := 1.5 + .5*float64(x.damage)
	head := (6 + width) * w.unit
	tx, ty := end.X-by.X, end.Y-by.Y
	if t := math.Hypot(tx, ty); !x.Bombs && t > head {
		end = coast.Spot{X: end.X - tx/t*head/2, Y: end.Y - ty/t*head/2}
	}
	if over != 0 {
		from, by = entered(from, by, end)
	}
	x.Path = fmt.Sprintf("M%.0f %.0fQ%.0f %.0f %.0f %.0f", from.X, from.Y, by.X, by.Y, end.X, end.Y)
	w.along = append(w.along, coast.Curve(from, by, end)...)
	if over != 0 {
		w.whenceOver(&x, from)
	}
	x.Tip, x.Angle = end.Point(), int(math.Round(math.Atan2(ty, tx)*180/math.Pi))
	x.Width, x.Casing = fmt.Sprintf("%.1f", width), fmt.Sprintf("%.1f", width+2)
	x.Half, x.Long = fmt.Sprintf("%.1f", 2.5+width*.8), fmt.Sprintf("%.1f", 6+width)
	w.drawn = w.along
	w.Ways = append(w.Ways, x)
}

// entered cuts a way off where it comes over the edge of the map: where it begins then, and towards which point it is
// bent.
func entered(from, by, end coast.Spot) (at, towards coast.Spot) {
	share := func(a, b coast.Spot, t float64) coast.Spot {
		return coast.Spot{X: a.X + t*(b.X-a.X), Y: a.Y + t*(b.Y-a.Y)}
	}
	at, towards = from, by
	for t := .01; t < 1 && (at.X < 0 || at.X > mapWide); t += .01 {
		towards = share(by, end, t)
		at = share(share(from, by, t), towards, t)
	}
	return at, towards
}

// whenceOver writes beside the edge of the map whence a way comes over it.
func (w *marking) whenceOver(x *way, edge coast.Spot) {
	x.From = w.Figures.Within("map-comes", "space", x.space)
	s := search{wide: (coast.InLetters(x.From)*10 + 6) * w.unit, high: 14 * w.unit, far: 100, ashore: true,
		over: overLand, fits: func(b coast.Frame) bool { return !slices.ContainsFunc(w.written, b.Meets) }}
	s.near = coast.Spot{X: min(max(edge.X, s.wide/2), mapWide-s.wide/2), Y: edge.Y}
	at, ok := w.find(s)
	if !ok {
		at = s.near
	}
	w.taken, x.At = append(w.taken, coast.FrameAt(at, s.wide, s.high)), at.Point()
}

// bent is the point towards which a way is bent: to the north, unless it would lead over fewer names and boats
// elsewhere.
func (w *marking) bent(from, end coast.Spot) (best coast.Spot) {
	dx, dy := end.X-from.X, end.Y-from.Y
	if dx < 0 {
		dx, dy = -dx, -dy
	}
	least := len(w.written) + len(w.taken) + 1
	const pad = 6 // beside a name
	for _, bend := range []float64{.2, -.2, .4, -.4, .6, -.6, .9, -.9, 1.2, -1.2} {
		by := coast.Spot{X: (from.X+end.X)/2 + bend*dy, Y: (from.Y+end.Y)/2 - bend*dx}
		over := 0
		points := coast.Curve(from, by, end)
		for _, f := range slices.Concat(w.written, w.taken) {
			if slices.ContainsFunc(points, coast.Frame{Left: f.Left - pad, Top: f.Top, Right: f.Right + pad,
				Bottom: f.Bottom}.Holds) {
				over++
			}
		}
		if over < least {
			best, least = by, over
		}
	}
	return best
}
