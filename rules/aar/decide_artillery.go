package aar

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// reportArtillery reports all artillery of a power, territory by territory.
func (d *decision) reportArtillery(at, power string, given rules.Mapping[int]) {
	total := 0
	for _, m := range given {
		total += m.Value
		if counted, _ := given.Named(m.Name); counted.Value != m.Value { // 0, which comes first
			d.forbid(m.At, "GEN-UNIQUE", "%s of %s is given twice, and counts as %d: give it once", m.Name, power,
				counted.Value)
		}
	}
	if total > artilleryCap {
		d.ViolateField(at, "AAR-6-ARTY-CAP", "%s cannot have %d artillery on the board: a nation has at most %d", power,
			total, artilleryCap)
		return
	}
	d.checkGone(at, power, given)
	d.warnOfStrayed(power, given)
	d.recounts = append(d.recounts, power)
	known := false
	for _, s := range d.Board.Spaces() {
		m, named := given.Named(s.Name)
		if before, _ := d.guns[power].in(s.Name); !named && before == 0 {
			continue
		}
		p := &events.UnitsReported{Power: power, Space: s.Name}
		if m.Value > 0 {
			p.Units = guns(m.Value)
			d.checkGround(at, power, s)
		}
		d.Record(power, p)
		known = true
	}
	if !known {
		d.Record(power, &events.UnitsReported{Power: power, Space: d.home(power)})
	}
}

// checkGround wants no artillery reported in ground that an enemy holds, or is reported to hold by the same entry: it
// does not advance into an attack (AAR-6-ARTY-FIRE). Ground that nobody holds is warned of.
func (d *decision) checkGround(at, power string, s board.Space) {
	holder, reported := d.handed[s.Name]
	if !reported {
		holder = d.Controller(s)
	}
	if !d.friends(power, holder) {
		d.Forbid(d.firm() && enemies(Power(power), Power(holder)), at, "AAR-6-ARTY-FIRE", "artillery of %s is "+
			"reported in %s, and there %s: artillery does not advance into an attack; leave out what was lost, or "+
			"report who holds it, facts: {control: {%s: %s}, artillery: …}", power, s.Name, held(holder), s.Name,
			power)
	}
}

// home is a territory of which a report of no artillery at all speaks: the power's capital, or the board's first.
func (d *decision) home(power string) string {
	capital, ok := rules.Find(d.Board.Spaces(), func(s board.Space) bool {
		return s.Capital != "" && d.Board.TablePower(s.Capital) == power
	})
	if !ok {
		capital, _ = rules.Find(d.Board.Spaces(), func(s board.Space) bool { return !s.Water })
	}
	return capital.Name
}

// checkGone: pieces that fired in this ROUND are lost or where they were (AAR-6-ARTY-MOVE). So what a report has more
// of in some territories was bought, or has come from others without having fired.
func (d *decision) checkGone(at, power string, given rules.Mapping[int]) {
	b := d.guns[power]
	unplaced := d.notPlaced(power)
	more, free, taken, missing, used := 0, unplaced, 0, 0, ""
	for _, s := range d.Board.Spaces() {
		there, fired := b.in(s.Name)
		if d.exact() {
			fired += b.came[s.Name] + b.placed[s.Name] // nor does what has moved, or appeared
		}
		m, _ := given.Named(s.Name)
		if gone := there - m.Value; gone < 0 {
			more -= gone
			if spent := b.fired[s.Name] + b.came[s.Name] + b.placed[s.Name]; b.left[s.Name] > 0 ||
				spent > 0 && m.Value > spent { // the others would be fresh
				used = s.Name
			}
		} else {
			fresh := min(gone, there-fired)
			if d.firm() { // of those that fired some were lost by an earlier report
				fresh = max(0, fresh)
			}
			free += fresh
			if d.overrun(power, s.Name) {
				taken += fresh
			}
			missing += max(0, gone-(there-fired))
		}
	}
	moved := map[bool]string{true: ", moved or appeared"}[d.exact()]
	if d.carries() && missing > 0 && more > free {
		d.ViolateField(at, "AAR-6-ARTY-MOVE", "of the artillery of %s that fired%s in this ROUND %d would be "+
			"elsewhere: what fired%s may not move", power, moved, min(missing, more-free), moved)
		return
	}
	if missing > 0 && more > free-unplaced && d.Player == power && !d.placesUnits() {
		d.Warn("by this report %d artillery of %s that fired%s in this ROUND would be elsewhere, or some that it "+
			"bought and has not placed are on the board: what fired%s stays; leave out what was bought, and place it "+
			"with mobilize (AAR-6-ARTY-MOVE)", min(missing, more-free+unplaced), power, moved, moved)
	}
	switch {
	case more <= free && more > free-taken:
		d.Warn("by this report %d artillery of %s have left ground that an enemy had taken with them: if they left it "+
			"before, report that before who took it", more-(free-taken), power)
	case more <= free || len(b.reported) == 0:
	case d.exact() && used != "":
		d.ViolateField(at, "GEN-CARRY", "%d more artillery of %s than are known would be in %s, where some fired, "+
			"moved or appeared in this ROUND: correct the report before that, or what was done with them",
			more-free, power, used)
	default:
		d.Warn("by this report %s has %d artillery more than before, and has bought none for them", power, more-free)
	}
}

