package board

import (
	"fmt"
	"strconv"
	"strings"
)

// shapeFiles are the names of the files of shapes.
var shapeFiles = map[kind]string{polygonFile: "polygons.txt", centerFile: "centers.txt"}

// readShapes reads a file with one line for each space, its name and what is drawn there, by
// the place of the space on the board. TripleA's own files show spaces that the game does not
// have; the board lacks nothing by that.
func readShapes[T any](b *Board, given map[kind]File, k kind, shape func(text string) (T, error)) (map[int]T, error) {
	f, ok := given[k]
	if !ok {
		b.lack("there is no %s", shapeFiles[k])
		return nil, nil
	}
	shapes := map[int]T{}
	lines := map[int]int{}
	var strangers []string
	n := 0
	for line := range strings.Lines(string(trimMark(f.Data))) {
		n++
		cut := strings.IndexAny(line, "<(")
		if strings.TrimSpace(line) == "" {
			continue
		}
		if cut < 0 {
			return nil, named(f.Name, fault(n, "a line is a name and points (x,y); here are no points"))
		}
		name := strings.TrimSpace(line[:cut])
		what, err := shape(strings.TrimSpace(line[cut:]))
		if err != nil {
			return nil, named(f.Name, fault(n, "%s: %v", shown(name), err))
		}
		i, ok := b.own(name)
		if !ok {
			strangers = append(strangers, name)
			continue
		}
		if lines[i] > 0 {
			return nil, named(f.Name, fault(n, "%s stands twice, first on line %d", shown(name), lines[i]))
		}
		shapes[i], lines[i] = what, n
	}
	b.shapeLacks(f.Name, func(i int) bool { return lines[i] > 0 }, strangers)
	return shapes, nil
}

// polygonsOf reads "<  (4,5) (6,5) (6,7) >  <  (1,1) (2,1) (2,3) >".
func polygonsOf(text string) ([][]Point, error) {
	var polygons [][]Point
	for text != "" {
		inside, ok := strings.CutPrefix(text, "<")
		inside, rest, closed := strings.Cut(inside, ">")
		if !ok || !closed {
			return nil, fmt.Errorf("an outline stands between < and >, not at %s", shown(text))
		}
		points, err := pointsOf(inside)
		if err != nil {
			return nil, err
		}
		if len(points) < 3 {
			return nil, fmt.Errorf("an outline has at least 3 points, not %d", len(points))
		}
		polygons = append(polygons, points)
		text = strings.TrimSpace(rest)
	}
	return polygons, nil
}

// centerOf reads "(4,5)".
func centerOf(text string) (Point, error) {
	points, err := pointsOf(text)
	if err != nil {
		return Point{}, err
	}
	if len(points) != 1 {
		return Point{}, fmt.Errorf("a space has one center, not %d", len(points))
	}
	return points[0], nil
}

func pointsOf(text string) ([]Point, error) {
	points := make([]Point, 0, strings.Count(text, "("))
	for text = strings.TrimSpace(text); text != ""; text = strings.TrimSpace(text) {
		inside, ok := strings.CutPrefix(text, "(")
		inside, rest, closed := strings.Cut(inside, ")")
		x, y, comma := strings.Cut(inside, ",")
		if !ok || !closed || !comma {
			return nil, fmt.Errorf("a point is written (x,y), not %s", shown(text))
		}
		p, err := pointOf(x, y)
		if err != nil {
			return nil, err
		}
		points = append(points, p)
		text = rest
	}
	return points, nil
}

func pointOf(x, y string) (Point, error) {
	const farthest = 1_000_000
	a, err1 := strconv.Atoi(strings.TrimSpace(x))
	b, err2 := strconv.Atoi(strings.TrimSpace(y))
	if err1 != nil || err2 != nil || max(a, b) > farthest || min(a, b) < -farthest {
		return Point{}, fmt.Errorf("a point has two whole numbers up to %d, not %s", farthest, shown(x+","+y))
	}
	return Point{a, b}, nil
}
