package aar

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// waters are positions for the allocation: a size of sea, and how crowded it is.
type waters struct{ width, submarines, complexes, pack int }

// position lays complexes of one to three zones out on a square sea whose zones touch their
// four neighbours, and submarines in packs of pack at the same zone.
func (w waters) position(r *rand.Rand, near, room int) (submarines [][]target, rooms []int) {
	type zone struct{ x, y int }
	touches := make([][]zone, w.complexes)
	for c := range touches {
		z := zone{r.IntN(w.width), r.IntN(w.width)}
		touches[c] = append(touches[c], z)
		for range r.IntN(3) {
			if r.IntN(2) == 0 {
				z.x++
			} else {
				z.y++
			}
			touches[c] = append(touches[c], z)
		}
		rooms = append(rooms, 1+r.IntN(room))
	}
	var at zone
	for i := range w.submarines {
		if i%w.pack == 0 {
			at = zone{r.IntN(w.width), r.IntN(w.width)}
		}
		var targets []target
		for c, zones := range touches {
			away := w.width
			for _, z := range zones {
				away = min(away, max(z.x-at.x, at.x-z.x)+max(z.y-at.y, at.y-z.y))
			}
			if away < 2 {
				targets = append(targets, target{c, []int{near, 1}[away]})
			}
		}
		submarines = append(submarines, nearest(targets))
	}
	return submarines, rooms
}

// anyGraph lets submarines reach complexes without regard to geography.
func anyGraph(r *rand.Rand, submarines, complexes, reach, near, room int) ([][]target, []int) {
	var rooms []int
	for range complexes {
		rooms = append(rooms, r.IntN(room+1))
	}
	list := make([][]target, submarines)
	for i := range list {
		for _, c := range r.Perm(complexes)[:min(r.IntN(reach+1), complexes)] {
			list[i] = append(list[i], target{c, []int{near, 1}[r.IntN(2)]})
		}
		list[i] = nearest(list[i])
	}
	return list, rooms
}

func nearest(targets []target) []target {
	slices.SortStableFunc(targets, func(a, b target) int { return cmp.Or(b.ipcs-a.ipcs, a.complex-b.complex) })
	return targets
}

// tryAll looks at every allocation in the order of a dictionary, submarines in the order of the
// line, and gives the first of the best.
func tryAll(submarines [][]target, rooms, line []int) (total int, given []int) {
	given = slices.Repeat([]int{-1}, len(submarines))
	if len(line) == 0 {
		return 0, given
	}
	i := line[0]
	if len(submarines[i]) == 0 {
		return tryAll(submarines, rooms, line[1:])
	}
	total = -1
	for _, t := range submarines[i] {
		took := min(t.ipcs, rooms[t.complex])
		rooms[t.complex] -= took
		rest, others := tryAll(submarines, rooms, line[1:])
		rooms[t.complex] += took
		if took+rest > total {
			total, given = took+rest, others
			given[i] = t.complex
		}
	}
	return total, given
}

// TestAllocationAgainstAll is AAR-4-ONE-IC, AMB-AAR-3: the greatest damage there is, and the promised one
// of the allocations that reach it, on 5,000 small positions.
func TestAllocationAgainstAll(t *testing.T) {
	for seed := range uint64(5000) {
		r := rand.New(rand.NewPCG(seed, 4))
		near := 2 + r.IntN(2)
		submarines, rooms := anyGraph(r, 1+r.IntN(7), 1+r.IntN(5), 4, near, 8)
		if seed%2 == 0 {
			submarines, rooms = waters{3, 1 + r.IntN(7), 1 + r.IntN(4), 1 + r.IntN(2)}.position(r, near, 8)
		}
		_, want := tryAll(submarines, slices.Clone(rooms), order(submarines, len(rooms)))
		if got := allocate(submarines, rooms); !slices.Equal(got, want) {
			t.Fatalf("seed %d: %v in rooms %v go to %v, want %v", seed, submarines, rooms, got, want)
		}
	}
}

// table solves a position without bounds and prices: what the submarines from i on can take of
// the rooms left, each state once. It is the second opinion on positions too large to try all.
type table struct {
	submarines [][]target
	rooms      []int
	known      map[string]int
}

