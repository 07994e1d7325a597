package g40

import "github.com/watu-ledger/watu/rules"

// bomb rules on the fire of one facility and the damage that it takes.
func (t RaidTarget) bomb(f *rules.Findings, o RaidOptions) BombedTarget {
	out := BombedTarget{Facility: t.Facility, Damage: t.Damage}
	bombers := t.assigned().bombers()
	out.BombersLost = min(t.defend(f), bombers)
	due := bombers - out.BombersLost
	wantDice(f, "the damage to the "+t.Facility.title(), len(t.DamageDice), due)
	if bombers == 0 {
		return out
	}
	out.Rolled = sum(t.DamageDice)
	f.Cite("G40-SBR-DAMAGE", "bombers left: %d, one die each: %d damage", due, out.Rolled)
	if strategic := t.Strategic - t.AALosses.Strategic; o.StrategicBonus > 0 && strategic > 0 {
		out.Rolled += strategic * o.StrategicBonus
		f.Cite("AMB-G40-3", "strategic bombers left: %d, %d more damage each: %d", strategic, o.StrategicBonus,
			out.Rolled)
	}
	limit := t.Facility.Limit()
	out.Applied = max(0, min(out.Rolled, limit-t.Damage))
	out.Damage += out.Applied
	f.Cite("G40-SBR-CAP", "the %s had %d and takes at most %d in all: %d of %d count, %d in all", t.Facility.title(),
		t.Damage, limit, out.Applied, out.Rolled, out.Damage)
	f.Consult(TableFacilities, string(t.Facility), "damage")
	return out
}

// defend rules on the facility's own antiaircraft fire, and gives its hits (G40-SBR-AA).
func (t RaidTarget) defend(f *rules.Findings) int {
	bombers := t.assigned()
	wantDice(f, "the fire of the "+t.Facility.title(), len(t.AADice), bombers.bombers())
	due := min(hits(t.AADice, hitsOn(f, fireFacility)), bombers.bombers())
	if bombers.bombers() > 0 {
		f.Cite("G40-SBR-AA", "the %s throws a die for each bomber that bombs it, %s: %s; AA guns do not fire",
			t.Facility.title(), counted(len(t.AADice), "die"), counted(due, "hit"))
	}
	bombers.choose(f, "the fire of the "+t.Facility.title(), due, t.AALosses)
	return due
}
