package mapview

import "slices"

// Has reports whether the board has a space, drawn or not.
func (m *Board) Has(name string) bool { return m.has[name] }

// About is what the board says of a space: its neighbours, and whether an industrial complex stands there as it is set
// up.
func (m *Board) About(space string) (beside []string, complex bool) {
	s := m.lands[space]
	if s == nil {
		return nil, false
	}
	return s.Neighbours, s.Complex != ""
}

// Sea is the shortest way from a sea zone to a territory, by their names, both ends with it: of ways as short as
// each other the first in the order of the board. It is nil where the board shows none.
func (m *Board) Sea(zone, territory string) (way []string) {
	last := map[string]string{zone: zone} // whence a space was reached
	for list := []string{zone}; len(list) > 0; list = list[1:] {
		s := m.lands[list[0]]
		if s == nil {
			continue
		}
		if slices.Contains(s.Neighbours, territory) {
			way = []string{territory, s.Name}
			for at := s.Name; at != zone; {
				at = last[at]
				way = append(way, at)
			}
			slices.Reverse(way)
			return way
		}
		for i := range m.Waters {
			n := m.Waters[i].Name
			if last[n] == "" && slices.Contains(s.Neighbours, n) {
				last[n], list = s.Name, append(list, n)
			}
		}
	}
	return nil
}
