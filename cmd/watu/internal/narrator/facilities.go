package narrator

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
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
			parts = append(parts, fmt.Sprintf("%d damage off the %s in %s (%d left)", r.Damage, plain(r.Facility),
				r.Territory, r.Left))
		}
		return fmt.Sprintf("%s repairs %s for %s; %s in hand.", p.Power, and(parts), ipcs(p.Cost), ipcs(p.Treasury))
	case *events.FacilityBuilt:
		return tellBuilt(p)
	case *events.TerritoryCaptured:
		return tellCaptured(p)
	case *events.UnitsMobilized:
		return tellMobilized(p)
	case *events.ResearchPaid:
		return tellResearchPaid(p)
	case *events.ConvoyDisrupted:
		return tellDisrupted(p)
	}
	return ""
}

func tellStanding(p *events.FacilitiesReported) string {
	var parts []string
	for _, f := range p.Facilities {
		said := a(plain(f.Kind))
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
	return fmt.Sprintf("Reported: in %s %s %s.", p.Territory, words.Number(len(parts), "stands", "stand"), and(parts))
}

// tellMobilized names the complex and the buyer where they are not those of the space and the power.
func tellMobilized(p *events.UnitsMobilized) string {
	said := fmt.Sprintf("%s mobilizes %s in %s", p.Power, units(p.Units), p.Space)
	if p.Complex != p.Space {
		said += fmt.Sprintf(", at the industrial complex of %s", p.Complex)
	}
	if p.Bought != p.Power {
		said += ", bought by " + p.Bought
	}
	return said + "."
}

func tellResearchPaid(p *events.ResearchPaid) string {
	said := fmt.Sprintf("%s pays %s for research", p.Power, ipcs(p.Cost))
	if len(p.Payments) == 1 && p.Payments[0].Treasury == p.Power {
		return fmt.Sprintf("%s; %s in hand.", said, ipcs(p.Payments[0].Left))
	}
	var parts []string
	for _, x := range p.Payments {
		parts = append(parts, fmt.Sprintf("%d from %s (%d left)", x.Paid, x.Treasury, x.Left))
	}
	return fmt.Sprintf("%s: %s.", said, and(parts))
}

func tellDamaged(p *events.FacilityDamaged) string {
	said := fmt.Sprintf("%s of %s", words.Sentence(p.Cause), p.Attacker)
	if p.From != "" {
		said += fmt.Sprintf(" from %s, %s away", p.From, projections.Counted(p.Distance, "space"))
	}
	said += fmt.Sprintf(": the %s in %s takes %d damage", plain(p.Facility), land(p.Territory, p.Victim), p.Damage)
	if p.Damage != p.Rolled {
		said += fmt.Sprintf(" of the %d rolled", p.Rolled)
	}
	return fmt.Sprintf("%s; it has %d of at most %d.", said, p.Before+p.Damage, p.Limit)
}

func tellBuilt(p *events.FacilityBuilt) string {
	said := fmt.Sprintf("%s builds %s in %s", p.Power, a(plain(p.Facility)), p.Territory)
	if p.Was != "" {
		said = fmt.Sprintf("%s upgrades the %s in %s to %s", p.Power, plain(p.Was), p.Territory, a(plain(p.Facility)))
	}
	if p.Cost != 0 {
		said += fmt.Sprintf(" for %s; %s in hand", ipcs(p.Cost), ipcs(p.Treasury))
	}
	return said + "."
}

func tellCaptured(p *events.TerritoryCaptured) string {
	said := fmt.Sprintf("%s captures %s", p.By, p.Territory)
	if p.From != "" && p.From != p.Territory {
		said += " from " + p.From
	}
	switch {
	case p.Holder != p.By:
		said += fmt.Sprintf(": it is in the hands of %s again", p.Holder)
	case p.Was != p.Complex:
		said += fmt.Sprintf("; its %s becomes %s", plain(p.Was), a(plain(p.Complex)))
	}
	if p.LootFrom != "" {
		said += fmt.Sprintf("; %s takes %s from %s", p.LootTo, ipcs(p.Loot), p.LootFrom)
	}
	return said + "."
}

func tellDisrupted(p *events.ConvoyDisrupted) string {
	var parts []string
	for _, r := range p.Raiders {
		part := fmt.Sprintf("%s of %s", projections.Counted(r.Count, plain(r.Unit)), r.Power)
		if r.Count > 1 {
			part += fmt.Sprintf(" (%d each)", r.Each)
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("Convoys in %s are disrupted by %s: %s loses %d of the %d that %s is worth, of %d that the "+
		"raiders could take.",
		p.Zone, and(parts), p.Victim, p.Damage, p.Worth, p.Territory, p.Potential)
}