// placesUnits reports whether the TURN that is on has come to its Mobilize Units.
func (d *decision) placesUnits() bool {
	return slices.Index(phases(), d.Phase) >= slices.Index(phases(), phaseMobilize)
}

// shot is an entry of artillery that fires.
type shot struct {
	Power  string `json:"power" is:"power"`
	From   string `json:"from" is:"territory"`
	At     string `json:"at" is:"territory"`
	Pieces int    `json:"pieces" least:"1" most:"10" need:"how many fire? pieces: 1"` // AAR-6-ARTY-CAP
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
		d.Unreported("artillery fire.pieces", rules.Input,
			"%s has %d artillery in %s, of which %d fired in this ROUND: %d cannot fire; if that is wrong, report "+
				"facts: {artillery: {%s: …}}", e.Power, there, e.From, fired, e.Pieces, e.Power)
	}
	d.checkStands("artillery fire.from", e.Power, e.From)
	d.checkAshore("artillery fire.pieces", e.Power, e.From, "", e.Pieces)
	d.warnOfAdvanced(e.Power, e.From, e.Pieces)
	if d.Refused() || !d.Enter(e.Power, phaseCombat, "AAR-6-ARTY-FIRE") {
		return
	}
	d.Cite("AAR-6-ARTY-FIRE", "artillery of %s fires in opening fire from %s at %s and does not advance", e.Power,
		e.From, e.At)
	d.Cite("AAR-6-ARTY-MOVE", "it may not move in this ROUND")
	d.Record(e.Power, &events.UnitsFired{Power: e.Power, From: e.From, At: e.At, Units: guns(e.Pieces)})
}

// arrived counts the artillery that by reports has come to a territory from others since the moves and combats of its
// power's last TURN began; what moved or was placed by an entry is counted by itself.
func (b battery) arrived(territory string) int {
	left := 0
	for other, before := range b.drawn {
		now, _ := b.in(other)
		left += max(0, before-now)
	}
	there, _ := b.in(territory)
	return max(0, min(left, there-b.drawn[territory])-b.came[territory]-b.placed[territory])
}

// warnOfAdvanced says that pieces fire which by a report of this TURN have come to where they are since its moves or
// combats began: artillery does not advance (AAR-6-ARTY-FIRE).
func (d *decision) warnOfAdvanced(power, from string, pieces int) {
	b := d.guns[power]
	there, fired := b.in(from)
	if came := b.arrived(from); d.Player == power && moving(d.Phase) && came > 0 && pieces > there-fired-came {
		d.Warn("by a report of this TURN %d artillery of %s have come to %s: artillery does not advance in combat "+
			"move or conduct combat; if it came now, undo this entry, and move it in the noncombat move", came,
			power, from)
	}
}

func guns(pieces int) []events.Unit { return []events.Unit{{Name: artillery, Count: pieces}} }

// move is an entry of artillery that moves.
type move struct {
	Power  string `json:"power" is:"power"`
	From   string `json:"from" is:"territory"`
	To     string `json:"to" is:"territory"`
	Pieces int    `json:"pieces" least:"1" most:"10" need:"how many move? pieces: 1"` // AAR-6-ARTY-CAP
}

// moveArtillery moves artillery that has not fired (AAR-6-ARTY-MOVE).
func (d *decision) moveArtillery(e move) {
	there, fired := d.guns[e.Power].in(e.From)
	switch {
	case e.To == e.From:
		d.ViolateField("artillery move.to", rules.Input, "the artillery stands in %s already", e.From)
	case e.Pieces > there:
		d.Unreported("artillery move.pieces", rules.Input,
			"%s has %d artillery in %s: %d cannot move; if that is wrong, report facts: {artillery: {%s: …}}",
			e.Power,
			there, e.From, e.Pieces, e.Power)
	case e.Pieces > there-fired:
		d.ViolateField("artillery move.pieces", "AAR-6-ARTY-MOVE",
			"%d of %d artillery in %s fired in this ROUND and may not move", min(fired, there), there, e.From)
	}
	d.checkMove(e, there-fired)
	if d.Refused() || !d.Enter(e.Power, phaseNCM, "AAR-6-ARTY-MOVE") {
		return
	}
	d.Cite("AAR-6-ARTY-MOVE", "%d of %d artillery in %s have not fired in this ROUND", there-fired, there, e.From)
	d.Record(e.Power, &events.UnitsMoved{Power: e.Power, From: e.From, To: e.To, Units: guns(e.Pieces)})
}

