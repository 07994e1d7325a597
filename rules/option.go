package rules

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
)

// Ask is the value of an option that is to be put to the umpire when it first matters.
const Ask = "ask"

// Option is a question that the rules leave open: its answers as option values, the first
// being the default, and what each of them means.
type Option struct {
	Name      string
	Ambiguity string // id of the decision register
	Question  string
	Why       string    // why the default is the recommended reading; no edition's hash covers it
	Readings  []Reading // the first one is the default
	Before    string    // the reading of the editions whose sheets do not list it, as they are older; empty if all do
	Erratum   bool      // only editions have it, and no campaign or ruling chooses a reading; the latest comes first
}

// Consequences is the option by which editions differ whose ledger carries what entries decide into the next ones,
// and those that leave it to the umpire ([Carries]).
func Consequences() Option {
	return Option{Name: "consequences", Ambiguity: "GEN-CARRY", Before: "stated", Erratum: true,
		Question: "Does what an entry decides bind the entries after it?",
		Why:      "What the record holds nobody need state again, and nobody can forget it.",
		Readings: []Reading{
			{Value: "firm", Meaning: "yes, and what a text forbids in so many words is refused, not only warned of"},
			{Value: "exact", Meaning: "yes, and no play gains by being split over entries, renamed or repeated"},
			{Value: "strict", Meaning: "yes, and nothing is used again that was moved, used up or lost"},
			{Value: "carried", Meaning: "yes: the ledger knows what was used up, damaged, lost or bought before"},
			{Value: "stated", Meaning: "only as far as an entry or a fact states it"}}}
}

// Carries reports whether, by the options of a campaign, what its record holds binds later entries (GEN-CARRY).
func Carries(now map[string]string) bool { return now["consequences"] == "carried" || Strict(now) }

// Strict reports whether, by the options of a campaign, entries are also held to what those of its second editions let
// through (GEN-CARRY): a unit that moves twice in a turn, one that is used after its loss.
func Strict(now map[string]string) bool { return now["consequences"] == "strict" || Exact(now) }

// Exact reports whether, by the options of a campaign, entries are also held to what its strict editions let through
// (GEN-CARRY): one play stated in two entries, a loss under another name.
func Exact(now map[string]string) bool { return now["consequences"] == "exact" || Firm(now) }

// Firm reports whether, by the options of a campaign, what a text forbids in so many words is refused where its exact
// editions hear it with a warning (GEN-CARRY): a raid after the combat that it comes before ([Hearing.Forbid]).
func Firm(now map[string]string) bool { return now["consequences"] == "firm" }

// Reading is one answer to an option's question.
type Reading struct {
	Value   string
	Meaning string
}

// Default is the option's recommended value. An edition may have another ([Edition.Default]).
func (o Option) Default() string { return o.Readings[0].Value }

// Allows reports whether the value is one of the option's answers.
func (o Option) Allows(value string) bool { return slices.Contains(o.Values(), value) }

// Values lists the option's answers, the default first.
func (o Option) Values() []string {
	return Each(o.Readings, func(r Reading) string { return r.Value })
}

// Meaning says what a value means, and nothing for one that the option does not have.
func (o Option) Meaning(value string) string {
	for _, r := range o.Readings {
		if r.Value == value {
			return r.Meaning
		}
	}
	return ""
}

// OptionList is every option of a system, in the order of the decision register.
type OptionList []Option

// Named gives an option by name, and false if there is none.
func (l OptionList) Named(name string) (Option, bool) {
	return Find(l, func(o Option) bool { return o.Name == name })
}

// Names lists the names of the options.
func (l OptionList) Names() []string {
	return Each(l, func(o Option) string { return o.Name })
}

// Free are the options that a campaign or a ruling may choose.
func (l OptionList) Free() OptionList {
	return slices.DeleteFunc(slices.Clone(l), func(o Option) bool { return o.Erratum })
}

// Choose gives every option of an edition with its value for a campaign's first event: as chosen, or else the
// edition's default; and one that the edition's sheet does not list only as chosen. It refuses an option or value that
// there is not; any option may be [Ask].
func (l OptionList) Choose(e Edition, chosen map[string]string) ([]events.Option, Findings) {
	var f Findings
	for _, name := range slices.Sorted(maps.Keys(chosen)) {
		option, ok := l.Named(name)
		switch {
		case !ok || option.Erratum && chosen[name] != e.Default(name):
			f.ViolateField(name, Input, "there is no option %q; %s", name, words.There(l.Free().Names()))
		case chosen[name] != Ask && !option.Allows(chosen[name]):
			f.ViolateField(name, Input, "option %s cannot be %q; it may be %s, or %s", name, chosen[name],
				strings.Join(option.Values(), ", "), Ask)
		}
	}
	var list []events.Option
	for _, o := range l {
		value := e.Default(o.Name)
		if chosen[o.Name] != "" {
			value = chosen[o.Name]
		} else if !e.listed[o.Name] {
			continue
		}
		list = append(list, events.Option{Name: o.Name, Value: value, Rule: o.Ambiguity})
	}
	return list, f
}

// Settled reports whether the named options have an answer. The first that is still to be asked
// refers the command to the umpire.
func (l OptionList) Settled(h *Hearing, c Command, now map[string]string, names ...string) bool {
	for _, name := range names {
		if now[name] == Ask {
			l.Refer(h, c, name)
			return false
		}
	}
	return true
}

