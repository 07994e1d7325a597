package aar

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// The facts that a turn file may report, beside the submarines.
const (
	factControl   = "control"   // territory to power
	factComplexes = "complexes" // territory to 0 or 1
	factSubmerged = "submerged" // in a power's TURN: names of submarines
	factTreasury  = "treasury"  // power to IPCs
)

// Evolve implements rules.Game. What it does not understand leaves the state as it was.
func (g game) Evolve(e *events.Event, _ []events.Opening) rules.Game {
	p, err := events.PayloadOf(e)
	if err != nil {
		return g
	}
	if e.Corrects != 0 {
		return g.amend(e.Corrects, p)
	}
	switch p := p.(type) {
	case *events.CampaignOpened:
		return g.open(p)
	case *events.OptionRuled:
		g.options = with(g.options, p.Option, p.Value)
	case *events.TurnAdvanced:
		g.turn = events.Turn{Ordinal: p.Ordinal, Label: p.Label}
		g.player, g.stage, g.submerged, g.attacks, g.collected = "", "", nil, nil, nil
	case *events.PhaseAdvanced:
		g.player, g.stage = p.Player, p.Phase
	case *events.FactReported:
		return g.report(e.Index, p)
	case *events.SubmarinesReported:
		g.submarines = with(g.submarines, p.Power, fleet{p.Submarines, e.Index})
	case *events.EconomicAttackMade:
		g.attacks = append(slices.Clone(g.attacks), attack{e.Index, p.Kind, p.Attacker, p.Territory, p.Damage})
		return g.book(e.Index, p.Victim, -min(p.Damage, max(0, g.treasury[p.Victim])))
	case *events.IncomeCollected:
		g.collected = append(slices.Clone(g.collected), p.Power)
		return g.book(e.Index, p.Power, p.Net)
	case *events.UnitsPurchased:
		return g.book(e.Index, p.Power, -p.Cost)
	}
	return g
}

func (g game) open(p *events.CampaignOpened) game {
	g.powers = p.Sides
	for _, o := range p.Options {
		g.options = with(g.options, o.Name, o.Value)
	}
	for _, t := range p.Treasuries {
		g.treasury = with(g.treasury, t.Power, t.IPCs)
	}
	return g
}

func (g game) report(index uint64, p *events.FactReported) game {
	switch p.Fact {
	case factControl:
		g.control = with(g.control, p.Subject, figure[string]{first(p.Names), index})
	case factComplexes:
		g.complexes = with(g.complexes, p.Subject, figure[int]{p.Number, index})
	case factSubmerged:
		g.submerged = with(g.submerged, p.Subject, figure[[]string]{p.Names, index})
	case factTreasury:
		return g.book(index, p.Subject, p.Number-g.treasury[p.Subject])
	}
	return g
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// book moves a treasury. An event that is corrected moves it by the difference.
func (g game) book(index uint64, power string, ipcs int) game {
	g.treasury = with(g.treasury, power, g.treasury[power]+ipcs-g.bookings[index].ipcs)
	g.bookings = with(g.bookings, index, booking{power, ipcs})
	return g
}

// amend puts a corrected event in the place of the one at index: what was reported since stands.
func (g game) amend(index uint64, p events.Payload) game {
	switch p := p.(type) {
	case *events.FactReported:
		return g.amendFact(index, p)
	case *events.SubmarinesReported:
		if g.submarines[p.Power].from == index {
			g.submarines = with(g.submarines, p.Power, fleet{p.Submarines, index})
		}
	case *events.EconomicAttackMade:
		g.attacks = slices.Clone(g.attacks)
		for i, a := range g.attacks {
			if a.index == index {
				g.attacks[i] = attack{index, p.Kind, p.Attacker, p.Territory, p.Damage}
			}
		}
		had := g.treasury[p.Victim] - g.bookings[index].ipcs
		return g.book(index, p.Victim, -min(p.Damage, max(0, had)))
	case *events.IncomeCollected:
		return g.book(index, p.Power, p.Net)
	case *events.UnitsPurchased:
		return g.book(index, p.Power, -p.Cost)
	}
	return g
}

func (g game) amendFact(index uint64, p *events.FactReported) game {
	switch {
	case p.Fact == factControl && g.control[p.Subject].from == index,
		p.Fact == factComplexes && g.complexes[p.Subject].from == index,
		p.Fact == factSubmerged && g.submerged[p.Subject].from == index:
		return g.report(index, p)
	case p.Fact == factTreasury:
		was := g.treasury[p.Subject] - g.bookings[index].ipcs // without what was reported then
		if old, ok := g.bookings[index]; ok {
			return g.book(index, p.Subject, old.ipcs+p.Number-(was+old.ipcs))
		}
	}
	return g
}
