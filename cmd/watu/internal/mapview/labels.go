package mapview

import (
	"fmt"
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
)

// label is one way to write the name of a space, its worth beside it. It stands only where its whole box is within the
// space, however large the map is drawn.
type label struct {
	X, Y  int // of its middle
	Lines []string
	Worth string // at the end of the last line; empty for none
	Main  bool   // a capital
	// Room is how large its letters may be before it leaves the space: in hundredths of those on the whole map. With
	// less than 100 it stands on a larger map alone.
	Room   int
	Hidden bool // on the whole map
}

// Lift is how far below its middle the foot of the first line is, in letters.
func (l label) Lift() string { return fmt.Sprintf("%.2f", .35-float64(len(l.Lines)-1)*.54) }

// Last reports whether a line is the last, behind which the worth stands.
func (l label) Last(i int) bool { return i == len(l.Lines)-1 }

// letter finds the ways to write each space, the one that says most first.
func (m *Board) letter() {
	for i := range m.Lands {
		s := &m.Lands[i]
		m.name(s, m.about(s))
	}
	for i := range m.Waters {
		s := &m.Waters[i]
		text := s.Called
		if m.Many {
			text = coast.ZoneNumber(text)
		}
		l, ok := m.fit(s, m.about(s), [][]string{{text}}, "")
		if m.Many {
			l.Room = min(l.Room/2, 80) // zones have names on a larger map alone
		}
		if ok {
			s.Names = []label{l}
			s.hide()
		}
	}
}

// name writes a land: its name and worth, by a capital the name of its power, the worth alone.
func (m *Board) name(s *space, outlines []coast.Ring) {
	worth := ""
	if s.Production > 0 {
		worth = strconv.Itoa(s.Production)
	}
	ways := [][][]string{{{s.Called}}, nil, {{}}}
	if half := coast.Halves(s.Called); half != nil {
		ways[0] = append(ways[0], half)
	}
	if worth != "" {
		ways[0] = append(ways[0], []string{s.Called, ""})
	}
	if power := m.called[s.Capital]; s.Capital != "" && len(power) < len(s.Called) {
		ways[1] = [][]string{{power}, {power, ""}}
	}
	if worth == "" {
		ways = ways[:2]
	}
	for _, list := range ways {
		l, ok := m.fit(s, outlines, list, worth)
		if n := len(s.Names); ok && (n == 0 || l.Room > s.Names[n-1].Room) {
			s.Names = append(s.Names, l)
		}
	}
	s.hide()
}

// hide leaves the first name that has room on the whole map.
func (s *space) hide() {
	shown := false
	for i := range s.Names {
		s.Names[i].Hidden = shown || s.Names[i].Room < 100
		shown = shown || !s.Names[i].Hidden
	}
}

// about are the outlines that a label of the space must not touch: its own, and those of lands within its box.
func (m *Board) about(s *space) []coast.Ring {
	list := []coast.Ring{s.rings[0]}
	for i := range m.Lands {
		for n, r := range m.Lands[i].rings {
			if m.Lands[i].Name == s.Name && n == 0 {
				continue
			}
			least, most := r.Box()
			if s.Water && least.X < s.box[1].X && most.X > s.box[0].X && least.Y < s.box[1].Y && most.Y > s.box[0].Y ||
				least.X > s.box[0].X && most.X < s.box[1].X && least.Y > s.box[0].Y && most.Y < s.box[1].Y {
				list = append(list, r)
			}
		}
	}
	return list
}

// lattice is how many places along each side of a space are tried for its label.
const lattice = 17

// fit finds the place where one of the ways to write a label has room, the first of them that has enough.
func (m *Board) fit(s *space, outlines []coast.Ring, ways [][]string, worth string) (best label, ok bool) {
	for _, lines := range ways {
		lines = slices.Clone(lines)
		if len(lines) == 0 {
			lines = []string{""}
		}
		wide := m.wide(lines, worth)/2 + 2
		high := m.high(lines)/2 + 1.5
		l := label{Lines: lines, Worth: worth, Main: s.Capital != ""}
		try := func(x, y int) {
			p := coast.Spot{X: float64(x), Y: float64(y)}
			if r := int(100 * coast.Room(p, wide, high, outlines)); r > l.Room && outlines[0].Inside(p) &&
				!slices.ContainsFunc(outlines[1:], func(o coast.Ring) bool { return o.Inside(p) }) {
				l.X, l.Y, l.Room = x, y, r
			}
		}
		try(s.At.X, s.At.Y)
		for i := 1; i < lattice && l.Room < 115; i++ {
			for j := 1; j < lattice; j++ {
				try(s.box[0].X+(s.box[1].X-s.box[0].X)*i/lattice, s.box[0].Y+(s.box[1].Y-s.box[0].Y)*j/lattice)
			}
		}
		if l.Room > best.Room {
			best, ok = l, true
		}
		if best.Room >= 100 {
			break
		}
	}
	return best, ok && best.Room >= leastRoom
}

// leastRoom is that of a label worth keeping: the map is drawn at most so many times as large.
const leastRoom = 10

// wide is how wide the longest line is, the worth at the end of the last.
func (m *Board) wide(lines []string, worth string) float64 {
	most := 0.0
	for i, l := range lines {
		w := coast.InLetters(l)
		if i == len(lines)-1 && worth != "" {
			w += coast.InLetters(worth) * 1.05
			if l != "" {
				w += .3
			}
		}
		most = max(most, w)
	}
	return most * float64(m.Size)
}

// high is how high all lines are.
func (m *Board) high(lines []string) float64 {
	return float64(m.Size) * (.84 + 1.08*float64(len(lines)-1))
}

// frame is what a label takes on the whole map.
func (m *Board) frame(l label) coast.Frame {
	return coast.FrameAt(coast.Spot{X: float64(l.X), Y: float64(l.Y)}, m.wide(l.Lines, l.Worth)+2, m.high(l.Lines)+2)
}
