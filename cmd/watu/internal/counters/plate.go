package counters

import (
	"strings"

	"github.com/watu-ledger/watu/cmd/watu/internal/coast"
	"github.com/watu-ledger/watu/cmd/watu/internal/story"
	boards "github.com/watu-ledger/watu/rules/board"
)

// Plate says what raids and bombing took of a power in a game turn. It stands on sea, and a thin line leads to the
// land.
type Plate struct {
	At         boards.Point // its middle
	To         boards.Point // where its line ends
	W, H       int          // in pixels
	Head, More string
	Title, Why string

	Victim, Territory    string
	Boats, Raided, Bombs int64 // of its money
	Damage               int64 // to facilities, which is repaired
}

// PlateHigh is how high a plate is, in pixels.
const PlateHigh = 30

// Left is where it begins, about its middle.
func (p *Plate) Left() int { return -p.W / 2 }

// Top is where it begins, about its middle.
func (p *Plate) Top() int { return -p.H / 2 }

// Total is all that was taken and damaged.
func (p *Plate) Total() int64 { return p.money() + p.Damage }

func (p *Plate) money() int64 { return p.Boats + p.Raided + p.Bombs }

// Write writes the plate: whose it is, the money that it lost and to what, as a language says the keys of its lines.
// Damage to facilities is no money.
func (p *Plate) Write(victim string, say func(key string, with ...any) string) {
	if p.Head = victim; p.money() > 0 {
		p.Head += " " + say("name", "name", story.Count{Of: "ipc", N: -p.money()})
	}
	var parts []string
	for _, x := range []struct {
		n    int64
		what string
	}{{p.Boats, "map-n-boats"}, {p.Raided, "map-n-raids"}, {p.Bombs, "map-n-bombs"}, {p.Damage, "map-n-damage"}} {
		if x.n > 0 {
			parts = append(parts, say(x.what, "n", x.n))
		}
	}
	p.More = strings.Join(parts, ", ")
	p.W, p.H = int(max(coast.InLetters(p.Head)*12*1.08, coast.InLetters(p.More)*10))+10, PlateHigh
}
