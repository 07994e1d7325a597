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

// factKeys are the facts, in the order in which one entry's are reported: submarines before what
// is said of them.
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
		if !slices.Contains(factKeys(), name) {
			d.h.Unknown(d.c, "facts."+name, "fact", name, factKeys())
			return
		}
	}
	for _, name := range factKeys() {
		if raw, ok := entry.Facts[name]; ok {
			d.reportFact(name, raw)
		}
	}
}

func (d *decision) reportFact(name string, raw json.RawMessage) {
	switch name {
	case factControl:
		each(d, name, raw, "{France: Germany}; nobody is written neutral", d.territory, d.reportControl)
	case factComplexes:
		each(d, name, raw, "{Eastern Canada: 1}: 1 where an industrial complex stands, 0 where none does", d.territory, d.reportComplex)
	case factSubmarines:
		d.reportSubmarines(raw)
	case factSubmerged:
		each(d, name, raw, "{UK: [SZ 8]}: whose TURN it is, and which submarines", d.power, d.reportSubmerged)
	case factTreasury:
		each(d, name, raw, "{UK: 30}", d.power, d.reportTreasury)
	}
}

// each reads a fact that is a mapping, and hands over its subjects in the order in which they are
// named. None may be empty, nor stand there twice under two of its names (GEN-UNIQUE).
func each[V any](d *decision, fact string, raw json.RawMessage, example string,
	read func(at, name string) (string, bool), report func(at, subject string, v V)) {
	var given map[string]*V
	field := "facts." + fact
	if json.Unmarshal(raw, &given) != nil || len(given) == 0 {
		d.h.ViolateField(field, rules.Input, "%s is a mapping, such as %s", fact, example)
		return
	}
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		at := field + "." + name
		subject, ok := read(at, name)
		switch {
		case !ok:
			return
		case given[name] == nil:
			d.h.ViolateField(at, rules.Input, "%s of %s is empty: write %s", fact, subject, example)
			return
		case told[subject]:
			d.h.ViolateField(at, rules.Input, "%s is given twice in %s", subject, fact)
			return
		}
		told[subject] = true
		report(at, subject, *given[name])
	}
}

// reportControl: a territory may be held by any power of the board, also one that does not play by
// these rules.
func (d *decision) reportControl(at, territory, holder string) {
	p := &events.FactReported{Fact: factControl, Subject: territory}
	power := d.named(holder)
	switch {
	case strings.EqualFold(holder, "neutral"):
	case power == "":
		d.h.Unknown(d.c, at, "power", holder, d.holders())
		return
	default:
		p.Names = []string{power}
	}
	d.h.Record(power, p)
}

func (d *decision) holders() []string {
	var names []string
	for _, p := range d.board.Powers() {
		names = append(names, d.board.TablePower(p.Name))
	}
	return append(names, "neutral")
}

// reportComplex: a territory has one industrial complex or none.
func (d *decision) reportComplex(at, territory string, n int) {
	if n != 0 && n != 1 {
		d.h.ViolateField(at, rules.Input, "%s: a territory holds one industrial complex or none, not %d", territory, n)
		return
	}
	s, _ := d.board.Territory(territory)
	d.h.Record(d.controller(s), &events.FactReported{Fact: factComplexes, Subject: territory, Number: n})
}

func (d *decision) reportTreasury(at, power string, ipcs int) {
	if d.inRange(at, ipcs, -limit) {
		d.h.Record(power, &events.FactReported{Fact: factTreasury, Subject: power, Number: ipcs})
	}
}
