package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// causeRockets is what damage by rockets is recorded under.
const causeRockets = "rockets"

// Evolve implements rules.Game. What it does not understand leaves the state as it was.
func (g game) Evolve(e *events.Event, _ []events.Opening) rules.Game {
	p, err := events.PayloadOf(e)
	if err != nil || p == nil {
		return g
	}
	return g.with(e.Index, p)
}

// with gives the state after an event.
func (g game) with(index uint64, p events.Payload) game {
	was := g
	g.State = g.Apply(&events.Event{Index: index}, p, moves(p)...)
	if g.combat = g.combat.apply(index, p); g.attacker != was.attacker {
		g.lost, g.sunk = g.lost.endTurn(), nil
	}
	g = g.apply(index, p).handedBy(p).noteOut(was, p)
	for _, lost := range was.falls(p) {
		before := g
		g = g.lose(index, lost).noteOut(before, lost)
	}
	return g
}

// moves are what an event does to treasuries, beside what it does in all games.
func moves(p events.Payload) []axisallies.Move {
	spent := func(treasury string, ipcs int) axisallies.Move {
		return axisallies.Move{Treasury: treasury, Kind: axisallies.Spent, IPCs: ipcs}
	}
	switch p := p.(type) {
	case *events.FacilitiesRepaired:
		return []axisallies.Move{spent(p.Power, p.Cost)}
	case *events.FacilityBuilt:
		return []axisallies.Move{spent(p.Power, p.Cost)}
	case *events.TerritoryCaptured:
		if p.LootFrom != "" {
			return []axisallies.Move{spent(p.LootFrom, p.Loot),
				{Treasury: p.LootTo, Kind: axisallies.Earned, IPCs: p.Loot}}
		}
	case *events.ResearchPaid:
		var list []axisallies.Move
		for _, x := range p.Payments {
			list = append(list, spent(x.Treasury, x.Paid))
		}
		return list
	}
	return nil
}

func (g game) apply(index uint64, p events.Payload) game {
	switch p := p.(type) {
	case *events.TurnAdvanced:
		g.bought, g.acts, g.fired, g.paid, g.spent = nil, nil, nil, nil, nil
	case *events.IncomeCollected:
		g.paid = g.paidBy(g.purse(p.Power))
		earned := wage{p.Net, g.Turn.Ordinal}
		if len(g.acts[p.Power].Slice()) > 0 {
			earned.ipcs = p.Treasury
		}
		g.wages = rules.Put(g.wages, p.Power, earned)
	case *events.FactReported:
		return g.report(index, p)
	case *events.TerritoryCaptured:
		g.Control = rules.Put(g.Control, p.Territory, axisallies.Figure[string]{Value: p.Holder, From: index})
	}
	g.minored = g.minoredBy(p)
	for _, territory := range built(p) {
		g.facilities = rules.Put(g.facilities, territory, facilitiesAfter(g.facilitiesIn(territory), territory, p))
	}
	for _, treasury := range booked(p) {
		g.booked, g.spent = rules.Put(g.booked, treasury, true), rules.Put(g.spent, treasury, true)
	}
	g.reduced = g.reducedBy(p)
	for _, at := range worked(p) {
		g.worked = rules.Put(g.worked, at, true)
	}
	g.sunk = g.sunkBy(p)
	if s, _, ok := g.struck[(*events.StrikesDeclared)(nil).Type()].Last(); ok {
		g.wounds = g.wounds.after(p, s.(*events.StrikesDeclared).Strikes)
	} else {
		g.wounds = g.wounds.after(p, nil)
	}
	_, fell := p.(*events.UnitsLost)
	for _, at := range posts(p) {
		if fell && at.power != g.attacker && rules.Strict(g.Options) {
			continue // what defends is at home: of others elsewhere that says nothing
		}
		var stock func(force) stock
		if rules.Exact(g.Options) && g.Board != nil {
			stock = g.stock
		}
		g.lost = g.lost.after(p, g.unitsOf(at.power, at.space), stock)
	}
	g.units = enter(g.units, index, p, posts(p))
	g.bought = g.bought.note(p, buyers(p)...)
	g.acts = g.acts.note(p, payers(p)...)
	g.fired = g.fired.note(p, launchers(p)...)
	return g
}

