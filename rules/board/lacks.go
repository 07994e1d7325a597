package board

import (
	"fmt"
	"slices"
	"strconv"
)

// Lacks are the things that the files do not tell and rulings may need, one plain sentence
// each, always in the same order. The umpire reports them as facts, or does without.
//
// A record holds them as they were when its campaign opened, and they are compared with it: their words are for ever.
func (b *Board) Lacks() []string { return slices.Clone(b.lacks) }

// Unsaid are the [Board.Lacks] but for those of complexes, convoy zones and kamikaze zones, which a system of rules
// puts in its own words, and say of what is only noted that nothing has to be done.
func (b *Board) Unsaid() []string {
	list := b.Lacks()
	for _, i := range b.idle {
		list[i] += "; nothing has to be done"
	}
	return slices.Delete(list, b.marks[0], b.marks[1])
}

func (b *Board) lack(format string, args ...any) {
	b.lacks = append(b.lacks, fmt.Sprintf(format, args...))
}

// lacks notes what the game file leaves open.
func (s *settler) lacks() {
	b := s.board
	complexes := b.count(func(p Space) bool { return p.Complex != "" })
	b.marks[0] = len(b.lacks)
	b.lack("the file places %d industrial complexes, those of the set-up: report any that house rules or players add",
		complexes)
	if b.count(func(p Space) bool { return p.Convoy }) == 0 {
		b.lack("the file marks no convoy zones (blockadeZone)")
	}
	if b.count(func(p Space) bool { return p.Kamikaze }) == 0 {
		b.lack("the file marks no kamikaze zones (kamikazeZone)")
	}
	b.marks[1] = len(b.lacks)
	if len(s.canals) > 0 {
		b.lack("canals are not closed to anybody: distances by sea pass %s", several(s.canals))
	}
	b.lackAny("the file gives these territories two owners, of which the later counts: %s", s.doubled)
	s.powerLacks()
	var alone, worthless []string
	for i, p := range b.spaces {
		if len(b.touching[i]) == 0 {
			alone = append(alone, p.Name)
		}
		if _, known := s.stated["the production of "+strconv.Quote(p.Name)]; !known && !p.Water {
			worthless = append(worthless, p.Name)
		}
	}
	b.lackAny("these spaces touch no other: %s", alone)
	b.lackAny("these territories have no production in the file, and count 0: %s", worthless)
}

func (s *settler) powerLacks() {
	b := s.board
	if len(b.alliances) == 0 {
		b.lack("the file gives no alliances: nobody is anybody's enemy")
	}
	if len(s.game["relationshipInitialize/relationship"]) > 0 {
		b.lack("who is at war at the start, and who becomes so, is not read: enemies are those of other alliances")
	}
	var loners, landless, poor []string
	for _, p := range b.powers {
		if !p.Plays {
			continue
		}
		if len(p.Alliances) == 0 && len(b.alliances) > 0 {
			loners = append(loners, p.Name)
		}
		if b.count(func(s Space) bool { return s.Capital == p.Name }) == 0 {
			landless = append(landless, p.Name)
		}
		if _, known := s.stated["what "+strconv.Quote(p.Name)+" has in PUs"]; !known {
			poor = append(poor, p.Name)
		}
	}
	b.lackAny("these powers are in no alliance, and have no enemies: %s", loners)
	b.lackAny("these powers have no capital: %s", landless)
	b.lackAny("these powers are given no PUs to begin with: %s", poor)
}

func (b *Board) count(is func(Space) bool) int {
	n := 0
	for _, s := range b.spaces {
		if is(s) {
			n++
		}
	}
	return n
}

// lackAny notes the names that lack something, if there are any.
func (b *Board) lackAny(format string, names []string) {
	if len(names) > 0 {
		b.lack(format, several(names))
	}
}

// lackIdly is lackAny for what is only noted.
func (b *Board) lackIdly(format string, names []string) {
	if len(names) > 0 {
		b.idle = append(b.idle, len(b.lacks))
	}
	b.lackAny(format, names)
}

// shapeLacks notes which spaces a file of shapes does not show, and which of its names are not
// on the board.
func (b *Board) shapeLacks(file string, shows func(i int) bool, strangers []string) {
	var missing []string
	for i, s := range b.spaces {
		if !shows(i) {
			missing = append(missing, s.Name)
		}
	}
	b.lackAny(file+" does not show %s", missing)
	b.lackIdly(file+" shows what is not on the map: %s", strangers)
}
