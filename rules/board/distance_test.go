package board_test

import (
	"errors"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

func TestSeaDistances(t *testing.T) {
	b := narrowSeas(t)
	for territory, want := range map[string][]board.Reach{
		"Home":          {{"1 Sea Zone", 1}, {"2 Sea Zone", 1}, {"3 Sea Zone", 2}, {"4 Sea Zone", 2}, {"10 Sea Zone", 3}},
		"North Coast":   {{"3 Sea Zone", 1}, {"2 Sea Zone", 2}, {"4 Sea Zone", 2}, {"1 Sea Zone", 3}, {"10 Sea Zone", 3}},
		"Red Rock":      {{"10 Sea Zone", 1}, {"4 Sea Zone", 2}, {"1 Sea Zone", 3}, {"3 Sea Zone", 3}, {"2 Sea Zone", 4}},
		"Nobody's Isle": {{"4 Sea Zone", 1}, {"The Lagoon", 1}, {"1 Sea Zone", 2}, {"3 Sea Zone", 2}, {"10 Sea Zone", 2}, {"2 Sea Zone", 3}},
		"Inland":        nil,
	} {
		got, err := b.SeaDistances(territory)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, territory, got, want)
	}
	for n, want := range [][]string{nil, {"10 Sea Zone"}, {"10 Sea Zone", "4 Sea Zone"}} {
		got, err := b.SeaZonesWithin("Red Rock", n)
		if err != nil {
			t.Fatal(err)
		}
		equal(t, "within", got, want)
	}
}

func TestZoneDistance(t *testing.T) {
	b := narrowSeas(t)
	if n, ok, err := b.ZoneDistance("SZ 2", "SZ 10"); n != 3 || !ok || err != nil {
		t.Errorf("%d, %v, %v", n, ok, err)
	}
	if n, ok, err := b.ZoneDistance("SZ 2", "sz 2"); n != 0 || !ok || err != nil {
		t.Errorf("%d, %v, %v", n, ok, err)
	}
	if _, ok, err := b.ZoneDistance("Lagoon", "SZ 4"); ok || err != nil {
		t.Errorf("land lies between the lagoon and zone 4: %v, %v", ok, err)
	}
	if n, ok, err := b.SeaDistance("Home", "SZ 4"); n != 2 || !ok || err != nil {
		t.Errorf("%d, %v, %v", n, ok, err)
	}
	if _, ok, err := b.SeaDistance("Inland", "SZ 4"); ok || err != nil {
		t.Errorf("there is no coast: %v, %v", ok, err)
	}
}

func TestDistanceErrors(t *testing.T) {
	b := narrowSeas(t)
	_, err1 := b.SeaDistances("SZ 1")
	_, err2 := b.SeaZonesWithin("SZ 1", 2)
	_, _, err3 := b.SeaDistance("Home", "Inland")
	_, _, err4 := b.ZoneDistance("Home", "SZ 1")
	_, _, err5 := b.ZoneDistance("SZ 1", "Home")
	for _, err := range []error{err1, err2, err3, err4, err5} {
		if !errors.As(err, new(*board.WrongKindError)) {
			t.Errorf("%v", err)
		}
	}
	if _, _, err := b.SeaDistance("Home", "SZ 99"); !errors.As(err, new(*board.UnknownError)) {
		t.Errorf("%v", err)
	}
}

// checkDistances compares every distance by sea with the algorithm of Floyd and Warshall
// on the neighbours that the board tells.
func checkDistances(t *testing.T, b *board.Board) {
	t.Helper()
	const far = 1 << 20
	spaces := b.Spaces()
	place := map[string]int{}
	for i, s := range spaces {
		place[s.Name] = i
	}
	d := make([][]int, len(spaces))
	for i, s := range spaces {
		d[i] = slices.Repeat([]int{far}, len(spaces))
		d[i][i] = 0
		for _, n := range s.Neighbours {
			if j := place[n]; s.Water && spaces[j].Water {
				d[i][j] = 1
			}
		}
	}
	for k := range d {
		for i := range d {
			for j := range d {
				d[i][j] = min(d[i][j], d[i][k]+d[k][j])
			}
		}
	}
	for i, s := range spaces {
		if s.Water {
			checkZone(t, b, spaces, i, d[i])
			continue
		}
		want := slices.Repeat([]int{far}, len(spaces))
		for _, n := range s.Neighbours {
			for j := range want {
				if k := place[n]; spaces[k].Water {
					want[j] = min(want[j], d[k][j]+1)
				}
			}
		}
		checkTerritory(t, b, spaces, i, want, far)
	}
}

func checkZone(t *testing.T, b *board.Board, spaces []board.Space, i int, want []int) {
	t.Helper()
	for j := i % 7; j < len(spaces); j += 7 { // a seventh of the pairs will do
		if !spaces[j].Water {
			continue
		}
		n, ok, err := b.ZoneDistance(spaces[i].Name, spaces[j].Name)
		if err != nil || ok != (want[j] < len(spaces)) || ok && n != want[j] {
			t.Fatalf("from %s to %s: %d, %v, %v; want %d", spaces[i].Name, spaces[j].Name, n, ok, err, want[j])
		}
	}
}

func checkTerritory(t *testing.T, b *board.Board, spaces []board.Space, i int, want []int, far int) {
	t.Helper()
	got, err := b.SeaDistances(spaces[i].Name)
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]int{}
	last := 0
	for _, r := range got {
		if r.Steps < last {
			t.Fatalf("%s: not the nearest first: %v", spaces[i].Name, got)
		}
		steps[r.Zone], last = r.Steps, r.Steps
	}
	for j, s := range spaces {
		n, ok := steps[s.Name]
		if reached := s.Water && want[j] < far; ok != reached || ok && n != want[j] {
			t.Fatalf("from %s to %s: %d, %v; want %d", spaces[i].Name, s.Name, n, ok, want[j])
		}
	}
}

func TestDistancesAgainstOracle(t *testing.T) { checkDistances(t, narrowSeas(t)) }
