package course

import (
	"slices"

	"github.com/watu-ledger/watu/projections/strategic"
)

// losses are the IPCs that raids, bombs and plunder took from each power so far, the damage that its facilities took,
// and the units that it lost in what was ruled on. Damage is no IPC: it costs one only where it is repaired.
func (r Record) losses() []Panel {
	var lost, damage, units sums
	if r.Income != nil {
		for _, t := range r.Income.Turns {
			for _, x := range t.Raids {
				if x.Counts() && x.Damage > 0 {
					lost.add(t.Power, t.Ordinal, x.Event, int64(x.Damage))
				}
			}
			for _, x := range t.Disruptions {
				if x.Counts() && x.Damage > 0 {
					lost.add(t.Power, t.Ordinal, x.Event, int64(x.Damage))
				}
			}
		}
		for _, t := range r.Income.Attacks {
			for _, x := range t.Attacks {
				if x.Counts() && x.Damage > 0 {
					lost.add(t.Victim, t.Ordinal, x.Event, int64(x.Damage))
				}
			}
		}
		for _, x := range r.Income.Captures {
			if x.Counts() && x.Loot > 0 {
				lost.add(x.LootFrom, x.Ordinal, x.Event, int64(x.Loot))
			}
		}
		for _, x := range r.Income.Damage {
			if x.Counts() && x.FacilityDamaged.Damage > 0 {
				damage.add(x.Victim, x.Ordinal, x.Event, int64(x.FacilityDamaged.Damage))
			}
		}
	}
	if r.Strategic != nil {
		for _, x := range r.Strategic.Losses {
			for _, u := range x.Units {
				if x.Counts() && u.Count > 0 {
					units.add(x.Power, x.Ordinal, x.Event, int64(min(u.Count, mostUnits)))
				}
			}
		}
	}
	return slices.Concat(r.panel("lost", "course-lost", lost), r.panel("damaged", "course-damaged", damage),
		r.panel("units-lost", "course-units", units))
}

// mostUnits are the most that one report is believed of.
const mostUnits = 1_000_000

// scored are the two numbers of the results of each side so far. They stay two: what they mean is the table's.
func (r Record) scored() []Panel {
	var first, second sums
	if r.Strategic == nil {
		return nil
	}
	for _, x := range r.Strategic.Warfare {
		for _, n := range x.Readings {
			if x.Counts() && !strategic.IsBase(x.Procedure) {
				first.add(n.Side, x.Ordinal, x.Event, int64(n.First))
				second.add(n.Side, x.Ordinal, x.Event, int64(n.Second))
			}
		}
	}
	return append(r.panel("first", "course-first", first), r.panel("second", "course-second", second)...)
}
