package aar

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

const factSubmarines = "submarines"

func factKeys() []string {
	return []string{factControl, factComplexes, factSubmarines, factSubmerged, factTreasury}
}

// reportFacts reports facts, each as an event of its own. They stand until reported anew; what
// submerged stands for the TURN it is reported of.
func (d *decision) reportFacts() {
	var entry struct {
		Facts map[string]json.RawMessage `json:"facts"`
	}
	if !d.h.Read(d.c, &entry) {
		return
	}
	if len(entry.Facts) == 0 {
		d.h.ViolateField("facts", rules.Input, "facts is a mapping of what stands on the board; it may name %s", strings.Join(factKeys(), ", "))
		return
	}
	for _, name := range slices.Sorted(maps.Keys(entry.Facts)) {
		field, raw := "facts."+name, entry.Facts[name]
		switch name {
		case factControl:
			d.reportControl(field, raw)
		case factComplexes:
			d.reportComplexes(field, raw)
		case factSubmarines:
			d.reportSubmarines(field, raw)
		case factSubmerged:
			d.reportSubmerged(field, raw)
		case factTreasury:
			d.reportTreasury(field, raw)
		default:
			d.h.Unknown(d.c, field, "fact", name, factKeys())
		}
	}
}

// mapping reads a fact that is a mapping, or says what it should look like.
func mapping[V any](d *decision, field string, raw json.RawMessage, example string) map[string]V {
	var m map[string]V
	if json.Unmarshal(raw, &m) != nil || len(m) == 0 {
		d.h.ViolateField(field, rules.Input, "%s is a mapping, such as %s", strings.TrimPrefix(field, "facts."), example)
		return nil
	}
	return m
}

func (d *decision) reportControl(field string, raw json.RawMessage) {
	m := mapping[string](d, field, raw, "{France: Germany}; nobody is written neutral")
	told := d.once(field)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		at := field + "." + name
		s, ok := d.space(at, name, d.board.Territory)
		if !ok || !told(at, s.Name) {
			return
		}
		var names []string
		if m[name] != "neutral" {
			power, ok := d.power(at, m[name])
			if !ok {
				return
			}
			names = []string{power}
		}
		d.h.Record(first(names), &events.FactReported{Fact: factControl, Subject: s.Name, Names: names})
	}
}

// reportComplexes: a territory has one industrial complex or none.
func (d *decision) reportComplexes(field string, raw json.RawMessage) {
	m := mapping[int](d, field, raw, "{Eastern Canada: 1}: 1 where a complex stands, 0 where none does")
	told := d.once(field)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		at := field + "." + name
		s, ok := d.space(at, name, d.board.Territory)
		if !ok || !told(at, s.Name) {
			return
		}
		if m[name] != 0 && m[name] != 1 {
			d.h.ViolateField(at, rules.Input, "%s: a territory holds one industrial complex or none, not %d", s.Name, m[name])
			return
		}
		d.h.Record(d.controller(s), &events.FactReported{Fact: factComplexes, Subject: s.Name, Number: m[name]})
	}
}

// reportSubmarines reads, for each power, how many submarines lie in each sea zone, {SZ 8: 2},
// or where each lies that has a name, {U-47: SZ 9}. What is not named is not on the board.
func (d *decision) reportSubmarines(field string, raw json.RawMessage) {
	m := mapping[map[string]json.RawMessage](d, field, raw, "{Germany: {SZ 8: 2, U-47: SZ 9}}, {} for none")
	told, fields := d.once(field), map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(m)) {
		power, ok := d.power(field+"."+name, name)
		if !ok || !told(field+"."+name, power) {
			return
		}
		fields[power] = name
	}
	taken := map[string]bool{}
	for _, power := range powerNames() {
		for _, b := range d.submarines[power].boats {
			taken[b.Name] = taken[b.Name] || fields[power] == ""
		}
	}
	for _, power := range powerNames() {
		if fields[power] == "" {
			continue
		}
		boats, ok := d.fleet(field+"."+fields[power], m[fields[power]], taken)
		if !ok {
			return
		}
		d.h.Record(power, &events.SubmarinesReported{Power: power, Submarines: boats})
	}
}
