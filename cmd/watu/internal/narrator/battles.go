package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// tellBattles tells of attacks, and of what comes to the defence.
func tellBattles(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.AttackDeclared:
		return tellAttackDeclared(p)
	case *events.AircraftScrambled:
		return fmt.Sprintf("%s scrambles %s from %s to %s.", p.Power, units(p.Units), p.From, p.Zone)
	case *events.AircraftLanded:
		return tellLanded(p)
	case *events.StrikesDeclared:
		return tellStrikes(p)
	case *events.RaidDeclared:
		return tellRaidDeclared(p)
	case *events.FightersIntercepted:
		return fmt.Sprintf("%s sends %d fighters of %s to intercept.", p.Power, p.Fighters, p.Territory)
	case *events.TransportsUnloaded:
		said := fmt.Sprintf("Transports of %s unload from %s onto %s", p.Power, p.From, p.Onto)
		if p.Bombarding > 0 {
			said += fmt.Sprintf(", %d ships bombard", p.Bombarding)
		}
		return said + "."
	}
	return ""
}

func tellAttackDeclared(p *events.AttackDeclared) string {
	said := fmt.Sprintf("%s attacks %s", p.Attacker, p.Space)
	if p.From != "" {
		said = fmt.Sprintf("%s declares an amphibious assault on %s from %s", p.Attacker, p.Space, p.From)
	}
	if len(p.Units) > 0 {
		said += " with " + units(p.Units)
	}
	return said + "."
}

func tellLanded(p *events.AircraftLanded) string {
	parts := []string{fmt.Sprintf("%d back at %s", p.Returned, p.From)}
	for _, l := range p.Diverted {
		parts = append(parts, fmt.Sprintf("%d at %s", l.Aircraft, l.Space))
	}
	if p.Lost > 0 {
		parts = append(parts, fmt.Sprintf("%d lost for want of a place", p.Lost))
	}
	return fmt.Sprintf("Defending aircraft of %s land: %s.", p.Power, and(parts))
}

func tellStrikes(p *events.StrikesDeclared) string {
	var parts []string
	for _, s := range p.Strikes {
		ship := s.Owner + " " + s.Ship
		if s.Nth > 1 {
			ship += fmt.Sprintf(" #%d", s.Nth)
		}
		parts = append(parts, fmt.Sprintf("%s in %s", ship, s.Zone))
	}
	return fmt.Sprintf("%s declares %d kamikaze strikes: %s. Tokens left: %d.", p.Power, len(p.Strikes), strings.Join(parts, ", "), p.Left)
}

func tellRaidDeclared(p *events.RaidDeclared) string {
	var parts []string
	for _, t := range p.Targets {
		var bombers []string
		if t.Strategic > 0 {
			bombers = append(bombers, fmt.Sprintf("%d strategic", t.Strategic))
		}
		if t.Tactical > 0 {
			bombers = append(bombers, fmt.Sprintf("%d tactical", t.Tactical))
		}
		parts = append(parts, fmt.Sprintf("%s on the %s", and(bombers), strings.ReplaceAll(t.Facility, "_", " ")))
	}
	return fmt.Sprintf("%s raids %s of %s: bombers %s; escorts: %d.", p.Attacker, p.Territory, p.Defender, strings.Join(parts, ", "), p.Escorts)
}
