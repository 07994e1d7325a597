package bundle

import (
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/chance"
)

// Missing is something that a file should hold for its reader, and does not.
type Missing struct {
	Lack
	Stated bool `json:"stated"` // the file says so itself: its host does not have it
}

// Missing lists what the file should hold for its reader and does not, whether it says so or not. What that is
// follows from the events alone:
//
//   - for every reader the printed sheets of each edition that judged, and the files of the board;
//   - for the umpire the opening of each commitment, and of each chain of draws in each epoch the newest used link;
//   - for a side the openings of what its own events commit to, and the links of its own chains.
//
// A fact that the record itself discloses needs no opening beside it.
func (f *File) Missing() []Lack {
	c := f.checked(Options{})
	list := make([]Lack, len(c.missing))
	for i, m := range c.missing {
		list[i] = m.Lack
	}
	return list
}

func (f *File) readerName() string {
	if f.Header.For == Public || f.Header.For == Umpire {
		return "the " + f.Header.For
	}
	return f.Header.For
}

// mayHold reports whether the reader of the file may know what a side keeps sealed.
func (c *check) mayHold(side string) bool {
	reader := c.file.Header.For
	return reader == Umpire || reader != Public && reader == side
}

// due notes something that the file has to hold, and whether it does.
func (c *check) due(l Lack, here bool) {
	c.count(CheckHeld)
	if !here {
		c.missing = append(c.missing, Missing{Lack: l})
	}
}

// dueOpenings holds the openings in the file and in the record against the commitments.
func (c *check) dueOpenings() {
	sealed := 0
	for ref, s := range c.seals {
		switch {
		case c.mayHold(c.sides.of(ref.Index)) && !s.own:
			c.due(Lack{What: LacksOpening, At: ref.Index, Name: ref.Slot}, s.opened)
		case !s.opened && ref.Slot != events.SlotArbiter: // that hides nothing more
			sealed++
		}
	}
	c.unable(sealed, "sealed facts", "their openings are not in the file: "+c.heldBack())
}

// sides are the sides of events, by their places.
type sides struct {
	numbers map[string]uint16
	names   []string
	list    []uint16
}

func (s *sides) add(side string) {
	at, known := s.numbers[side]
	switch {
	case !known && len(s.names) == math.MaxUint16:
		at = math.MaxUint16 // no campaign has so many: those beyond have no name, and nothing is theirs
	case !known:
		if s.numbers == nil {
			s.numbers = map[string]uint16{}
		}
		side, at = strings.Clone(side), uint16(len(s.names))
		s.names, s.numbers[side] = append(s.names, side), at
	}
	s.list = append(s.list, at)
}

// of is the side of an event, empty where there is none.
func (s *sides) of(index uint64) string {
	if index < uint64(len(s.list)) && int(s.list[index]) < len(s.names) {
		return s.names[s.list[index]]
	}
	return ""
}

// dueLinks holds the links in the file against the draws; here are the chains whose newest used link it holds.
func (c *check) dueLinks(here map[*chain]bool) {
	sealed := 0
	for epoch, chains := range c.epochs {
		for name, on := range chains {
			side, draws := strings.CutPrefix(name, chance.Draws(""))
			switch {
			case !draws || on.used == 0:
			case c.mayHold(side):
				c.due(Lack{What: LacksLink, At: uint64(epoch) + 1, Name: name, Position: on.used}, here[on])
			default:
				sealed += int(on.used)
			}
		}
	}
	c.unable(sealed, "draws", "their links are not in the file: "+c.heldBack())
	c.undisclosed()
}

// dueTexts holds the sheets and the board's files against what the record names.
func (c *check) dueTexts() {
	here := map[events.Hash]bool{}
	for _, text := range c.file.Editions {
		here[sha256.Sum256([]byte(text))] = true
	}
	for _, data := range c.file.Boards {
		here[sha256.Sum256(data)] = true
	}
	for _, h := range c.used {
		c.due(Lack{What: LacksSheet, Name: h.String()}, here[h])
	}
	for _, b := range c.opened.Board.Files {
		c.due(Lack{What: LacksBoard, Name: b.Hash.String()}, here[b.Hash])
	}
}

// held reports what is missing: a finding, unless the file says that its host does not hold it, and then it is
// listed as such. What the file says that it lacks must be missing.
func (c *check) held() {
	c.dueTexts()
	slices.SortFunc(c.missing, func(x, y Missing) int { return compareLacks(x.Lack, y.Lack) })
	stated := map[Lack]bool{}
	for _, l := range c.file.Lacks {
		stated[l] = true
	}
	var silent, admitted []Lack
	for i := range c.missing {
		m := &c.missing[i]
		if m.Stated = stated[m.Lack]; m.Stated {
			admitted = append(admitted, m.Lack)
			delete(stated, m.Lack)
		} else {
			silent = append(silent, m.Lack)
		}
	}
	for _, group := range Grouped(silent) {
		c.wrongFile(CheckHeld, group[0].What, nil, nil,
			"missing are %s, which a file for %s holds", LackText(group), c.file.readerName())
	}
	for _, group := range Grouped(admitted) {
		c.unable(len(group), LackText(group), "the file says that its host does not hold them")
	}
	for _, l := range c.file.Lacks {
		if stated[l] {
			c.wrongFile(CheckHeld, l.What, nil, nil,
				"the file says that it lacks %s %s, and it does not", l.What, l.name())
		}
	}
}

// mostNamed is how many are named where many are missing.
const mostNamed = 6

// LackText tells in words what is lacking, all of one kind: `14 openings (#12 "card", #13 "points", …)`.
func LackText(list []Lack) string {
	words := map[string][2]string{
		LacksOpening: {"opening", "openings"}, LacksLink: {"link of draws", "links of draws"},
		LacksSheet: {"printed sheet", "printed sheets"}, LacksBoard: {"file of the board", "files of the board"},
	}[list[0].What]
	word := words[0]
	if len(list) != 1 {
		word = words[1]
	}
	var names []string
	for _, l := range list[:min(len(list), mostNamed)] {
		names = append(names, l.name())
	}
	if len(list) > mostNamed {
		names = append(names, "…")
	}
	return fmt.Sprintf("%d %s (%s)", len(list), word, strings.Join(names, ", "))
}

// name tells one thing that is lacking, without its kind.
func (l Lack) name() string {
	switch l.What {
	case LacksOpening:
		return fmt.Sprintf("#%d %q", l.At, l.Name)
	case LacksLink:
		return fmt.Sprintf("%d of %s in epoch %d", l.Position, l.Name, l.At)
	}
	return l.Name[:min(len(l.Name), 12)]
}

// Grouped parts a sorted list by what is lacking.
func Grouped(list []Lack) (groups [][]Lack) {
	for len(list) > 0 {
		n := slices.IndexFunc(list, func(l Lack) bool { return l.What != list[0].What })
		if n < 0 {
			n = len(list)
		}
		groups = append(groups, list[:n])
		list = list[n:]
	}
	return groups
}
