package g40

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// The phases of a power's TURN, in their order.
const (
	phaseResearch  = "research"
	phasePurchase  = "purchase and repair"
	phaseMove      = "combat move"
	phaseCombat    = "conduct combat"
	phaseNoncombat = "noncombat move"
	phaseMobilize  = "mobilize new units"
	phaseCollect   = "collect income"
)

func phases() []string {
	return []string{phaseResearch, phasePurchase, phaseMove, phaseCombat, phaseNoncombat, phaseMobilize, phaseCollect}
}

// game is the state of a campaign. It is a value: what a map or slice holds is replaced, never
// changed.
type game struct {
	axisallies.State

	facilities map[string][]events.Facility           // by territory, where something became of them since the set-up
	worked     map[site]bool                          // facilities whose damage entries made or took off
	units      map[post]rules.List[page]              // by space, where they were reported
	techs      map[string]axisallies.Figure[[]string] // power to technologies
	wars       map[string]axisallies.Figure[[]string] // power to those that it is at war with
	economies  map[string]axisallies.Figure[string]   // territory to treasury, where it was reported
	convoys    map[string]axisallies.Figure[bool]     // sea zone, likewise
	prices     map[string]axisallies.Figure[int]      // by what is paid for, where it was reported
	bought     chronicle[string]                      // in this ROUND, by treasury: units bought and mobilized
	acts       chronicle[string]                      // in this ROUND, by treasury: all that it paid for and placed
	fired      chronicle[string]                      // in this ROUND, by air base: rockets
	paid       map[string]string                      // in this ROUND: territory to the power that collected for it
	booked     map[string]bool                        // treasuries that an entry has moved
	spent      map[string]bool                        // those of this ROUND
	wages      map[string]wage                        // by treasury: what its last income left in it
	reduced    map[string]bool                        // territories that fell, with no major complex since
	minored    map[string]bool                        // likewise those that a report has fall with a major complex
	looted     map[string]bool                        // capitals whose IPCs were taken, and that are not free since
	seized     map[string]bool                        // territories whose holder has them by a capture

	wounds wounds        // of capital ships
	sunk   map[force]int // damaged ones that reports of this TURN took off the board
	lost   losses        // away from where they were reported
	until  uint64        // the last event that counts for units, 0 for all
	unlost bool          // units lost in this TURN count as there

	combat
}

// wage is what a treasury has of its income of a ROUND; all that was in it, where its purchases are on record.
type wage struct {
	ipcs  int
	round uint64
}

// post is where units of a power stand.
type post struct{ power, space string }

// united is the table's name of the United Kingdom, one power with two economies; empty where it does
// not play.
func (g game) united() string {
	for _, p := range g.Powers {
		if named, _ := PowerNamed(p); named == UnitedKingdom {
			return p
		}
	}
	return ""
}

// economyNamed gives the economy that a name means: "UK Pacific", "UK_Pacific", "Pacific".
func economyNamed(name string) (Economy, bool) {
	for _, e := range []Economy{Europe, Pacific} {
		if plain := plainName(name); plain == plainName(e.title()) || plain == string(e) ||
			plain == "united kingdom "+string(e) {
			return e, true
		}
	}
	return "", false
}

// isPacific reports whether a power of the board stands for the Pacific economy. Some boards have it
// as a player of its own.
func isPacific(power string) bool {
	e, ok := economyNamed(power)
	return ok && e == Pacific
}

// holder is the power that holds a territory; empty for nobody. What the Pacific economy's player has
// on the board is the United Kingdom's (G40-UK-MOVE).
func (g game) holder(s board.Space) string {
	if p := g.Controller(s); !isPacific(p) {
		return p
	}
	return g.united()
}

// original is the power whose a territory was at first.
func (g game) original(s board.Space) string {
	p := s.Original
	if p == "" {
		p = s.Owner
	}
	if p = g.Board.TablePower(p); isPacific(p) {
		return g.united()
	}
	return p
}

// economyOf is the economy of the United Kingdom that a territory falls under: as reported; or else
// by whose it was on the board; or, taken from others, by whom the board passes it to. Where nothing
// says, it is Europe.
func (g game) economyOf(s board.Space) Economy {
	if f, ok := g.economies[s.Name]; ok {
		e, _ := economyNamed(f.Value)
		return e
	}
	return g.printedEconomy(s)
}

// printedEconomy is the economy of the United Kingdom that the board gives a territory to; Europe if it is silent.
func (g game) printedEconomy(s board.Space) Economy {
	owner := g.Board.TablePower(s.Owner)
	if isPacific(owner) {
		return Pacific
	}
	if owner == g.united() {
		return Europe
	}
	for _, p := range s.Passes {
		if g.Board.TablePower(p.CapturedBy) == g.united() && isPacific(g.Board.TablePower(p.GoesTo)) {
			return Pacific
		}
	}
	return Europe
}

// capitalOf is the regional capital of an economy: the board's, or for the Pacific one, where the
// board does not have it, the territory that goes by the name of Calcutta or India.
func (g game) capitalOf(e Economy) (board.Space, bool) {
	for _, s := range g.Board.Spaces() {
		if owner := g.Board.TablePower(s.Capital); s.Capital != "" && (e == Pacific && isPacific(owner) ||
			e == Europe && owner == g.united()) {
			return s, true
		}
	}
	if e == Pacific {
		for _, name := range []string{"Calcutta", "India"} {
			if s, err := g.Board.Territory(name); err == nil {
				return s, true
			}
		}
	}
	return board.Space{}, false
}

