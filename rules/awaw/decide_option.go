package awaw

import (
	"fmt"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// Ask is the value of an option that is to be put to the umpire when it first matters.
const Ask = "ask"

// refer puts an open option to the umpire.
func (d *decision) refer(o Option) {
	p := &events.Referred{Rule: o.Ambiguity, Option: o.Name, Question: o.Question}
	for _, r := range o.Readings {
		p.Readings = append(p.Readings, fmt.Sprintf("%s: %s", r.Value, r.Meaning))
	}
	d.h.Cite(o.Ambiguity, "the text does not say, and the campaign has no answer yet")
	d.h.Refer(d.c, p)
}

// ruleOption settles an option from here on, with a reason.
func (d *decision) ruleOption() {
	var entry struct {
		Rule struct {
			Option string `json:"option"`
			Value  string `json:"value"`
			Reason string `json:"reason"`
		} `json:"rule"`
	}
	if !d.read(&entry) {
		return
	}
	r := entry.Rule
	option, ok := OptionNamed(r.Option)
	if !ok {
		d.unknown("rule.option", "option", r.Option, optionNames())
		return
	}
	if !option.Allows(r.Value) {
		d.unknown("rule.value", "reading of "+option.Name, r.Value, option.values())
		return
	}
	if strings.TrimSpace(r.Reason) == "" {
		d.h.ViolateField("rule.reason", rules.Input, "a ruling needs its reason: the players will read it")
		return
	}
	d.cite(option.Ambiguity, "%s is %s: %s", option.Name, r.Value, option.meaning(r.Value))
	d.h.Record("", &events.OptionRuled{Option: option.Name, Value: r.Value, Was: d.options[option.Name], Reason: r.Reason, Rule: option.Ambiguity})
}

func optionNames() []string {
	var names []string
	for _, o := range OptionList() {
		names = append(names, o.Name)
	}
	return names
}

func (o Option) values() []string {
	var values []string
	for _, r := range o.Readings {
		values = append(values, r.Value)
	}
	return values
}

func (o Option) meaning(value string) string {
	for _, r := range o.Readings {
		if r.Value == value {
			return r.Meaning
		}
	}
	return ""
}
