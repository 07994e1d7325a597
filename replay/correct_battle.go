package replay

import "github.com/watu-ledger/watu/events"

// correctableInBattle is correctable for attacks and what comes to the defence: what took part, and
// what was lost, may change, not whose it was, nor how many strikes were declared.
func correctableInBattle(p events.Payload, e *events.Event) bool {
	switch p := p.(type) {
	case *events.AttackDeclared:
		var was events.AttackDeclared
		return e.Read(&was) && p.Attacker == was.Attacker
	case *events.AircraftScrambled:
		var was events.AircraftScrambled
		return e.Read(&was) && p.Power == was.Power
	case *events.AircraftLanded:
		var was events.AircraftLanded
		return e.Read(&was) && p.Power == was.Power && p.From == was.From
	case *events.StrikesDeclared:
		var was events.StrikesDeclared
		return e.Read(&was) && p.Power == was.Power && len(p.Strikes) == len(was.Strikes)
	case *events.RaidDeclared:
		var was events.RaidDeclared
		return e.Read(&was) && p.Attacker == was.Attacker && p.Territory == was.Territory
	case *events.FightersIntercepted:
		var was events.FightersIntercepted
		return e.Read(&was) && p.Power == was.Power
	case *events.TransportsUnloaded:
		var was events.TransportsUnloaded
		return e.Read(&was) && p.Power == was.Power
	case *events.UnitsLost:
		var was events.UnitsLost
		return e.Read(&was) && p.Power == was.Power
	}
	return false
}
