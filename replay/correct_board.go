package replay

import "github.com/watu-ledger/watu/events"

// correctableOnBoard is correctable for what happens to territories and units: where and how much
// may change, not whose money or whose units it concerns.
func correctableOnBoard(p events.Payload, e *events.Event) bool {
	switch p := p.(type) {
	case *events.UnitsReported:
		var was events.UnitsReported
		return e.Read(&was) && p.Power == was.Power
	case *events.FacilitiesReported:
		var was events.FacilitiesReported
		return e.Read(&was)
	case *events.FacilityDamaged:
		var was events.FacilityDamaged
		return e.Read(&was) && p.Attacker == was.Attacker
	case *events.FacilitiesRepaired:
		var was events.FacilitiesRepaired
		return e.Read(&was) && p.Power == was.Power
	case *events.FacilityBuilt:
		var was events.FacilityBuilt
		return e.Read(&was) && p.Power == was.Power
	case *events.TerritoryCaptured:
		var was events.TerritoryCaptured
		return e.Read(&was) && p.Territory == was.Territory && p.LootFrom == was.LootFrom && p.LootTo == was.LootTo
	case *events.UnitsMobilized:
		var was events.UnitsMobilized
		return e.Read(&was) && p.Bought == was.Bought
	case *events.ResearchPaid:
		var was events.ResearchPaid
		return e.Read(&was) && p.Power == was.Power
	case *events.ConvoyDisrupted:
		var was events.ConvoyDisrupted
		return e.Read(&was) && p.Victim == was.Victim
	}
	return correctableInBattle(p, e)
}
