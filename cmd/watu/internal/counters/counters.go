// Package counters stacks units as a wargame does: a symbol for each arm, and how many there are of it.
//
//	s := counters.Of([]events.Unit{{Name: "infantry", Count: 3}, {Name: "fighter", Count: 1}})
//	s.Counters // foot 3, planes 1, side by side
//	s.W, s.H   // what the stack takes, in pixels
//
// The package knows no board. Where a stack has room is for the page that draws it, with [Place].
package counters

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/events"
	boards "github.com/watu-ledger/watu/rules/board"
)

// Stack is the counters of a power in a space.
type Stack struct {
	Counters []Counter
	W, H     int // in pixels

	At   boards.Point
	Room int // how large it may be drawn, in hundredths, before it leaves its space
}

// Counter is one arm: its symbol, and how many units it has.
type Counter struct {
	Arm  string // "foot", "guns", "tanks", "planes", "ships", "boats"
	N    int
	X, Y int // where its symbol begins
}

// arms are the symbols by what is in a unit's name, the more particular first.
var arms = []struct{ in, arm string }{
	{"submarine", "boats"}, {"infantry", "foot"}, {"marine", "foot"}, {"artillery", "guns"}, {"gun", "guns"},
	{"tank", "tanks"}, {"armo", "tanks"}, {"transport", "ships"}, {"destroyer", "ships"}, {"cruiser", "ships"},
	{"carrier", "ships"}, {"battleship", "ships"}, {"battlecruiser", "ships"},
	{"bomber", "planes"}, {"fighter", "planes"},
}

// order is that of the symbols in a stack.
var order = []string{"foot", "guns", "tanks", "planes", "ships", "boats", "other"}

// ArmOf is the arm of a kind of unit.
func ArmOf(unit string) string {
	for _, a := range arms {
		if strings.Contains(unit, a.in) {
			return a.arm
		}
	}
	return "other"
}

// Small is the stack as a number in a frame, where there is no room for symbols.
func (s Stack) Small() Stack {
	n := s.N()
	w := edge + digits(n)*digit + edge
	number := Counter{N: n, X: edge - w/2 - symbol - 2, Y: (high-glyph)/2 - high/2 - 1}
	return Stack{Counters: []Counter{number}, W: w, H: high - 2}
}

// N is how many units it has.
func (s Stack) N() (n int) {
	for _, c := range s.Counters {
		n += c.N
	}
	return n
}

// The measures of a stack, in pixels.
const (
	symbol = 15 // how wide a symbol is
	digit  = 7
	edge   = 3
	high   = 15 // a row alone
	row    = 13 // each further one
	glyph  = 10 // how high a symbol is

	abreast = 2
	apart   = 12 // from what lies there, on both sides together
)

// Of stacks units; those of an arm stand together. Submarines at sea are left to who draws them one by one.
func Of(units []events.Unit, atSea bool) Stack {
	sum := map[string]int{}
	for _, u := range units {
		if arm := ArmOf(u.Name); u.Count > 0 && !(atSea && arm == "boats") {
			sum[arm] += u.Count
		}
	}
	s, x := Stack{H: high}, edge
	for _, arm := range order {
		n := sum[arm]
		if n == 0 {
			continue
		}
		if len(s.Counters) > 0 && len(s.Counters)%abreast == 0 {
			s.H, x = s.H+row, edge
		}
		s.Counters = append(s.Counters, Counter{Arm: arm, N: n, X: x, Y: s.H - high})
		x += symbol + digits(n)*digit + 4
		s.W = max(s.W, x)
	}
	for i := range s.Counters { // about its middle
		s.Counters[i].X -= s.W / 2
		s.Counters[i].Y += (high-glyph)/2 - s.H/2
	}
	return s
}

func digits(n int) int {
	if n < 10 {
		return 1
	}
	return 1 + digits(n/10)
}

