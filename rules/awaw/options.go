package awaw

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// Options are the house choices of a campaign or a request. A zero value is the default.
type Options struct {
	BlankCards        string `json:"blank_cards,omitempty"`
	CampaignScope     string `json:"campaign_scope,omitempty"`
	LowRoll           string `json:"low_roll,omitempty"`
	USEntry           string `json:"us_entry,omitempty"`
	AdvancedSubmarine string `json:"advanced_submarine,omitempty"`
	Below4            string `json:"below_4,omitempty"`
	Level7            string `json:"level_7,omitempty"`
	NASRounding       string `json:"nas_rounding,omitempty"`
	PlayOrder         string `json:"play_order,omitempty"`
	ResultMeaning     string `json:"result_meaning,omitempty"`
}

// OptionList gives every option of the system, in the order of the decision register.
func OptionList() rules.OptionList { return slices.Concat(optionList, laterOptions) }

var optionList = rules.OptionList{
	{Name: "blank_cards", Ambiguity: "AMB-AWAW-1",
		Question: "A pool may hold three cards of a type, yet most pools begin with five or six blanks. May " +
			"production add a blank?",
		Why: "The limit of three is stated for every type of card, and blank is one of the six.",
		Readings: []rules.Reading{
			{Value: "refused", Meaning: "the initial blanks stand, none is added"},
			{Value: "allowed", Meaning: "blanks have no limit and may be added"}}},
	{Name: "play_order", Ambiguity: "AMB-AWAW-2",
		Question: "The lists that say who plays codebreaking cards first are missing from the text. In which " +
			"order are they played?",
		Why: "Where the text does show cards being answered, in a Magic interception (48.62), it is by turns.",
		Readings: []rules.Reading{
			{Value: "alternate", Meaning: "the acting side first, then by turns until both pass"},
			{Value: "simultaneous_secret", Meaning: "both sides choose in secret and reveal together"}}},
	{Name: "campaign_scope", Ambiguity: "AMB-AWAW-3",
		Question: "The list of submarine campaigns is missing. Does a submarine or ASW card serve one SW box or " +
			"the faction's whole campaign?",
		Why: "The effect is on boxes in the plural (48.41-A), and the table of modifiers says which deck " +
			"serves which box.",
		Readings: []rules.Reading{
			{Value: "campaign", Meaning: "all boxes where the faction's submarines may fight"},
			{Value: "per_box", Meaning: "the one box named when the cards are played"}}},
	{Name: "result_meaning", Ambiguity: "AMB-AWAW-5",
		Question: "A result on 24.62 has two numbers that the text does not name. What are they called?",
		Why: "Nothing in the text names them. Eliminated and inverted are states that it knows, but that " +
			"they are meant is a guess.",
		Readings: []rules.Reading{
			{Value: "unlabelled", Meaning: "first and second, as printed"},
			{Value: "eliminated_inverted", Meaning: "factors eliminated, then factors inverted"}}},
	{Name: "low_roll", Ambiguity: "AMB-AWAW-6",
		Question: "Table 24.62 has no column below 2. How is a modified roll below 2 read?",
		Why: "The Harbor Attack Table reads what is below it as its lowest column, and nothing says " +
			"otherwise here.",
		Readings: []rules.Reading{
			{Value: "column_2", Meaning: "as a 2"},
			{Value: "no_effect", Meaning: "as no result"}}},
	{Name: "us_entry", Ambiguity: "AMB-AWAW-8",
		Question: "War between Germany and the U.S. gives +1, its first turn +2 and its second +1. Do " +
			"these add up?",
		Why: "They are separate lines of the table.",
		Readings: []rules.Reading{
			{Value: "cumulative", Meaning: "the bonus of the turn comes on top of the +1"},
			{Value: "exclusive", Meaning: "the bonus of the turn stands in place of the +1"}}},
	{Name: "advanced_submarine", Ambiguity: "AMB-AWAW-9",
		Question: "Advanced submarines make harbor attacks at +1. What becomes of the listed modifiers?",
		Why:      "The text makes it an exception to applying the modifiers.",
		Readings: []rules.Reading{
			{Value: "replace", Meaning: "the +1 is the only modifier"},
			{Value: "add", Meaning: "the +1 is one more modifier"}}},
	{Name: "below_4", Ambiguity: "AMB-AWAW-10",
		Question: "The levels of surprise begin at 4. What is a level of 3 or less?",
		Why:      "There is no row for it.",
		Readings: []rules.Reading{
			{Value: "no_surprise", Meaning: "all defending air engages"},
			{Value: "as_4", Meaning: "the same as level 4"}}},
	{Name: "level_7", Ambiguity: "AMB-AWAW-11",
		Question: "Does a level of 7 or more bring the effect of level 6 too?",
		Why:      "A higher level cannot surprise less.",
		Readings: []rules.Reading{
			{Value: "cumulative", Meaning: "yes: all defending air is surprised as well"},
			{Value: "row_alone", Meaning: "no: only what the row of level 7 says"}}},
	{Name: "nas_rounding", Ambiguity: "AMB-AWAW-13",
		Question: "Three NAS count as one AAF against a carrier's harbor attack. What of a remainder?",
		Why:      "It takes three to make one, and the text gives no part of one.",
		Readings: []rules.Reading{
			{Value: "down", Meaning: "it does not count"},
			{Value: "up", Meaning: "it counts as one more"}}},
}

// laterOptions came with edition 2.
var laterOptions = rules.OptionList{
	{Name: "italian_submarines", Ambiguity: "AMB-AWAW-24", Before: "ultra",
		Question: "Ultra affects Italian naval activities in the Indian Ocean (48.13), but there the table of " +
			"modifiers has it for German submarines only. Does it count for Italian ones?",
		Why: "What the table says of submarine warfare is the narrower of the two, and leaves Ultra its other " +
			"effects on Italian ships.",
		Readings: []rules.Reading{
			{Value: "no_ultra", Meaning: "no: the cards count for German submarines alone"},
			{Value: "ultra", Meaning: "yes: the cards count for the submarines of Germany and Italy"}}},
	rules.Consequences(),
}
