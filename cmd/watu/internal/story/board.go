package story

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules/board"
)

// Board is what a board says of those who play on it. The zero value is that of a campaign without one.
type Board struct {
	alliances []alliance
	lands     map[string]land
}

type alliance struct {
	name   string
	powers []string // as a table calls them
}

// land is a territory.
type land struct {
	name  string // as the board calls it
	owner string // by the set-up
	worth int    // in IPCs
}

// BoardOf reads a board.
func BoardOf(b *board.Board) Board {
	out := Board{lands: map[string]land{}}
	for _, s := range b.Spaces() {
		out.lands[s.Name] = land{s.Name, b.TablePower(s.Owner), s.Production}
	}
	for _, a := range b.Alliances() {
		own := alliance{name: a.Name}
		for _, p := range a.Powers {
			own.powers = append(own.powers, b.TablePower(p))
		}
		out.alliances = append(out.alliances, own)
	}
	return out
}

// land gives a territory by the board's name.
func (b Board) land(name string) land {
	if l, ok := b.lands[name]; ok {
		return l
	}
	return land{name: name}
}

// allianceOf gives the alliance of a power or of one of its treasuries, such as UK Europe; empty for none.
func (b Board) allianceOf(holder string) string {
	for _, a := range b.alliances {
		if slices.ContainsFunc(a.powers, func(power string) bool { return treasuryOf(power)(holder) }) {
			return a.name
		}
	}
	return ""
}

// treasuryOf finds a power, or a treasury of its own such as UK Europe.
func treasuryOf(power string) func(holder string) bool {
	return func(holder string) bool { return holder == power || strings.HasPrefix(holder, power+" ") }
}

// playing lists the alliances of which a power plays, in the order of the board's file.
func (b Board) playing(powers []string) (list []string) {
	for _, a := range b.alliances {
		if slices.ContainsFunc(powers, func(p string) bool { return b.allianceOf(p) == a.name }) {
			list = append(list, a.name)
		}
	}
	return list
}
