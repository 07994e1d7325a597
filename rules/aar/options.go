package aar

import "github.com/watu-ledger/watu/rules"

// The options on which campaigns alone turn.
const (
	optionDamage = "bombing_damage"
	optionTarget = "bombing_target"
	optionRadar  = "radar"
)

// reading is the campaign's answer to an option. One that the campaign does not have reads as before there was such an
// option, and one that is to be asked as its default.
func (g game) reading(option string) string {
	o, _ := OptionList().Named(option)
	switch value := g.Options[option]; {
	case o.Allows(value):
		return value
	case value == "" && o.Before != "":
		return o.Before
	}
	return o.Default()
}

// carries reports whether what the record holds binds later entries (GEN-CARRY).
func (g game) carries() bool { return rules.Carries(g.Options) }

// strict reports whether entries are also held to what those of edition 2 let through (GEN-CARRY).
func (g game) strict() bool { return rules.Strict(g.Options) }

// exact reports whether entries are also held to what those of edition 3 let through (GEN-CARRY).
func (g game) exact() bool { return rules.Exact(g.Options) }

// firm reports whether what the text forbids in so many words is refused where it was warned of (GEN-CARRY).
func (g game) firm() bool { return rules.Firm(g.Options) }

// Options are the house choices of a campaign or a request. A zero value is the default.
type Options struct {
	ConvoyRaidCap string `json:"convoy_raid_cap,omitempty"`
	Tiers         string `json:"tiers,omitempty"`
	IncomeFloor   string `json:"income_floor,omitempty"`

	Baseline        int    `json:"baseline,omitempty"`
	SuperDestroyers string `json:"super_destroyers,omitempty"`
	EmptySZ7        string `json:"sz7_empty,omitempty"`
}

// baseline is the DD-to-detect value without modifiers.
func (o Options) baseline() int {
	if o.Baseline == 0 {
		return 3
	}
	return o.Baseline
}

// raidCap is what raids may take of a complex in one TURN.
func (o Options) raidCap(value int) int {
	if o.ConvoyRaidCap == "double_ipc_value" {
		return 2 * value
	}
	return value
}

// capRule is the id under which the cap on raids is cited.
func (o Options) capRule() string {
	if o.ConvoyRaidCap == "double_ipc_value" {
		return "AMB-AAR-1"
	}
	return "AAR-4-CAP"
}

// reach is what a submarine takes at a distance, before the caps.
func (o Options) reach(distance int) int {
	switch {
	case distance == 1 && o.Tiers == "cumulative":
		return 3
	case distance == 1:
		return 2
	}
	return 1
}
