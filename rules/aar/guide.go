package aar

import (
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// phaseOf is the phase that an entry of a side begins, or belongs to.
var phaseOf = map[string]string{
	"purchase": phasePurchase, "declare d-day": phasePurchase, "sbr": phaseCombat, "rockets": phaseCombat,
	"artillery fire": phaseCombat, "sub detection": phaseCombat, "d-day": phaseCombat,
	"artillery move": phaseNCM, "mobilize": phaseMobilize, "collect income": phaseCollect,
}

// now is a decision without a command, by which a form asks what the rules say.
func (g game) now() *decision {
	return &decision{game: g, Case: g.Case(rules.Command{}, rules.NewHearing(nil, func(int) uint64 { return 0 }))}
}

// Due implements [rules.Guide].
func (g game) Due(verb, side string) bool {
	d := g.now()
	if phase, timed := phaseOf[verb]; timed {
		d.Enter(side, phase, rules.Input)
		if d.holdToDDay(); d.Refused() || len(d.Outcome().Warnings) > 0 {
			return false
		}
	}
	switch verb {
	case "rockets": // AAR-5-TECH
		return !d.carries() || d.hasTech(side, rocketry)
	case "call shots": // AAR-7-SHOTS
		return d.Player == side && d.Phase == phaseCombat && len(d.combats) > 0
	case "submerge": // AAR-7-SUBMERGE
		return d.Phase == phaseCombat
	case "mobilize": // GEN-CARRY
		return len(g.Likely(verb, side, "unit")) > 0
	case "collect income": // AAR-4-TIME
		return !slices.Contains(d.Collected, side)
	case "declare d-day": // AAR-5-ONCE
		return d.declaredAt == 0
	case "d-day": // AAR-5-UNDECLARED
		return d.declaredAt != 0 && d.carriedAt == 0
	}
	return true
}

// Likely implements [rules.Guide]: what is bought has its price, and what is placed was bought.
func (g game) Likely(verb, power, kind string) (list []rules.Likely) {
	d := g.now()
	switch verb + " " + kind {
	case "purchase unit":
		for _, unit := range kinds() {
			in := d.priceInput(power, []events.Unit{{Name: unit, Count: 1}})
			if ipcs, ok := priceOf(&d.Findings, unit, in.BasePrices); ok {
				list = append(list, rules.Likely{Name: unit, Note: fmt.Sprintf("%d IPCs", ipcs), IPCs: ipcs})
			}
		}
	case "mobilize unit":
		for _, unit := range slices.Sorted(maps.Keys(d.bought[power])) {
			if n := d.bought[power][unit]; n > 0 {
				list = append(list, rules.Likely{Name: unit, Note: fmt.Sprintf("%d bought", n)})
			}
		}
	case "mobilize space":
		list = axisallies.Near(d.Board, func(s board.Space) bool { return d.produces(power, s) })
	case "declare d-day territory":
		if france, err := d.Board.Territory("France"); err == nil {
			list = append(list, rules.Likely{Name: d.Board.TableSpace(france.Name)})
		}
	case "d-day role":
		for i, does := range []string{"lands from a transport", "attacks from a territory", "flies to it",
			"fights in a sea zone", "fires before the landing", "takes no part"} {
			list = append(list, rules.Likely{Name: roles()[i], Note: does})
		}
	case "sbr territory", "rockets territory":
		for _, s := range d.Board.Spaces() {
			if holder := d.Controller(s); !s.Water && d.hasComplex(s) && enemies(Power(power), Power(holder)) {
				list = append(list, rules.Likely{Name: d.Board.TableSpace(s.Name), Note: "held by " + holder})
			}
		}
	}
	return list
}
