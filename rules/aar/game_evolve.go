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
		return g.amend(e.Corrects, p).rebook(e.Corrects, p)
	}
	return g.apply(e.Index, p).book(e.Index, p)
}

func (g game) apply(index uint64, p events.Payload) game {
	switch p := p.(type) {
	case *events.CampaignOpened:
		g.powers = p.Sides
		for _, o := range p.Options {
			g.options = with(g.options, o.Name, o.Value)
		}
		for _, t := range p.Treasuries {
			g.accounts = with(g.accounts, t.Power, account{{index, reported, t.IPCs, 0}})
		}
	case *events.OptionRuled:
		g.options = with(g.options, p.Option, p.Value)
	case *events.TurnAdvanced:
		g.turn = events.Turn{Ordinal: p.Ordinal, Label: p.Label}
		g.player, g.stage, g.submerged, g.attacks, g.collected = "", "", nil, nil, nil
	case *events.PhaseAdvanced:
		g.player, g.stage = p.Player, p.Phase
	case *events.FactReported:
		return g.report(index, p)
	case *events.SubmarinesReported:
		g.submarines = with(g.submarines, p.Power, fleet{p.Submarines, index})
	case *events.EconomicAttackMade:
		g.attacks = append(slices.Clone(g.attacks), attack{index, p.Attacker, p.Territory, p.Damage})
	case *events.IncomeCollected:
		g.collected = append(slices.Clone(g.collected), p.Power)
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
	}
	return g
}

func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// amend puts a corrected event in the place of the one at index: what was reported since stands.
func (g game) amend(index uint64, p events.Payload) game {
	switch p := p.(type) {
	case *events.FactReported:
		if g.reportedBy(p.Fact, p.Subject) == index {
			return g.report(index, p)
		}
	case *events.SubmarinesReported:
		if g.submarines[p.Power].from == index {
			g.submarines = with(g.submarines, p.Power, fleet{p.Submarines, index})
		}
	case *events.EconomicAttackMade:
		g.attacks = slices.Clone(g.attacks)
		for i, a := range g.attacks {
			if a.index == index {
				g.attacks[i] = attack{index, p.Attacker, p.Territory, p.Damage}
			}
		}
	}
	return g
}

// reportedBy is the event that a fact stands by, 0 for none.
func (g game) reportedBy(fact, subject string) uint64 {
	switch fact {
	case factControl:
		return g.control[subject].from
	case factComplexes:
		return g.complexes[subject].from
	case factSubmerged:
		return g.submerged[subject].from
	}
	return 0
}
