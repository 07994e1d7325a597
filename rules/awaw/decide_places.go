package awaw

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// place is a port or bombing target that was attacked.
type place struct {
	name, by string
	index    uint64 // of the result
	turn     uint64
	theater  Theater // empty where the record does not have it
	bombed   bool    // the target itself, not in air combat alone
	left     int     // of the bomber force after air combat
}

// figureTheater names the figure of the theater of a place, where it is not that of the powers that fight there.
const figureTheater = "theater"

// theaterFor is the theater in which powers fight, unless it is said otherwise: the Pacific for Japan, else Europe.
func theaterFor(powers [2]Power) Theater {
	if slices.Contains(powers[:], PowerJapan) {
		return TheaterPacific
	}
	return TheaterEurope
}

// elsewhere is the figure of the theater of an attack, where one has to be said.
func (d *decision) elsewhere(t Theater, powers [2]Power) []events.Figure {
	if !d.exact() || t == theaterFor(powers) {
		return nil
	}
	return []events.Figure{{Name: figureTheater, Text: t.Name()}}
}

// place notes what was attacked.
func (g game) place(p *events.ResultAdjudicated, index uint64) game {
	if !slices.Contains([]string{procedureHarborAttack, procedureAirCombat, procedureBombing}, p.Procedure) {
		return g
	}
	x := place{name: p.Subject, by: p.Attacker, index: index, turn: g.turn.Ordinal,
		bombed: p.Procedure == procedureBombing}
	if p.Procedure == procedureAirCombat && len(p.Readings) == 2 {
		if x.left = p.Readings[0].Factors; g.options["result_meaning"] == "eliminated_inverted" {
			x.left = max(0, x.left-p.Readings[1].First)
		}
	}
	if rules.Exact(g.options) {
		attacker, _ := powerNamed(p.Attacker)
		defender, _ := powerNamed(p.Defender)
		x.theater = theaterFor([2]Power{attacker, defender})
		if said, other := figureNamed(p.Figures, figureTheater); other {
			x.theater, _ = theaterNamed(said.Text)
		}
	}
	g.places = g.places.Append(x)
	return g
}

// theaterWords are the theaters in a sentence.
var theaterWords = map[Theater]string{TheaterEurope: "European", TheaterPacific: "Pacific"}

// placed wants a place to lie in one theater, on which its reach and range depend (HA-RANGE, SB-TGT-2), and warns of an
// attack that may be a slip: in a theater that no front names and that is not that of the powers, or on a power of the
// attacker's own side.
func (d *decision) placed(verb, name, front string, t Theater, powers [2]Power) bool {
	before, known := d.places.Find(func(p place) bool { return p.theater != "" && d.same(p.name, name) })
	if known && before.theater != t && d.exact() {
		rule := map[string]string{"harbor attack": "AWAW-HA-RANGE", "strategic bombing": "AWAW-SB-TGT-2"}[verb]
		d.ViolateField(verb+".theater", rule, "%s lies in the %s theater, where it was attacked (event %d); of "+
			"another place of that name say which it is", name, theaterWords[before.theater], before.index)
	}
	european := slices.ContainsFunc(powers[:], func(p Power) bool { return p.player() == EuropeanAxis.Title() })
	if front == "" && (t == TheaterPacific && european || t == TheaterEurope && theaterFor(powers) != t) {
		d.Warn("%s is said to lie in the %s theater, and %s attacks %s there", name, theaterWords[t],
			powers[0].Name(), powers[1].Name())
	}
	if powers[0].player() == powers[1].player() {
		d.Warn("%s and %s are of one side, %s: no rule here forbids the attack", powers[0].Name(), powers[1].Name(),
			article(powers[0].player()))
	}
	return !d.Refused()
}
