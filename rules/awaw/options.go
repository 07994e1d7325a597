package awaw

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

// Option is a question that the rules leave open: its answers as option values, the first
// being the default, and what each of them means.
type Option struct {
	Name      string
	Ambiguity string // id of the decision register
	Question  string
	Readings  []Reading // the first one is the default
}

// Reading is one answer to an option's question.
type Reading struct {
	Value   string
	Meaning string
}

// Default is the option's recommended value.
func (o Option) Default() string { return o.Readings[0].Value }

// Allows reports whether the value is one of the option's answers.
func (o Option) Allows(value string) bool {
	for _, r := range o.Readings {
		if r.Value == value {
			return true
		}
	}
	return false
}

// OptionNamed gives an option by name, and false if there is none.
func OptionNamed(name string) (Option, bool) {
	for _, o := range OptionList() {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// Value is the value of the named option, the default where none is set, and empty for no
// option of this system.
func (o Options) Value(name string) string {
	field := o.field(name)
	if field == nil {
		return ""
	}
	if *field == "" {
		option, _ := OptionNamed(name)
		return option.Default()
	}
	return *field
}

// With gives the options with one of them set. It reports false, and changes nothing, if
// there is no such option or value.
func (o Options) With(name, value string) (Options, bool) {
	option, ok := OptionNamed(name)
	if !ok || !option.Allows(value) {
		return o, false
	}
	*o.field(name) = value
	return o, true
}

func (o *Options) field(name string) *string {
	switch name {
	case "blank_cards":
		return &o.BlankCards
	case "campaign_scope":
		return &o.CampaignScope
	case "low_roll":
		return &o.LowRoll
	case "us_entry":
		return &o.USEntry
	case "advanced_submarine":
		return &o.AdvancedSubmarine
	case "below_4":
		return &o.Below4
	case "level_7":
		return &o.Level7
	case "nas_rounding":
		return &o.NASRounding
	case "play_order":
		return &o.PlayOrder
	case "result_meaning":
		return &o.ResultMeaning
	}
	return nil
}

// OptionList gives every option of the system, in the order of the decision register.
func OptionList() []Option {
	return []Option{
		{"blank_cards", "AMB-AWAW-1",
			"A pool may hold three cards of a type, yet most pools begin with five or six blanks. May production add a blank?",
			[]Reading{
				{"refused", "the initial blanks stand, none is added"},
				{"allowed", "blanks have no limit and may be added"}}},
		{"play_order", "AMB-AWAW-2",
			"The lists that say who plays codebreaking cards first are missing from the text. In which order are they played?",
			[]Reading{
				{"alternate", "the acting side first, then by turns until both pass"},
				{"simultaneous_secret", "both sides choose in secret and reveal together"}}},
		{"campaign_scope", "AMB-AWAW-3",
			"The list of submarine campaigns is missing. Does a submarine or ASW card serve one SW box or the faction's whole campaign?",
			[]Reading{
				{"campaign", "all boxes where the faction's submarines may fight"},
				{"per_box", "the one box named when the cards are played"}}},
		{"result_meaning", "AMB-AWAW-5",
			"A result on 24.62 has two numbers that the text does not name. What are they called?",
			[]Reading{
				{"unlabelled", "first and second, as printed"},
				{"eliminated_inverted", "factors eliminated, then factors inverted"}}},
		{"low_roll", "AMB-AWAW-6",
			"Table 24.62 has no column below 2. How is a modified roll below 2 read?",
			[]Reading{
				{"column_2", "as a 2"},
				{"no_effect", "as no result"}}},
		{"us_entry", "AMB-AWAW-8",
			"War between Germany and the U.S. gives +1, its first turn +2 and its second +1. Do these add up?",
			[]Reading{
				{"cumulative", "the bonus of the turn comes on top of the +1"},
				{"exclusive", "the bonus of the turn stands in place of the +1"}}},
		{"advanced_submarine", "AMB-AWAW-9",
			"Advanced submarines make harbor attacks at +1. What becomes of the listed modifiers?",
			[]Reading{
				{"replace", "the +1 is the only modifier"},
				{"add", "the +1 is one more modifier"}}},
		{"below_4", "AMB-AWAW-10",
			"The levels of surprise begin at 4. What is a level of 3 or less?",
			[]Reading{
				{"no_surprise", "all defending air engages"},
				{"as_4", "the same as level 4"}}},
		{"level_7", "AMB-AWAW-11",
			"Does a level of 7 or more bring the effect of level 6 too?",
			[]Reading{
				{"cumulative", "yes: all defending air is surprised as well"},
				{"row_alone", "no: only what the row of level 7 says"}}},
		{"nas_rounding", "AMB-AWAW-13",
			"Three NAS count as one AAF against a carrier's harbor attack. What of a remainder?",
			[]Reading{
				{"down", "it does not count"},
				{"up", "it counts as one more"}}},
	}
}
