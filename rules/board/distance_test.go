package board_test

import (
	"cmp"
	"slices"
	"testing"

	"github.com/watu-ledger/watu/rules/board"
)

// seaSteps counts the steps by sea from a space to every sea zone that can be reached: a zone that touches it is at 1.
func seaSteps(t *testing.T, b *board.Board, from string) map[string]int {
	t.Helper()
	start, err := b.Space(from)
	if err != nil {
		t.Fatal(err)
	}
	steps := map[string]int{start.Name: 0}
	for queue := []board.Space{start}; len(queue) > 0; queue = queue[1:] {
		for _, n := range queue[0].Neighbours {
			next, err := b.Space(n)
			if err != nil {
				t.Fatal(err)
			}
			if _, known := steps[n]; next.Water && !known {
				steps[n] = steps[queue[0].Name] + 1
				queue = append(queue, next)
			}
		}
	}
	return steps
}

// within are the sea zones at most n steps from a territory, the nearest first.
func within(t *testing.T, b *board.Board, territory string, n int) []string {
	t.Helper()
	steps := seaSteps(t, b, territory)
	var zones []string
	for zone, far := range steps {
		if far > 0 && far <= n {
			zones = append(zones, zone)
		}
	}
	slices.SortFunc(zones, func(x, y string) int {
		return cmp.Or(steps[x]-steps[y], len(x)-len(y), cmp.Compare(x, y)) // "9 Sea Zone" before "10 Sea Zone"
	})
	return zones
}

func TestSeaDistances(t *testing.T) {
	b := narrowSeas(t)
	for territory, want := range map[string]map[string]int{
		"Home": {"Blue Harbour": 0, "1 Sea Zone": 1, "2 Sea Zone": 1, "3 Sea Zone": 2, "4 Sea Zone": 2,
			"10 Sea Zone": 3},
		"Red Rock": {"Red Rock": 0, "10 Sea Zone": 1, "4 Sea Zone": 2, "1 Sea Zone": 3, "3 Sea Zone": 3,
			"2 Sea Zone": 4},
		"Nobody's Isle": {"Nobody's Isle": 0, "4 Sea Zone": 1, "The Lagoon": 1, "1 Sea Zone": 2, "3 Sea Zone": 2,
			"10 Sea Zone": 2, "2 Sea Zone": 3},
		"Inland":     {"Inland": 0},
		"The Lagoon": {"The Lagoon": 0}, // land lies between it and zone 4
	} {
		equal(t, territory, seaSteps(t, b, territory), want)
	}
	equal(t, "within", within(t, b, "Red Rock", 2), []string{"10 Sea Zone", "4 Sea Zone"})
}
