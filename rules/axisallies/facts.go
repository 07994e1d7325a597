package axisallies

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// Fact is a fact that an entry {facts: {KEY: {NAME: value}}} may report.
type Fact[J rules.Judge] struct {
	Key     string
	form    reflect.StructField
	example string
	report  func(j J, c Case, raw json.RawMessage)
}

// Report declares a fact about names, each reported by itself, in the order in which they came. Tag says
// what may stand there, as those of [rules.Declare] do; example shows it.
func Report[J rules.Judge, V any](key string, tag reflect.StructTag, example string,
	report func(j J, at, subject string, v V)) Fact[J] {
	return ReportAll(key, tag, example, func(j J, all rules.Mapping[*V]) {
		for _, m := range all {
			report(j, m.At, m.Name, *m.Value)
		}
	})
}

// ReportAll is [Report] for a fact whose names are reported together. None is empty.
func ReportAll[J rules.Judge, V any](key string, tag reflect.StructTag, example string,
	report func(j J, all rules.Mapping[*V])) Fact[J] {
	form := reflect.StructField{Name: "Fact", Type: reflect.TypeFor[rules.Mapping[V]](), Tag: tag}
	return Fact[J]{key, form, example, func(j J, c Case, raw json.RawMessage) {
		var given rules.Mapping[*V]
		if json.Unmarshal(raw, &given) != nil || len(given) == 0 {
			c.ViolateField("facts."+key, rules.Input, "%s is a mapping, such as %s", key, example)
			return
		}
		for _, m := range given {
			if m.Value == nil {
				c.ViolateField("facts."+key+"."+m.Name, rules.Input, "%s of %s is empty: write %s", key, m.Name,
					example)
				return
			}
		}
		if rules.Check(j, "facts."+key, &given, tag) {
			report(j, given)
		}
	}}
}

// Form describes an entry of facts.
func Form[J rules.Judge](facts []Fact[J]) reflect.Type {
	var fields []reflect.StructField
	for i, f := range facts {
		f.form.Name = fmt.Sprintf("Fact%d", i)
		f.form.Tag += reflect.StructTag(fmt.Sprintf(" json:%q doc:%q", f.Key, f.example))
		fields = append(fields, f.form)
	}
	return reflect.StructOf([]reflect.StructField{{Name: "Facts", Type: reflect.StructOf(fields), Tag: `json:"facts"`}})
}

// ReportFacts reports the facts of an entry, in the order of those that there are; after each it calls what is to be
// called.
func ReportFacts[J rules.Judge](j J, c Case, given map[string]json.RawMessage, facts []Fact[J], after ...func()) {
	keys := rules.Each(facts, func(f Fact[J]) string { return f.Key })
	if len(given) == 0 {
		c.ViolateField("facts", rules.Input, "facts is a mapping of what stands on the board; it may name %s",
			strings.Join(keys, ", "))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(keys, name) {
			c.Unknown(c.Command, "facts."+name, "fact", name, keys)
			return
		}
	}
	for _, f := range facts {
		if raw, ok := given[f.Key]; ok {
			f.report(j, c, raw)
			for _, call := range after {
				call()
			}
		}
	}
}

// ReportControl reports who holds a territory: {control: {France: Germany}}. Any power of the board
// may, also one that does not play.
func (c Case) ReportControl(at, territory, holder string) {
	p := &events.FactReported{Fact: FactControl, Subject: territory}
	power := c.named(holder)
	switch {
	case strings.EqualFold(holder, "neutral"):
	case power == "":
		c.Unknown(c.Command, at, "power", holder, c.state.holders())
		return
	default:
		p.Names = []string{power}
	}
	c.Record(power, p)
}

// holders are who may hold a territory.
func (s State) holders() []string {
	names := rules.Each(s.Board.Powers(), func(p board.Power) string { return s.Board.TablePower(p.Name) })
	return append(names, "neutral")
}

// ReportTreasury reports what is in hand: {treasury: {UK: 30}}.
func (c Case) ReportTreasury(_, treasury string, ipcs int) {
	c.Record(treasury, &events.FactReported{Fact: FactTreasury, Subject: treasury, Number: ipcs})
}
