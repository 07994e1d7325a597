package aar

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// UnitType is a kind of unit: "escort_carrier".
type UnitType string

func (t UnitType) land() bool {
	return slices.Contains([]UnitType{"infantry", artillery, "armor"}, t)
}
func (t UnitType) air() bool       { return t == "fighter" || t == "bomber" }
func (t UnitType) transport() bool { return t == "transport" }
func (t UnitType) warship() bool   { return !t.land() && !t.air() && !t.transport() }

// guns reports whether a ship is one of those with which the UK may bombard; "Cruisers" are cruisers
// and battlecruisers (AAR-5-BOMBARD).
func (t UnitType) guns() bool {
	return slices.Contains([]UnitType{"battleship", "battlecruiser", "cruiser"}, t)
}

// partOf reports whether a unit takes part in D-Day. A US unit that fights elsewhere does so on its
// own account, as on any US turn.
func (u DDayUnit) partOf() bool {
	elsewhere := u.Battle != "" && !isFrance(u.Battle) && !isSZ7(u.Battle)
	return u.Role != NoRole && !(u.Power == US && elsewhere)
}

// attacks reports whether a unit attacks France: aircraft, and land units overland or from the sea.
func (u DDayUnit) attacks() bool {
	ashore := u.Role == Overland || u.Role == Amphibious
	return u.partOf() && !u.atSea() && (u.Role == ByAir || u.Type.land() && ashore)
}

// atSea reports whether a unit fights in SZ 7 and not in France.
func (u DDayUnit) atSea() bool {
	return isSZ7(u.Battle) || u.Battle == "" && u.Role == SeaCombat
}

func (u DDayUnit) name() string { return u.ID + ", " + string(u.Power) + " " + title(string(u.Type)) }

// checkUnit finds every rule that a unit's part breaks.
func (in DDayInput) checkUnit(f *rules.Findings, u DDayUnit) {
	if u.Power == UK && u.Role == NoRole && u.Battle != "" {
		f.Violate("AAR-5-UK-FRANCE",
			"%s is moved to %s without a part in the combat: a UK unit used must fight in France", u.name(), u.Battle)
	}
	if !u.partOf() {
		return
	}
	if u.Power != UK && u.Power != US {
		f.Violate("AAR-5-POWERS", "%s does not belong to the UK or the US", u.name())
	}
	u.checkWay(f)
	if u.Power == UK {
		u.checkBritish(f)
	}
	if u.Role == Bombard {
		in.checkBombard(f, u)
	}
}

// checkWay wants everybody to come the way that is his.
func (u DDayUnit) checkWay(f *rules.Findings) {
	t := u.Type
	switch {
	case u.Role == Overland && !t.land():
		f.Violate("AAR-5-OVERLAND", "%s is no land unit, and only those attack overland", u.name())
	case u.Role == Overland && u.From != "" && !isBesideFrance(u.From):
		f.Violate("AAR-5-OVERLAND", "%s comes overland from %s: only land units in Germany, Italy or NW Europe do",
			u.name(), u.From)
	case u.Role == ByAir && !t.air():
		f.Violate("AAR-5-SZ7", "%s does not fly: land and sea units attack from SZ 7", u.name())
	case u.Role == Amphibious && t.air():
		f.Violate(rules.Input, "%s flies: give it the role air", u.name())
	case u.Role == Bombard && (t.land() || t.air()) && u.Power != UK:
		f.Violate(rules.Input, "%s is no ship and does not bombard", u.name())
	case (u.Role == Amphibious || u.Role == Bombard) && u.From != "" && !isSZ7(u.From):
		f.Violate("AAR-5-SZ7", "%s attacks from %s: land and sea units attack from SZ 7", u.name(), u.From)
	}
	if !u.InReach && (t.air() || u.Role == ByAir) {
		f.Violate("AAR-5-AIR", "%s has not enough movement to get there", u.name())
	}
}