// heldByAxis reports whether an Axis power holds an economy's capital (G40-UK-HELD).
func (g game) heldByAxis(e Economy) bool {
	s, ok := g.capitalOf(e)
	p, _ := PowerNamed(g.holder(s))
	return ok && p.Axis()
}

// purse is a treasury and the power that it belongs to; economy is empty but for the two of the
// United Kingdom.
type purse struct {
	treasury string
	power    string
	economy  Economy
}

// territories are those whose income goes into a purse.
func (g game) territories(p purse) []board.Space {
	var list []board.Space
	for _, s := range g.Board.Spaces() {
		if !s.Water && g.holder(s) == p.power && (p.economy == "" || g.economyOf(s) == p.economy) {
			list = append(list, s)
		}
	}
	return list
}

// atWar reports whether two powers are at war: as it was last reported of either, or else as the
// Axis and the Allies are.
func (g game) atWar(a, b string) bool {
	of, on := g.wars[a], b
	if other := g.wars[b]; other.From > of.From {
		of, on = other, a
	}
	if of.From > 0 {
		return slices.Contains(of.Value, on)
	}
	p, ok := PowerNamed(a)
	q, known := PowerNamed(b)
	return ok && known && p.Axis() != q.Axis()
}

// has reports whether a power has a technology.
func (g game) has(power string, t Technology) bool {
	return slices.Contains(g.techs[power].Value, string(t))
}

// neutral reports whether a territory is nobody's, or that of a neutral that stands on the board as
// a power.
func (g game) neutral(s board.Space) bool {
	holder := plainName(g.holder(s))
	return !s.Water && (holder == "" || strings.HasPrefix(holder, "neutral") || holder == "mongolians")
}

// isConvoy reports whether a sea zone has a convoy symbol.
func (g game) isConvoy(zone board.Space) bool {
	if f, ok := g.convoys[zone.Name]; ok {
		return f.Value
	}
	return zone.Convoy
}

// facilitiesOf is every facility that the board has in a territory.
func facilitiesOf(s board.Space) []events.Facility {
	var list []events.Facility
	switch {
	case s.Complex == "":
	case strings.Contains(strings.ToLower(s.Complex), "minor"):
		list = append(list, events.Facility{Kind: string(MinorIC)})
	default:
		list = append(list, events.Facility{Kind: string(MajorIC)})
	}
	if s.AirBase != "" {
		list = append(list, events.Facility{Kind: string(AirBase)})
	}
	if s.NavalBase != "" {
		list = append(list, events.Facility{Kind: string(NavalBase)})
	}
	return list
}

// standing is every facility in a territory as it stands now.
func (g game) standing(s board.Space) []events.Facility {
	list, ok := g.facilities[s.Name]
	if !ok {
		return facilitiesOf(s)
	}
	return slices.Clone(list) // a caller may change the result
}

// facility is one kind of facility in a territory, false if it is not there.
func (g game) facility(s board.Space, kind Facility) (events.Facility, bool) {
	for _, f := range g.standing(s) {
		if f.Kind == string(kind) {
			return f, true
		}
	}
	return events.Facility{}, false
}

// complexOf is the industrial complex of a territory.
func (g game) complexOf(s board.Space) Size {
	for _, f := range g.standing(s) {
		switch Facility(f.Kind) {
		case MajorIC:
			return MajorComplex
		case MinorIC:
			return MinorComplex
		}
	}
	return NoComplex
}

// garrison is the units of a power in a space; known where they were reported at some time.
type garrison struct {
	units []events.Unit
	known bool
}

// after is what an event leaves of the units at a post.
func (of garrison) after(at post, p events.Payload) garrison {
	switch p := p.(type) {
	case *events.UnitsReported:
		return garrison{slices.Clone(p.Units), true}
	case *events.UnitsMobilized:
		of.units = muster(of.units, p.Units, 1)
	case *events.UnitsLost:
		of.units = muster(of.units, p.Units, -1)
	case *events.AircraftLanded:
		if at.space == p.From {
			of.units = muster(muster(of.units, p.Fallen, -1), p.Gone, -1)
		}
		for _, l := range p.Diverted {
			if at.space == p.From {
				of.units = muster(of.units, l.Units, -1)
			}
			if at.space == l.Space {
				of.units = muster(of.units, l.Units, 1)
			}
		}
	}
	return of
}

// garrison is the units of a power in a space, as reported and as they came and went since.
func (g game) garrison(power, space string) garrison {
	pages, left := g.units[post{power, space}].Cut(func(p page) bool {
		return (g.until == 0 || p.latest <= g.until) && (!g.unlost || p.latest <= g.began)
	})
	last, _, _ := pages.Last()
	of := last.comes
	for _, p := range left {
		_, lost := p.payload.(*events.UnitsLost)
		if (g.until == 0 || p.index <= g.until) && !(g.unlost && lost && p.index > g.began) {
			of = of.after(post{power, space}, p.payload)
		}
	}
	return of
}

// unitsOf are the units of a power in a space.
func (g game) unitsOf(power, space string) []events.Unit {
	return slices.Clone(g.garrison(power, space).units)
}

// muster adds units to a list, or takes them away as far as they are there.
func muster(list, units []events.Unit, sign int) []events.Unit {
	list = slices.Clone(list)
	for _, u := range units {
		i := slices.IndexFunc(list, func(o events.Unit) bool { return o.Name == u.Name })
		if i < 0 {
			i = len(list)
			list = append(list, events.Unit{Name: u.Name})
		}
		list[i].Count = max(0, list[i].Count+sign*u.Count)
	}
	return slices.DeleteFunc(list, func(u events.Unit) bool { return u.Count == 0 })
}
