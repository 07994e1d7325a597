package aar

import (
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// The facts that a turn file may report, beside those of all games.
const (
	factComplexes  = "complexes" // territory to 0 or 1
	factSubmarines = "submarines"
	factSubmerged  = "submerged" // in a power's TURN: names of submarines
	factPrices     = "prices"    // unit to IPCs, of the book
	factTechs      = "techs"     // power to technologies
	factArtillery  = "artillery" // power to territories to pieces
	factUsed       = "used"      // power to units that it used in its TURN
	factNew        = "new"       // power to units that it placed in its TURN
)

// Evolve implements rules.Game. What it does not understand leaves the state as it was.
func (g game) Evolve(e *events.Event, _ []events.Opening) rules.Game {
	p, err := events.PayloadOf(e)
	if err != nil {
		return g
	}
	g = g.take(p)
	if f, ok := p.(*events.FactReported); ok && f.Fact == axisallies.FactControl && g.Board != nil &&
		holdingOf(0, f).holder != g.Controller(g.At(f.Subject)) {
		g.seizedAt = rules.Put(g.seizedAt, f.Subject, e.Index)
	}
	before := g.State
	if attack, ok := p.(*events.EconomicAttackMade); ok {
		g.State = g.Apply(e, p, axisallies.Move{Treasury: attack.Victim, Kind: axisallies.Damaged, IPCs: attack.Damage})
	} else {
		g.State = g.Apply(e, p)
	}
	g.purse = g.moved(before, p)
	for _, power := range g.Powers {
		if _, moved := g.purse[power]; moved && !g.earned[power] {
			g.earned = rules.Put(g.earned, power, true)
		}
	}
	p = g.added(p)
	g.guns = applyGuns(g.guns, e.Index, p)
	g.invasion = g.invade(e.Index, p, g.Turn.Ordinal, g.submarines)
	if g.carriedAt == e.Index {
		g.landing = g.landedBoats(g.landed)
	}
	return g.apply(e.Index, p)
}

// take notes the territories of enemies that a power holds by a report from its Conduct Combat on. An exact edition
// has it from who held them before, whatever was reported in between.
func (g game) take(p events.Payload) game {
	if p, ok := p.(*events.PhaseAdvanced); ok {
		if (p.Player != g.Player || !fighting(g.Phase)) && fighting(p.Phase) {
			g.ground = g.Control
		}
		if p.Player != g.Player {
			g.morning, g.hunters = g.Control, nil
		}
		if b := g.guns[p.Player]; len(b.reported) > 0 && (p.Player != g.Player || !moving(g.Phase)) {
			g.guns = rules.Put(g.guns, p.Player, b.draw())
		}
		if g.Player == "" {
			g.dawn = g.Control
		}
		return g
	}
	f, ok := p.(*events.FactReported)
	if !ok || f.Fact != axisallies.FactControl || g.Board == nil || len(f.Names) == 0 || f.Names[0] != g.Player ||
		!fighting(g.Phase) {
		return g
	}
	before := g.State
	if g.exact() {
		before.Control = g.ground
	}
	if !enemies(Power(before.Controller(g.At(f.Subject))), Power(g.Player)) {
		return g
	}
	g.captured = append(slices.Clone(g.captured), f.Subject)
	return g
}

// fighting reports whether a phase of a TURN is its Conduct Combat or a later one.
func fighting(phase string) bool {
	return slices.Index(phases(), phase) >= slices.Index(phases(), phaseCombat)
}

// moving reports whether a phase of a TURN is its Combat Move or a later one.
func moving(phase string) bool {
	return slices.Index(phases(), phase) >= slices.Index(phases(), phaseMove)
}

func (g game) apply(index uint64, p events.Payload) game {
	g.moored = g.moor(index, p)
	switch p := p.(type) {
	case *events.TurnAdvanced:
		g.submerged, g.attacks, g.combats, g.flaks, g.under = nil, nil, nil, nil, nil
		g.bought, g.boatsHad, g.raised, g.captured, g.sold, g.landing = nil, nil, nil, nil, nil, nil
	case *events.FactReported:
		return g.report(index, p)
	case *events.RollDeclared:
		for _, t := range p.Throws {
			if strings.HasPrefix(p.Purpose, purposeHunt) {
				g.hunters = rules.Put(g.hunters, t.Side, g.hunters[t.Side]+t.Dice)
			}
		}
	case *events.UnitsPurchased:
		for _, u := range p.Units {
			g.sold = append(slices.Clip(g.sold), u.Name)
		}
		f := g.submarines[p.Power]
		if _, known := g.boatsHad[p.Power]; !known && f.from > 0 && countOf(p.Units, submarine) > 0 {
			g.boatsHad = rules.Put(g.boatsHad, p.Power, len(f.boats))
		}
		return g.order(p.Power, p.Units, 1)
	case *events.UnitsMobilized:
		if slices.ContainsFunc(p.Units, func(u events.Unit) bool { return u.Name == industrialComplex }) {
			g.raised = append(slices.Clone(g.raised), p.Space)
			g.placedAt = rules.Put(g.placedAt, p.Space, index)
		}
		if slices.ContainsFunc(p.Units, func(u events.Unit) bool { return u.Name == submarine }) {
			g.placing = p.Power
		}
		sum := map[string]int{}
		maps.Copy(sum, g.placed[p.Power])
		for _, u := range p.Units {
			sum[u.Name] += u.Count
		}
		g.placed = rules.Put(g.placed, p.Power, sum)
		return g.order(p.Bought, p.Units, -1)
	case *events.SubmarinesReported:
		if g.placing == p.Power {
			g = g.launch(p.Power, p.Submarines)
		}
		g.placing = ""
		g.submarines = rules.Put(g.submarines, p.Power, fleet{p.Submarines, index})
	case *events.EconomicAttackMade:
		g.attacks = append(slices.Clone(g.attacks),
			attack{p.Attacker, p.Victim, p.Territory, p.Damage, p.Bombers, p.Kind})
	case *events.ResultAdjudicated:
		if f, ok := flakOf(p); ok {
			g.flaks = append(slices.Clone(g.flaks), f)
		}
	case *events.SubmarinesHunted:
		g.combats = append(slices.Clone(g.combats), combat{zone: p.Zone, attacker: p.Attacker, groups: p.Groups,
			afloat: g.boats()})
	case *events.SubmarinesSubmerged:
		g = g.sink(p.Turn, p.Submarines)
		g.combats = inCombat(g.combats, p.Zone, p.Turn, func(c *combat) {
			c.dives = append(slices.Clone(c.dives), dive{p.Power, p.Submarines})
		})
	case *events.ShotsCalled:
		g.combats = inCombat(g.combats, p.Zone, p.Power, func(c *combat) { c.called = true })
	}
	return g
}

// moved gives the treasuries that the ledger has moved in this ROUND, before edition 5 since they were reported.
func (g game) moved(before axisallies.State, p events.Payload) map[string]purse {
	switch p := p.(type) {
	case *events.TurnAdvanced, *events.CampaignOpened:
		return nil
	case *events.FactReported:
		moved, known := g.purse[p.Subject]
		switch {
		case p.Fact != axisallies.FactTreasury:
		case known && g.firm():
			moved.counted, moved.stated = max(moved.counted, p.Number), true
			return rules.Put(g.purse, p.Subject, moved)
		default:
			purses := maps.Clone(g.purse)
			delete(purses, p.Subject)
			return purses
		}
	}
	purses := g.purse
	for _, power := range g.Powers {
		was, is := before.Treasury(power), g.Treasury(power)
		moved, known := purses[power]
		if was == is {
			continue
		}
		if !known {
			moved.counted = was
		}
		if !known || moved.stated {
			moved.before = append(slices.Clone(moved.before), was)
		}
		moved.counted, moved.stated = moved.counted+is-was, false
		purses = rules.Put(purses, power, moved)
	}
	return purses
}

// added gives what the fold takes of an event. Units that were used, placed or submerged in a TURN stay so: in a
// campaign that carries, a later report of the same TURN adds to an earlier one (GEN-CARRY).
func (g game) added(p events.Payload) events.Payload {
	f, ok := p.(*events.FactReported)
	if !ok || !g.carries() {
		return p
	}
	before, follows := map[string]map[string]listed{factUsed: g.used, factNew: g.fresh,
		factSubmerged: g.submerged}[f.Fact]
	if !follows {
		return p
	}
	sum := *f
	sum.Names = slices.Clone(before[f.Subject].Value)
	for _, name := range f.Names {
		if !slices.ContainsFunc(sum.Names, func(n string) bool { return strings.EqualFold(n, name) }) {
			sum.Names = append(sum.Names, name)
		}
	}
	return &sum
}

// order counts units as bought in this ROUND, or with -1 as placed.
func (g game) order(power string, list []events.Unit, times int) game {
	sum := map[string]int{}
	maps.Copy(sum, g.bought[power])
	for _, u := range list {
		sum[u.Name] = max(0, sum[u.Name]+times*u.Count)
	}
	g.bought = rules.Put(g.bought, power, sum)
	return g
}

func (g game) report(index uint64, p *events.FactReported) game {
	switch p.Fact {
	case factComplexes:
		g.complexes = rules.Put(g.complexes, p.Subject, axisallies.Figure[int]{Value: p.Number, From: index})
	case factSubmerged:
		g = g.sink(p.Subject, p.Names)
		g.submerged = rules.Put(g.submerged, p.Subject, axisallies.Figure[[]string]{Value: p.Names, From: index})
	case factPrices:
		g.prices = rules.Put(g.prices, p.Subject, axisallies.Figure[int]{Value: p.Number, From: index})
	case factTechs:
		g.techs = rules.Put(g.techs, p.Subject, axisallies.Figure[[]string]{Value: p.Names, From: index})
	}
	return g
}
