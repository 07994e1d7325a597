package narrator

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/projections"
)

// facilitiesText says what becomes of territories and of what is built on them.
func facilitiesText(_ *events.Event, p events.Payload) string {
	switch p := p.(type) {
	case *events.FacilitiesReported:
		return standingText(p)
	case *events.FacilityDamaged:
		return damagedText(p)
	case *events.FacilitiesRepaired:
		var parts []string
		for _, r := range p.Repairs {
			parts = append(parts, fmt.Sprintf("%d damage off the %s in %s (%d left)", r.Damage, plain(r.Facility),
				r.Territory, r.Left))
		}
		return fmt.Sprintf("%s repairs %s for %s; %s in hand.", p.Power, and(parts), ipcs(p.Cost), ipcs(p.Treasury))
	case *events.FacilityBuilt:
		return builtText(p)
	case *events.TerritoryCaptured:
		return capturedText(p)
	case *events.UnitsMobilized:
		return mobilizedText(p)
	case *events.ResearchPaid:
		return researchPaidText(p)
	case *events.ConvoyDisrupted:
		return disruptedText(p)
	}
	return ""
}

func standingText(p *events.FacilitiesReported) string {
	var parts []string
	for _, f := range p.Facilities {
		text := a(plain(f.Kind))
		if f.Damage != 0 {
			text += fmt.Sprintf(" with %d damage", f.Damage)
		}
		if f.Inoperative {
			text += ", not operative"
		}
		parts = append(parts, text)
	}
	if len(parts) == 0 {
		parts = []string{"nothing"}
	}
	return fmt.Sprintf("Reported: in %s %s %s.", p.Territory, words.Number(len(parts), "stands", "stand"), and(parts))
}

// mobilizedText names the complex and the buyer where they are not those of the space and the power.
func mobilizedText(p *events.UnitsMobilized) string {
	text := fmt.Sprintf("%s mobilizes %s in %s", p.Power, units(p.Units), p.Space)
	if p.Complex != p.Space {
		text += fmt.Sprintf(", at the industrial complex of %s", p.Complex)
	}
	if p.Bought != p.Power {
		text += ", bought by " + p.Bought
	}
	return text + "."
}

func researchPaidText(p *events.ResearchPaid) string {
	text := fmt.Sprintf("%s pays %s for research", p.Power, ipcs(p.Cost))
	if len(p.Payments) == 1 && p.Payments[0].Treasury == p.Power {
		return fmt.Sprintf("%s; %s in hand.", text, ipcs(p.Payments[0].Left))
	}
	var parts []string
	for _, x := range p.Payments {
		parts = append(parts, fmt.Sprintf("%d from %s (%d left)", x.Paid, x.Treasury, x.Left))
	}
	return fmt.Sprintf("%s: %s.", text, and(parts))
}

func damagedText(p *events.FacilityDamaged) string {
	text := fmt.Sprintf("%s of %s", words.Sentence(p.Cause), p.Attacker)
	if p.From != "" {
		text += fmt.Sprintf(" from %s, %s away", p.From, projections.CountUnits(p.Distance, "space"))
	}
	text += fmt.Sprintf(": the %s in %s takes %d damage", plain(p.Facility), land(p.Territory, p.Victim), p.Damage)
	if p.Damage != p.Rolled {
		text += fmt.Sprintf(" of the %d rolled", p.Rolled)
	}
	return fmt.Sprintf("%s; it has %d of at most %d.", text, p.Before+p.Damage, p.Limit)
}

func builtText(p *events.FacilityBuilt) string {
	text := fmt.Sprintf("%s builds %s in %s", p.Power, a(plain(p.Facility)), p.Territory)
	if p.Was != "" {
		text = fmt.Sprintf("%s upgrades the %s in %s to %s", p.Power, plain(p.Was), p.Territory, a(plain(p.Facility)))
	}
	if p.Cost != 0 {
		text += fmt.Sprintf(" for %s; %s in hand", ipcs(p.Cost), ipcs(p.Treasury))
	}
	return text + "."
}

func capturedText(p *events.TerritoryCaptured) string {
	text := fmt.Sprintf("%s captures %s", p.By, p.Territory)
	if p.From != "" && p.From != p.Territory {
		text += " from " + p.From
	}
	switch {
	case p.Holder != p.By:
		text += fmt.Sprintf(", which goes back to %s", p.Holder)
	case p.Was != p.Complex:
		text += fmt.Sprintf("; its %s becomes %s", plain(p.Was), a(plain(p.Complex)))
	}
	if p.LootFrom != "" {
		text += fmt.Sprintf("; %s takes %s from %s", p.LootTo, ipcs(p.Loot), p.LootFrom)
	}
	return text + "."
}

func disruptedText(p *events.ConvoyDisrupted) string {
	var parts []string
	for _, r := range p.Raiders {
		part := fmt.Sprintf("%s of %s", projections.CountUnits(r.Count, plain(r.Unit)), r.Power)
		if r.Count > 1 {
			part += fmt.Sprintf(" (%d each)", r.Each)
		}
		parts = append(parts, part)
	}
	return fmt.Sprintf("Convoys in %s are disrupted by %s: %s loses %s (%s is worth %d; the raiders could take %d).",
		p.Zone, and(parts), p.Victim, ipcs(p.Damage), p.Territory, p.Worth, p.Potential)
}
