package g40

import "slices"

// mostLost places what the raiders of each sea zone could take on the territories that the zone
// touches, no more on any than it has room for, so that the sum is the greatest there is. It
// gives how much of each zone falls on each territory.
//
// It is a maximum flow from the zones to the territories (Ford and Fulkerson). Zone after zone sends
// all that it can; where its territories are full, those who filled them move over to others that
// they touch. What a zone could not send when its turn came, nothing sent later makes room for: all
// that can be reached from it is full, and remains so.
func mostLost(touches [][]int, potential, rooms []int) [][]int {
	s := sea{touches: touches, rooms: slices.Clone(rooms), placed: make([][]int, len(touches))}
	for z := range s.placed {
		s.placed[z] = make([]int, len(rooms))
	}
	for z, ipcs := range potential {
		for ipcs > 0 {
			sent := s.send(z, ipcs)
			if sent == 0 {
				break
			}
			ipcs -= sent
		}
	}
	return s.placed
}

type sea struct {
	touches [][]int // of each zone: the territories
	rooms   []int   // of each territory: what it may still lose
	placed  [][]int // of each zone, on each territory
}

// send moves as much of ipcs as the shortest way from a zone to a territory with room takes, 0
// where there is none.
func (s *sea) send(from, ipcs int) int {
	by := slices.Repeat([]int{-1}, len(s.rooms))    // of each territory reached: the zone it was reached from
	over := slices.Repeat([]int{-1}, len(s.placed)) // of each zone reached: the territory it can move away from
	for queue := []int{from}; len(queue) > 0; queue = queue[1:] {
		z := queue[0]
		for _, t := range s.touches[z] {
			switch {
			case by[t] >= 0:
				continue
			case s.rooms[t] > 0:
				by[t] = z
				return s.move(t, ipcs, by, over)
			}
			by[t] = z
			for other, row := range s.placed {
				if row[t] > 0 && over[other] < 0 && other != from {
					over[other] = t
					queue = append(queue, other)
				}
			}
		}
	}
	return 0
}

// move sends along a way found, as much as its narrowest place takes.
func (s *sea) move(to, ipcs int, by, over []int) int {
	sent := min(ipcs, s.rooms[to])
	for z := by[to]; over[z] >= 0; z = by[over[z]] {
		sent = min(sent, s.placed[z][over[z]])
	}
	s.rooms[to] -= sent
	for t := to; ; {
		z := by[t]
		s.placed[z][t] += sent
		if t = over[z]; t < 0 {
			return sent
		}
		s.placed[z][t] -= sent
	}
}