// SettledFor is [OptionList.Settled] for options that need an answer only where a ruling turns on them: ruling gives
// what counts of it by options. One that is to be asked reads as its default.
func (l OptionList) SettledFor(h *Hearing, c Command, now map[string]string, ruling func(map[string]string) any,
	names ...string) bool {
	for _, name := range names {
		if now[name] != Ask {
			continue
		}
		o, _ := l.Named(name)
		asDefault := ruling(now)
		turns := func(value string) bool { return !reflect.DeepEqual(ruling(Put(now, name, value)), asDefault) }
		if slices.ContainsFunc(o.Values(), turns) {
			l.Refer(h, c, name)
			return false
		}
	}
	return true
}

// Fill puts the values of options into the fields of a struct that go by their names. One that is to be asked reads as
// its default, and one that a campaign does not have as before there was such an option.
func (l OptionList) Fill(into any, now map[string]string) {
	v := reflect.ValueOf(into).Elem()
	for i, name := range fieldNames(v.Type()) {
		o, ok := l.Named(name)
		if !ok {
			continue
		}
		value := now[name]
		switch {
		case o.Allows(value):
		case value == "" && o.Before != "":
			value = o.Before
		default:
			value = o.Default()
		}
		if n, err := strconv.Atoi(value); v.Field(i).Kind() == reflect.Int && err == nil {
			v.Field(i).SetInt(int64(n))
		} else {
			v.Field(i).SetString(value)
		}
	}
}

// OptionsAfter gives the options of a campaign after an event.
func OptionsAfter(now map[string]string, p events.Payload) map[string]string {
	var list []events.Option
	switch p := p.(type) {
	case *events.CampaignOpened:
		list = p.Options
	case *events.EditionMoved:
		list = p.Options
	case *events.OptionRuled:
		return Put(now, p.Option, p.Value)
	}
	for _, o := range list {
		now = Put(now, o.Name, o.Value)
	}
	return now
}

// Refer refers a command to the umpire for an option, which must be one of the list.
func (l OptionList) Refer(h *Hearing, c Command, name string) {
	o, _ := l.Named(name)
	p := &events.Referred{Rule: o.Ambiguity, Option: o.Name, Question: o.Question}
	for _, r := range o.Readings {
		p.Readings = append(p.Readings, fmt.Sprintf("%s: %s", r.Value, r.Meaning))
	}
	h.Cite(o.Ambiguity, "the text does not say, and the campaign has no answer yet")
	h.Refer(c, p)
}

// Rule hears the umpire's ruling on an option, {rule: {option, value, reason}}: it settles it
// from here on.
func (l OptionList) Rule(h *Hearing, c Command, now map[string]string) {
	var entry ruling
	if !h.Read(c, &entry) {
		return
	}
	r := entry.Rule
	option, ok := l.Free().Named(r.Option)
	if !ok {
		h.Unknown(c, "rule.option", "option", r.Option, l.Free().Names())
		return
	}
	value := string(r.Value)
	if !option.Allows(value) {
		h.Unknown(c, "rule.value", "reading of "+option.Name, value, option.Values())
		return
	}
	if strings.TrimSpace(r.Reason) == "" {
		h.ViolateField("rule.reason", Input, "a ruling needs its reason: the players will read it")
		return
	}
	h.Cite(option.Ambiguity, "%s is %s: %s", option.Name, value, option.Meaning(value))
	h.Record("", &events.OptionRuled{Option: option.Name, Value: value, Was: now[option.Name], Reason: r.Reason,
		Rule: option.Ambiguity})
}

// ruling is the form of an entry that settles an option.
type ruling struct {
	Rule struct {
		Option string  `json:"option" is:"option"`
		Value  reading `json:"value" is:"reading" need:""`
		Reason string  `json:"reason" need:"" doc:"for the players"`
	} `json:"rule"`
}

// RulingForm describes an entry {rule: …}, by which the umpire settles an option.
func RulingForm() reflect.Type { return reflect.TypeFor[ruling]() }

// reading is an option's value as it is typed: a name, or a bare number.
type reading string

// UnmarshalJSON implements json.Unmarshaler.
func (r *reading) UnmarshalJSON(b []byte) error {
	var number json.Number
	if json.Unmarshal(b, &number) == nil {
		*r = reading(number)
		return nil
	}
	return json.Unmarshal(b, (*string)(r))
}

// text is what an edition's hash covers of the options that its sheet lists: names, ambiguities and readings, one
// option a line. Of an erratum it has the sheet's own reading and earlier ones, so that another may follow.
func (l OptionList) text(e Edition) string {
	var b strings.Builder
	for _, o := range l {
		if !e.listed[o.Name] {
			continue
		}
		values := o.Values()
		if o.Erratum {
			values = values[slices.Index(values, e.Default(o.Name)):]
		}
		fmt.Fprintf(&b, "option %s %s %s", o.Name, o.Ambiguity, strings.Join(values, " "))
		b.WriteByte('\n')
	}
	return b.String()
}

// ShowMember records the entry with one member replaced, and the rest as it came.
func (h *Hearing) ShowMember(c Command, member string, value any) {
	var body map[string]json.RawMessage
	if json.Unmarshal(c.Body, &body) != nil {
		return
	}
	body[member], _ = json.Marshal(value)
	h.Show(body)
}
