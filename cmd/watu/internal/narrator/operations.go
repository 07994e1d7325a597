package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// operationsText says what is declared and carried out on a board, the hunt for submarines, and
// artillery.
func operationsText(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.OperationDeclared:
		return fmt.Sprintf("%s declares %s against %s.", p.By, p.Operation, p.Target)
	case *events.OperationCarriedOut:
		return operationText(p)
	case *events.SubmarinesHunted:
		return huntText(p)
	case *events.SubmarinesSubmerged:
		return fmt.Sprintf("Submerged in %s, out of the combat: %s of %s.", p.Zone, and(rules.Each(p.Submarines, boat)),
			p.Power)
	case *events.ShotsCalled:
		return fmt.Sprintf("Submarines of %s in %s call their shots: %s.", p.Power, p.Zone, units(p.Targets))
	case *events.UnitsFired:
		return fmt.Sprintf("%s fires with %s from %s at %s.", p.Power, units(p.Units), p.From, p.At)
	case *events.UnitsMoved:
		return fmt.Sprintf("%s moves %s from %s to %s.", p.Power, units(p.Units), p.From, p.To)
	}
	return ""
}

// operationText names the units by the part that they take.
func operationText(p *events.OperationCarriedOut) string {
	var roles []string
	taking := map[string][]string{}
	for _, u := range p.Units {
		if taking[u.Role] == nil {
			roles = append(roles, u.Role)
		}
		taking[u.Role] = append(taking[u.Role], fmt.Sprintf("%s (%s %s)", u.Name, u.Power, u.Kind))
	}
	parts := rules.Each(roles, func(role string) string { return fmt.Sprintf("%s: %s", role, and(taking[role])) })
	text := fmt.Sprintf("%s: %s leads the attack on %s", p.Operation, p.By, p.Target)
	if p.Defender != "" {
		text += fmt.Sprintf(", held by %s", p.Defender)
	}
	if len(parts) > 0 {
		text += ". In it, " + strings.Join(parts, "; ")
	}
	return text + "."
}

// huntText says of each owner's submarines whether they were found, and at what.
func huntText(p *events.SubmarinesHunted) string {
	var parts []string
	for _, g := range p.Groups {
		found := "undetected"
		if g.Detected {
			found = "detected"
		}
		part := fmt.Sprintf("%s of %s %s", and(rules.Each(g.Submarines, boat)), g.Power, found)
		var seen []string
		for _, v := range g.Values {
			seen = append(seen, fmt.Sprintf("%d or less by %s", v.Value, v.Name))
		}
		if len(seen) > 0 {
			part += fmt.Sprintf(" (found at %s)", and(seen))
		}
		if g.MayCallShots {
			part += ", free to call their shots"
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("Submarines hunted in %s: %s.", p.Zone, strings.Join(parts, "; "))
}
