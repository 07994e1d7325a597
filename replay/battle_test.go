package replay_test

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// battle tells what has to do with attacks, and with what comes to the defence.
func battle(p events.Payload) string {
	switch p := p.(type) {
	case *events.AttackDeclared:
		s := fmt.Sprintf("%s on %s", p.Attacker, p.Space)
		if p.From != "" {
			s += " from " + p.From
		}
		return strings.TrimSpace(s + " " + counted(p.Units))
	case *events.AircraftScrambled:
		return fmt.Sprintf("%s from %s to %s: %s", p.Power, p.From, p.Zone, counted(p.Units))
	case *events.AircraftLanded:
		s := fmt.Sprintf("%s of %s: %d returned", p.Power, p.From, p.Returned)
		for _, l := range p.Diverted {
			s += fmt.Sprintf(", %d at %s", l.Aircraft, l.Space)
			if len(l.Units) > 0 {
				s += fmt.Sprintf(" (%s)", counted(l.Units))
			}
		}
		s += fmt.Sprintf(", %d lost", p.Lost)
		if len(p.Gone) > 0 {
			s += fmt.Sprintf(" (%s)", counted(p.Gone))
		}
		if len(p.Fallen) > 0 {
			s += fmt.Sprintf(", fallen %s", counted(p.Fallen))
		}
		return s
	case *events.StrikesDeclared:
		var strikes []string
		for _, s := range p.Strikes {
			strikes = append(strikes, fmt.Sprintf("%s %s #%d in %s", s.Owner, s.Ship, s.Nth, s.Zone))
		}
		return fmt.Sprintf("%s, %d tokens left", strings.Join(strikes, ", "), p.Left)
	case *events.RaidDeclared:
		var targets []string
		for _, t := range p.Targets {
			targets = append(targets, fmt.Sprintf("%s %d+%d", t.Facility, t.Strategic, t.Tactical))
		}
		return fmt.Sprintf("%s on %s of %s: %s, %d escorts", p.Attacker, p.Territory, p.Defender,
			strings.Join(targets, ", "), p.Escorts)
	case *events.FightersIntercepted:
		return fmt.Sprintf("%d of %s in %s", p.Fighters, p.Power, p.Territory)
	case *events.TransportsUnloaded:
		return fmt.Sprintf("%s from %s onto %s, %d warships, %d submarines, %d bombarding", p.Power, p.From, p.Onto,
			p.Warships, p.Submarines, p.Bombarding)
	case *events.UnitsLost:
		s := fmt.Sprintf("%s in %s: %s to %s", p.Power, p.Space, counted(p.Units), p.Cause)
		if p.Chosen != "" {
			s += ", chosen by " + p.Chosen
		}
		return s
	}
	return ""
}
