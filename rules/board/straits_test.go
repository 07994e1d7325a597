package board_test

import (
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

func straits(t *testing.T) *board.Board {
	t.Helper()
	return read(t, files(t, "../../fixtures/boards/straits")...)
}

// The demonstration board is one on which the examples of convoy raids can be played.
func TestStraits(t *testing.T) {
	b := straits(t)
	if n, wet := len(b.Spaces()), len(those(b, water)); n != 30 || wet != 13 {
		t.Errorf("%d spaces, %d of them water; want 30 and 13", n, wet)
	}
	for _, c := range []struct {
		name, owner, unit string
		production        int
	}{
		{"UK", "British", "factory", 8}, {"Canada", "British", "", 3}, {"EUS", "Americans", "factory", 12},
		{"WUS", "Americans", "factory", 10}, {"France", "Germans", "", 6}, {"NW Europe", "Germans", "", 2},
		{"Italy", "Germans", "factory", 6}, {"Germany", "Germans", "factory", 10}, {"Japan", "Japanese", "factory", 8},
		{"Russia", "Russians", "factory", 8}, {"Caucasus", "Russians", "factory", 4}, {"Turkey", "", "", 0},
	} {
		s, err := b.Territory(c.name)
		if err != nil || s.Owner != c.owner || s.Complex != c.unit || s.Production != c.production {
			t.Errorf("%s: %+v, %v", c.name, s, err)
		}
	}
	equal(t, "near the UK", within(t, b, "UK", 1), seaZones("6 7 8"))
	equal(t, "near Canada", within(t, b, "Canada", 1), seaZones("9"))
	equal(t, "near France", within(t, b, "France", 1), seaZones("7 12 13"))
	equal(t, "near Russia", within(t, b, "Russia", 99), []string(nil))
	// AAR-4-ONE-IC: a submarine in SZ 9 has three complexes to choose from, if Canada has one.
	for territory, want := range map[string]int{"UK": 2, "Canada": 1, "EUS": 2} {
		if n := seaSteps(t, b, territory)["9 Sea Zone"]; n != want {
			t.Errorf("SZ 9 is %d from %s; want %d", n, territory, want)
		}
	}
	if _, ok := seaSteps(t, b, "UK")["16 Sea Zone"]; ok {
		t.Error("the sea between Caucasus and Turkey is closed")
	}
}

func TestStraitsPowers(t *testing.T) {
	b := straits(t)
	money := map[string]int{}
	var order []string
	for _, p := range b.Powers() {
		money[p.Name] = p.PUs
		order = append(order, b.TablePower(p.Name))
	}
	equal(t, "order of play", order, []string{"Russia", "Germany", "UK", "Japan", "US"})
	equal(t, "in hand", money, sums(b))
	equal(t, "production", sums(b),
		map[string]int{"Russians": 12, "Germans": 27, "British": 16, "Japanese": 11, "Americans": 23})
	equal(t, "capitals", capitals(b),
		map[string]string{"British": "United Kingdom", "Americans": "Eastern United States",
			"Russians": "Russia", "Germans": "Germany", "Japanese": "Japan"})
	equal(t, "lacks", b.Lacks(), []string{
		"the file places 8 industrial complexes, those of the set-up: report any that house rules or players add",
		"the file marks no convoy zones (blockadeZone)",
		"the file marks no kamikaze zones (kamikazeZone)",
	})
	checkBoard(t, b)
}

// Two spaces touch exactly if their outlines share an edge, but for Japan, an island within its
// sea zone; and everything lies on the canvas of 1000 by 600.
func TestStraitsDrawn(t *testing.T) {
	b := straits(t)
	spaces := b.Spaces()
	for _, s := range spaces {
		touches := map[string]bool{}
		for _, n := range s.Neighbours {
			touches[n] = true
		}
		for _, other := range spaces {
			if s.Name == other.Name || s.Name == "Japan" || other.Name == "Japan" {
				continue
			}
			if drawn := adjacent(outlines(t, b, s.Name), outlines(t, b, other.Name)); drawn != touches[other.Name] {
				t.Errorf("%s and %s: touch %v, drawn so %v", s.Name, other.Name, touches[other.Name], drawn)
			}
		}
		center, ok, err := b.Center(s.Name)
		if err != nil || !ok || !inside(center, outlines(t, b, s.Name)) {
			t.Errorf("the label of %s at %v does not lie on it: %v, %v", s.Name, center, ok, err)
		}
	}
}

func outlines(t *testing.T, b *board.Board, space string) [][]board.Point {
	t.Helper()
	polygons, err := b.Polygons(space)
	if err != nil || len(polygons) == 0 {
		t.Fatalf("%s has no outline: %v", space, err)
	}
	for _, polygon := range polygons {
		for _, p := range polygon {
			if p.X < 0 || p.X > 1000 || p.Y < 0 || p.Y > 600 {
				t.Errorf("%s leaves the canvas at %v", space, p)
			}
		}
	}
	return polygons
}

// adjacent reports whether two sets of outlines share a piece of an upright or level edge.
func adjacent(a, b [][]board.Point) bool {
	for _, e := range edges(a) {
		for _, f := range edges(b) {
			upright := e[0].X == e[1].X && f[0].X == e[0].X && f[1].X == e[0].X &&
				overlap(e[0].Y, e[1].Y, f[0].Y, f[1].Y)
			level := e[0].Y == e[1].Y && f[0].Y == e[0].Y && f[1].Y == e[0].Y && overlap(e[0].X, e[1].X, f[0].X, f[1].X)
			if upright || level {
				return true
			}
		}
	}
	return false
}

func overlap(a, b, c, d int) bool { return max(min(a, b), min(c, d)) < min(max(a, b), max(c, d)) }

func edges(polygons [][]board.Point) [][2]board.Point {
	var list [][2]board.Point
	for _, polygon := range polygons {
		for i, p := range polygon {
			list = append(list, [2]board.Point{p, polygon[(i+1)%len(polygon)]})
		}
	}
	return list
}

// inside counts the edges to the right of a point: an odd number is around it.
func inside(p board.Point, polygons [][]board.Point) bool {
	in := false
	for _, e := range edges(polygons) {
		a, b := e[0], e[1]
		if a.Y > b.Y {
			a, b = b, a
		}
		if a.Y <= p.Y && p.Y < b.Y && (p.X-a.X)*(b.Y-a.Y) < (b.X-a.X)*(p.Y-a.Y) {
			in = !in
		}
	}
	return in
}
