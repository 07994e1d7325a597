package aar

import (
	"cmp"
	"encoding/binary"
	"slices"
)

// target is an industrial complex that a submarine may raid: its number, and what the
// submarine's distance is worth there.
type target struct{ complex, ipcs int }

// allocate gives each submarine one of its targets, -1 where it has none. The total is the
// greatest there is: the sum over the complexes of what the submarines sent there are worth,
// held to the room of each. Targets stand in the order in which a submarine prefers them; among
// the best allocations the one given is the first in the order of a dictionary, over the
// submarines as [order] puts them, so that it depends on the request alone.
//
// It is a search with a memory: what the submarines from the i-th on can still take depends on
// the room left at the complexes that they reach, and on nothing else, so each such position is
// solved once. An option that reaches the bound of its position ends the search there: where the
// caps do not bite, or fill up, the first option does. In between, positions are few as long as
// few complexes share submarines, as on a map they do.
func allocate(submarines [][]target, rooms []int) []int {
	s := &search{rooms: slices.Clone(rooms), known: map[string]int{}}
	places := order(submarines, len(rooms))
	for _, i := range places {
		s.submarines = append(s.submarines, submarines[i])
	}
	s.reach = reaches(s.submarines, len(rooms))
	given := slices.Repeat([]int{-1}, len(submarines))
	for i, targets := range s.submarines {
		if len(targets) == 0 {
			continue
		}
		best := s.best(i)
		for _, t := range targets {
			took := min(t.ipcs, s.rooms[t.complex])
			s.rooms[t.complex] -= took
			if took+s.best(i+1) == best {
				given[places[i]] = t.complex
				break
			}
			s.rooms[t.complex] += took
		}
	}
	return given
}

// search is a position: the room left at each complex.
type search struct {
	submarines [][]target
	rooms      []int
	reach      [][]int // reach[i][c]: what the submarines from the i-th on are worth at c together
	known      map[string]int
}

// best is the most that the submarines from the i-th on can take of the rooms that are left.
func (s *search) best(i int) int {
	for i < len(s.submarines) && len(s.submarines[i]) == 0 {
		i++
	}
	bound := s.bound(i)
	if bound == 0 {
		return 0
	}
	key := s.key(i)
	if most, ok := s.known[key]; ok {
		return most
	}
	most := 0
	for _, t := range s.submarines[i] {
		took := min(t.ipcs, s.rooms[t.complex])
		s.rooms[t.complex] -= took
		most = max(most, took+s.best(i+1))
		s.rooms[t.complex] += took
		if most == bound {
			break
		}
	}
	s.known[key] = most
	return most
}

// bound is a figure that the submarines from the i-th on cannot exceed: neither what each takes
// at best, nor what is left to be taken.
func (s *search) bound(i int) int {
	boats := 0
	for _, targets := range s.submarines[i:] {
		most := 0
		for _, t := range targets {
			most = max(most, min(t.ipcs, s.rooms[t.complex]))
		}
		boats += most
	}
	left := 0
	for c, room := range s.rooms {
		left += min(room, s.reach[i][c])
	}
	return min(boats, left)
}

// key names a position, as far as the submarines from the i-th on can tell it from others.
func (s *search) key(i int) string {
	b := binary.AppendUvarint(nil, uint64(i))
	for c, room := range s.rooms {
		if s.reach[i][c] > 0 {
			b = binary.AppendUvarint(b, uint64(min(room, s.reach[i][c])))
		}
	}
	return string(b)
}

func reaches(submarines [][]target, complexes int) [][]int {
	reach := make([][]int, len(submarines)+1)
	reach[len(submarines)] = make([]int, complexes)
	for i := len(submarines) - 1; i >= 0; i-- {
		reach[i] = slices.Clone(reach[i+1])
		for _, t := range submarines[i] {
			reach[i][t.complex] += t.ipcs
		}
	}
	return reach
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
