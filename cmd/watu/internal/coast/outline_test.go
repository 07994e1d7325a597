package coast

import (
	"math"
	"regexp"
	"testing"

	boards "github.com/watu-ledger/watu/rules/board"
)

var pathData = regexp.MustCompile(`^M\d+ \d+([lhvm]-?\d+([ -]\d+)*|z)*z$`)

// What is left out of an outline is within a unit of what stays, and of the corners nothing is.
func TestOutlineKeepsItsShape(t *testing.T) {
	circle := Ring{}
	for i := range 720 {
		a := float64(i) * math.Pi / 360
		circle = append(circle, boards.Point{X: 500 + int(math.Round(400*math.Cos(a))),
			Y: 500 + int(math.Round(400*math.Sin(a)))})
	}
	for _, r := range []Ring{circle, {{X: 0, Y: 0}, {X: 50, Y: 0},
		{X: 100, Y: 0}, {X: 100, Y: 100}, {X: 0, Y: 100},
		{X: 0, Y: 50}}} {
		s := r.Simplified()
		if 3*len(s) > 2*len(r) {
			t.Errorf("%d of %d points stay", len(s), len(r))
		}
		for _, p := range r {
			if d := offLine(p, s); d > 1 {
				t.Errorf("%v is %.2f units off", p, d)
			}
		}
		if was, is := float64(r.Area()), float64(s.Area()); math.Abs(was-is) > was/100 {
			t.Errorf("the area was %.0f and is %.0f", was, is)
		}
	}
}

// offLine is how far a point is from the nearest side of an outline.
func offLine(p boards.Point, r Ring) float64 {
	best := math.Inf(1)
	for i, a := range r {
		b := r[(i+1)%len(r)]
		dx, dy := float64(b.X-a.X), float64(b.Y-a.Y)
		along := (float64(p.X-a.X)*dx + float64(p.Y-a.Y)*dy) / (dx*dx + dy*dy)
		along = min(max(along, 0), 1)
		best = min(best, math.Hypot(float64(p.X-a.X)-along*dx, float64(p.Y-a.Y)-along*dy))
	}
	return best
}

// Outlines of one point, or of two, or all on one line, do not break a drawing.
func FuzzOutline(f *testing.F) {
	f.Add([]byte{1, 1})
	f.Add([]byte{1, 1, 1, 1, 1, 1})
	f.Add([]byte{0, 0, 9, 9, 5, 5, 3, 3})
	f.Add([]byte{0, 0, 0, 99, 99, 99, 99, 0, 50, 1})
	f.Fuzz(func(t *testing.T, data []byte) {
		var outline []boards.Point
		for i := 0; i+1 < len(data); i += 2 {
			outline = append(outline, boards.Point{X: int(data[i]), Y: int(data[i+1])})
		}
		r := RingOf(outline, func(p boards.Point) boards.Point { return boards.Point{X: p.X / 2, Y: p.Y / 2} })
		if len(r) > len(outline) || len(outline) > 0 && len(r) == 0 {
			t.Fatalf("%d points become %d", len(outline), len(r))
		}
		if len(r) > 0 && !pathData.MatchString(PathOf([]Ring{r, r})) {
			t.Fatalf("not a path: %s", PathOf([]Ring{r, r}))
		}
	})
}
