package coast

import (
	"cmp"
	"slices"

	boards "github.com/watu-ledger/watu/rules/board"
)

// A board that was drawn with a ruler gets coasts: what is straight between two spaces bends, and corners are rounded.
// Both spaces beside a line have the same one, so that no gap opens and no space loses a neighbour. All of it follows
// from the outlines: the same board is the same drawing everywhere, and its files stay as they are.

// Space is a space with its outlines on the grid.
type Space struct {
	Name  string
	Water bool
	Rings []Ring
}

// ruled is how many corners an outline has at most, on average, on a board that was drawn with a ruler.
const ruled = 12

// Ruled reports whether a board was drawn with a ruler.
func Ruled(spaces []Space) bool {
	corners, outlines := 0, 0
	for _, s := range spaces {
		for _, r := range s.Rings {
			corners, outlines = corners+len(r), outlines+1
		}
	}
	return outlines > 0 && corners <= ruled*outlines
}

// Shores gives the spaces of a ruled board coasts. What it gives are outlines again, in the order of the spaces.
func Shores(spaces []Space) []Space {
	n := netOf(spaces)
	out := make([]Space, len(spaces))
	for i, s := range spaces {
		out[i] = Space{s.Name, s.Water, nil}
		for _, loop := range n.loops(i) {
			out[i].Rings = append(out[i].Rings, n.along(loop))
		}
	}
	return out
}

// side is a straight line from one corner of the board to the next, with no corner between.
type side struct{ a, b boards.Point }

// whole is the line in the one of its two directions by which it goes.
func (s side) whole() side {
	if before(s.b, s.a) {
		return side{s.b, s.a}
	}
	return s
}

func before(p, q boards.Point) bool {
	return cmp.Or(cmp.Compare(p.X, q.X), cmp.Compare(p.Y, q.Y)) < 0
}

// The kinds of lines between spaces.
const (
	atEdge = iota // of the map, or between waters: straight
	border        // between lands
	shore         // of land and water
)

// net is the lines of a board.
type net struct {
	least, most boards.Point
	sides       [][]side                        // of each space, in its direction
	kinds       map[side]int                    // of whole lines
	ways        map[side][]boards.Point         // of whole lines, as they are drawn
	back        map[side]bool                   // of shores: the land is to the left of the way
	meet        map[boards.Point][]boards.Point // the corners next to a corner
}

func netOf(spaces []Space) *net {
	n := &net{kinds: map[side]int{}, ways: map[side][]boards.Point{}, back: map[side]bool{},
		meet: map[boards.Point][]boards.Point{}}
	var all Ring
	for _, s := range spaces {
		for _, r := range s.Rings {
			all = append(all, r...)
		}
	}
	n.least, n.most = all.Box()
	lands, waters := map[side]int{}, map[side]int{}
	for _, s := range spaces {
		own := own(s.Rings, all)
		n.sides = append(n.sides, own)
		for _, x := range own {
			if s.Water {
				waters[x.whole()]++
			} else {
				lands[x.whole()]++
				n.back[x.whole()] = x != x.whole()
			}
		}
	}
	for _, list := range n.sides {
		for _, x := range list {
			w := x.whole()
			if _, known := n.kinds[w]; known {
				continue
			}
			n.meet[w.a], n.meet[w.b] = append(n.meet[w.a], w.b), append(n.meet[w.b], w.a)
			switch {
			case lands[w] == 0 || n.edge(w.a, w.b):
				n.kinds[w] = atEdge
			case lands[w] > 1:
				n.kinds[w] = border
			default:
				n.kinds[w] = shore
			}
		}
	}
	n.draw()
	return n
}

// own are the lines about a space: two of its outlines may lie side by side, and what parts them is none.
func own(rings []Ring, corners []boards.Point) (list []side) {
	count := map[side]int{}
	for _, r := range rings {
		if r.turns() < 0 {
			r = slices.Clone(r)
			slices.Reverse(r)
		}
		for i, a := range r {
			for _, x := range cut(side{a, r[(i+1)%len(r)]}, corners) {
				count[x]++
				list = append(list, x)
			}
		}
	}
	return slices.DeleteFunc(list, func(x side) bool { return count[side{x.b, x.a}] > 0 })
}

// turns is twice the area within the outline, below 0 if it leads the other way round.
func (r Ring) turns() (sum int) {
	for i, p := range r {
		q := r[(i+1)%len(r)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return sum
}

// cut parts a line at the corners that lie on it.
func cut(s side, corners []boards.Point) (list []side) {
	on := []boards.Point{s.a, s.b}
	for _, p := range corners {
		if p != s.a && p != s.b && distance(p, s.a, s.b) == 0 && squared(s.a, p) < squared(s.a, s.b) &&
			squared(s.b, p) < squared(s.a, s.b) && !slices.Contains(on, p) {
			on = append(on, p)
		}
	}
	slices.SortFunc(on, func(p, q boards.Point) int { return cmp.Compare(squared(s.a, p), squared(s.a, q)) })
	for i := range on[1:] {
		list = append(list, side{on[i], on[i+1]})
	}
	return list
}

// edge reports whether a line lies on the edge of the map.
func (n *net) edge(a, b boards.Point) bool {
	return a.X == b.X && (a.X == n.least.X || a.X == n.most.X) || a.Y == b.Y && (a.Y == n.least.Y || a.Y == n.most.Y)
}

// loops are the closed ways about a space, as lists of corners. Where two of its parts touch in a corner, they stay
// two.
func (n *net) loops(space int) (loops []Ring) {
	next := map[boards.Point][]boards.Point{}
	for _, x := range n.sides[space] {
		next[x.a] = append(next[x.a], x.b)
	}
	for _, x := range n.sides[space] {
		at := x.a
		var loop Ring
		for from := at; len(next[at]) > 0; {
			i := 0
			for j, q := range next[at] { // the sharpest turn to the right
				if len(next[at]) > 1 && turn(from, at, q) > turn(from, at, next[at][i]) {
					i = j
				}
			}
			to := next[at][i]
			next[at] = slices.Delete(next[at], i, i+1)
			loop = append(loop, at)
			from, at = at, to
		}
		if len(loop) > 2 && at == x.a {
			loops = append(loops, loop)
		}
	}
	return loops
}

// turn is above 0 where the way from a by b to c turns one way, below it the other.
func turn(a, b, c boards.Point) int { return (b.X-a.X)*(c.Y-b.Y) - (b.Y-a.Y)*(c.X-b.X) }

// along is a loop as it is drawn.
func (n *net) along(loop Ring) (r Ring) {
	for i, a := range loop {
		b := loop[(i+1)%len(loop)]
		way := n.ways[side{a, b}.whole()]
		if side := (side{a, b}); side != side.whole() {
			way = slices.Clone(way)
			slices.Reverse(way)
		}
		for _, p := range way[:len(way)-1] {
			if len(r) == 0 || r[len(r)-1] != p {
				r = append(r, p)
			}
		}
	}
	for len(r) > 1 && r[0] == r[len(r)-1] {
		r = r[:len(r)-1]
	}
	return r
}