func (d *table) best(i int) int {
	if i == len(d.submarines) {
		return 0
	}
	key := fmt.Sprint(i, d.rooms)
	if most, ok := d.known[key]; ok {
		return most
	}
	most := 0
	if len(d.submarines[i]) == 0 {
		most = d.best(i + 1)
	}
	for _, t := range d.submarines[i] {
		took := min(t.ipcs, d.rooms[t.complex])
		d.rooms[t.complex] -= took
		most = max(most, took+d.best(i+1))
		d.rooms[t.complex] += took
	}
	d.known[key] = most
	return most
}

// damage is what an allocation comes to.
func damage(submarines [][]target, rooms, given []int) int {
	sent := make([]int, len(rooms))
	for i, targets := range submarines {
		for _, t := range targets {
			if t.complex == given[i] {
				sent[t.complex] += t.ipcs
			}
		}
	}
	sum := 0
	for c, n := range sent {
		sum += min(n, rooms[c])
	}
	return sum
}

func TestAllocationAgainstTable(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		w := waters{7, 10 + r.IntN(10), 3 + r.IntN(6), 1 + r.IntN(3)}
		submarines, rooms := w.position(r, 2+r.IntN(2), 8)
		d := table{rooms: slices.Clone(rooms), known: map[string]int{}}
		for _, i := range order(submarines, len(rooms)) {
			d.submarines = append(d.submarines, submarines[i])
		}
		if got, want := damage(submarines, rooms, allocate(submarines, rooms)), d.best(0); got != want {
			t.Fatalf("seed %d: %d, want %d", seed, got, want)
		}
	}
}

// TestBound: whatever the prices, no allocation takes more than they allow.
func TestBound(t *testing.T) {
	for seed := range uint64(1000) {
		r := rand.New(rand.NewPCG(seed, 6))
		submarines, rooms := anyGraph(r, 1+r.IntN(6), 1+r.IntN(4), 3, 2+r.IntN(2), 8)
		best, _ := tryAll(submarines, slices.Clone(rooms), order(submarines, len(rooms)))
		s := newSearch(submarines, rooms, order(submarines, len(rooms)))
		for k := range s.price {
			s.price[k] = coins(r.IntN(int(dearest)))
		}
		if s.allowed() < best {
			t.Fatalf("seed %d: prices %v allow %d, and %d can be had", seed, s.price, s.allowed(), best)
		}
	}
}

// TestSearchIsShort: sixty submarines, from the open ocean to a sea with a complex on nearly
// every zone, and graphs of no map, are allocated without looking at many places.
func TestSearchIsShort(t *testing.T) {
	const most = 20_000
	check := func(name string, submarines [][]target, rooms []int) {
		for _, line := range separate(submarines, order(submarines, len(rooms)), len(rooms)) {
			s := newSearch(submarines, rooms, line)
			if s.best(); s.visits > most {
				t.Errorf("%s: %d submarines, %d places looked at", name, len(line), s.visits)
			}
		}
	}
	for seed := range uint64(24) {
		near, room := 2+int(seed)%2, []int{3, 8, 12, 24}[seed/2%4]
		for _, w := range []waters{{18, 60, 30, 1}, {10, 60, 30, 2}, {6, 60, 30, 1}, {6, 60, 30, 3}, {5, 60, 30, 1},
			{4, 60, 12, 1}} {
			submarines, rooms := w.position(rand.New(rand.NewPCG(seed, 7)), near, room)
			check(fmt.Sprint(seed, w), submarines, rooms)
		}
		for reach := 2; reach <= 6; reach++ {
			submarines, rooms := anyGraph(rand.New(rand.NewPCG(seed, 8)), 60, 30, reach, near, room)
			check(fmt.Sprint(seed, "reach", reach), submarines, rooms)
		}
	}
}

// BenchmarkAllocation allocates 60 submarines among 30 complexes: on a sea as large as a
// board's, and where all of them crowd into 36 zones.
func BenchmarkAllocation(b *testing.B) {
	for _, c := range []struct {
		name string
		waters
		near int
	}{
		{"board/exclusive", waters{16, 60, 30, 1}, 2}, {"board/cumulative", waters{16, 60, 30, 1}, 3},
		{"crowd/exclusive", waters{6, 60, 30, 1}, 2}, {"crowd/cumulative", waters{6, 60, 30, 1}, 3},
	} {
		b.Run(c.name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 9))
			var positions [16]struct {
				submarines [][]target
				rooms      []int
			}
			for k := range positions {
				positions[k].submarines, positions[k].rooms = c.position(r, c.near, 12)
			}
			for k := 0; b.Loop(); k++ {
				p := positions[k%len(positions)]
				allocate(p.submarines, p.rooms)
			}
		})
	}
}
