package mapview

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
)

// label is one way to write the name of a space, its worth beside it. It stands only where its whole box is within the
// space, however large the map is drawn.
type label struct {
	X, Y  int // of its middle
	Lines []string
	Worth string // at the end of the last line; empty for none
	Main  bool   // a capital
	// Turned reads upwards, along a land that is higher than it is wide.
	Turned bool
	Small  bool // in letters of the least size
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
		m.Waters[i].Names = m.number(&m.Waters[i], nil)
	}
}

// number writes a zone where a box is free, or anywhere in it for nil: its name, in two lines where it is narrow, or
// its number alone.
func (m *Board) number(s *space, free func(coast.Frame) bool) (names []label) {
	number := coast.ZoneNumber(s.Name)
	ways := [][][]string{{{s.Name}}, {{number}}}
	if half := coast.Halves(s.Name); half != nil {
		ways[0] = append(ways[0], half)
	}
	if m.Many {
		ways = ways[1:]
	}
	outlines := m.about(s)
	for _, list := range ways {
		l, ok := m.fit(s, outlines, writing{ways: list, free: free})
		if m.Many {
			l.Room = min(l.Room/2, 80) // zones have names on a larger map alone
		}
		names = written(names, l, ok)
	}
	hide(names)
	return names
}

// name writes a land: its name and worth, upwards where there is no room across, by a capital the name of its power,
// else the table's short form of it, the worth alone.
func (m *Board) name(s *space, outlines []coast.Ring) {
	worth := ""
	if s.Production > 0 {
		worth = strconv.Itoa(s.Production)
	}
	ways := [][][]string{{{s.Name}}, nil, {{}}}
	if half := coast.Halves(s.Name); half != nil {
		ways[0] = append(ways[0], half)
	}
	if worth != "" {
		ways[0] = append(ways[0], []string{s.Name, ""})
	}
	short := m.called[s.Capital]
	if s.Capital == "" && strings.HasSuffix(s.Name, s.short[strings.LastIndexByte(s.short, ' ')+1:]) {
		short = s.short // NW Europe, and not France for Western Europe
	}
	if short != "" && len(short) < len(s.Name) {
		ways[1] = [][]string{{short}, {short, ""}}
	}
	if worth == "" {
		ways = ways[:2]
	}
	for i, list := range ways {
		l, ok := m.fit(s, outlines, writing{ways: list, worth: worth})
		if l.Room < 100 && l.Room >= small && !m.Many {
			l.Small, l.Room = true, l.Room*100/small
		}
		s.Names = written(s.Names, l, ok)
		if i == 0 && !m.Many && l.Room < 100 {
			l, ok = m.fit(s, outlines, writing{ways: list[:1], worth: worth, turned: true})
			s.Names = written(s.Names, l, ok)
		}
	}
	hide(s.Names)
}

// written are labels and one more, if it has more room than those before it.
func written(names []label, l label, ok bool) []label {
	if n := len(names); ok && (n == 0 || l.Room > names[n-1].Room) {
		return append(names, l)
	}
	return names
}

// hide leaves the first name that has room on the whole map.
func hide(names []label) {
	shown := false
	for i := range names {
		names[i].Hidden = shown || names[i].Room < 100
		shown = shown || !names[i].Hidden
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

// writing is what a label may say, and how.
type writing struct {
	ways   [][]string // lines
	worth  string     // at the end of the last line
	turned bool
	free   func(coast.Frame) bool // whether it may stand there; nil for anywhere
}

// fit finds the place where one of the ways to write a label has room, the first of them that has enough.
func (m *Board) fit(s *space, outlines []coast.Ring, x writing) (best label, ok bool) {
	for _, lines := range x.ways {
		lines = slices.Clone(lines)
		if len(lines) == 0 {
			lines = []string{""}
		}
		l := label{Lines: lines, Worth: x.worth, Main: s.Capital != "", Turned: x.turned}
		half := m.frame(l)
		wide, high := half.Right+1, half.Bottom+.5
		try := func(x0, y0 int) {
			at := l
			at.X, at.Y = x0, y0
			p := coast.Spot{X: float64(x0), Y: float64(y0)}
			if r := int(100 * coast.Room(p, wide, high, outlines)); r > l.Room && outlines[0].Inside(p) &&
				(x.free == nil || x.free(m.frame(at))) &&
				!slices.ContainsFunc(outlines[1:], func(o coast.Ring) bool { return o.Inside(p) }) {
				l.X, l.Y, l.Room = x0, y0, r
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

// small is the least size of letters, in hundredths of the usual one.
const small = 93

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
	wide, high := m.wide(l.Lines, l.Worth)+2, m.high(l.Lines)+2
	if l.Small {
		wide, high = wide*small/100, high*small/100
	}
	if l.Turned {
		wide, high = high, wide
	}
	return coast.FrameAt(coast.Spot{X: float64(l.X), Y: float64(l.Y)}, wide, high)
}
