package raster

import (
	"fmt"
	"math"
	"strconv"
	"strings"
)

// point is a place, in pixels or in units of the picture.
type point struct{ x, y float64 }

func (p point) plus(q point) point        { return point{p.x + q.x, p.y + q.y} }
func (p point) minus(q point) point       { return point{p.x - q.x, p.y - q.y} }
func (p point) by(f float64) point        { return point{p.x * f, p.y * f} }
func (p point) long() float64             { return math.Hypot(p.x, p.y) }
func (p point) dot(q point) float64       { return p.x*q.x + p.y*q.y }
func between(a, b point, f float64) point { return a.plus(b.minus(a).by(f)) }

// contour is a line from point to point.
type contour struct {
	at     []point
	closed bool
}

// outline collects contours. Curves become lines that are off by less than an eighth of a pixel.
type outline struct {
	done  []contour
	now   contour
	scale float64 // pixels of a unit
}

func (o *outline) move(p point) {
	o.end(false)
	o.now.at = append(o.now.at, p)
}

func (o *outline) line(p point) { o.now.at = append(o.now.at, p) }

func (o *outline) end(closed bool) {
	if len(o.now.at) > 1 {
		o.now.closed = closed
		o.done = append(o.done, o.now)
	}
	o.now = contour{}
}

// pieces is into how many lines a curve goes that is so long.
func (o *outline) pieces(long float64) int {
	return min(max(int(math.Sqrt(long*o.scale)), 2), 64)
}

func (o *outline) quad(b, c point) {
	a := o.last()
	n := o.pieces(b.minus(a).long() + c.minus(b).long())
	for i := 1; i <= n; i++ {
		f := float64(i) / float64(n)
		o.line(between(between(a, b, f), between(b, c, f), f))
	}
}

func (o *outline) cube(b, c, d point) {
	a := o.last()
	n := o.pieces(b.minus(a).long() + c.minus(b).long() + d.minus(c).long())
	for i := 1; i <= n; i++ {
		f := float64(i) / float64(n)
		p, q, r := between(a, b, f), between(b, c, f), between(c, d, f)
		o.line(between(between(p, q, f), between(q, r, f), f))
	}
}

func (o *outline) last() point { return o.now.at[len(o.now.at)-1] }

// operands is how many numbers a command of a path takes.
var operands = map[byte]int{'M': 2, 'L': 2, 'H': 1, 'V': 1, 'Q': 4, 'T': 2, 'C': 6, 'S': 4, 'Z': 0}

// pathOf reads the commands of a path.
func pathOf(d string, scale float64) ([]contour, error) {
	r := reading{text: d, out: outline{scale: scale}}
	command := byte(0)
	for {
		r.text = strings.TrimLeft(r.text, " ,\n\t")
		if r.text == "" {
			r.out.end(false)
			return r.out.done, nil
		}
		if c := r.text[0]; c >= 'A' {
			command, r.text = c, r.text[1:]
		}
		n, known := operands[command&^0x20]
		if !known {
			return nil, fmt.Errorf("a path with %q", string(rune(command)))
		}
		for i := range n {
			if err := r.number(i); err != nil {
				return nil, err
			}
		}
		r.do(command)
		switch command { // numbers that follow without a command
		case 'M':
			command = 'L'
		case 'm':
			command = 'l'
		case 'Z', 'z':
			command = 0
		}
	}
}

// reading reads a path.
type reading struct {
	text    string
	with    [6]float64
	out     outline
	at      point // where the pen stands
	began   point // the contour
	control point // the last one of a curve, for a smooth next one
}

// number reads the next number.
func (r *reading) number(i int) error {
	r.text = strings.TrimLeft(r.text, " ,\n\t")
	n, dots := 0, 0
	for n < len(r.text) && (r.text[n] >= '0' && r.text[n] <= '9' || r.text[n] == '.' && dots == 0 ||
		r.text[n] == '-' && n == 0) {
		if r.text[n] == '.' {
			dots++
		}
		n++
	}
	x, err := strconv.ParseFloat(r.text[:n], 64)
	r.with[i], r.text = x, r.text[n:]
	return err
}

// do does a command; one in small letters begins where the pen stands.
func (r *reading) do(command byte) {
	from, w := point{}, r.with
	if command >= 'a' {
		from = r.at
	}
	p := func(i int) point { return from.plus(point{w[i], w[i+1]}) }
	smooth := r.at.plus(r.at.minus(r.control))
	kind := command &^ 0x20
	if kind != 'M' && kind != 'Z' && len(r.out.now.at) == 0 {
		r.out.move(r.at) // behind a z
	}
	switch kind {
	case 'M':
		r.began = p(0)
		r.out.move(r.began)
		r.to(r.began, r.began)
	case 'L':
		r.out.line(p(0))
		r.to(p(0), p(0))
	case 'H', 'V':
		to := point{from.x + w[0], r.at.y}
		if kind == 'V' {
			to = point{r.at.x, from.y + w[0]}
		}
		r.out.line(to)
		r.to(to, to)
	case 'Q':
		r.out.quad(p(0), p(2))
		r.to(p(2), p(0))
	case 'T':
		r.out.quad(smooth, p(0))
		r.to(p(0), smooth)
	case 'C':
		r.out.cube(p(0), p(2), p(4))
		r.to(p(4), p(2))
	case 'S':
		r.out.cube(smooth, p(0), p(2))
		r.to(p(2), p(0))
	case 'Z':
		r.out.end(true)
		r.to(r.began, r.began)
	}
}

func (r *reading) to(at, control point) { r.at, r.control = at, control }

// sharpest is how far the corner of a line may reach beyond half its width, in half widths.
const sharpest = 2

// edges is the area of a line along contours, so wide.
func edges(along []contour, wide float64) (area []contour) {
	for _, c := range along {
		at := distinct(c)
		n := len(at)
		if n < 2 {
			continue
		}
		left, right := make([]point, 0, n), make([]point, 0, n)
		for i, p := range at {
			before, after := i-1, i+1
			if c.closed {
				before, after = (i+n-1)%n, (i+1)%n
			}
			side := corner(at, max(before, 0), i, min(after, n-1)).by(wide / 2)
			left, right = append(left, p.plus(side)), append(right, p.minus(side))
		}
		back := make([]point, 0, n)
		for i := range right {
			back = append(back, right[n-1-i])
		}
		if c.closed {
			area = append(area, contour{left, true}, contour{back, true})
		} else {
			area = append(area, contour{append(left, back...), true})
		}
	}
	return area
}

// distinct leaves out points that lie on the one before.
func distinct(c contour) (list []point) {
	const apart = 1e-6
	for _, p := range c.at {
		if n := len(list); n == 0 || p.minus(list[n-1]).long() > apart {
			list = append(list, p)
		}
	}
	if n := len(list); c.closed && n > 1 && list[0].minus(list[n-1]).long() <= apart {
		list = list[:n-1]
	}
	return list
}

// corner is the way from the middle of a line to its edge at a point, for half a width of 1.
func corner(at []point, before, i, after int) point {
	normal := func(a, b point) point {
		d := b.minus(a)
		if d.long() == 0 {
			return point{}
		}
		return point{-d.y, d.x}.by(1 / d.long())
	}
	a, b := normal(at[before], at[i]), normal(at[i], at[after])
	if before == i {
		a = b
	}
	if after == i {
		b = a
	}
	sum := a.plus(b)
	if sum.long() < 1e-6 { // it turns back
		return a
	}
	sum = sum.by(1 / sum.long())
	return sum.by(min(1/max(sum.dot(a), 1e-6), sharpest))
}
