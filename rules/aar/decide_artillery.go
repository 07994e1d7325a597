package aar

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// reportArtillery reports all artillery of a power, territory by territory.
func (d *decision) reportArtillery(at, power string, given rules.Mapping[int]) {
	total := 0
	for _, m := range given {
		total += m.Value
	}
	if total > artilleryCap {
		d.ViolateField(at, "AAR-6-ARTY-CAP", "%s cannot have %d artillery on the board: a nation has at most %d", power,
			total, artilleryCap)
		return
	}
	d.checkGone(at, power, given)
	known := false
	for _, s := range d.Board.Spaces() {
		m, named := given.Named(s.Name)
		if before, _ := d.guns[power].in(s.Name); !named && before == 0 {
			continue
		}
		p := &events.UnitsReported{Power: power, Space: s.Name}
		if m.Value > 0 {
			p.Units = guns(m.Value)
		}
		d.Record(power, p)
		known = true
	}
	if !known {
		d.ViolateField(at, rules.Input,
			"no artillery of %s stands on the board by any report: name a territory, {NW Europe: 0}", power)
	}
}

// checkGone: pieces that fired in this ROUND are lost or where they were (AAR-6-ARTY-MOVE). So what a report has more
// of
// in some territories was bought, or has come from others without having fired.
func (d *decision) checkGone(at, power string, given rules.Mapping[int]) {
	b := d.guns[power]
	more, free, missing := 0, b.bought, 0
	for _, s := range d.Board.Spaces() {
		there, fired := b.in(s.Name)
		m, _ := given.Named(s.Name)
		if gone := there - m.Value; gone < 0 {
			more -= gone
		} else {
			free += min(gone, there-fired)
			missing += max(0, gone-(there-fired))
		}
	}
	if d.carries() && missing > 0 && more > free {
		d.ViolateField(at, "AAR-6-ARTY-MOVE", "of the artillery of %s that fired in this ROUND %d would be "+
			"elsewhere: what "+
			"fired may not move", power, min(missing, more-free))
	}
}

// shot is an entry of artillery that fires.
type shot struct {
	Power  string `json:"power" is:"power"`
	From   string `json:"from" is:"territory"`
	At     string `json:"at" is:"territory"`
	Pieces int    `json:"pieces" least:"1" most:"10"` // AAR-6-ARTY-CAP
}

// fireArtillery lets artillery fire from an adjacent territory (AAR-6-ARTY-FIRE).
func (d *decision) fireArtillery(e shot) {
	at := d.At(e.At)
	holder := d.Controller(at)
	switch {
	case e.At == e.From || !slices.Contains(d.At(e.From).Neighbours, e.At):
		d.ViolateField("artillery fire.at", "AAR-6-ARTY-FIRE",
			"artillery fires from an adjacent territory, and %s does not touch %s", e.From, e.At)
	case !enemies(Power(e.Power), Power(holder)):
		d.ViolateField("artillery fire.at", rules.Input, "%s does not belong to an enemy of %s: %s", e.At, e.Power,
			held(holder))
	}
	if there, fired := d.guns[e.Power].in(e.From); e.Pieces > there-fired {
		d.ViolateField("artillery fire.pieces", rules.Input,
			"%s has %d artillery in %s, of which %d fired in this ROUND: %d cannot fire; if that is wrong, report "+
				"facts: {artillery: {%s: …}}", e.Power, there, e.From, fired, e.Pieces, e.Power)
	}
	if d.Refused() || !d.Enter(e.Power, phaseCombat, "AAR-6-ARTY-FIRE") {
		return
	}
	d.Cite("AAR-6-ARTY-FIRE", "artillery of %s fires in opening fire from %s at %s and does not advance", e.Power,
		e.From, e.At)
	d.Cite("AAR-6-ARTY-MOVE", "it may not move in this ROUND")
	d.Record(e.Power, &events.UnitsFired{Power: e.Power, From: e.From, At: e.At, Units: guns(e.Pieces)})
}

func guns(pieces int) []events.Unit { return []events.Unit{{Name: artillery, Count: pieces}} }

// move is an entry of artillery that moves.
type move struct {
	Power  string `json:"power" is:"power"`
	From   string `json:"from" is:"territory"`
	To     string `json:"to" is:"territory"`
	Pieces int    `json:"pieces" least:"1" most:"10"` // AAR-6-ARTY-CAP
}

// moveArtillery moves artillery that has not fired (AAR-6-ARTY-MOVE).
func (d *decision) moveArtillery(e move) {
	there, fired := d.guns[e.Power].in(e.From)
	switch {
	case e.To == e.From:
		d.ViolateField("artillery move.to", rules.Input, "the artillery stands in %s already", e.From)
	case e.Pieces > there:
		d.ViolateField("artillery move.pieces", rules.Input,
			"%s has %d artillery in %s: %d cannot move; if that is wrong, report facts: {artillery: {%s: …}}",
			e.Power,
			there, e.From, e.Pieces, e.Power)
	case e.Pieces > there-fired:
		d.ViolateField("artillery move.pieces", "AAR-6-ARTY-MOVE",
			"%d of %d artillery in %s fired in this ROUND and may not move", fired, there, e.From)
	}
	if d.Refused() || !d.Enter(e.Power, phaseNCM, "AAR-6-ARTY-MOVE") {
		return
	}
	d.Cite("AAR-6-ARTY-MOVE", "%d of %d artillery in %s have not fired in this ROUND", there-fired, there, e.From)
	d.Record(e.Power, &events.UnitsMoved{Power: e.Power, From: e.From, To: e.To, Units: guns(e.Pieces)})
}
