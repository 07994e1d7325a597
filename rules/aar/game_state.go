package aar

import (
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/board"
)

// The phases of a power's TURN, in their order.
const (
	phasePurchase = "purchase units"
	phaseMove     = "combat move"
	phaseCombat   = "conduct combat"
	phaseNCM      = "noncombat move"
	phaseMobilize = "mobilize units"
	phaseCollect  = "collect income"
)

func phases() []string {
	return []string{phasePurchase, phaseMove, phaseCombat, phaseNCM, phaseMobilize, phaseCollect}
}

// game is the state of a campaign. It is a value: what a map or slice holds is replaced, never
// changed.
type game struct {
	board   *board.Board // nil where events are applied and nothing is decided
	options map[string]string
	powers  []string // in the order of play, by the rulebook's names

	turn   events.Turn // the ROUND
	player string      // whose TURN it is, empty for nobody's yet
	stage  string      // its phase

	control    map[string]figure[string]   // territory to power, where it differs from the board's beginning
	complexes  map[string]figure[int]      // territory to 0 or 1, likewise
	submarines map[string]fleet            // by owner
	submerged  map[string]figure[[]string] // in this ROUND, by whose TURN it was
	attacks    []attack                    // by bombers and rockets, in this ROUND
	collected  []string                    // who has collected income in this ROUND
	accounts   map[string]account          // by power
}

// figure is what was reported of something, and by which event.
type figure[T any] struct {
	value T
	from  uint64
}

// fleet is every submarine of a power.
type fleet struct {
	boats []events.Submarine
	from  uint64
}

// attack is economic damage done in an attacker's TURN.
type attack struct {
	index     uint64
	attacker  string
	territory string
	damage    int
}

// TurnNow implements rules.Game.
func (g game) TurnNow() (events.Turn, string) {
	if g.player == "" {
		return g.turn, ""
	}
	return g.turn, g.player + " " + g.stage
}

// rank is a power's place in the order of play.
func (g game) rank(power string) int { return slices.Index(g.powers, power) }

// with gives a map with one entry replaced.
func with[K comparable, V any](m map[K]V, k K, v V) map[K]V {
	c := maps.Clone(m)
	if c == nil {
		c = map[K]V{}
	}
	c[k] = v
	return c
}

// controller is the power that holds a territory now, by the rulebook's name; empty for nobody.
func (g game) controller(s board.Space) string {
	if f, ok := g.control[s.Name]; ok {
		return f.value
	}
	return g.board.TablePower(s.Owner)
}

// hasComplex reports whether an industrial complex stands in a territory.
func (g game) hasComplex(s board.Space) bool {
	if f, ok := g.complexes[s.Name]; ok {
		return f.value > 0
	}
	return s.Complex != ""
}

// worth is what a power's territories come to.
func (g game) worth(power string) int {
	total := 0
	for _, s := range g.board.Spaces() {
		if g.controller(s) == power {
			total += s.Production
		}
	}
	return total
}

// capitalLost is a capital of the power that another holds, if there is one.
func (g game) capitalLost(power string) (board.Space, bool) {
	for _, s := range g.board.Spaces() {
		if s.Capital != "" && g.board.TablePower(s.Capital) == power && g.controller(s) != power {
			return s, true
		}
	}
	return board.Space{}, false
}

// damageIn is what bombers and rockets have done to a territory in a power's TURN of this ROUND.
func (g game) damageIn(player, territory string) int {
	total := 0
	for _, a := range g.attacks {
		if a.attacker == player && a.territory == territory {
			total += a.damage
		}
	}
	return total
}

// boat is a submarine on the board.
type boat struct{ name, owner, zone string }

// boats are all submarines. A correction can give the submarines of two powers one name, for it is
// judged on what was on the board then: the later power's goes with its owner (GEN-UNIQUE).
func (g game) boats() []boat {
	var list []boat
	taken := map[string]bool{}
	for _, power := range powerNames() {
		for _, b := range g.submarines[power].boats {
			name := b.Name
			if taken[strings.ToLower(name)] {
				name += " of " + power
			}
			taken[strings.ToLower(name)] = true
			list = append(list, boat{name, power, b.Zone})
		}
	}
	return list
}
