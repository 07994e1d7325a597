package board

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// settler makes a board of the elements of a game: it looks names up and refuses what does
// not fit together. What is stated twice must be stated alike.
type settler struct {
	game      game
	board     *Board
	space     map[string]int // by the file's name
	power     map[string]int
	stated    map[string]*element // what was settled, and by which element
	complexes map[string]bool     // the units that are industrial complexes
	canals    []string
	doubled   []string // territories with two owners

	airBases, navalBases map[string]bool // likewise
}

// settle makes the board of a game, all but its aliases and shapes.
func settle(g game) (*Board, error) {
	s := &settler{game: g, board: &Board{setUp: map[string]map[string]int{}}, space: map[string]int{},
		power: map[string]int{}, stated: map[string]*element{}}
	for _, part := range []func() error{
		s.info, s.spaces, s.connections, s.players, s.steps, s.alliances,
		s.units, s.attachments, s.owners, s.placements, s.resources,
	} {
		if err := part(); err != nil {
			return nil, err
		}
	}
	s.prices()
	s.lacks()
	return s.board, nil
}

func (s *settler) info() error {
	infos := s.game["game/info"]
	if len(infos) == 0 {
		return fault(0, "this is not a TripleA game: it has no element <info> with the game's name")
	}
	var err error
	if s.board.title, err = infos[0].need("name"); err != nil || infos[0].get("version") == "" {
		return err
	}
	s.board.version, err = infos[0].need("version")
	return err
}

func (s *settler) spaces() error {
	var own []string
	for _, e := range s.game["map/territory"] {
		name, err := s.newName(e, s.space, "territory")
		if err != nil {
			return err
		}
		water := e.get("water")
		if water != "" && !isTrue(water) && !strings.EqualFold(water, "false") {
			return e.fault("water must be true or false, not %s", shown(water))
		}
		s.space[name] = len(s.board.spaces)
		own = append(own, name)
		s.board.spaces = append(s.board.spaces, Space{Name: name, Water: isTrue(water)})
	}
	if len(s.board.spaces) == 0 {
		return fault(0, "this is not a TripleA game: its <map> has no <territory>")
	}
	s.board.spaceNames = newNames(own)
	return nil
}

// newName is the name that an element gives to something new. Names that differ only in case
// or blanks count as one, since people who type them do not tell them apart.
func (s *settler) newName(e *element, known map[string]int, what string) (string, error) {
	name, err := e.need("name")
	if err != nil {
		return "", err
	}
	key := what + " " + fold(name)
	if first, twice := s.stated[key]; twice {
		if _, alike := known[name]; !alike {
			return "", e.fault("the %s %s differs from the one on line %d in case or blanks only", what, shown(name),
				first.line)
		}
		return "", e.fault("the %s %s stands twice, first on line %d", what, shown(name), first.line)
	}
	s.stated[key] = e
	return name, nil
}

// spaceIn is the space that an attribute names.
func (s *settler) spaceIn(e *element, attr string) (int, error) {
	name, err := e.need(attr)
	if err != nil {
		return 0, err
	}
	i, ok := s.space[name]
	if !ok {
		return 0, e.fault("%s names %s, which is no territory of this map%s", attr, shown(name),
			s.board.spaceNames.meant(name))
	}
	return i, nil
}

// powerIn is the power that an attribute names; -1 for the one that stands for nobody.
func (s *settler) powerIn(e *element, attr string) (int, error) {
	name, err := e.need(attr)
	if err != nil {
		return 0, err
	}
	i, ok := s.power[name]
	if !ok && name == "Neutral" { // TripleA's own name for nobody
		return -1, nil
	}
	if !ok {
		return 0, e.fault("%s names %s, which is no player of this game%s", attr, shown(name),
			s.board.powerNames.meant(name))
	}
	return i, nil
}

// name is that of the power, none for nobody.
func (s *settler) name(power int) string {
	if power < 0 {
		return ""
	}
	return s.board.powers[power].Name
}

// once notes that e settles what key names, and refuses e where another element differs.
func (s *settler) once(e *element, same bool, key string) error {
	if first, ok := s.stated[key]; ok && !same {
		return e.fault("%s is given twice and differs, first on line %d", key, first.line)
	}
	s.stated[key] = e
	return nil
}

func (s *settler) connections() error {
	s.board.touching = make([][]int, len(s.board.spaces))
	for _, e := range s.game["map/connection"] {
		i, err := s.spaceIn(e, "t1")
		if err != nil {
			return err
		}
		j, err := s.spaceIn(e, "t2")
		if err != nil {
			return err
		}
		if i == j {
			return e.fault("%s is connected with itself", shown(s.board.spaces[i].Name))
		}
		s.board.touching[i] = append(s.board.touching[i], j)
		s.board.touching[j] = append(s.board.touching[j], i)
	}
	for i, touching := range s.board.touching {
		slices.SortFunc(touching, func(x, y int) int { return byName(s.board.spaces[x].Name, s.board.spaces[y].Name) })
		s.board.touching[i] = slices.Compact(touching) // TripleA's own files repeat connections
		for _, j := range s.board.touching[i] {
			s.board.spaces[i].Neighbours = append(s.board.spaces[i].Neighbours, s.board.spaces[j].Name)
		}
	}
	return nil
}

func (s *settler) owners() error {
	for _, e := range s.game["ownerInitialize/territoryOwner"] {
		i, err := s.spaceIn(e, "territory")
		if err != nil {
			return err
		}
		p, err := s.powerIn(e, "owner")
		if err != nil {
			return err
		}
		space := &s.board.spaces[i]
		key := "the owner of " + strconv.Quote(space.Name)
		if first, twice := s.stated[key]; twice && space.Owner != s.name(p) {
			s.doubled = append(s.doubled, fmt.Sprintf("%s (lines %d and %d)", space.Name, first.line, e.line))
		}
		space.Owner, s.stated[key] = s.name(p), e
	}
	return nil
}

func (s *settler) resources() error {
	for _, e := range s.game["resourceInitialize/resourceGiven"] {
		p, err := s.powerIn(e, "player")
		if err != nil {
			return err
		}
		n, err := e.number("quantity", "the quantity")
		if err != nil {
			return err
		}
		if e.get("resource") != "PUs" || p < 0 {
			continue
		}
		power := &s.board.powers[p]
		if err := s.once(e, power.PUs == n, "what "+strconv.Quote(power.Name)+" has in PUs"); err != nil {
			return err
		}
		power.PUs = n
	}
	return nil
}