// checkMove holds a move to the board: pieces that have not moved go, once, to a friendly territory next to theirs, or
// by ship from coast to coast.
func (d *decision) checkMove(e move, free int) {
	if !d.strict() {
		return
	}
	d.checkStands("artillery move.from", e.Power, e.From)
	d.checkAshore("artillery move.pieces", e.Power, e.From, e.To, e.Pieces)
	from, to := d.At(e.From), d.At(e.To)
	if holder := d.Controller(to); !d.friends(e.Power, holder) {
		d.Unreported("artillery move.to", "AAR-6-ARTY-FIRE", "artillery does not advance into %s: %s; if it was "+
			"captured, report facts: {control: {%s: %s}}", e.To, held(holder), e.To, e.Power)
	}
	if came := d.guns[e.Power].came[e.From]; e.Pieces <= free && e.Pieces > free-came {
		d.ViolateField("artillery move.pieces", "GEN-CARRY", "%d of the artillery in %s moved there in this ROUND and "+
			"does not move on", came, e.From)
	}
	if !slices.Contains(from.Neighbours, e.To) && !(d.onCoast(from) && d.onCoast(to)) {
		d.ViolateField("artillery move.to", rules.Input, "%s does not touch %s, and no ship goes from one to the other",
			e.From, e.To)
	}
}

// overrun reports whether an enemy has taken a territory since the artillery of a power was reported there. Where he
// had the ground before, that report is the later word.
func (d *decision) overrun(power, territory string) bool {
	return !d.friends(power, d.Controller(d.At(territory))) &&
		d.seizedAt[territory] > d.guns[power].reported[territory].From
}

// standing counts the artillery of a power on the board (AAR-6-ARTY-CAP), from edition 4 on without what was overrun.
func (d *decision) standing(power string) int {
	b, sum := d.guns[power], 0
	for territory := range b.territories() {
		if n, _ := b.in(territory); !d.exact() || !d.overrun(power, territory) {
			sum += n
		}
	}
	return sum
}

// checkRegained wants no eleventh artillery on the board by a report that ground is an ally's again on which a power
// had some when an enemy took it (AAR-6-ARTY-CAP), unless the entry reports all that it has.
func (d *decision) checkRegained() {
	for _, power := range d.Powers {
		if !d.exact() || slices.Contains(d.recounts, power) {
			continue
		}
		back, sum := map[string]int{}, 0
		if !d.Over(power) {
			sum = d.notPlaced(power)
		}
		for territory := range d.guns[power].territories() {
			n, _ := d.guns[power].in(territory)
			holder, reported := d.handed[territory]
			lost, kept := d.overrun(power, territory), holder == d.Controller(d.At(territory))
			switch {
			case lost && reported && d.friends(power, holder) && n > 0:
				back[territory] = n
				sum += n
			case !lost && (!reported || kept || d.friends(power, holder)):
				sum += n
			}
		}
		for _, territory := range slices.Sorted(maps.Keys(back)) {
			if sum > artilleryCap {
				d.ViolateField("facts.control", "AAR-6-ARTY-CAP", "with the %d that it had in %s when it was taken "+
					"%s would have %d artillery on the board, and a nation has at most %d: report its losses with "+
					"it, facts: {artillery: {%s: …}, control: …}", back[territory], territory, power, sum,
					artilleryCap, power)
			} else {
				d.Warn("%s had %d artillery in %s when it was taken, and has them there from here on: report its "+
					"losses, facts: {artillery: {%s: …}}", power, back[territory], territory, power)
			}
		}
	}
}

// checkStands wants artillery where no enemy has taken the ground since it was reported there (GEN-CARRY). Where the
// enemy had the ground before, it is warned of.
func (d *decision) checkStands(at, power, territory string) {
	holder := d.Controller(d.At(territory))
	switch {
	case !d.strict() || d.friends(power, holder):
	case d.overrun(power, territory):
		d.Unreported(at, "GEN-CARRY", "artillery of %s does not stand in %s any more: %s; if that is wrong, report "+
			"facts: {control: {%s: %s}}", power, territory, held(holder), territory, power)
	default:
		d.Warn("artillery of %s stands in %s, and there %s", power, territory, held(holder))
	}
}

// friends reports whether a territory's holder is a power or an ally of it.
func (d *decision) friends(power, holder string) bool {
	return holder != "" && d.allied(holder) == d.allied(power)
}

// onCoast reports whether a territory touches the sea.
func (d *decision) onCoast(t board.Space) bool {
	return slices.ContainsFunc(t.Neighbours, func(name string) bool { return d.At(name).Water })
}
