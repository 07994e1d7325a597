package g40

import "github.com/watu-ledger/watu/rules"

// Names of the options.
const (
	OptionSubmarine            = "submarine"
	OptionSurfaceWarship       = "surface_warship"
	OptionGermanSubmarine      = "german_submarine"
	OptionSuperSubmarine       = "super_submarine"
	OptionLoneGuns             = "lone_guns"
	OptionAirBattle            = "air_battle"
	OptionInterceptorHitsOn    = "interceptor_hits_on"
	OptionStrategicBomberBonus = "strategic_bomber_bonus"
	OptionPrices               = "prices"
	OptionTemporaryControl     = "temporary_control"
	OptionOperative            = "operative"
	OptionStruck               = "struck"
)

// OptionList gives every option of the system, in the order of the decision register.
func OptionList() rules.OptionList {
	list := append(convoyOptions(), []rules.Option{
		{Name: OptionLoneGuns, Ambiguity: "AMB-G40-2",
			Question: "AA guns that are attacked with no combat unit beside them are destroyed. Do they fire at " +
				"aircraft before?",
			Why: "The text has them destroyed automatically; a shot before is nowhere said.",
			Readings: []rules.Reading{
				{Value: "no_fire", Meaning: "no: they are destroyed without a shot"},
				{Value: "fire", Meaning: "yes: they fire once, and are then destroyed"}}},
		{Name: OptionAirBattle, Ambiguity: "AMB-G40-3",
			Question: "Do interceptors that are shot down still fire?",
			Why:      "The text removes interceptors as they are hit, and lets the survivors fire.",
			Readings: []rules.Reading{
				{Value: "interceptors_fire_after", Meaning: "no: only those fire that survive the attackers' fire"},
				{Value: "simultaneous", Meaning: "yes: both sides fire at once"}}},
		{Name: OptionInterceptorHitsOn, Ambiguity: "AMB-G40-3",
			Question: "On what do interceptors hit?",
			Why:      "The text says 2 or less; later ones say 1.",
			Readings: []rules.Reading{
				{Value: "2", Meaning: "on 2 or less"},
				{Value: "1", Meaning: "on 1"}}},
		{Name: OptionStrategicBomberBonus, Ambiguity: "AMB-G40-3",
			Question: "What is added to the damage that a strategic bomber rolls?",
			Why:      "The text knows no bonus; later ones add 2.",
			Readings: []rules.Reading{
				{Value: "0", Meaning: "nothing"},
				{Value: "1", Meaning: "1 for each bomber"},
				{Value: "2", Meaning: "2 for each bomber"}}},
	}...)
	return append(list, laterOptions()...)
}

// laterOptions came with editions 3 and 4.
func laterOptions() rules.OptionList {
	return rules.OptionList{
		{Name: OptionPrices, Ambiguity: "AMB-G40-9", Before: "house",
			Question: "Which prices does the ledger hold purchases, buildings and repairs to?",
			Why: "The text prices AA guns and, with Improved Shipyards, cruisers, and amends a list that is the " +
				"boxed game's; the board has that list.",
			Readings: []rules.Reading{
				{Value: "exact", Meaning: "the text's, else those reported or the board's: neither more nor less"},
				{Value: "house", Meaning: "those of the house, as each entry gives its cost: no less than what the " +
					"text prices"}}},
		{Name: OptionTemporaryControl, Ambiguity: "AMB-G40-10", Before: "kept",
			Question: "Allies hold territories of a power whose capital was lost. What becomes of them when the " +
				"capital is free?",
			Why: "The text calls their control temporary and does not say how it ends. It speaks of the United " +
				"Kingdom alone; other powers are treated alike.",
			Readings: []rules.Reading{
				{Value: "returned", Meaning: "they go back to their power at once, and it collects for them"},
				{Value: "kept", Meaning: "the ally keeps them until control is reported otherwise"}}},
		{Name: OptionOperative, Ambiguity: "AMB-G40-4", Before: "stated",
			Question: "From how much damage on does a base or complex not operate?",
			Why: "The text says that damage decreases or eliminates what a facility can do, and gives no figure; " +
				"at its maximum nothing is left.",
			Readings: []rules.Reading{
				{Value: "maximum", Meaning: "from its maximum on: 6, or 20 for a major complex"},
				{Value: "3", Meaning: "a base from 3 on, as players quote of the box; a complex from its maximum on"},
				{Value: "stated", Meaning: "as the facts say of each: operative: false"}}},
		rules.Consequences(),
		{Name: OptionStruck, Ambiguity: "GEN-CARRY", Before: "zone", Erratum: true,
			Question: "Kamikazes sank a ship where none of its kind is reported. Where is it taken off?",
			Why:      "A ship that is sunk is not where it was reported any more.",
			Readings: []rules.Reading{
				{Value: "origin", Meaning: "where it is reported: in one such sea zone"},
				{Value: "zone", Meaning: "in the sea zone where it was struck alone"}}},
	}
}

// convoyOptions are what a raider takes of a convoy: the text gives German submarines and Super
// Submarines alone.
func convoyOptions() rules.OptionList {
	return rules.OptionList{
		{Name: OptionSubmarine, Ambiguity: "AMB-G40-1",
			Question: "What does a submarine that is neither German nor a Super Submarine take of a convoy?",
			Why:      "The text gives no figure; 2 is what players quote of the boxed rules.",
			Readings: ipcReadings("2", "1", "3", "0")},
		{Name: OptionSurfaceWarship, Ambiguity: "AMB-G40-1",
			Question: "What does a surface warship take of a convoy?",
			Why:      "The text gives no figure; 1 is what players quote of the boxed rules.",
			Readings: ipcReadings("1", "0", "2", "3")},
		{Name: OptionGermanSubmarine, Ambiguity: "AMB-G40-1",
			Question: "What does a German submarine take of a convoy?",
			Why:      "The text gives 3; on station is read as being in the convoy's sea zone.",
			Readings: ipcReadings("3", "2", "1")},
		{Name: OptionSuperSubmarine, Ambiguity: "AMB-G40-1",
			Question: "What does a Super Submarine take of a convoy?",
			Why:      "The text gives 3.",
			Readings: ipcReadings("3", "2", "4")},
	}
}

func ipcReadings(numbers ...string) []rules.Reading {
	var list []rules.Reading
	for _, n := range numbers {
		unit := "IPCs"
		if n == "1" {
			unit = "IPC"
		}
		list = append(list, rules.Reading{Value: n, Meaning: n + " " + unit + " each"})
	}
	return list
}
