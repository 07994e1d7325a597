package narrator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
	"github.com/watu-ledger/watu/rules"
)

// battlesText describes of attacks, and of what comes to the defence.
func battlesText(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.AttackDeclared:
		return attackDeclaredText(p)
	case *events.AircraftScrambled:
		return fmt.Sprintf("%s scrambles %s from %s to %s.", p.Power, units(p.Units), p.From, p.Zone)
	case *events.AircraftLanded:
		return landedText(p)
	case *events.StrikesDeclared:
		return strikesText(p)
	case *events.RaidDeclared:
		return raidDeclaredText(p)
	case *events.FightersIntercepted:
		return fmt.Sprintf("%s sends up %s over %s to intercept.",
			p.Power, projections.CountUnits(p.Fighters, "fighter"), p.Territory)
	case *events.TransportsUnloaded:
		return unloadedText(p)
	}
	return ""
}

func attackDeclaredText(p *events.AttackDeclared) string {
	text := fmt.Sprintf("%s attacks %s", p.Attacker, p.Space)
	if p.From != "" {
		text = fmt.Sprintf("%s declares an amphibious assault on %s from %s", p.Attacker, p.Space, p.From)
	}
	if len(p.Units) > 0 {
		text += " with " + units(p.Units)
	}
	return text + "."
}

func unloadedText(p *events.TransportsUnloaded) string {
	text := fmt.Sprintf("Transports of %s unload from %s onto %s", p.Power, p.From, p.Onto)
	if p.Submarines > 0 {
		text += ", past " + projections.CountUnits(p.Submarines, "submarine")
	}
	if p.Bombarding > 0 {
		text += fmt.Sprintf("; %s %s", projections.CountUnits(p.Bombarding, "ship"),
			words.Number(p.Bombarding, "bombards", "bombard"))
	}
	return text + "."
}

func landedText(p *events.AircraftLanded) string {
	var parts []string
	if p.Returned > 0 {
		parts = append(parts, fmt.Sprintf("%d %s", p.Returned, words.Number(p.Returned, "returns", "return")))
	}
	for _, l := range p.Diverted {
		what := fmt.Sprint(l.Aircraft)
		if len(l.Units) > 0 {
			what = units(l.Units)
		}
		parts = append(parts, fmt.Sprintf("%s %s in %s", what, words.Number(l.Aircraft, "lands", "land"), l.Space))
	}
	if p.Lost > 0 {
		parts = append(parts, fmt.Sprintf("%d %s lost with no place to land", p.Lost,
			words.Number(p.Lost, "is", "are")))
	}
	if len(p.Fallen) > 0 {
		parts = append(parts, fmt.Sprintf("%s fell in battle", units(p.Fallen)))
	}
	if len(parts) == 0 {
		parts = []string{"none is left to land"}
	}
	return fmt.Sprintf("Aircraft of %s that defended from %s: %s.", p.Power, p.From, and(parts))
}

// strikesText counts the strikes at each ship, zone by zone. A ship has its number where others like
// it are struck.
func strikesText(p *events.StrikesDeclared) string {
	var zones []string
	parts := map[string][]string{}
	at := map[events.Strike]int{}
	for _, s := range p.Strikes {
		at[s]++
	}
	for _, s := range p.Strikes {
		if at[s] == 0 {
			continue // in an earlier sentence
		}
		if parts[s.Zone] == nil {
			zones = append(zones, s.Zone)
		}
		parts[s.Zone] = append(parts[s.Zone], fmt.Sprintf("%d at %s", at[s], struck(s, p.Strikes)))
		at[s] = 0
	}
	text := rules.Each(zones, func(zone string) string { return fmt.Sprintf("in %s %s", zone, and(parts[zone])) })
	if len(text) == 0 {
		return fmt.Sprintf("%s makes no kamikaze strikes. Tokens left: %d.", p.Power, p.Left)
	}
	return fmt.Sprintf("%s declares %s: %s. Tokens left: %d.", p.Power, projections.CountUnits(len(p.Strikes),
		"kamikaze strike"), strings.Join(text, "; "), p.Left)
}

// struck is the ship of a strike: "the US carrier", "US carrier #2".
func struck(s events.Strike, all []events.Strike) string {
	others := slices.ContainsFunc(all, func(o events.Strike) bool {
		return o.Zone == s.Zone && o.Owner == s.Owner && o.Ship == s.Ship && o.Nth != s.Nth
	})
	if others || s.Nth > 1 {
		return fmt.Sprintf("%s %s #%d", s.Owner, s.Ship, s.Nth)
	}
	return fmt.Sprintf("the %s %s", s.Owner, s.Ship)
}

func raidDeclaredText(p *events.RaidDeclared) string {
	var parts []string
	for _, t := range p.Targets {
		var bombers []string
		if t.Strategic > 0 {
			bombers = append(bombers, projections.CountUnits(t.Strategic, "strategic bomber"))
		}
		if t.Tactical > 0 {
			bombers = append(bombers, projections.CountUnits(t.Tactical, "tactical bomber"))
		}
		parts = append(parts, fmt.Sprintf("%s on the %s", and(bombers), plain(t.Facility)))
	}
	escorts := "without escorts"
	if p.Escorts > 0 {
		escorts = "escorted by " + projections.CountUnits(p.Escorts, "fighter")
	}
	return fmt.Sprintf("%s raids %s, %s: %s.", p.Attacker, land(p.Territory, p.Defender), escorts,
		strings.Join(parts, "; "))
}
