package replay

import "github.com/watu-ledger/watu/events"

// correctableOperation is correctable for units and operations on a board: how many, which and how
// may change, not whose they are and where.
func correctableOperation(p events.Payload, e *events.Event) bool {
	switch p := p.(type) {
	case *events.OperationCarriedOut:
		return true
	case *events.SubmarinesHunted:
		var was events.SubmarinesHunted
		return e.Read(&was) && p.Zone == was.Zone && p.Attacker == was.Attacker
	case *events.SubmarinesSubmerged:
		var was events.SubmarinesSubmerged
		return e.Read(&was) && p.Power == was.Power && p.Zone == was.Zone && p.Turn == was.Turn
	case *events.ShotsCalled:
		var was events.ShotsCalled
		return e.Read(&was) && p.Power == was.Power && p.Zone == was.Zone
	case *events.UnitsReported:
		var was events.UnitsReported
		return e.Read(&was) && p.Power == was.Power && p.Space == was.Space
	case *events.UnitsFired:
		var was events.UnitsFired
		return e.Read(&was) && p.Power == was.Power
	case *events.UnitsMoved:
		var was events.UnitsMoved
		return e.Read(&was) && p.Power == was.Power
	}
	return false
}
