package board

import (
	"strconv"
	"strings"
)

// units finds out which units are industrial complexes, and which are bases: an air base says so, a
// naval base is a building that repairs ships.
func (s *settler) units() error {
	s.complexes, s.airBases, s.navalBases = map[string]bool{}, map[string]bool{}, map[string]bool{}
	building := map[string]bool{}
	for _, o := range s.game["attachment/option"] {
		if o.parent.get("name") != "unitAttachment" {
			continue
		}
		unit, is := o.parent.get("attachTo"), isTrue(o.get("value"))
		switch name := o.get("name"); {
		case is && (name == "isFactory" || name == "canProduceUnits"):
			s.complexes[unit] = true
		case is && name == "isAirBase":
			s.airBases[unit] = true
		case is && name == "isInfrastructure":
			building[unit] = true
		case name == "repairsUnits":
			s.navalBases[unit] = true
		}
	}
	for unit := range s.navalBases {
		if !building[unit] || s.airBases[unit] || s.complexes[unit] {
			delete(s.navalBases, unit)
		}
	}
	if len(s.complexes) > 0 {
		return nil
	}
	for _, e := range s.game["unitInitialize/unitPlacement"] {
		if unit := e.get("unitType"); strings.HasPrefix(strings.ToLower(unit), "factory") {
			s.complexes[unit] = true
		}
	}
	return nil
}

func (s *settler) placements() error {
	for _, e := range s.game["unitInitialize/unitPlacement"] {
		i, err := s.spaceIn(e, "territory")
		if err != nil {
			return err
		}
		unit, err := e.need("unitType")
		if err != nil {
			return err
		}
		n, err := e.number("quantity", "the quantity")
		if err != nil {
			return err
		}
		if owner := e.get("owner"); owner != "" {
			if _, err := s.powerIn(e, "owner"); err != nil {
				return err
			}
			if s.board.setUp[owner] == nil {
				s.board.setUp[owner] = map[string]int{}
			}
			s.board.setUp[owner][unit] += n
		}
		if n == 0 {
			continue
		}
		switch space := &s.board.spaces[i]; {
		case s.complexes[unit]:
			err = s.place(e, i, unit, n)
		case s.airBases[unit]:
			space.AirBase = unit
		case s.navalBases[unit]:
			space.NavalBase = unit
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// place puts an industrial complex into a territory, which holds one at most.
func (s *settler) place(e *element, i int, unit string, n int) error {
	space := &s.board.spaces[i]
	key := "the industrial complex of " + strconv.Quote(space.Name)
	if space.Water {
		return e.fault("the sea zone %s cannot have an industrial complex", shown(space.Name))
	}
	if n > 1 {
		return e.fault("%s begins with %d industrial complexes: a territory has one at most", shown(space.Name), n)
	}
	if first, twice := s.stated[key]; twice {
		return e.fault("%s begins with two industrial complexes, the first on line %d: a territory has one at most",
			shown(space.Name), first.line)
	}
	s.stated[key] = e
	space.Complex = unit
	return nil
}
