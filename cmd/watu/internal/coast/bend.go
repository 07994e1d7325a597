package coast

import (
	"hash/fnv"
	"slices"

	boards "github.com/watu-ledger/watu/rules/board"
)

// fine is how much finer than the grid a line is bent, so that rounding does not add up.
const fine = 64

// The measures of bends, on the grid.
const (
	farthest = 13 // that a corner is moved
	shortest = 9  // a piece of a coast
	straight = 26 // a piece of a border
)

// bends are the shares of a line's length, in hundredths, by which its middle is moved: once, twice, and then.
var bends = map[int][3]int{border: {13, 9, 6}, shore: {21, 17, 24}}

// draw bends every line of the board.
func (n *net) draw() {
	moved := map[boards.Point]boards.Point{}
	for p := range n.meet {
		moved[p] = n.moved(p)
	}
	for s, kind := range n.kinds {
		a, b := moved[s.a], moved[s.b]
		way := []boards.Point{a, b}
		if kind != atEdge {
			way = n.bent(s, a, b, kind)
		}
		n.ways[s] = way
	}
	n.round()
	for s, way := range n.ways {
		if kind := n.kinds[s]; kind != atEdge {
			way = rough(way, kind)
		}
		for i, p := range way {
			way[i] = boards.Point{X: (p.X + fine/2) / fine, Y: (p.Y + fine/2) / fine}
		}
		n.ways[s] = way
	}
}

// moved is where a corner stands, in fine units. It keeps to an edge of the map on which it is, and waters do not bend.
func (n *net) moved(p boards.Point) boards.Point {
	far := min(farthest*fine, n.clear(p, p, p)*3/10)
	x, y := far*chance(p, p, 1)/1000, far*chance(p, p, 2)/1000
	wet := !slices.ContainsFunc(n.meet[p], func(q boards.Point) bool { return n.kinds[side{p, q}.whole()] != atEdge })
	if wet || p.X == n.least.X || p.X == n.most.X {
		x = 0
	}
	if wet || p.Y == n.least.Y || p.Y == n.most.Y {
		y = 0
	}
	return boards.Point{X: p.X*fine + x, Y: p.Y*fine + y}
}

// clear is how far a place is from the nearest line that does not lead through it, nor is the one from a to b.
func (n *net) clear(at, a, b boards.Point) int {
	least := int64(1) << 40
	for s := range n.kinds {
		if s == (side{a, b}).whole() || s.a == at || s.b == at {
			continue
		}
		least = min(least, apart(at, s))
	}
	return int(root(least * fine * fine))
}

// apart is the squared distance of a place from a line between two.
func apart(p boards.Point, s side) int64 {
	dx, dy := int64(s.b.X-s.a.X), int64(s.b.Y-s.a.Y)
	long := dx*dx + dy*dy
	along := int64(p.X-s.a.X)*dx + int64(p.Y-s.a.Y)*dy
	switch {
	case along <= 0:
		return squared(p, s.a)
	case along >= long:
		return squared(p, s.b)
	}
	return distance(p, s.a, s.b) / long
}

// bent bends a line twice: a bay, and bays in it.
func (n *net) bent(s side, a, b boards.Point, kind int) []boards.Point {
	middle := boards.Point{X: (s.a.X + s.b.X) / 2, Y: (s.a.Y + s.b.Y) / 2}
	room := n.clear(middle, s.a, s.b) * 3 / 10
	m := off(a, b, bends[kind][0], room, 3)
	if kind == shore && inwards(a, m, b) == n.back[s] { // rather a cape than a bay: the land keeps its size
		m = boards.Point{X: a.X + b.X - m.X, Y: a.Y + b.Y - m.Y}
	}
	left, right := off(a, m, bends[kind][1], room/2, 4), off(m, b, bends[kind][1], room/2, 5)
	if length(a, b) < 4*shortest*fine {
		return []boards.Point{a, m, b}
	}
	return []boards.Point{a, left, m, right, b}
}

