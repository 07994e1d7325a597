package aar

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// System is the house rules of Axis & Allies Revised as a system of rules. A campaign is played
// on a board.
func System() rules.System {
	return rules.System{
		Name: "aar", Title: "Axis & Allies Revised", Sides: powerNames(), Editions: Editions(), Options: OptionList(),
		Verbs: verbs.Verbs(), Views: []string{"income", "strategic", "situation"}, Boards: true,
		New: newGame, Open: openCampaign, Survey: survey,
		Table: tables.Named, Procedures: Procedures(),
		Revision: 2, StrategicTitle: "Hunts, losses and further results",
		Earnings: func(g rules.Game, power string) []rules.Earning { return g.(game).Earnings(power) },
		Lagging:  []events.Type{"submarines_reported"}, // the boats in SZ 7 as the US TURN began
		Types: []events.Type{
			"convoy_raided", "economic_attack_made", "income_collected", "operation_carried_out",
			"operation_declared", "shots_called", "submarines_hunted", "submarines_reported",
			"submarines_submerged", "units_fired", "units_lost", "units_mobilized", "units_moved", "units_purchased",
			"units_reported",
		},
	}
}

// Editions gives the editions of the rules.
func Editions() []rules.Edition {
	return rules.LoadEditions("aar", files, OptionList(), "5", "4", "3", "2", "1")
}

// OptionList gives every option of the system, in the order of the decision register.
func OptionList() rules.OptionList {
	return rules.OptionList{
		{Name: "convoy_raid_cap", Ambiguity: "AMB-AAR-1",
			Question: "The rule caps raids on a complex at its territory's IPC value; the example has them take " +
				"twice as much. Which holds?",
			Why: "The rule states its cap outright; the example merely uses another.",
			Readings: []rules.Reading{
				{Value: "ipc_value", Meaning: "raids take at most the territory's IPC value a turn"},
				{Value: "double_ipc_value", Meaning: "raids take at most twice that value a turn"}}},
		{Name: "tiers", Ambiguity: "AMB-AAR-4",
			Question: "Does a submarine next to a complex also count as one within two sea zones?",
			Why:      "The text gives 2 and 1, and nowhere 3.",
			Readings: []rules.Reading{
				{Value: "exclusive", Meaning: "no: it takes 2 from next to it, 1 from two sea zones away"},
				{Value: "cumulative", Meaning: "yes: it takes 3 from next to it, 1 from two sea zones away"}}},
		{Name: "income_floor", Ambiguity: "AMB-AAR-5",
			Question: "May raids take more than a power collects?",
			Why:      "The text knows no debts.",
			Readings: []rules.Reading{
				{Value: "zero", Meaning: "no: income stops at 0"},
				{Value: "none", Meaning: "yes: the rest is owed"}}},
		{Name: "baseline", Ambiguity: "AMB-AAR-2",
			Question: "The rule and its example have a DD-to-detect value of 3 at the start, the list of modifiers " +
				"has 2. Which holds?",
			Why: "The example comes out with 3 alone.",
			Readings: []rules.Reading{
				{Value: "3", Meaning: "destroyers detect on 3 or less, before modifiers"},
				{Value: "2", Meaning: "destroyers detect on 2 or less, before modifiers"}}},
		{Name: "super_destroyers", Ambiguity: "AMB-AAR-7",
			Question: "As printed, Super Destroyers make super submarines of the same power easier to detect. Is " +
				"that meant?",
			Why: "So it stands, garbled as it may be.",
			Readings: []rules.Reading{
				{Value: "own_super_subs", Meaning: "yes: +1 for one's own super submarines"},
				{Value: "opposing_subs", Meaning: "no: +1 for the enemy's submarines"}}},
		{Name: "sz7_empty", Ambiguity: "AMB-AAR-6",
			Question: "The UK bombards on D-Day if SZ 7 was empty. Empty of whom?",
			Why:      "A British fleet that waits there is to bombard.",
			Readings: []rules.Reading{
				{Value: "no_enemy_units", Meaning: "of enemy units"},
				{Value: "no_units", Meaning: "of all units, also of its own"}}},
		rules.Consequences(),
		{Name: optionDamage, Ambiguity: "AMB-AAR-13", Before: "stated",
			Question: "The text caps the damage of bombers and rockets. Where do its dice come from?",
			Why:      "Dice that were declared before they fell can be proved.",
			Readings: []rules.Reading{
				{Value: "thrown", Meaning: "the ledger throws a die for each bomber, and one for rockets"},
				{Value: "stated", Meaning: "the table throws them, and the entry states the damage"}}},
		{Name: optionTarget, Ambiguity: "AMB-AAR-14", Before: "any",
			Question: "May bombers and rockets attack a territory without an industrial complex?",
			Why:      "The book has both attack industrial complexes, and the house rules change only how much counts.",
			Readings: []rules.Reading{
				{Value: "complex", Meaning: "no: an industrial complex has to stand there"},
				{Value: "any", Meaning: "yes: any territory of an enemy"}}},
		{Name: optionRadar, Ambiguity: "AMB-AAR-15", Before: "2",
			Question: "Radar applies to battleships. On what do the AA guns of a power with Radar hit?",
			Why:      "Radar that changed nothing need not be applied to anything.",
			Readings: []rules.Reading{
				{Value: "2", Meaning: "on 2 or less"},
				{Value: "1", Meaning: "on 1, as without it"}}},
	}
}

// newGame gives the state before the first event; without a board it can apply events alone.
func newGame(files []rules.BoardFile) (rules.Game, error) {
	s, err := axisallies.New(files, phases())
	return game{State: s}, err
}

func openCampaign(e rules.Edition, options map[string]string,
	files []rules.BoardFile) (*events.CampaignOpened, []rules.BoardFile, rules.Findings) {
	return axisallies.Open("aar", powerNames(), OptionList(), e, options, files)
}