// Frame is what it takes where it stands, with a pixel being unit on the map.
func (s Stack) Frame(unit float64) coast.Frame {
	return coast.FrameAt(coast.SpotOf(s.At), float64(s.W)*unit, float64(s.H)*unit)
}

// Left is where it begins, about its middle.
func (s Stack) Left() int { return -s.W / 2 }

// Top is where it begins, about its middle.
func (s Stack) Top() int { return -s.H / 2 }

// Text is where a counter's number begins.
func (c Counter) Text() int { return c.X + symbol + 2 }

// Foot is where its number stands.
func (c Counter) Foot() int { return c.Y + glyph - 1 }

// lattice is how many places along each side of a space are tried.
const lattice = 12

// Space is where a stack may stand: the outline of the space, those that it must not touch, the name that is written
// there, and what stands on the map already.
type Space struct {
	Outlines []coast.Ring // the first holds it, the others do not
	Names    []Name       // of which one at a time stands there, the one that wants most room first
	Taken    []coast.Frame
	Ways     []coast.Spot // points of arrows
}

// Name is a way to write the name of a space: what it takes on the whole map, and how large it may be drawn, in
// hundredths.
type Name struct {
	coast.Frame
	Room int
}

// Place finds the place where the stack has most room, with a pixel being unit on the map. It gives false where it has
// none, however large the map is drawn.
func (s *Stack) Place(in Space, unit float64) bool {
	least, most := in.Outlines[0].Box()
	wide, tall := float64(s.W)*unit, float64(s.H)*unit
	for i := 1; i < lattice; i++ {
		for j := 1; j < lattice; j++ {
			p := coast.SpotOf(boards.Point{X: least.X + (most.X-least.X)*i/lattice,
				Y: least.Y + (most.Y-least.Y)*j/lattice})
			if !in.holds(p) {
				continue
			}
			room := min(int(100*coast.Room(p, wide/2+1, tall/2+1, in.Outlines)), 100)
			room = min(room, in.beside(p, wide, tall))
			at := func(room int) coast.Frame {
				return coast.FrameAt(p, (wide+apart*unit)*float64(room)/100, (tall+apart*unit)*float64(room)/100)
			}
			for room > max(s.Room, leastRoom) && in.covered(at(room)) {
				room = max(room*3/5, leastRoom)
			}
			if room > s.Room {
				s.Room, s.At = room, p.Point()
			}
		}
	}
	return s.Room >= leastRoom
}

// covered reports whether a box lies on what stands on the map already.
func (in Space) covered(own coast.Frame) bool {
	return slices.ContainsFunc(in.Taken, own.Meets) || slices.ContainsFunc(in.Ways, own.Holds)
}

// leastRoom is that of a stack worth keeping: a map is drawn at most ten times as large.
const leastRoom = 12

func (in Space) holds(p coast.Spot) bool {
	return in.Outlines[0].Inside(p) &&
		!slices.ContainsFunc(in.Outlines[1:], func(r coast.Ring) bool { return r.Inside(p) })
}

// beside is how large, in hundredths, a box about a place may be before it touches the name that stands there at that
// size: letters keep their size as a map is drawn larger.
func (in Space) beside(p coast.Spot, wide, tall float64) int {
	written := 0 // up to this size another name stands there
	for _, n := range in.Names {
		if free := beside(p, wide, tall, n.Frame); free < min(n.Room, 100) {
			return max(free, written)
		}
		written = max(written, n.Room)
	}
	return 100
}

// beside is how large, in hundredths, a box about a place and a name may both be before they touch.
func beside(p coast.Spot, wide, tall float64, name coast.Frame) int {
	x, y := (name.Left+name.Right)/2-p.X, (name.Top+name.Bottom)/2-p.Y
	across, down := max(x, -x)/((wide+name.Right-name.Left)/2), max(y, -y)/((tall+name.Bottom-name.Top)/2)
	return min(int(100*max(across, down)), 100)
}