// inwards reports whether a bend leads to the right of the way from a to b.
func inwards(a, m, b boards.Point) bool {
	return int64(b.X-a.X)*int64(m.Y-a.Y)-int64(b.Y-a.Y)*int64(m.X-a.X) < 0
}

// off is the middle of two places, moved aside by a share of their distance, no farther than there is room.
func off(a, b boards.Point, share, room, which int) boards.Point {
	dx, dy := b.X-a.X, b.Y-a.Y
	m := boards.Point{X: a.X + dx/2, Y: a.Y + dy/2}
	long := length(a, b)
	if long == 0 {
		return m
	}
	far := min(long*share/100, room) * chance(a, b, which) / 1000
	return boards.Point{X: m.X - dy*far/long, Y: m.Y + dx*far/long}
}

// rough parts a line again and again, until its pieces are short, and moves each middle aside.
func rough(way []boards.Point, kind int) (list []boards.Point) {
	least := shortest
	if kind == border {
		least = straight
	}
	for i := range way[1:] {
		list = append(list, way[i])
		list = append(list, between(way[i], way[i+1], bends[kind][2], least*fine)...)
	}
	return append(list, way[len(way)-1])
}

func between(a, b boards.Point, share, least int) []boards.Point {
	if length(a, b) < 2*least {
		return nil
	}
	m := off(a, b, share, 8*fine, 6)
	return append(append(between(a, m, share, least), m), between(m, b, share, least)...)
}

// round cuts the corners where two lines of a kind meet and no third: both ways end, and begin, on the cut.
func (n *net) round() {
	for p, next := range n.meet {
		if len(next) != 2 {
			continue
		}
		s, t := (side{p, next[0]}).whole(), (side{p, next[1]}).whole()
		if n.kinds[s] == atEdge || n.kinds[s] != n.kinds[t] {
			continue
		}
		from, to := n.ways[s], n.ways[t]
		q, r := second(from, s, p), second(to, t, p)
		at := end(from, s, p)
		in := boards.Point{X: (2*at.X + q.X + r.X) / 4, Y: (2*at.Y + q.Y + r.Y) / 4}
		n.ways[s] = ending(from, s, p, boards.Point{X: (in.X*2 + q.X + at.X) / 4, Y: (in.Y*2 + q.Y + at.Y) / 4}, in)
		n.ways[t] = ending(to, t, p, boards.Point{X: (in.X*2 + r.X + at.X) / 4, Y: (in.Y*2 + r.Y + at.Y) / 4}, in)
	}
}

// second is the place next to the end of a way at a corner, and end that end.
func second(way []boards.Point, s side, p boards.Point) boards.Point {
	if s.a == p {
		return way[1]
	}
	return way[len(way)-2]
}

func end(way []boards.Point, s side, p boards.Point) boards.Point {
	if s.a == p {
		return way[0]
	}
	return way[len(way)-1]
}

// ending is a way that ends at a corner in another place, by one more.
func ending(way []boards.Point, s side, p, by, last boards.Point) []boards.Point {
	if s.a == p {
		return append([]boards.Point{last, by}, way[1:]...)
	}
	return append(slices.Clone(way[:len(way)-1]), by, last)
}

// chance is a number from -1000 to 1000 that two places have. It is no die: it is the same
// every time.
func chance(a, b boards.Point, which int) int {
	h := fnv.New32a()
	for _, v := range []int{a.X, a.Y, b.X, b.Y, which} {
		h.Write([]byte{byte(v), byte(v >> 8), byte(v >> 16)})
	}
	x := h.Sum32()
	x ^= x >> 15
	x *= 0x2c1b3c6d
	x ^= x >> 13
	return int(x%2001) - 1000
}

func length(a, b boards.Point) int { return int(root(squared(a, b))) }

// root is the whole part of a square root.
func root(n int64) int64 {
	if n < 2 {
		return max(n, 0)
	}
	x := n
	for y := (x + 1) / 2; y < x; y = (x + n/x) / 2 {
		x = y
	}
	return x
}
