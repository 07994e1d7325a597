package eots

import (
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// game is the state of a campaign, a value.
type game struct {
	options map[string]string
	position
}

// position is where everything stands. What a map or slice holds is replaced, never changed.
type position struct {
	turn    events.Turn
	year    int
	first   uint64 // the turn that the campaign begins with
	phase   string
	player  string // whose offensive it is
	fought  bool   // a battle hex was declared in this offensive, as far as is known
	over    bool   // this offensive is concluded: a base made its emergency move
	atEnd   bool   // or card 5 was played at its end
	bases   []base // in the order in which they came
	changed uint64 // the turn of the last replacement

	hqs     []events.HeadquartersReported // in the order in which they were first reported
	apart   map[pair]int                  // hexes, by what was reported of HQs that stood in one of them
	gauged  map[string]bool               // hexes from which the distance of an HQ was reported
	targets map[string]events.TargetsReported
	ranged  map[string]uint64   // hex, and the turn in which that was reported last
	hexes   map[string][]string // words for what stands there
	ground  map[string][]string // what let a Sub Base be placed there: a port, or an airfield on the coast
	lost    []string            // resource hexes that Japan does not control
	taken   []string            // hexes that Japan took from a base in this phase or offensive
	fled    []string            // hexes left by an emergency move, and not reported as friendly since
	allied  map[string]bool     // hexes of the Allies, by what was reported last of a hex or of lost resources
	figures map[string]int      // reported numbers, and what became of them
	untold  map[string]bool     // those that an entry moved although no report of them stands any more

	swm       SWMInput
	rolled    []string          // bases that conducted submarine warfare this turn
	segment   SWMInput          // as the first of them rolled
	successes int               // of this turn
	tookASP   int               // successes of this turn spent on ASPs
	tookSWM   int               // and on the SWM
	leaned    [][]string        // the American HQs that were near each of them then
	moved     map[string]uint64 // reported numbers, and the turn in which an entry last brought one down
	capped    map[string]uint64 // reported numbers, and the turn in which so few were left that they held a result
	made      bool              // the SWM was made good by a compensation
	stopped   bool              // its marker was reported where the sum was below it
	raids     int               // offensives of Japan
	drew      bool              // Japan, this turn
	card5     string            // the event it was played as
	played    map[int]uint64    // Strategy Card, and the turn in which it was last played
}

// base is a Sub Base in play: on a hex, or off the map until a turn.
type base struct {
	name      string
	hex       string // empty off the map
	returns   uint64 // the turn from which it may be placed, off the map
	atStart   bool   // it, or the one it replaced, was on the map when this turn's Reinforcement Segment began
	relocated uint64 // the turn in which it was last relocated
	flew      uint64 // the turn in which it last made an emergency move to a hex
	reached   string // the hex from which its SLOC Proximity Range has counted this turn
	counted   string // and last
	from      string // the hex that it came from
	last      string // the hex that it left last of those from which its SLOC Proximity Range was reported
	reach     int    // that range
	fled      bool   // it made an emergency move in this phase
	escaped   bool   // in any
	attacked  bool   // in this offensive
	hits      int    // by that
	moved     bool   // it was relocated in this offensive
	occupied  bool   // it left the map to a Japanese ground unit
}

// carries reports whether what an entry decides binds the next ones (GEN-CARRY).
func (g game) carries() bool { return rules.Carries(g.options) }

// strict reports whether entries are held to what edition 2 still let through (GEN-CARRY).
func (g game) strict() bool { return rules.Strict(g.options) }

// exact reports whether entries are held to what edition 3 still let through (GEN-CARRY).
func (g game) exact() bool { return rules.Exact(g.options) }

// TurnNow implements rules.Game.
func (g game) TurnNow() (events.Turn, string) {
	return g.turn, strings.TrimSpace(g.player + " " + g.phase)
}

// base finds a Sub Base in play.
func (p position) base(name string) (base, bool) {
	return rules.Find(p.bases, func(b base) bool { return strings.EqualFold(b.name, name) })
}

// withBase gives the position with one base changed, or added.
func (p position) withBase(name string, change func(*base)) position {
	p.bases = slices.Clone(p.bases)
	i := slices.IndexFunc(p.bases, func(b base) bool { return b.name == name })
	if i < 0 {
		i, p.bases = len(p.bases), append(p.bases, base{name: name})
	}
	change(&p.bases[i])
	return p
}

// hq is the place of an American HQ among those reported, -1 for none.
func (g game) hq(name string) int {
	return slices.IndexFunc(g.hqs, func(q events.HeadquartersReported) bool { return g.sameHQ(q.Name, name) })
}

// ours reports whether the offensive that is on is that of a side; where the ledger does not carry it, it is anybody's.
func (g game) ours(side string) bool {
	return !g.carries() || g.phase != phaseOffensive || g.player == side
}

// away is how far an HQ is from a hex, as far as that is known: what was reported, and nothing from where it stands.
func (g game) away(q events.HeadquartersReported, hex string) (int, bool) {
	if g.strict() && hex != "" && q.Hex == hex {
		return 0, true
	}
	far, known := rules.Find(q.Distances, func(d events.Distance) bool { return d.Hex == hex })
	return far.Hexes, known
}

// near measures from a hex to the American HQs, as far as distances are known.
func (g game) near(hex string) []HQ {
	var list []HQ
	for _, q := range g.hqs {
		if n, known := g.away(q, hex); known {
			list = append(list, HQ{Name: q.Name, ActivationRange: q.Range, Distance: n, gone: g.gone(q)})
		}
	}
	return list
}

// activates reports whether an HQ may activate a base in a hex: the hex is within its range, and it is not idle.
func (g game) activates(q events.HeadquartersReported, hex string) bool {
	n, known := g.away(q, hex)
	return known && n <= q.Range && !q.Idle && !g.gone(q)
}

// gone reports whether an American HQ has left the map (EOTS-11.21.C-HQ): one that reaches no hex is not even where it
// stood.
func (g game) gone(q events.HeadquartersReported) bool { return rules.Firm(g.options) && q.Range == 0 }

// activatable reports whether an American HQ may activate a base in a hex.
func (g game) activatable(hex string) bool {
	return slices.ContainsFunc(g.hqs, func(q events.HeadquartersReported) bool { return g.activates(q, hex) })
}

// hex gives what stands in a hex; a base of that name does not hold it against itself.
func (p position) hex(id, name string) Hex {
	is := func(word string) bool { return p.is(id, word) }
	h := Hex{
		ID: id, Port: is(wordPort), Airfield: is(wordAirfield), Coastal: is(wordCoastal), Friendly: is(wordFriendly),
		InSupply: is(wordSupply), JapaneseZOI: is(wordZOI), ZOINeutralized: is(wordNeutralized),
	}
	h.HoldsSubBase = slices.ContainsFunc(p.bases, func(b base) bool { return b.hex == id && b.name != name })
	return h
}

// lets are the words by which a Sub Base may be placed in a hex (EOTS-11.21.C-SPACE).
func (p position) lets(hex string) []string {
	if p.is(hex, wordPort) {
		return []string{wordPort}
	}
	return []string{wordAirfield, wordCoastal}
}

// is reports whether a word was reported of a hex.
func (p position) is(hex, word string) bool { return slices.Contains(p.hexes[hex], word) }

// supplied reports whether a base in a hex is in supply. Where nothing is reported it is.
func (p position) supplied(hex string) bool {
	words, known := p.hexes[hex]
	return !known || slices.Contains(words, wordSupply)
}

// sloc is what counts for the SLOC PV of a base in a hex; false if nothing was reported.
func (g game) sloc(hex string) (SLOCPVInput, bool) {
	t, known := g.targets[hex]
	in := SLOCPVInput{Range: t.Range, Options: Options{}}
	for _, x := range t.Targets {
		s := SLOCSpace{Hex: x.Name, Kind: SpaceKind(x.Kind), Distance: x.Distance, Japanese: true}
		switch s.Kind {
		case JapaneseHQ:
			s.Hex, s.Name = "", x.Name
		case Resource:
			s.Japanese = !slices.Contains(g.lost, x.Name)
			if g.carries() { // EOTS-11.22.C-3: what stands in the hex says it too
				s.Japanese = !g.allied[x.Name] && !g.holds(x.Name)
			}
		}
		in.Spaces = append(in.Spaces, s)
	}
	return in, known
}

// holds reports whether a Sub Base stands in a hex that Japan is not reported to hold: it is no hex of Japan's then.
func (g game) holds(hex string) bool {
	return g.exact() && g.position.hex(hex, "").HoldsSubBase && !g.is(hex, wordEnemy)
}

// swmNow is the SWM as it stands; swmBefore as it stood before this turn's successes, and before whatever else moved it
// since the first base rolled.
func (p position) swmNow() int {
	n, _ := SWM(p.swm)
	return n
}

func (g game) swmBefore() SWMInput {
	p, in := g.position, g.swm
	if g.carries() && len(p.rolled) > 0 {
		return p.segment
	}
	if in.Marker != nil {
		marker := *in.Marker + p.tookSWM
		in.Marker = &marker
		return in
	}
	in.Reductions = max(0, in.Reductions-p.tookSWM)
	return in
}

// begins reports whether nothing of the campaign has been played yet.
func (g game) begins() bool {
	return g.turn.Ordinal == g.first && g.phase == "" && len(g.played) == 0 && !(g.exact() && g.made)
}

// moveMarker moves an SWM marker that was set by hand; it never goes below −5 (AMB-EOTS-3).
func (p position) moveMarker(by int) position {
	if p.swm.Marker != nil {
		marker := max(lowestSWM, *p.swm.Marker+by)
		p.swm.Marker = &marker
	}
	return p
}

// yearSWM is what a year adds to the SWM.
func yearSWM(year int) int {
	row := strconv.Itoa(year)
	if _, printed := swmTable.Cell(row, "SWM"); !printed {
		return 0
	}
	return swmTable.MustFigure(row, "SWM")
}
