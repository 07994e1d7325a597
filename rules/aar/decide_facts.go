package aar

import (
	"encoding/json"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// factKeys are the facts, in the order in which one entry's are reported: submarines before what
// is said of them.
func factKeys() []string {
	return []string{axisallies.FactControl, factComplexes, factSubmarines, factSubmerged, axisallies.FactTreasury}
}

// reportFact reports a fact, each of its subjects as an event of its own. It stands until reported
// anew; what submerged stands for the TURN it is reported of.
func (d *decision) reportFact(name string, raw json.RawMessage) {
	switch name {
	case axisallies.FactControl:
		d.ReportControl(raw)
	case factComplexes:
		axisallies.Each(d.Case, name, raw, "{Eastern Canada: 1}: 1 where an industrial complex stands, 0 where none does", d.Territory, d.reportComplex)
	case factSubmarines:
		d.reportSubmarines(raw)
	case factSubmerged:
		axisallies.Each(d.Case, name, raw, "{UK: [SZ 8]}: whose TURN it is, and which submarines", d.Power, d.reportSubmerged)
	case axisallies.FactTreasury:
		d.ReportTreasury(raw, d.Power)
	}
}

// reportComplex: a territory has one industrial complex or none.
func (d *decision) reportComplex(at, territory string, n int) {
	if n != 0 && n != 1 {
		d.ViolateField(at, rules.Input, "%s: a territory holds one industrial complex or none, not %d", territory, n)
		return
	}
	s, _ := d.Board.Territory(territory)
	d.Record(d.Controller(s), &events.FactReported{Fact: factComplexes, Subject: territory, Number: n})
}
