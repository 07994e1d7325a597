package aar

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// reportArtillery reports all artillery of a power, territory by territory.
func (d *decision) reportArtillery(at, power string, given map[string]int) {
	standing := map[string]int{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		territory, ok := d.Territory(at+"."+name, name)
		if !ok || !d.InRange(at+"."+name, given[name], 0) {
			return
		}
		if _, twice := standing[territory]; twice {
			d.ViolateField(at, rules.Input, "%s is given twice in the artillery of %s", territory, power)
			return
		}
		standing[territory] = given[name]
	}
	total := 0
	for _, n := range standing {
		total += n
	}
	if total > artilleryCap {
		d.ViolateField(at, "AAR-6-ARTY-CAP", "%s cannot have %d artillery on the board: a nation has at most %d", power, total, artilleryCap)
		return
	}
	told := false
	for _, s := range d.Board.Spaces() {
		n, named := standing[s.Name]
		if before, _ := d.guns[power].in(s.Name); !named && before == 0 {
			continue
		}
		p := &events.UnitsReported{Power: power, Space: s.Name}
		if n > 0 {
			p.Units = []events.Unit{{Name: artillery, Count: n}}
		}
		d.Record(power, p)
		told = true
	}
	if !told {
		d.ViolateField(at, rules.Input, "no artillery of %s stands on the board by any report: name a territory, {NW Europe: 0}", power)
	}
}

// shot is what an entry says of artillery that fires or moves.
type shot struct {
	Power  string `json:"power"`
	From   string `json:"from"`
	At     string `json:"at"`
	Pieces int    `json:"pieces"`
}

// fireArtillery lets artillery fire from an adjacent territory (AAR-6-ARTY-FIRE).
func (d *decision) fireArtillery() {
	var entry struct {
		Fire shot `json:"artillery fire"`
	}
	if !d.Read(d.Command, &entry) {
		return
	}
	e := entry.Fire
	power, from, ok := d.battery("artillery fire", e.Power, e.From, e.Pieces)
	if !ok {
		return
	}
	at, ok := d.Space("artillery fire.at", e.At, d.Board.Territory)
	if !ok {
		return
	}
	holder := d.Controller(at)
	switch {
	case at.Name == from.Name || !slices.Contains(from.Neighbours, at.Name):
		d.ViolateField("artillery fire.at", "AAR-6-ARTY-FIRE", "artillery fires from an adjacent territory, and %s does not touch %s", from.Name, at.Name)
	case !enemies(Power(power), Power(holder)):
		d.ViolateField("artillery fire.at", rules.Input, "%s does not belong to an enemy of %s: %s", at.Name, power, held(holder))
	}
	if there, fired := d.guns[power].in(from.Name); e.Pieces > there-fired {
		d.ViolateField("artillery fire.pieces", rules.Input, "%s has %d artillery in %s, of which %d fired in this ROUND: %d cannot fire; if that is wrong, report facts: {artillery: {%s: …}}", power, there, from.Name, fired, e.Pieces, power)
	}
	if d.Refused() || !d.Enter(power, phaseCombat, "AAR-6-ARTY-FIRE") {
		return
	}
	d.Cite("AAR-6-ARTY-FIRE", "artillery of %s fires in opening fire from %s at %s and does not advance", power, from.Name, at.Name)
	d.Cite("AAR-6-ARTY-MOVE", "it may not move in this ROUND")
	d.Record(power, &events.UnitsFired{Power: power, From: from.Name, At: at.Name, Units: []events.Unit{{Name: artillery, Count: e.Pieces}}})
}

// moveArtillery moves artillery that has not fired (AAR-6-ARTY-MOVE).
func (d *decision) moveArtillery() {
	var entry struct {
		Move struct {
			Power  string `json:"power"`
			From   string `json:"from"`
			To     string `json:"to"`
			Pieces int    `json:"pieces"`
		} `json:"artillery move"`
	}
	if !d.Read(d.Command, &entry) {
		return
	}
	e := entry.Move
	power, from, ok := d.battery("artillery move", e.Power, e.From, e.Pieces)
	if !ok {
		return
	}
	to, ok := d.Space("artillery move.to", e.To, d.Board.Territory)
	if !ok {
		return
	}
	there, fired := d.guns[power].in(from.Name)
	switch {
	case to.Name == from.Name:
		d.ViolateField("artillery move.to", rules.Input, "the artillery stands in %s already", from.Name)
	case e.Pieces > there:
		d.ViolateField("artillery move.pieces", rules.Input, "%s has %d artillery in %s: %d cannot move; if that is wrong, report facts: {artillery: {%s: …}}", power, there, from.Name, e.Pieces, power)
	case e.Pieces > there-fired:
		d.ViolateField("artillery move.pieces", "AAR-6-ARTY-MOVE", "%d of %d artillery in %s fired in this ROUND and may not move", fired, there, from.Name)
	}
	if d.Refused() || !d.Enter(power, phaseNCM, "AAR-6-ARTY-MOVE") {
		return
	}
	d.Cite("AAR-6-ARTY-MOVE", "%d of %d artillery in %s have not fired in this ROUND", there-fired, there, from.Name)
	d.Record(power, &events.UnitsMoved{Power: power, From: from.Name, To: to.Name, Units: []events.Unit{{Name: artillery, Count: e.Pieces}}})
}

// battery reads whose artillery, how many pieces of it, and where they stand.
func (d *decision) battery(verb, name, from string, n int) (power string, s board.Space, ok bool) {
	if power, ok = d.Power(verb+".power", name); !ok {
		return power, s, false
	}
	if s, ok = d.Space(verb+".from", from, d.Board.Territory); !ok {
		return power, s, false
	}
	if n < 1 || n > artilleryCap {
		d.ViolateField(verb+".pieces", rules.Input, "say how many pieces, 1 to %d", artilleryCap)
		return power, s, false
	}
	return power, s, true
}