func (g game) report(index uint64, p *events.FactReported) game {
	names := axisallies.Figure[[]string]{Value: p.Names, From: index}
	switch p.Fact {
	case factTechnologies:
		g.techs = rules.Put(g.techs, p.Subject, names)
	case factWar:
		g.wars = rules.Put(g.wars, p.Subject, names)
	case factPrices:
		g.prices = rules.Put(g.prices, p.Subject, axisallies.Figure[int]{Value: p.Number, From: index})
	case factConvoys:
		g.convoys = rules.Put(g.convoys, p.Subject, axisallies.Figure[bool]{Value: p.Number > 0, From: index})
	case factEconomies:
		if len(p.Names) > 0 {
			g.economies = rules.Put(g.economies, p.Subject, axisallies.Figure[string]{Value: p.Names[0], From: index})
		}
	}
	return g
}

// facilitiesIn is every facility in a territory as it stands now; as the game begins, what the board has there.
func (g game) facilitiesIn(territory string) []events.Facility {
	list, ok := g.facilities[territory]
	if ok || g.Board == nil {
		return list
	}
	for _, s := range g.Board.Spaces() {
		if s.Name == territory {
			return facilitiesOf(s)
		}
	}
	return nil
}

// built are the territories whose facilities an event concerns.
func built(p events.Payload) []string {
	switch p := p.(type) {
	case *events.FacilitiesReported:
		return []string{p.Territory}
	case *events.FacilityDamaged:
		return []string{p.Territory}
	case *events.FacilityBuilt:
		return []string{p.Territory}
	case *events.TerritoryCaptured:
		return []string{p.Territory}
	case *events.FacilitiesRepaired:
		var list []string
		for _, r := range p.Repairs {
			if !slices.Contains(list, r.Territory) {
				list = append(list, r.Territory)
			}
		}
		return list
	}
	return nil
}

// posts are where an event puts units or takes them from.
func posts(p events.Payload) []post {
	switch p := p.(type) {
	case *events.UnitsReported:
		return []post{{p.Power, p.Space}}
	case *events.UnitsLost:
		return []post{{p.Power, p.Space}}
	case *events.UnitsMobilized:
		return []post{{p.Power, p.Space}}
	case *events.AircraftLanded:
		list := []post{{p.Power, p.From}}
		for _, l := range p.Diverted {
			if at := (post{p.Power, l.Space}); !slices.Contains(list, at) {
				list = append(list, at)
			}
		}
		return list
	}
	return nil
}

func buyers(p events.Payload) []string {
	switch p := p.(type) {
	case *events.UnitsPurchased:
		return []string{p.Power}
	case *events.UnitsMobilized:
		return []string{p.Bought}
	case *events.FacilityBuilt:
		if p.Cost == 0 {
			return []string{p.Power}
		}
	}
	return nil
}

// payers are the treasuries that an event places something for, or pays with.
func payers(p events.Payload) []string {
	switch p := p.(type) {
	case *events.FacilitiesRepaired:
		return []string{p.Power}
	case *events.FacilityBuilt:
		return []string{p.Power}
	}
	return buyers(p)
}

func launchers(p events.Payload) []string {
	if p, ok := p.(*events.FacilityDamaged); ok && p.Cause == causeRockets {
		return []string{p.From}
	}
	return nil
}

// facilitiesAfter is what an event makes of the facilities in a territory.
func facilitiesAfter(list []events.Facility, territory string, p events.Payload) []events.Facility {
	list = slices.Clone(list)
	damage := func(kind string, n int) {
		for i := range list {
			if list[i].Kind == kind {
				list[i].Damage = max(0, list[i].Damage+n)
				// G40-SBR-AFTER: what is repaired wholly works again
				list[i].Inoperative = list[i].Inoperative && (n > 0 || list[i].Damage > 0)
			}
		}
	}
	switch p := p.(type) {
	case *events.FacilitiesReported:
		return slices.Clone(p.Facilities) // a caller may change the result
	case *events.FacilityDamaged:
		damage(p.Facility, p.Damage)
	case *events.FacilitiesRepaired:
		for _, r := range p.Repairs {
			if r.Territory == territory {
				damage(r.Facility, -r.Damage)
			}
		}
	case *events.FacilityBuilt:
		next := events.Facility{Kind: p.Facility}
		if i := slices.IndexFunc(list, func(f events.Facility) bool { return f.Kind == p.Was }); i >= 0 {
			next.Damage = list[i].Damage // G40-SBR-AFTER: an upgrade repairs nothing
			list = slices.Delete(list, i, i+1)
		}
		return append(list, next)
	case *events.TerritoryCaptured: // G40-IC-REDUCE; a minor complex has no more damage than it can take
		for i := range list {
			if list[i].Kind == p.Was && p.Complex == string(MinorIC) {
				list[i].Kind = p.Complex
				list[i].Damage = min(list[i].Damage, MinorIC.Limit())
			}
		}
	}
	return list
}
