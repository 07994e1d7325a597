package narrator

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
)

// tellFacilities tells what becomes of territories and of what is built on them.
func tellFacilities(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.FacilitiesReported:
		return tellStanding(p)
	case *events.FacilityDamaged:
		return tellDamaged(p)
	case *events.FacilitiesRepaired:
		var parts []string
		for _, r := range p.Repairs {
			parts = append(parts, fmt.Sprintf("%d damage off the %s in %s (%d left)", r.Damage, plain(r.Facility), r.Territory, r.Left))
		}
		return fmt.Sprintf("%s repairs %s for %s; %s in hand.", p.Power, and(parts), ipcs(p.Cost), ipcs(p.Treasury))
	case *events.FacilityBuilt:
		return tellBuilt(p)
	case *events.TerritoryCaptured:
		return tellCaptured(p)
	case *events.UnitsMobilized:
		return fmt.Sprintf("%s mobilizes %s in %s, at the industrial complex of %s, bought by %s.", p.Power, units(p.Units), p.Space, p.Complex, p.Bought)
	case *events.ResearchPaid:
		var parts []string
		for _, x := range p.Payments {
			parts = append(parts, fmt.Sprintf("%d from %s (%d left)", x.Paid, x.Treasury, x.Left))
		}
		return fmt.Sprintf("%s pays %s for research: %s.", p.Power, ipcs(p.Cost), and(parts))
	case *events.ConvoyDisrupted:
		return tellDisrupted(p)
	}
	return ""
}

func tellStanding(p *events.FacilitiesReported) string {
	var parts []string
	for _, f := range p.Facilities {
		said := "a " + plain(f.Kind)
		if strings.HasPrefix(f.Kind, "a") {
			said = "an " + plain(f.Kind)
		}
		if f.Damage != 0 {
			said += fmt.Sprintf(" with %d damage", f.Damage)
		}
		if f.Inoperative {
			said += ", not operative"
		}
		parts = append(parts, said)
	}
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	return fmt.Sprintf("Reported: in %s stands %s.", p.Territory, and(parts))
}

func tellDamaged(p *events.FacilityDamaged) string {
	said := fmt.Sprintf("%s (%s): the %s in %s (%s) takes %d damage of %d rolled", sentence(p.Cause), p.Attacker, plain(p.Facility), p.Territory, p.Victim, p.Damage, p.Rolled)
	if p.From != "" {
		said += fmt.Sprintf(", from %s, %d spaces away", p.From, p.Distance)
	}
	return fmt.Sprintf("%s; it has %d of at most %d.", said, p.Before+p.Damage, p.Limit)
}

func tellBuilt(p *events.FacilityBuilt) string {
	said := fmt.Sprintf("%s builds a %s in %s", p.Power, plain(p.Facility), p.Territory)
	if p.Was != "" {
		said = fmt.Sprintf("%s upgrades the %s in %s to a %s", p.Power, plain(p.Was), p.Territory, plain(p.Facility))
	}
	if p.Cost != 0 {
		said += fmt.Sprintf(" for %s; %s in hand", ipcs(p.Cost), ipcs(p.Treasury))
	}
	return said + "."
}

func tellCaptured(p *events.TerritoryCaptured) string {
	said := fmt.Sprintf("%s captures %s", p.By, p.Territory)
	if p.From != "" {
		said += " from " + p.From
	}
	switch {
	case p.Holder != p.By:
		said += fmt.Sprintf(": it is %s's again", p.Holder)
	case p.Was != p.Complex:
		said += fmt.Sprintf("; its %s becomes a %s", plain(p.Was), plain(p.Complex))
	}
	if p.LootFrom != "" {
		said += fmt.Sprintf("; %s of %s go to %s", ipcs(p.Loot), p.LootFrom, p.LootTo)
	}
	return said + "."
}

func tellDisrupted(p *events.ConvoyDisrupted) string {
	var parts []string
	for _, r := range p.Raiders {
		parts = append(parts, fmt.Sprintf("%d %s of %s (%d each)", r.Count, plain(r.Unit), r.Power, r.Each))
	}
	return fmt.Sprintf("Convoys in %s are disrupted by %s: %s loses %d of the %d that %s is worth, of %d that the raiders could take.",
		p.Zone, and(parts), p.Victim, p.Damage, p.Worth, p.Territory, p.Potential)
}

// plain is a name of a kind in words: "air base" for "air_base".
func plain(kind string) string {
	switch kind {
	case "major_ic":
		return "major industrial complex"
	case "minor_ic":
		return "minor industrial complex"
	}
	return strings.ReplaceAll(kind, "_", " ")
}
