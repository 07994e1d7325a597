package aar

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules/axisallies"
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
	axisallies.State

	complexes  map[string]axisallies.Figure[int]      // territory to 0 or 1, where it was reported
	submarines map[string]fleet                       // by owner
	submerged  map[string]axisallies.Figure[[]string] // in this ROUND, by whose TURN it was
	attacks    []attack                               // by bombers and rockets, in this ROUND
	combats    []combat                               // with submarines, in this ROUND
	hunters    map[string]int                         // destroyers that have rolled in this TURN, by power
	under      []dived                                // what submerged, in this ROUND
	flaks      []flak                                 // AA fire, in this ROUND
	landing    []combat                               // that of D-Day in SZ 7, of submarines that are known
	bought     map[string]map[string]int              // in this ROUND and not on the board yet, by power and unit
	boatsHad   map[string]int                         // submarines there were before some were bought, where known
	captured   []string                               // territories taken in combat in this ROUND, by report
	ground     map[string]axisallies.Figure[string]   // who held what when the Conduct Combat of the TURN began
	seizedAt   map[string]uint64                      // territory to the report by which it last changed hands
	morning    map[string]axisallies.Figure[string]   // who held what when the TURN began
	dawn       map[string]axisallies.Figure[string]   // who held what when the first TURN of the ROUND began
	placing    string                                 // who has placed submarines by the event before, which lists them
	moored     []mooring                              // what was placed in this ROUND and the one before
	placed     map[string]map[string]int              // what was placed in any ROUND, by power and unit
	raised     []string                               // territories whose complex was placed in this ROUND
	placedAt   map[string]uint64                      // territory to the event that placed its complex

	purse  map[string]purse                       // treasuries that the ledger has moved in this ROUND
	earned map[string]bool                        // powers whose treasury it has moved in any
	sold   []string                               // units that were bought in this ROUND
	prices map[string]axisallies.Figure[int]      // of the book, by unit
	techs  map[string]axisallies.Figure[[]string] // by power
	guns   map[string]battery                     // artillery, by power

	invasion
}

// purse is a treasury that the ledger has moved in this ROUND.
type purse struct {
	before  []int // what it had before the ledger moved it, first and after each report
	counted int   // what it has by that; a report of more adds to it
	stated  bool  // it was reported since
}

// fleet is every submarine of a power.
type fleet struct {
	boats []events.Submarine
	from  uint64
}

// attack is economic damage done in an attacker's TURN.
type attack struct {
	attacker  string
	victim    string
	territory string
	damage    int
	bombers   int // 0 where they were not counted
	kind      string
}

// hasComplex reports whether an industrial complex stands in a territory.
func (g game) hasComplex(s board.Space) bool {
	if f, ok := g.complexes[s.Name]; ok {
		return f.Value > 0
	}
	return s.Complex != ""
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

// dived is a submarine that submerged in a TURN, and the names of its owner that there were then or were placed
// since.
type dived struct {
	turnOf string
	boat
	afloat []string
}

// sink notes that submarines submerge in a power's TURN.
func (g game) sink(turnOf string, names []string) game {
	for _, b := range g.boats() {
		there := slices.ContainsFunc(g.under,
			func(s dived) bool { return s.turnOf == turnOf && s.name == b.name })
		if there || !slices.Contains(names, b.name) {
			continue
		}
		s := dived{turnOf, b, nil}
		for _, o := range g.submarines[b.owner].boats {
			s.afloat = append(s.afloat, o.Name)
		}
		g.under = append(slices.Clip(g.under), s)
	}
	return g
}

// launch notes submarines of a power that were placed, beside those that submerged before.
func (g game) launch(power string, boats []events.Submarine) game {
	g.under = slices.Clone(g.under)
	for i, s := range g.under {
		for _, b := range boats {
			if s.owner == power && !slices.Contains(s.afloat, b.Name) {
				g.under[i].afloat = append(slices.Clip(g.under[i].afloat), b.Name)
			}
		}
	}
	return g
}

// stayedDown reports whether a submarine submerged in a power's TURN of this ROUND, as was reported
// or in a combat (AAR-4-SUBMERGED).
func (g game) stayedDown(player, name string) bool {
	return slices.Contains(g.submerged[player].Value, name) || slices.ContainsFunc(g.combats, func(c combat) bool {
		return c.attacker == player &&
			slices.ContainsFunc(c.dives, func(d dive) bool { return slices.Contains(d.boats, name) })
	})
}

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
