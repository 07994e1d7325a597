package replay_test

import (
	"fmt"

	"github.com/watu-ledger/watu/events"
)

// ground tells what has to do with territories, what is built on them, and units.
func ground(p events.Payload) string {
	switch p := p.(type) {
	case *events.FacilitiesReported:
		s := "in " + p.Territory
		for _, f := range p.Facilities {
			s += fmt.Sprintf("; %s, damage %d, inoperative %t", f.Kind, f.Damage, f.Inoperative)
		}
		return s
	case *events.FacilityDamaged:
		return fmt.Sprintf("%s from %s on the %s of %s in %s, %d spaces: %d of %d, after %d of %d", p.Cause, p.From,
			p.Facility, p.Victim, p.Territory, p.Distance, p.Damage, p.Rolled, p.Before, p.Limit)
	case *events.FacilitiesRepaired:
		s := fmt.Sprintf("%d, in hand %d", p.Cost, p.Treasury)
		for _, r := range p.Repairs {
			s += fmt.Sprintf("; %d off the %s in %s, %d left", r.Damage, r.Facility, r.Territory, r.Left)
		}
		return s
	case *events.FacilityBuilt:
		return fmt.Sprintf("%s in %s for %q: %d, in hand %d", p.Facility, p.Territory, p.Was, p.Cost, p.Treasury)
	case *events.TerritoryCaptured:
		s := fmt.Sprintf("%s from %q by %s, held by %s", p.Territory, p.From, p.By, p.Holder)
		if p.Was != "" {
			s += fmt.Sprintf("; %s is %s", p.Was, p.Complex)
		}
		if p.LootFrom != "" {
			s += fmt.Sprintf("; %d of %s to %s", p.Loot, p.LootFrom, p.LootTo)
		}
		return s
	case *events.UnitsMobilized:
		return fmt.Sprintf("%s in %s at %s %s", p.Bought, p.Space, p.Complex, counted(p.Units))
	case *events.ResearchPaid:
		s := fmt.Sprint(p.Cost)
		for _, x := range p.Payments {
			s += fmt.Sprintf("; %s %d, in hand %d", x.Treasury, x.Paid, x.Left)
		}
		return s
	case *events.ConvoyDisrupted:
		s := fmt.Sprintf("%s of %s, worth %d: %d of %d from %s", p.Territory, p.Victim, p.Worth, p.Damage, p.Potential,
			p.Zone)
		for _, r := range p.Raiders {
			s += fmt.Sprintf("; %d %s of %s at %d", r.Count, r.Unit, r.Power, r.Each)
		}
		return s
	}
	return ""
}
