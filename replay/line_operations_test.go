package replay_test

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// operation tells what has to do with units and operations on a board.
func operation(p events.Payload) string {
	switch p := p.(type) {
	case *events.UnitsReported:
		s := fmt.Sprintf("%s in %s: %s", p.Power, p.Space, counted(p.Units))
		if len(p.Damaged) > 0 {
			s += ", damaged " + counted(p.Damaged)
		}
		return s
	case *events.UnitsFired:
		return fmt.Sprintf("%s from %s at %s", counted(p.Units), p.From, p.At)
	case *events.UnitsMoved:
		return fmt.Sprintf("%s from %s to %s", counted(p.Units), p.From, p.To)
	case *events.OperationDeclared:
		return fmt.Sprintf("%s on %s", p.Operation, p.Target)
	case *events.OperationCarriedOut:
		s := fmt.Sprintf("%s on %s of %s", p.Operation, p.Target, p.Defender)
		for _, u := range p.Units {
			s += strings.TrimSuffix(fmt.Sprintf("; %s, %s %s, %s from %s", u.Name, u.Power, u.Kind, u.Role, u.From),
				" from ")
		}
		return s
	case *events.SubmarinesHunted:
		s := fmt.Sprintf("%s, %s attacks", p.Zone, p.Attacker)
		for _, g := range p.Groups {
			s += fmt.Sprintf("; %s of %s", strings.Join(g.Submarines, " + "), g.Power)
			for _, v := range g.Values {
				s += fmt.Sprintf(", %d for %s", v.Value, v.Name)
			}
			s += fmt.Sprintf(", detected %t, dive %t, shots %t", g.Detected, g.MaySubmerge, g.MayCallShots)
		}
		return s
	case *events.SubmarinesSubmerged:
		return fmt.Sprintf("%s in %s", strings.Join(p.Submarines, " + "), p.Zone)
	case *events.ShotsCalled:
		return fmt.Sprintf("%s in %s", counted(p.Targets), p.Zone)
	}
	return ""
}

func counted(units []events.Unit) string {
	var parts []string
	for _, u := range units {
		parts = append(parts, fmt.Sprintf("%d %s", u.Count, u.Name))
	}
	return strings.Join(parts, " + ")
}
