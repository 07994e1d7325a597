package aar

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// combat is a combat with submarines in a sea zone, in the TURN of the attacker, from the hunt on.
type combat struct {
	zone     string
	attacker string
	groups   []events.HuntedGroup
	called   bool // the attacker's submarines have called their shots
	dives    []dive
	afloat   []boat // every submarine that was on the board when the hunt was entered
}

// dive is what submerged of one owner. What he has besides stayed up for good (AAR-7-SUBMERGE).
type dive struct {
	power string
	boats []string
}

// inCombat changes a copy of the combat that is fought in a sea zone in a power's TURN.
func inCombat(list []combat, zone, attacker string, change func(*combat)) []combat {
	list = slices.Clone(list)
	if i := slices.IndexFunc(list, func(c combat) bool { return c.zone == zone && c.attacker == attacker }); i >= 0 {
		change(&list[i])
	}
	return list
}

// calledShots reports whether the submarines of an attacker have called their shots in a sea zone in its TURN.
func (g game) calledShots(zone, attacker string) bool {
	return slices.ContainsFunc(g.combats, func(c combat) bool {
		return c.zone == zone && c.attacker == attacker && c.called
	})
}

// landedBoats gives the combat of D-Day in SZ 7, if submarines that are on the board take part.
func (g game) landedBoats(units []events.Participant) []combat {
	if g.Board == nil {
		return nil
	}
	c := combat{zone: g.At("SZ 7").Name, attacker: string(US), afloat: g.boats()}
	for _, b := range c.afloat {
		if slices.ContainsFunc(units, func(u events.Participant) bool {
			return u.Power == b.owner && u.Kind == "submarine" && u.Role != title(string(NoRole)) &&
				g.sameBoat(u.Name, b.name)
		}) {
			c.groups = append(c.groups, events.HuntedGroup{Power: b.owner, Submarines: []string{b.name}})
		}
	}
	if len(c.groups) == 0 {
		return nil
	}
	return []combat{c}
}

// chosen reports whether an owner has chosen which of his submarines submerge.
func (c combat) chosen(power string) bool {
	return slices.ContainsFunc(c.dives, func(d dive) bool { return d.power == power })
}

// heldUp reports whether enemy destroyers keep a group from submerging: it was detected, or stayed up beside them
// (AAR-7-DETECTED).
func (c combat) heldUp(g events.HuntedGroup) bool {
	return g.Detected || c.chosen(g.Power) && len(g.Values) > 0
}

// hasChosen reports whether an owner has chosen which of his submarines submerge in a combat, in an exact edition also
// by a report of one that did.
func (g game) hasChosen(c combat, power string) bool {
	hunted, _ := c.of(power)
	return c.chosen(power) || g.exact() && slices.ContainsFunc(hunted.Submarines, func(name string) bool {
		return slices.Contains(g.submerged[c.attacker].Value, name)
	})
}

// combatIn is the combat in a sea zone in the TURN that is on.
func (g game) combatIn(zone string) (combat, bool) {
	return rules.Find(g.combats, func(c combat) bool { return c.zone == zone && c.attacker == g.Player })
}

// group is the group that a submarine belongs to.
func (c combat) group(submarine string) (events.HuntedGroup, bool) {
	return rules.Find(c.groups, func(g events.HuntedGroup) bool { return slices.Contains(g.Submarines, submarine) })
}

// of is the group of a power.
func (c combat) of(power string) (events.HuntedGroup, bool) {
	return rules.Find(c.groups, func(g events.HuntedGroup) bool { return g.Power == power })
}

// fights reports whether a submarine is in the combats of its sea zone in an attacker's TURN.
func (b boat) fights(attacker string) bool {
	return b.owner == attacker || enemies(Power(b.owner), Power(attacker))
}

// renamed gives the submarine that another could be by the reports since: it was hunted elsewhere in the same TURN and
// is on the board no more, and the other, of the same owner, is new since then.
func (g game) renamed(b boat, attacker string) (string, combat, bool) {
	onBoard := func(list []boat, name string) bool {
		return slices.ContainsFunc(list, func(o boat) bool { return o.name == name })
	}
	combats := g.combats
	if g.exact() {
		combats = slices.Concat(combats, g.landing)
	}
	for _, c := range combats {
		if c.attacker != attacker || c.zone == b.zone || onBoard(c.afloat, b.name) {
			continue
		}
		for _, hunted := range c.groups {
			for _, name := range hunted.Submarines {
				if hunted.Power == b.owner && !onBoard(g.boats(), name) {
					return name, c, true
				}
			}
		}
	}
	return "", combat{}, false
}
