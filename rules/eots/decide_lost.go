package eots

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// reportLost: every resource hex counts as Japanese but those named here.
func (d *decision) reportLost(hexes []hexID) {
	p := &events.FactReported{Fact: factLost}
	for _, x := range hexes {
		if x == "" || slices.Contains(p.Names, string(x)) {
			d.ViolateField("facts."+factLost, rules.Input, "%s is a list of hexes, each once, such as [2220, 2415]",
				factLost)
			return
		}
		if d.exact() && d.is(string(x), wordLost) {
			d.Unreported("facts."+factLost, "EOTS-11.21.C-SPACE", "Japan took %s from a Sub Base; if the Allies "+
				"have taken it back, report it: hexes: {%s: [port, friendly, supply, %s]}", x, x, wordRecaptured)
			return
		}
		p.Names = append(p.Names, string(x))
	}
	p.Number = len(p.Names)
	if d.strict() {
		d.warnOfLost(p.Names)
	}
	d.state("", p)
}

// warnOfLost names the resource hexes of which something else was reported: what counts of them (EOTS-11.22.C-3).
func (d *decision) warnOfLost(names []string) {
	const rule = "(EOTS-11.22.C-3)"
	for _, hex := range slices.Sorted(maps.Keys(d.hexes)) {
		named := slices.Contains(names, hex)
		switch {
		case named && d.is(hex, wordEnemy):
			d.Warn("%s was reported as %s: from here on it counts as lost to Japan %s", hex, wordEnemy, rule)
		case named || !d.is(hex, wordFriendly) || !d.resource(hex):
		case slices.Contains(d.lost, hex) && !d.holds(hex):
			d.Warn("%s was reported as %s: from here on it counts as Japanese %s", hex, wordFriendly, rule)
		case d.allied[hex], d.holds(hex):
			d.Warn("%s was reported as %s: it is lost to Japan all the same %s", hex, wordFriendly, rule)
		}
	}
}

// resource reports whether a hex was reported as one that has resources.
func (d *decision) resource(hex string) bool {
	for _, about := range slices.Sorted(maps.Keys(d.targets)) {
		if slices.ContainsFunc(d.targets[about].Targets,
			func(x events.Target) bool { return x.Kind == string(Resource) && x.Name == hex }) {
			return true
		}
	}
	return false
}
