package typeface

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
)

// outlines is the table CFF: Adobe Technical Note 5176, with programs of Note 5177. It has no subroutines and no hints.
// Glyphs are called by the standard strings in their order, which nobody reads.
func (c *cutter) outlines(name string) []byte {
	var programs [][]byte
	for _, g := range c.glyphs {
		programs = append(programs, g.program)
	}
	chars := index(programs...)
	private := slices.Concat(number(0), []byte{20}, number(0), []byte{21}) // defaultWidthX, nominalWidthX
	charset := []byte{2, 0, 1, 0, 0}
	binary.BigEndian.PutUint16(charset[3:], uint16(len(c.glyphs)-2))
	box := c.box()
	top := func(charsetAt, charsAt, privateAt int) []byte {
		var d []byte
		for _, v := range box {
			d = append(d, number(v)...)
		}
		d = append(d, 5) // FontBBox
		if c.em != 1000 {
			scale := real(1 / float64(c.em))
			d = slices.Concat(d, scale, number(0), number(0), scale, number(0), number(0), []byte{12, 7}) // FontMatrix
		}
		return slices.Concat(d, long(charsetAt), []byte{15}, long(charsAt), []byte{17}, long(len(private)),
			long(privateAt), []byte{18})
	}
	head := slices.Concat([]byte{1, 0, 4, 4}, index([]byte(plainName(name))))
	tail := slices.Concat(index(), index()) // no strings, no subroutines
	from := len(head) + len(index(top(0, 0, 0))) + len(tail)
	dict := index(top(from, from+len(charset), from+len(charset)+len(chars)))
	return slices.Concat(head, dict, tail, charset, chars, private)
}

func plainName(name string) string {
	return string(slices.DeleteFunc([]byte(name), func(b byte) bool { return b == ' ' }))
}

// box holds all glyphs: left, bottom, right, top.
func (c *cutter) box() []int {
	var all fixed.Rectangle26_6
	for _, g := range c.glyphs {
		all = all.Union(g.box)
	}
	return []int{all.Min.X.Floor(), -all.Max.Y.Ceil(), all.Max.X.Ceil(), -all.Min.Y.Floor()}
}

// index is an INDEX of objects.
func index(objects ...[]byte) []byte {
	b := binary.BigEndian.AppendUint16(nil, uint16(len(objects)))
	if len(objects) == 0 {
		return b
	}
	b = append(b, 2)
	at := 1
	b = binary.BigEndian.AppendUint16(b, uint16(at))
	for _, o := range objects {
		at += len(o)
		b = binary.BigEndian.AppendUint16(b, uint16(at))
	}
	if at > 0xffff {
		panic("an INDEX of more than 64 KB")
	}
	return append(b, slices.Concat(objects...)...)
}

// number is an operand of a DICT or of a program: both have the same form up to 16 bits.
func number(n int) []byte {
	switch {
	case n >= -107 && n <= 107:
		return []byte{byte(n + 139)}
	case n >= 108 && n <= 1131:
		return []byte{byte((n-108)>>8 + 247), byte(n - 108)}
	case n >= -1131 && n <= -108:
		return []byte{byte((-n-108)>>8 + 251), byte(-n - 108)}
	}
	return []byte{28, byte(n >> 8), byte(n)}
}

// long is an operand of a DICT that always takes five bytes.
func long(n int) []byte { return binary.BigEndian.AppendUint32([]byte{29}, uint32(n)) }

// real is an operand of a DICT: digits in halves of bytes.
func real(x float64) []byte {
	var halves []byte
	for _, r := range fmt.Sprintf("%.12f", x) {
		if r == '.' {
			halves = append(halves, 10)
			continue
		}
		halves = append(halves, byte(r-'0'))
	}
	halves = append(halves, 15)
	if len(halves)%2 == 1 {
		halves = append(halves, 15)
	}
	b := []byte{30}
	for i := 0; i < len(halves); i += 2 {
		b = append(b, halves[i]<<4|halves[i+1])
	}
	return b
}

// pen writes a program: it gathers operands of one operator as long as the stack of 48 has room.
type pen struct {
	b        []byte
	x, y     int // where it stands
	operator byte
	operands []int
}

const (
	rlineto   = 5
	hlineto   = 6
	vlineto   = 7
	endchar   = 14
	rmoveto   = 21
	rrcurveto = 8
	vhcurveto = 30
	hvcurveto = 31
)

// charstring is the program of a glyph. Curves of second degree are raised to the third.
func charstring(width int, outline sfnt.Segments) []byte {
	p := &pen{b: number(width)}
	units := func(q fixed.Point26_6) (x, y int) { return q.X.Round(), -q.Y.Round() }
	for _, s := range outline {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			x, y := units(s.Args[0])
			p.flush()
			p.add(rmoveto, x-p.x, y-p.y)
			p.x, p.y = x, y
		case sfnt.SegmentOpLineTo:
			x, y := units(s.Args[0])
			p.line(x, y)
		case sfnt.SegmentOpQuadTo:
			cx, cy := units(s.Args[0])
			x, y := units(s.Args[1])
			third := func(a, b int) int { return int(math.Round(float64(a+2*b) / 3)) }
			p.curve(third(p.x, cx), third(p.y, cy), third(x, cx), third(y, cy), x, y)
		case sfnt.SegmentOpCubeTo:
			ax, ay := units(s.Args[0])
			bx, by := units(s.Args[1])
			x, y := units(s.Args[2])
			p.curve(ax, ay, bx, by, x, y)
		}
	}
	p.flush()
	return append(p.b, endchar)
}

func (p *pen) line(x, y int) {
	dx, dy := x-p.x, y-p.y
	p.x, p.y = x, y
	switch {
	case dx == 0 && dy == 0:
	case dy == 0:
		p.flush()
		p.add(hlineto, dx)
		p.flush()
	case dx == 0:
		p.flush()
		p.add(vlineto, dy)
		p.flush()
	default:
		p.add(rlineto, dx, dy)
	}
}

func (p *pen) curve(ax, ay, bx, by, x, y int) {
	x0, y0 := p.x, p.y
	p.x, p.y = x, y
	switch {
	case ay == y0 && x == bx:
		p.flush()
		p.add(hvcurveto, ax-x0, bx-ax, by-ay, y-by)
		p.flush()
	case ax == x0 && y == by:
		p.flush()
		p.add(vhcurveto, ay-y0, bx-ax, by-ay, x-bx)
		p.flush()
	default:
		p.add(rrcurveto, ax-x0, ay-y0, bx-ax, by-ay, x-bx, y-by)
	}
}

func (p *pen) add(operator byte, operands ...int) {
	if p.operator != operator || len(p.operands)+len(operands) > 47 {
		p.flush()
	}
	p.operator = operator
	p.operands = append(p.operands, operands...)
}

func (p *pen) flush() {
	if len(p.operands) == 0 {
		return
	}
	for _, n := range p.operands {
		p.b = append(p.b, number(n)...)
	}
	p.b = append(p.b, p.operator)
	p.operands = p.operands[:0]
}
