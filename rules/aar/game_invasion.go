package aar

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// operationDDay names D-Day in events.
const operationDDay = "D-Day"

// invasion is what D-Day turns on.
type invasion struct {
	declaredAt  uint64               // the event, 0 for none
	declaredIn  uint64               // the ROUND
	carriedAt   uint64               // the event, 0 for none
	sailedIn    uint64               // the ROUND in which ships of D-Day were in SZ 7
	turnOf      string               // whose TURN it is
	turnFrom    uint64               // the event with which it began
	acted       bool                 // something was done in that TURN
	seaAtUS     map[string]fleet     // submarines as they lay when the last US TURN began
	holders     rules.List[holding]  // every report of who holds a territory
	used, fresh map[string]listed    // units of a power, in its last TURN
	landed      []events.Participant // units of D-Day, until the next TURN of the UK
}

type listed = axisallies.Figure[[]string]

type holding struct {
	from              uint64
	territory, holder string
}

// invade notes what an event has to do with D-Day.
func (v invasion) invade(index uint64, p events.Payload, ordinal uint64, sea map[string]fleet) invasion {
	switch p := p.(type) {
	case *events.TurnAdvanced:
		v.turnOf, v.acted = "", false
	case *events.PhaseAdvanced:
		if p.Player != v.turnOf {
			v.turnOf, v.turnFrom, v.acted = p.Player, index, false
			v.used = rules.Put(v.used, p.Player, listed{})
			v.fresh = rules.Put(v.fresh, p.Player, listed{})
			switch p.Player {
			case string(US):
				v.seaAtUS = sea
			case string(UK):
				v.landed = nil
			}
		}
	case *events.FactReported:
		return v.note(index, p)
	case *events.OperationDeclared:
		v.declaredAt, v.declaredIn = index, ordinal
	case *events.OperationCarriedOut:
		v.carriedAt, v.acted, v.landed = index, true, p.Units
		ships := func(u events.Participant) bool {
			return slices.Contains([]string{"amphibious", "sea combat", "bombard"}, u.Role)
		}
		if slices.ContainsFunc(p.Units, ships) {
			v.sailedIn = ordinal
		}
	case *events.UnitsPurchased, *events.EconomicAttackMade, *events.SubmarinesHunted, *events.UnitsFired,
		*events.UnitsMoved:
		v.acted = true
	}
	return v
}

func (v invasion) note(index uint64, p *events.FactReported) invasion {
	switch p.Fact {
	case axisallies.FactControl:
		v.holders = v.holders.Append(holdingOf(index, p))
	case factUsed:
		v.used = rules.Put(v.used, p.Subject, listed{Value: p.Names, From: index})
	case factNew:
		v.fresh = rules.Put(v.fresh, p.Subject, listed{Value: p.Names, From: index})
	}
	return v
}

func holdingOf(index uint64, p *events.FactReported) holding {
	h := holding{from: index, territory: p.Subject}
	if len(p.Names) > 0 {
		h.holder = p.Names[0]
	}
	return h
}
