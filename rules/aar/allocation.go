package aar

import (
	"cmp"
	"slices"
)

// target is an industrial complex that a submarine may raid: its number, and what the
// submarine's distance is worth there.
type target struct{ complex, ipcs int }

// allocate gives each submarine one of its targets, -1 where it has none: the raider's choice,
// where he declared nothing (AMB-AAR-3). The total is the
// greatest there is: the sum over the complexes of what the submarines sent there are worth,
// held to the room of each. Targets stand in the order in which a submarine prefers them; among
// the best allocations the one given is the first in the order of a dictionary, over the
// submarines as [order] puts them, so that it depends on the request alone.
//
// No flow gives it: a submarine is worth 2 or 3 at one complex and 1 at the next, and is never
// split. Whether complexes can be filled without waste is NP-complete on an arbitrary graph, with
// sizes 1 and 2 (graph balancing) as with 1 and 3 (three-dimensional matching). So it is a search:
// waters that share no submarine apart from each other, and each cut short by a bound.
func allocate(submarines [][]target, rooms []int) []int {
	given := slices.Repeat([]int{-1}, len(submarines))
	for _, line := range separate(submarines, order(submarines, len(rooms)), len(rooms)) {
		for k, complex := range newSearch(submarines, rooms, line).best() {
			given[line[k]] = complex
		}
	}
	return given
}

// separate breaks a line of submarines up into those that share complexes, directly or through
// others: what some do does not matter to the rest. Those without a target are left out.
func separate(submarines [][]target, line []int, complexes int) [][]int {
	root := make([]int, complexes)
	for c := range root {
		root[c] = c
	}
	find := func(c int) int {
		for root[c] != c {
			root[c] = root[root[c]]
			c = root[c]
		}
		return c
	}
	for _, targets := range submarines {
		for _, t := range targets {
			root[find(t.complex)] = find(targets[0].complex)
		}
	}
	lines := make([][]int, complexes)
	for _, i := range line {
		if targets := submarines[i]; len(targets) > 0 {
			at := find(targets[0].complex)
			lines[at] = append(lines[at], i)
		}
	}
	return slices.DeleteFunc(lines, func(l []int) bool { return len(l) == 0 })
}

// order puts submarines that share complexes next to one another, so that few complexes are
// shared by those before and those after: complex after complex, each time one that is shared
// already, if there is one, and among those the one that the fewest submarines still reach.
func order(submarines [][]target, complexes int) []int {
	var places []int
	placed := make([]bool, len(submarines))
	done := make([]bool, complexes)
	for range complexes {
		waiting, apart := make([]int, complexes), slices.Repeat([]int{1}, complexes)
		for i, targets := range submarines {
			for _, t := range targets {
				if placed[i] {
					apart[t.complex] = 0
				} else {
					waiting[t.complex]++
				}
			}
		}
		next := -1
		for c := range complexes {
			if !done[c] && (next < 0 || cmp.Or(apart[c]-apart[next], waiting[c]-waiting[next]) < 0) {
				next = c
			}
		}
		done[next] = true
		var here []int
		for i, targets := range submarines {
			if !placed[i] && slices.ContainsFunc(targets, func(t target) bool { return t.complex == next }) {
				placed[i] = true
				here = append(here, i)
			}
		}
		// Alike ones together: positions repeat.
		slices.SortStableFunc(here, func(a, b int) int {
			return slices.CompareFunc(submarines[a], submarines[b], func(x, y target) int {
				return cmp.Or(cmp.Compare(x.complex, y.complex), cmp.Compare(x.ipcs, y.ipcs))
			})
		})
		places = append(places, here...)
	}
	for i := range submarines {
		if !placed[i] {
			places = append(places, i)
		}
	}
	return places
}
