package awaw

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// place is a port or bombing target that was attacked.
type place struct {
	name, by string
	of       string // the power attacked
	index    uint64 // of the result
	turn     uint64
	front    string  // of a harbor attack, empty where none was said
	theater  Theater // empty where the record does not have it
	harbor   bool    // by a harbor attack
	bombed   bool    // the target itself, not in air combat alone
	left     int     // of the bomber force after air combat
	ships    []string
}

// figureTheater names the figure of the theater of a place, where it is not that of the powers that fight there.
const figureTheater = "theater"

// figureFront names the figure of the front on which a port lies, where it was said.
const figureFront = "front"

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
	x := place{name: p.Subject, by: p.Attacker, of: p.Defender, index: index, turn: g.turn.Ordinal,
		bombed: p.Procedure == procedureBombing, harbor: p.Procedure == procedureHarborAttack}
	if p.Procedure == procedureAirCombat && len(p.Readings) == 2 {
		if x.left = p.Readings[0].Factors; g.options["result_meaning"] == "eliminated_inverted" {
			x.left = max(0, x.left-p.Readings[1].First)
		}
	}
	for _, r := range p.Readings {
		x.ships = append(x.ships, r.Name)
	}
	if rules.Exact(g.options) {
		attacker, _ := powerNamed(p.Attacker)
		defender, _ := powerNamed(p.Defender)
		x.theater = theaterFor([2]Power{attacker, defender})
		if said, other := figureNamed(p.Figures, figureTheater); other {
			x.theater, _ = theaterNamed(said.Text)
		}
		front, _ := figureNamed(p.Figures, figureFront)
		x.front = strings.ReplaceAll(front.Text, " ", "_")
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
	on, said := d.places.Find(func(p place) bool { return p.front != "" && d.same(p.name, name) })
	if said && front != "" && front != on.front && d.exact() {
		d.ViolateField(verb+".front", "AWAW-HA-SW-BOX", "%s lies on the %s front, where it was attacked (event %d); "+
			"of another place of that name say which it is", name, frontName(on.front), on.index)
	}
	field := map[string]string{"harbor attack": ".port", "strategic bombing": ".target"}[verb]
	d.heldBy(verb+field, rules.Input, name, powers[1])
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

// inOnePort warns of a named ship that was attacked in another port in the same movement phase.
func (d *decision) inOnePort(e harborEntry) {
	for _, ship := range e.Targets {
		before, elsewhere := d.places.Find(func(p place) bool {
			by, _ := powerNamed(p.by)
			return p.harbor && p.turn == d.turn.Ordinal && by.player() == e.Attacker.player() &&
				!d.same(p.name, e.Port) && d.shipIn(p.ships, ship) >= 0
		})
		if elsewhere && d.exact() {
			d.Warn("%s was attacked in %s in this movement phase (event %d), and a ship lies in one port", ship,
				before.name, before.index)
		}
	}
}

// notCombined warns of a port that its side has attacked in this movement phase: two results are not combined in one
// attack on it (HA-COMBINE), those of two powers neither.
func (d *decision) notCombined(e harborEntry) {
	attacked := func(name func(a, b string) bool) (place, bool) {
		return d.places.Find(func(p place) bool {
			by, _ := powerNamed(p.by)
			return p.turn == d.turn.Ordinal && p.harbor && name(p.name, e.Port) &&
				(by == e.Attacker || d.exact() && by.player() == e.Attacker.player())
		})
	}
	const combined = "two results are not combined in one attack on a port (AWAW-HA-COMBINE)"
	if before, again := attacked(d.same); again {
		d.Warn("%s has attacked %s in %s already (event %d); %s", before.by, e.Port, d.turn.Label, before.index,
			combined)
	} else if before, like := attacked(partOf); like && d.exact() {
		d.Warn("%s has attacked %s in %s already (event %d): if %s is that port, %s", before.by, before.name,
			d.turn.Label, before.index, e.Port, combined)
	}
}

// partOf reports whether all words of one name stand in the other, one behind the other: Manila, Manila Bay.
func partOf(a, b string) bool {
	if len(a) > len(b) {
		a, b = b, a
	}
	words := func(name string) string {
		return " " + strings.Join(rules.Each(strings.Fields(rules.Shown(name)), rules.Bare), " ") + " "
	}
	return strings.Contains(words(b), words(a))
}

// ofOneSide warns of a ship that sails for one side and lies in a harbor of the other: a carrier that made an attack
// (HA-CV-BASE) is no target of its own side, and a ship that was attacked makes no attack for those who attacked it.
func (d *decision) ofOneSide(e harborEntry, targets []HarborTarget) {
	if !d.exact() || e.Attacker.player() == e.Defender.player() { // of which it is warned
		return
	}
	ships := slices.Concat(e.InHarbor, rules.Each(targets, func(t HarborTarget) string { return t.Ship }))
	for i, ship := range ships {
		s, sailed := d.sorties.Find(func(s sortie) bool {
			of, _ := powerNamed(s.power)
			return d.sameShip(s.name, ship) && of.player() == e.Attacker.player()
		})
		if sailed && d.shipIn(ships[:i], ship) < 0 {
			d.Warn("%s attacked %s for %s (event %d, AWAW-HA-CV-BASE), and is no ship of %s: name another target, or "+
				"correct that attack", ship, s.port, s.power, s.index, e.Defender.Name())
		}
	}
	before, attacked := d.places.Find(func(p place) bool {
		of, _ := powerNamed(p.of)
		return p.harbor && e.By == ByCarrier && of.player() == e.Defender.player() && d.shipIn(p.ships, e.Carrier) >= 0
	})
	if attacked {
		d.Warn("%s was attacked in %s as a ship of %s (event %d), and attacks for %s (AWAW-HA-CV-BASE): name another "+
			"carrier, or correct that attack", e.Carrier, before.name, before.of, before.index, e.Attacker.Name())
	}
}

// baseAttacked warns of a base that its own side attacked in this movement phase (HA-SUB-BASE, HA-CV-BASE): it was the
// enemy's then, and harbor attacks are made one behind the other, before anything moves (HA-TIME).
func (d *decision) baseAttacked(e harborEntry) {
	before, attacked := d.places.Find(func(p place) bool {
		by, _ := powerNamed(p.by)
		return p.harbor && p.turn == d.turn.Ordinal && by.player() == e.Attacker.player() && d.same(p.name, e.From)
	})
	if attacked && d.exact() {
		d.Warn("%s was attacked by %s in this movement phase (event %d), and is the base of an attack by %s: correct "+
			"the one that is wrong", e.From, before.by, before.index, e.Attacker.Name())
	}
}

// heldBy refuses a port that the tables name to be a power's while it is reported as another's.
func (d *decision) heldBy(field, rule, name string, p Power) {
	port, named := portNamed(name)
	if !named && d.exact() {
		d.partHeld(name, p)
	}
	if !named || !d.exact() {
		return
	}
	for _, other := range players() {
		if other != p.player() && slices.Contains(d.holds[other], port.Title()) {
			d.ViolateField(field, rule, "%s is reported as held by %s, and is no port of %s: if it has changed hands "+
				"report that first", port.Title(), article(other), p.Name())
		}
	}
	held, reported := d.holds[p.player()]
	if reported && bears(p.player(), port) && !slices.Contains(held, port.Title()) && !d.Refused() {
		d.Warn("%s was reported to hold %s, and %s is here %s's: report it as held, or name another",
			article(p.player()), portsText(held), port.Title(), p.Name())
	}
}

// bears reports whether it counts in an SW box that a player holds a port: its report names those that it has of them.
func bears(player string, p Port) bool {
	of := player == EuropeanAxis.Title()
	switch p {
	case Manila:
		of = player != Japan.Title() && player != EuropeanAxis.Title()
	case Colombo, Townsville, Noumea, Suva, HawaiianPort:
		of = player == Japan.Title()
	}
	return of
}

// partHeld warns of a name that has that of a port in it which is reported as another's: Manila Bay.
func (d *decision) partHeld(name string, p Power) {
	for _, port := range Ports() {
		for _, other := range players() {
			if other != p.player() && partOf(port.Title(), name) && slices.Contains(d.holds[other], port.Title()) {
				d.Warn("%s is reported as held by %s: if %s lies there it is no port of %s; report that it has "+
					"changed hands, or name another", port.Title(), article(other), name, p.Name())
			}
		}
	}
}

// frontName is the name of a front in a sentence.
func frontName(front string) string { return strings.ReplaceAll(front, "_", " ") }