// checkBritish holds a UK unit to what binds those of the UK alone.
func (u DDayUnit) checkBritish(f *rules.Findings) {
	if u.Used {
		f.Violate("AAR-5-UK-USED", "%s was used on the UK turn", u.name())
	}
	if u.New {
		f.Violate("AAR-5-UK-NEW", "%s is newly bought", u.name())
	}
	empty := u.Type.transport() && !u.Loaded
	switch {
	case u.atSea() && (u.Type.warship() || u.Type.air()):
		f.Violate("AAR-5-UK-TRN", "%s may not fight in SZ 7: of the UK only loaded transports and their cargo may",
			u.name())
		f.Violate("AAR-5-UK-FRANCE", "%s fights elsewhere than in France", u.name())
	case !u.atSea() && u.Battle != "" && !isFrance(u.Battle):
		f.Violate("AAR-5-UK-FRANCE", "%s fights in %s: UK units fight in France only", u.name(), u.Battle)
		if u.Role == SeaCombat {
			f.Violate("AAR-5-UK-TRN", "%s may not fight at sea in %s: only SZ 7 is open to loaded transports of the UK",
				u.name(), u.Battle)
		}
	case u.Role == SeaCombat && !u.atSea() && (u.Type.warship() || u.Type.air()):
		f.Violate("AAR-5-UK-TRN", "%s may not fight at sea: of the UK only loaded transports and their cargo may",
			u.name())
	case u.Role == Amphibious && u.Type.warship():
		f.Violate("AAR-5-UK-FRANCE", "%s has no fight in France: UK warships bombard or stay away", u.name())
	}
	if empty {
		f.Violate("AAR-5-UK-TRN", "%s carries nothing: only loaded transports of the UK take part", u.name())
	}
}

// checkBombard: battleships and cruisers of the UK bombard where SZ 7 was empty. What US ships may
// do, the book says.
func (in DDayInput) checkBombard(f *rules.Findings, u DDayUnit) {
	if u.Power != UK {
		return
	}
	if !u.Type.guns() {
		f.Violate("AAR-5-BOMBARD", "%s does not bombard: battleships, cruisers and battlecruisers do", u.name())
	}
	if u.Used {
		f.Violate("AAR-5-BOMBARD", "%s was used on the UK turn and does not bombard", u.name())
	}
	if !in.empty() {
		f.Violate("AAR-5-BOMBARD",
			"%s does not bombard, for SZ 7 was not empty when the US turn began (enemy units: %d, friendly ones: %d)",
			u.name(), in.SZ7.Enemy, in.SZ7.Friendly)
	}
}

// empty reports whether SZ 7 counts as empty (AMB-AAR-6).
func (in DDayInput) empty() bool {
	return in.SZ7.Enemy == 0 && (in.SZ7.Friendly == 0 || in.Options.EmptySZ7 != "no_units")
}

// citeUnit says what lets a unit take its part.
func (in DDayInput) citeUnit(f *rules.Findings, u DDayUnit) {
	if u.Role == NoRole {
		f.Cite("AAR-5-UK-FRANCE", "%s stays where it stands", u.name())
		return
	}
	if !u.partOf() {
		f.Cite("AAR-5-TARGET", "%s fights in %s on its own account and is no part of D-Day", u.name(), u.Battle)
		return
	}
	f.Cite("AAR-5-POWERS", "%s takes part", u.name())
	switch u.Role {
	case Overland:
		f.Cite("AAR-5-OVERLAND", "overland, from next to France")
	case ByAir:
		f.Cite("AAR-5-AIR", "by air, with movement enough")
	case Amphibious:
		f.Cite("AAR-5-SZ7", "from SZ 7")
	}
	if u.Power == UK {
		f.Cite("AAR-5-UK-USED", "it was not used on the UK turn")
		f.Cite("AAR-5-UK-NEW", "nor is it newly bought")
		in.citeBritish(f, u)
	}
}

func (in DDayInput) citeBritish(f *rules.Findings, u DDayUnit) {
	switch {
	case u.Role == Bombard:
		f.Cite("AAR-5-BOMBARD", "it bombards, for SZ 7 was empty when the US turn began")
		if in.SZ7.Friendly > 0 {
			f.Cite("AMB-AAR-6", "friendly units in SZ 7 do not count")
		}
	case u.atSea() || u.Type.transport():
		f.Cite("AAR-5-UK-TRN", "loaded transports of the UK, and what they carry, may be in the sea combat in SZ 7")
	default:
		f.Cite("AAR-5-UK-FRANCE", "it fights, and in France")
	}
	if u.Type.air() {
		f.Cite("AMB-AAR-8", "in the Noncombat Move of the US it lands, and nothing else of the UK moves then")
	}
}
