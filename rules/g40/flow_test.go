package g40

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// coast is a random position: zones that touch some territories.
func coast(r *rand.Rand, zones, territories, reach, raid, worth int) (touches [][]int, potential, rooms []int) {
	for range territories {
		rooms = append(rooms, r.IntN(worth+1))
	}
	for range zones {
		touches = append(touches, r.Perm(territories)[:r.IntN(min(reach, territories)+1)])
		potential = append(potential, r.IntN(raid+1))
	}
	return touches, potential, rooms
}

// tryAll places IPC after IPC of zone after zone on every territory that it touches, or on none, and
// gives the most that can be placed.
func tryAll(touches [][]int, potential, rooms []int, known map[string]int) int {
	if len(potential) == 0 {
		return 0
	}
	key := fmt.Sprint(len(potential), potential[0], rooms)
	if most, ok := known[key]; ok {
		return most
	}
	rest := slices.Clone(potential)
	most := 0
	if potential[0] == 0 {
		most = tryAll(touches[1:], rest[1:], rooms, known)
	} else {
		rest[0]--
		most = tryAll(touches, rest, rooms, known)
		for _, t := range touches[0] {
			if rooms[t] > 0 {
				rooms[t]--
				most = max(most, 1+tryAll(touches, rest, rooms, known))
				rooms[t]++
			}
		}
	}
	known[key] = most
	return most
}

// narrowest is the least cut between raiders and territories: over every set of zones, what the
// others could take and what the territories that the set touches are worth.
func narrowest(touches [][]int, potential, rooms []int) int {
	least := 1 << 30
	for set := range 1 << len(potential) {
		cut, reached := 0, map[int]bool{}
		for z, ipcs := range potential {
			if set>>z&1 == 0 {
				cut += ipcs
				continue
			}
			for _, t := range touches[z] {
				if !reached[t] {
					reached[t] = true
					cut += rooms[t]
				}
			}
		}
		least = min(least, cut)
	}
	return least
}

// lost adds a placement up and holds it to the sea: nothing falls where a zone does not touch, no
// zone takes more than it could, no territory loses more than it is worth (G40-CONVOY-CAP).
func lost(t *testing.T, placed [][]int, touches [][]int, potential, rooms []int) int {
	t.Helper()
	sum, left := 0, slices.Clone(rooms)
	for z, row := range placed {
		taken := 0
		for territory, ipcs := range row {
			if ipcs < 0 || ipcs > 0 && !slices.Contains(touches[z], territory) {
				t.Fatalf("%d of territory %d from zone %d", ipcs, territory, z)
			}
			taken += ipcs
			left[territory] -= ipcs
		}
		if taken > potential[z] {
			t.Fatalf("zone %d takes %d of %d", z, taken, potential[z])
		}
		sum += taken
	}
	if slices.Min(append(left, 0)) < 0 {
		t.Fatalf("a territory loses more than it is worth: %v", left)
	}
	return sum
}

// TestFlowAgainstAll is G40-CONVOY-FLOW on 6,000 small positions: the most that can be placed, by
// trying every way.
func TestFlowAgainstAll(t *testing.T) {
	for seed := range uint64(6000) {
		r := rand.New(rand.NewPCG(seed, 40))
		touches, potential, rooms := coast(r, 1+r.IntN(4), 1+r.IntN(4), 3, 6, 5)
		got := lost(t, mostLost(touches, potential, rooms), touches, potential, rooms)
		if want := tryAll(touches, potential, slices.Clone(rooms), map[string]int{}); got != want {
			t.Fatalf("seed %d: %v %v %v lose %d, want %d", seed, touches, potential, rooms, got, want)
		}
	}
}

// TestFlowAgainstCut: on wider coasts, by the least cut.
func TestFlowAgainstCut(t *testing.T) {
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 41))
		touches, potential, rooms := coast(r, 1+r.IntN(10), 1+r.IntN(14), 4, 12, 8)
		placed := mostLost(touches, potential, rooms)
		if got, want := lost(t, placed, touches, potential, rooms), narrowest(touches, potential, rooms); got != want {
			t.Fatalf("seed %d: %d, want %d", seed, got, want)
		}
		if again := mostLost(touches, potential, rooms); fmt.Sprint(again) != fmt.Sprint(placed) {
			t.Fatalf("seed %d is placed in two ways", seed)
		}
	}
}

// TestDisruptions: what a ruling says adds up, whatever is raided.
func TestDisruptions(t *testing.T) {
	in := ConvoyInput{
		Territories: []ConvoyTerritory{{"Scotland", 2, []string{"109", "119"}},
			{"United Kingdom", 8, []string{"109", "110"}}},
		Raiders: []Raider{
			{"109", "Germany", "submarine", 1, false, true}, {"119", "Germany", "submarine", 2, false, true},
			{"110", "Italy", "cruiser", 3, false, true}, {"110", "Japan", "transport", 2, false, true},
			{"110", "Japan", "destroyer", 2, false, false},
		},
		Options: ConvoyOptions{3, 3, 2, 1},
	}
	got, f := DisruptConvoys(in)
	want := []Disruption{{"109", "United Kingdom", 3}, {"119", "Scotland", 2}, {"110", "United Kingdom", 3}}
	if f.Refused() || got.Loss != 8 || !slices.Equal(got.Disruptions, want) ||
		fmt.Sprint(got.Potential) != "map[109:3 110:3 119:6]" {
		t.Errorf("%+v %v", got, f.Violations)
	}
	cited := ""
	for _, c := range f.Derivation {
		cited += c.Rule + "\n"
	}
	for _, rule := range []string{"G40-CONVOY-GERMAN", "G40-CONVOY-OTHER", "AMB-G40-1", "G40-CONVOY-CAP",
		"G40-CONVOY-FLOW"} {
		if !slices.ContainsFunc(f.Derivation, func(c citation) bool { return c.Rule == rule }) {
			t.Errorf("%s is not cited, only\n%s", rule, cited)
		}
	}
}
