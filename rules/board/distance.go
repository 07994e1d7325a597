package board

import "slices"

// Reach is a sea zone and how far it is away, in steps.
type Reach struct {
	Zone  string
	Steps int
}

// SeaDistances are all sea zones that can be reached from a territory by sea, the nearest
// first, those at one distance sorted by name. A zone that touches the territory is at 1, a
// zone that touches such a zone at 2, and so on (AAR-4-RANGE); land in between never counts,
// and canals are ignored (AMB-AAR-10). None for a territory without a coast. The error is that
// of [Board.Territory].
func (b *Board) SeaDistances(territory string) ([]Reach, error) {
	i, err := b.find(territory, land)
	if err != nil {
		return nil, err
	}
	return b.reached(b.steps(i)), nil
}

// SeaZonesWithin are the sea zones at most n steps from a territory, in the order of
// [Board.SeaDistances].
func (b *Board) SeaZonesWithin(territory string, n int) ([]string, error) {
	all, err := b.SeaDistances(territory)
	if err != nil {
		return nil, err
	}
	var zones []string
	for _, r := range all {
		if r.Steps <= n {
			zones = append(zones, r.Zone)
		}
	}
	return zones, nil
}

// SeaDistance is how far a sea zone is from a territory, in steps, as in [Board.SeaDistances];
// false if no way leads there. The error is that of [Board.Territory] or [Board.SeaZone].
func (b *Board) SeaDistance(territory, zone string) (int, bool, error) {
	return b.way(territory, land, zone)
}

// ZoneDistance is how far two sea zones are from each other, in steps: 0 for the same zone, 1
// for two that touch; false if no way leads there. The error is that of [Board.SeaZone].
func (b *Board) ZoneDistance(from, to string) (int, bool, error) {
	return b.way(from, sea, to)
}

func (b *Board) way(from string, k spaceKind, zone string) (int, bool, error) {
	i, err := b.find(from, k)
	if err != nil {
		return 0, false, err
	}
	j, err := b.find(zone, sea)
	if err != nil {
		return 0, false, err
	}
	n := b.steps(i)[j]
	return n, n >= 0, nil
}

// steps counts for each space the steps by sea from one, -1 where no way leads. Only water is
// entered.
func (b *Board) steps(from int) []int {
	steps := slices.Repeat([]int{-1}, len(b.spaces))
	if b.spaces[from].Water {
		steps[from] = 0
	}
	for now, n := []int{from}, 1; len(now) > 0; n++ {
		var next []int
		for _, i := range now {
			for _, j := range b.touching[i] {
				if b.spaces[j].Water && steps[j] < 0 {
					steps[j] = n
					next = append(next, j)
				}
			}
		}
		now = next
	}
	return steps
}

func (b *Board) reached(steps []int) []Reach {
	var list []Reach
	for i, n := range steps {
		if n > 0 {
			list = append(list, Reach{b.spaces[i].Name, n})
		}
	}
	slices.SortFunc(list, func(x, y Reach) int {
		if x.Steps != y.Steps {
			return x.Steps - y.Steps
		}
		return byName(x.Zone, y.Zone)
	})
	return list
}
