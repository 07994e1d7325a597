package aar

import (
	"encoding/binary"
	"slices"
)

// search allocates a line of submarines, one after the other.
type search struct {
	position
	kind   []int            // of each submarine of the line
	last   []int            // of each complex: the place of the last submarine that reaches it
	price  []coins          // of each kind, as last haggled
	failed []map[string]int // of each place, by what is left: the least damage that cannot be had
	given  []int            // the complex of each, once best has found it

	patience int // how many places to look at before haggling
	visits   int // how many were looked at
}

// patient is how many places a search looks at in vain at first before it haggles for better
// prices. It moves the time that is taken, not the answer.
const patient = 10

func newSearch(submarines [][]target, rooms, line []int) *search {
	s := &search{last: make([]int, len(rooms)), given: make([]int, len(line))}
	s.rooms, s.bids = slices.Clone(rooms), make([][]bid, len(rooms))
	for place, i := range line {
		s.kind = append(s.kind, s.enlist(submarines[i]))
		s.failed = append(s.failed, map[string]int{})
		for _, t := range submarines[i] {
			s.last[t.complex] = place
		}
	}
	s.price = slices.Repeat([]coins{unit}, len(s.kinds))
	s.patience = patient
	return s
}

// best tries one figure of damage after the other, downwards from a bound. The first that can
// be had is the greatest; and as the submarines try their targets in the order of preference,
// the allocation found for it is the first of all in the order of a dictionary.
func (s *search) best() []int {
	for damage := s.allowed(); ; damage-- {
		damage = min(damage, s.haggle(damage))
		if s.fill(0, damage) {
			return s.given
		}
	}
}

// fill allocates the line from a place on so that it takes at least need, and reports whether it
// can. It is exact: every target is tried, except where a bound shows that need is out of
// reach, or where the same was left before and no more could be had of it.
func (s *search) fill(place, need int) bool {
	if place == len(s.kind) {
		return need <= 0
	}
	if s.allowed() < need {
		return false
	}
	left := s.left(place)
	if least, ok := s.failed[place][left]; ok && need >= least {
		return false
	}
	s.visits++
	before, kind := s.visits, s.kind[place]
	for _, t := range s.kinds[kind] {
		if s.visits-before > s.patience {
			if s.haggle(need) < need {
				s.patience = patient
				break
			}
			s.patience *= 2 // better prices did not help: they are dear, places are cheap
			before = s.visits
		}
		took := min(t.ipcs, s.rooms[t.complex])
		s.rooms[t.complex] -= took
		s.count[kind]--
		ok := s.fill(place+1, need-took)
		s.count[kind]++
		s.rooms[t.complex] += took
		if ok {
			s.given[place] = t.complex
			return true
		}
	}
	s.failed[place][left] = need
	return false
}

// left writes down the rooms as far as they matter to the line from a place on: not where no
// submarine comes any more, and no farther than those that come can take.
func (s *search) left(place int) string {
	var b []byte
	for c, bids := range s.bids {
		if len(bids) == 0 || s.last[c] < place {
			continue
		}
		reach := 0
		for _, x := range bids {
			reach += x.ipcs * s.count[x.kind]
		}
		b = binary.AppendUvarint(b, uint64(min(s.rooms[c], reach)))
	}
	return string(b)
}

// allowed is what the prices allow what is left to yield at most, in IPCs.
func (s *search) allowed() int { return int(s.bound(s.price, nil) / unit) }

// haggle moves the prices to bring what they allow below need, until that is done or was tried
// often enough, and gives what the best prices found allow. The step is Polyak's: what is
// lacking, over the squares of how much too often or too seldom each kind is wanted.
func (s *search) haggle(need int) int {
	const rounds = 100
	best, wanted := slices.Clone(s.price), make([]int, len(s.price))
	least, target := s.bound(s.price, nil), coins(need)*unit
	for range rounds {
		clear(wanted)
		sum := s.bound(s.price, wanted)
		if sum < least {
			least = sum
			copy(best, s.price)
		}
		var squares coins
		for k, n := range s.count {
			squares += coins(n-wanted[k]) * coins(n-wanted[k])
		}
		if least < target || squares == 0 {
			break
		}
		step := (sum - target + unit/4) / squares
		for k, n := range s.count {
			s.price[k] = min(max(0, s.price[k]-step*coins(n-wanted[k])), dearest)
		}
	}
	s.price = best
	return s.allowed()
}
