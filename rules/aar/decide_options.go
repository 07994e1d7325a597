package aar

import (
	"slices"
	"strconv"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// settled puts an option that is still to be asked to the umpire, if the raids turn on it: if they
// would read differently under its readings. They come to the options in this order, so one that is
// asked later does not bear on an earlier one.
func (d *decision) settled(in RaidInput) bool {
	for _, name := range []string{"tiers", "convoy_raid_cap", "income_floor"} {
		if d.Options[name] == rules.Ask && d.turnsOn(name, in) {
			return OptionList().Settled(d.Hearing, d.Command, d.Options, name)
		}
	}
	return true
}

func (d *decision) turnsOn(name string, in RaidInput) bool {
	o, _ := OptionList().Named(name)
	_, asDefault := Raid(in) // an option that is to be asked reads as its default
	return slices.ContainsFunc(o.Values(), func(value string) bool {
		in.Options = rulesOptions(axisallies.With(d.Options, name, value))
		_, found := Raid(in)
		return !slices.Equal(found.Derivation, asDefault.Derivation)
	})
}

// rulesOptions gives settled options in the form that rulings take.
func rulesOptions(o map[string]string) Options {
	baseline, _ := strconv.Atoi(o["baseline"]) // one that is to be asked reads as the default
	return Options{
		ConvoyRaidCap: o["convoy_raid_cap"], Tiers: o["tiers"], IncomeFloor: o["income_floor"],
		Baseline: baseline, SuperDestroyers: o["super_destroyers"], EmptySZ7: o["sz7_empty"],
	}
}
