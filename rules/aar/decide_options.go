package aar

import (
	"github.com/watu-ledger/watu/rules"
)

// settledRaid puts an option that is still to be asked to the umpire, if the raids turn on it: if they
// would read differently under its readings. They come to the options in this order, so one that is
// asked later does not bear on an earlier one.
func (d *decision) settledRaid(in RaidInput) bool {
	return OptionList().SettledFor(d.Hearing, d.Command, d.Options, func(options map[string]string) any {
		in.Options = rulesOptions(options)
		_, found := Raid(in)
		return found.Derivation
	}, "tiers", "convoy_raid_cap", "income_floor")
}

// settledHunt puts the options to the umpire on which a value turns, before the dice are thrown.
func (d *decision) settledHunt(sides []DetectionInput) bool {
	return OptionList().SettledFor(d.Hearing, d.Command, d.Options, func(options map[string]string) any {
		var values []int
		for _, in := range sides {
			in.Options = rulesOptions(options)
			for _, dd := range in.Destroyers {
				for _, s := range in.Submarines {
					values = append(values, DetectionValue(&rules.Findings{}, in, dd.Power, s))
				}
			}
		}
		return values
	}, "baseline", "super_destroyers")
}

// rulesOptions gives settled options in the form that rulings take.
func rulesOptions(settled map[string]string) Options {
	var o Options
	OptionList().Fill(&o, settled)
	return o
}
