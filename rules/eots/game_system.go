package eots

import (
	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// The sides.
const (
	allies = "Allies"
	japan  = "Japan"
)

// System is the submarine warfare variant of Empire of the Sun as a system of rules. The map is not
// part of it: hexes go by their numbers, and what stands there is reported.
func System() rules.System {
	return rules.System{
		Name: "eots", Title: "Empire of the Sun", Sides: []string{allies, japan}, Editions: Editions(),
		Options: OptionList(), Verbs: verbs.Verbs(), Views: []string{"strategic"},
		New:  func([]rules.BoardFile) (rules.Game, error) { return game{}, nil },
		Open: openCampaign, Table: tables.Named, Procedures: Procedures(),
		Revision: 2, StrategicTitle: "Submarine warfare",
		Types: []events.Type{
			"base_attacked", "base_displaced", "base_placed", "base_replaced", "headquarters_reported",
			"strategy_card_played", "strategy_cards_drawn", "success_spent", "targets_reported",
		},
	}
}

// Editions gives the editions of the rules.
func Editions() []rules.Edition {
	return rules.LoadEditions("eots", files, OptionList(), "5", "4", "3", "2", "1")
}

// OptionList gives every option of the system, in the order of the decision register.
func OptionList() rules.OptionList {
	return rules.OptionList{
		{Name: "die", Ambiguity: "AMB-EOTS-1",
			Why: "The table of card 5 has rows 0, 1-2 and 3-9, and a die read 1 to 10 has no row 0.",
			Question: "The text does not say how the ten-sided die is read, but a table has a row for 0. Is it " +
				"read 0 to 9?",
			Readings: []rules.Reading{
				{Value: "0-9", Meaning: "0 to 9, as the table's rows"},
				{Value: "1-10", Meaning: "1 to 10; a 10 reads as 0 in that table, and counts 10 elsewhere"}}},
		{Name: "swm_timing", Ambiguity: "AMB-EOTS-4",
			Why: "What lowers the SWM is said to be each previous success, and both bases roll in one segment.",
			Question: "One base succeeds and reduces the SWM. Does the other base's die of the same segment profit " +
				"from it?",
			Readings: []rules.Reading{
				{Value: "segment_start", Meaning: "no: the SWM of the whole segment is that of its beginning"},
				{Value: "immediate", Meaning: "yes: the base that rolls later uses the reduced SWM"}}},
		{Name: "spaces_counted", Ambiguity: "AMB-EOTS-5",
			Why: "Only of HQs is it said that they count besides their space.",
			Question: "A space meets two conditions of the SLOC Proximity Value, a port in a resource hex for one. " +
				"How often does it count?",
			Readings: []rules.Reading{
				{Value: "once", Meaning: "once: only HQs are said to count besides their space"},
				{Value: "each_condition", Meaning: "once for each condition"}}},
		{Name: "card_again", Ambiguity: "AMB-EOTS-13", Before: "stated",
			Why:      "Each play of card 80 counts, so cards return; until a later turn it lies where it was played.",
			Question: "The text does not say whether a Strategy Card that was played may be played again. May it?",
			Readings: []rules.Reading{
				{Value: "next_turn", Meaning: "in a later turn, as it may have been drawn again; once in a turn"},
				{Value: "never", Meaning: "no: it is out of the game"},
				{Value: "stated", Meaning: "only card 80, as often as an entry says so"}}},
		rules.Consequences(),
	}
}

// openCampaign writes the sides and every option into the first event. The scenario is chosen by the
// first turn's year.
func openCampaign(e rules.Edition, options map[string]string,
	_ []rules.BoardFile) (*events.CampaignOpened, []rules.BoardFile, rules.Findings) {
	chosen, f := OptionList().Choose(e, options)
	return &events.CampaignOpened{System: "eots", Edition: e.Name, Dice: "chain", Sides: []string{allies, japan},
		Options: chosen}, nil, f
}
