package coast

import (
	"math/rand/v2"
	"reflect"
	"testing"

	"github.com/watu-ledger/watu/fixtures"
	boards "github.com/watu-ledger/watu/rules/board"
)

// drawn gives the outlines of a bundled board on a grid 1200 wide.
func drawn(t *testing.T, name string) []Space {
	t.Helper()
	files, ok := fixtures.Board(name)
	if !ok {
		t.Fatalf("there is no board %s", name)
	}
	var list []boards.File
	for _, f := range files {
		list = append(list, boards.File{Name: f.Name, Data: f.Data})
	}
	b, err := boards.Read(list...)
	if err != nil {
		t.Fatal(err)
	}
	var spaces []Space
	for _, s := range b.Spaces() {
		outlines, err := b.Polygons(s.Name)
		if err != nil {
			t.Fatal(err)
		}
		x := Space{Name: s.Name, Water: s.Water}
		for _, o := range outlines {
			x.Rings = append(x.Rings, RingOf(o, func(p boards.Point) boards.Point {
				return boards.Point{X: p.X * 6 / 5, Y: p.Y * 6 / 5}
			}))
		}
		spaces = append(spaces, x)
	}
	return spaces
}

// Coasts cross neither themselves nor others, keep the size of their spaces, and are the same every time.
func TestShores(t *testing.T) {
	for _, name := range fixtures.Boards() {
		t.Run(name, func(t *testing.T) {
			was := drawn(t, name)
			if !Ruled(was) {
				t.Fatal("the board is not drawn with a ruler")
			}
			is := Shores(was)
			if !reflect.DeepEqual(is, Shores(drawn(t, name))) {
				t.Error("the same board is drawn in two ways")
			}
			for i, s := range is {
				before, after := areaOf(was[i]), areaOf(s)
				if after < before*2/3 || after > before*4/3 || len(s.Rings) == 0 {
					t.Errorf("%s had an area of %d and has %d", s.Name, before, after)
				}
				for j := range is {
					if j <= i && s.Water == is[j].Water && crossed(s, is[j]) {
						t.Errorf("%s and %s cross", s.Name, is[j].Name)
					}
				}
			}
		})
	}
}

// areaOf is twice the area of a space. What lies in it, and is not part of it, leads the other way round.
func areaOf(s Space) (sum int) {
	for _, r := range s.Rings {
		sum += r.turns()
	}
	return max(sum, -sum)
}

// crossed reports whether lines of two spaces, or of one, cross each other, and do not just touch.
func crossed(a, b Space) bool {
	for _, r := range a.Rings {
		for _, q := range b.Rings {
			for i, p := range r {
				for j, o := range q {
					if cross(p, r[(i+1)%len(r)], o, q[(j+1)%len(q)]) {
						return true
					}
				}
			}
		}
	}
	return false
}

func cross(a, b, c, d boards.Point) bool {
	sign := func(a, b, c boards.Point) int { return min(max(turn(a, b, c), -1), 1) }
	return sign(a, b, c)*sign(a, b, d) < 0 && sign(c, d, a)*sign(c, d, b) < 0
}

// Spaces that share a border share all points of it, wherever the corners of a drawn board lie.
func TestShoresLeaveNoGap(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 2))
	for range 50 {
		x, y := 100+random.IntN(80), 100+random.IntN(80)
		box := func(l, t, r, b int) []Ring { return []Ring{{{X: l, Y: t}, {X: r, Y: t}, {X: r, Y: b}, {X: l, Y: b}}} }
		list := Shores([]Space{{"a", false, box(50, 50, x, y)}, {"b", false, box(x, 50, 260, y)},
			{"c", true, box(0, 0, 300, 50)}, {"d", true, box(0, y, 300, 300)}, {"e", true, box(0, 50, 50, y)},
			{"f", true, box(260, 50, 300, y)}})
		beside := map[boards.Point]int{}
		for _, s := range list {
			for _, p := range s.Rings[0] {
				beside[p]++
			}
		}
		for p, n := range beside {
			if n == 1 && p.X > 0 && p.X < 300 && p.Y > 0 && p.Y < 300 {
				t.Fatalf("%v is of one space alone, with corners at %d,%d", p, x, y)
			}
		}
	}
}

// What is no outline breaks nothing.
func FuzzShores(f *testing.F) {
	f.Add([]byte{0, 0, 9, 0, 9, 9, 0, 9}, []byte{9, 0, 20, 0, 20, 9, 9, 9})
	f.Add([]byte{0, 0, 9, 9, 5, 5}, []byte{1, 1, 1, 1, 1, 1})
	f.Fuzz(func(t *testing.T, a, b []byte) {
		ring := func(data []byte) []Ring {
			var r Ring
			for i := 0; i+1 < min(len(data), 40); i += 2 {
				r = append(r, boards.Point{X: int(data[i]), Y: int(data[i+1])})
			}
			return []Ring{RingOf(r, func(p boards.Point) boards.Point { return p })}
		}
		Shores([]Space{{"a", false, ring(a)}, {"b", true, ring(b)}})
	})
}
