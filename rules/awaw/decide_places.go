package awaw

import (
	"fmt"
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
	wave     string  // of the bomber force, where it was named
	strength int     // with which a target that was bombed defended itself
	ships    []string
	shown    []string // in the harbor, where the record has it
	initial  bool     // the initial German attack, which spends no result
	base     string   // the port from which a harbor attack was made, where the record has it
	means    HarborMode
}

// figureTheater names the figure of the theater of a place, where it is not that of the powers that fight there.
const figureTheater = "theater"

// figureStrength names the figure of the strength with which a bombed target defended itself.
const figureStrength = "defensive strength"

// figureWave names the figure of the wave of bombers, where it was said.
const figureWave = "wave"

// figureBase names the figure of the port from which a harbor attack was made.
const figureBase = "base"

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
		x.left = g.bombersLeft(p.Readings[0].Factors, p.Readings[1].First)
	}
	for _, r := range p.Readings {
		x.ships = append(x.ships, r.Name)
	}
	x.shown, g.shown = g.shown, nil
	if counts, said := figureNamed(p.Figures, figureCounts); said {
		x.initial = counts.Value == 0
	}
	strength, _ := figureNamed(p.Figures, figureStrength)
	x.strength = strength.Value
	wave, _ := figureNamed(p.Figures, figureWave)
	x.wave = wave.Text
	base, _ := figureNamed(p.Figures, figureBase)
	x.base, x.means = base.Text, BySubmarine
	if _, carrier := figureNamed(p.Figures, figureCarrierLost); carrier {
		x.means = ByCarrier
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
// attack that may be a slip: in a theater that is not the attacker's, or that no front names and is not that of the
// powers, or on a power of the attacker's own side.
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
	away := powers[0] == PowerJapan && t == TheaterEurope ||
		powers[0].player() == EuropeanAxis.Title() && t == TheaterPacific
	if away || front == "" && (t == TheaterPacific && european || t == TheaterEurope && theaterFor(powers) != t) {
		d.Warn("%s is said to lie in the %s theater, and %s attacks %s there", name, theaterWords[t],
			powers[0].Name(), powers[1].Name())
	}
	if powers[0].player() == powers[1].player() {
		d.Warn("%s and %s are of one side, %s: no rule here forbids the attack", powers[0].Name(), powers[1].Name(),
			article(powers[0].player()))
	}
	return !d.Refused()
}

// notCombined wants a port that its side has not attacked in this movement phase: two results are not combined in one
// attack on it (HA-COMBINE), those of two powers neither. The initial German attack spends none.
func (d *decision) notCombined(e harborEntry) {
	attacked := func(name func(a, b string) bool, initial bool) (place, bool) {
		return d.places.Find(func(p place) bool {
			by, _ := powerNamed(p.by)
			return p.turn == d.turn.Ordinal && p.harbor && p.initial == initial && name(p.name, e.Port) &&
				(by == e.Attacker || d.exact() && by.player() == e.Attacker.player())
		})
	}
	const combined = "two results are not combined in one attack on a port"
	before, again := attacked(d.same, false)
	if again {
		d.forbid("harbor attack.port", "AWAW-HA-COMBINE", "%s has attacked %s in %s already (event %d), and %s: "+
			"attack another port, or correct that attack", before.by, e.Port, d.turn.Label, before.index, combined)
		return
	}
	like, maybe := attacked(nearby, false)
	switch before, again = attacked(d.same, true); {
	case again:
		d.Warn("%s has attacked %s in %s already (event %d), by its initial attack", before.by, e.Port, d.turn.Label,
			before.index)
	case maybe && d.exact():
		d.Warn("%s has attacked %s in %s already (event %d): if %s is that port, %s (AWAW-HA-COMBINE)", like.by,
			like.name, d.turn.Label, like.index, e.Port, combined)
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

// nearby reports whether two names may be of one place: one is part of the other, or they differ by one letter in a
// word of five or more: Pearl Harbour. Of ships that would say too much: Taiho and Taiyo are two.
func nearby(a, b string) bool {
	of, other := strings.Fields(rules.Shown(a)), strings.Fields(rules.Shown(b))
	if partOf(a, b) || len(of) != len(other) {
		return partOf(a, b)
	}
	slips := 0
	for i, word := range rules.Each(of, rules.Bare) {
		switch its := rules.Bare(other[i]); {
		case word == its:
		case oneLetter(word, its):
			slips++
		default:
			return false
		}
	}
	return slips == 1
}

// oneLetter reports whether two words differ by one letter, which may be left out in one of them.
func oneLetter(a, b string) bool {
	if len(a) < len(b) {
		a, b = b, a
	}
	at := 0
	for at < len(b) && a[at] == b[at] {
		at++
	}
	tail := b[at:]
	if len(a) == len(b) {
		tail = b[min(at+1, len(b)):]
	}
	return len(a) > 4 && !strings.ContainsAny(a+b, "0123456789") && a[min(at+1, len(a)):] == tail
}

// berthed wants the ships that lie in the harbor, and the carrier that attacks, to be those of their sides (see lies).
func (d *decision) berthed(e harborEntry) {
	if !d.exact() {
		return
	}
	for j, ships := range [][]string{e.Targets, e.InHarbor, e.LightShips} {
		for i, ship := range ships {
			field := fmt.Sprintf("harbor attack.%s[%d]", []string{"targets", "in harbor", "light ships"}[j], i)
			if rule, why := d.lies(e, ship); rule != "" && (j == 0 || d.shipIn(e.Targets, ship) < 0) {
				d.forbid(field, rule, "%s: name another ship, or correct that attack", why)
			}
		}
	}
	before, attacked := d.places.Find(func(p place) bool {
		of, _ := powerNamed(p.of)
		return p.harbor && e.By == ByCarrier && e.Attacker.player() != e.Defender.player() &&
			of.player() == e.Defender.player() && d.shipIn(p.ships, e.Carrier) >= 0
	})
	if attacked {
		d.forbid("harbor attack.carrier", "AWAW-HA-CV-BASE", "%s was attacked in %s as a ship of %s (event %d), and "+
			"attacks for %s: name another carrier, or correct that attack", e.Carrier, before.name, before.of,
			before.index, e.Attacker.Name())
	}
}

// lies says why a ship cannot lie in the harbor, and by which rule: it made an attack for the side that attacks now
// (HA-CV-BASE), or it was attacked in another port in the same movement phase, in which harbor attacks are made one
// behind the other (HA-TIME). Light ships of one name may lie in several: named are those that the entry has as
// targets or shows in the harbor, and the carriers that have made an attack.
func (d *decision) lies(e harborEntry, ship string) (rule, why string) {
	s, sailed := d.sorties.Find(func(s sortie) bool {
		of, _ := powerNamed(s.power)
		return d.sameShip(s.name, ship) && of.player() == e.Attacker.player()
	})
	if sailed && e.Attacker.player() != e.Defender.player() { // of one side it is warned of
		return "AWAW-HA-CV-BASE", fmt.Sprintf("%s attacked %s for %s (event %d), and is no ship of %s", ship, s.port,
			s.power, s.index, e.Defender.Name())
	}
	core, _ := spelled(d.read(ship))
	_, carrier := d.sortieOf(e.Defender, ship)
	named := slices.Concat(e.Targets, e.InHarbor)
	if !carrier && d.shipIn(named, ship) < 0 || types[core] != "" || slices.Contains(forces, core) {
		return "", ""
	}
	before, elsewhere := d.places.Find(func(p place) bool {
		by, _ := powerNamed(p.by)
		return p.harbor && p.turn == d.turn.Ordinal && by.player() == e.Attacker.player() && !d.same(p.name, e.Port) &&
			d.shipIn(p.ships, ship) >= 0
	})
	if !elsewhere {
		return "", ""
	}
	return "AWAW-HA-TIME", fmt.Sprintf("%s was attacked in %s in this movement phase (event %d), and a ship lies in "+
		"one port", ship, before.name, before.index)
}

// baseRules are what an attack wants of its base.
var baseRules = map[HarborMode]string{BySubmarine: "AWAW-HA-SUB-BASE", ByCarrier: "AWAW-HA-CV-BASE"}

// baseApart wants no port to be attacked by a side and to be the base of an attack by it in one movement phase
// (HA-SUB-BASE, HA-CV-BASE): harbor attacks are made one behind the other, before anything moves (HA-TIME). It warns of
// one that is the base of two enemies in a game turn.
func (d *decision) baseApart(e harborEntry) {
	before, shared := d.places.Find(func(p place) bool {
		by, _ := powerNamed(p.by)
		return p.turn == d.turn.Ordinal && p.base != "" && d.same(p.base, e.From) && by.axis() != e.Attacker.axis()
	})
	if shared {
		d.Warn("%s was the base of an attack by %s in %s (event %d), and is that of one by %s: if either has another "+
			"base, correct that entry (%s)", e.From, before.by, d.turn.Label, before.index, e.Attacker.Name(),
			baseRules[e.By])
	}
	attack := func(sought func(place) bool) (place, bool) {
		return d.places.Find(func(p place) bool {
			by, _ := powerNamed(p.by)
			return p.harbor && p.turn == d.turn.Ordinal && by.player() == e.Attacker.player() && sought(p)
		})
	}
	if before, attacked := attack(func(p place) bool { return d.same(p.name, e.From) }); attacked && d.exact() {
		d.forbid("harbor attack.from", baseRules[e.By], "%s was attacked by %s in this movement phase (event %d), and "+
			"is the base of an attack by %s: name another base, or correct that attack", e.From, before.by,
			before.index, e.Attacker.Name())
	}
	if before, based := attack(func(p place) bool { return p.base != "" && d.same(p.base, e.Port) }); based {
		d.forbid("harbor attack.port", baseRules[before.means], "%s was the base of an attack by %s in this movement "+
			"phase (event %d), and is attacked by %s: attack another port, or correct that attack", e.Port, before.by,
			before.index, e.Attacker.Name())
	}
}

// heldBy refuses a port that the tables name to be a power's while it is reported as another's.
func (d *decision) heldBy(field, rule, name string, p Power) {
	port, named := portNamed(d.read(name))
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

// partHeld warns of a name that may be that of a port which is reported as another's: Manila Bay, Manilla.
func (d *decision) partHeld(name string, p Power) {
	for _, port := range Ports() {
		for _, other := range players() {
			held := slices.Contains(d.holds[other], port.Title())
			if other != p.player() && held && nearby(port.Title(), d.read(name)) {
				d.Warn("%s is reported as held by %s: if %s lies there it is no port of %s; report that it has "+
					"changed hands, or name another", port.Title(), article(other), name, p.Name())
			}
		}
	}
}

// frontName is the name of a front in a sentence.
func frontName(front string) string { return strings.ReplaceAll(front, "_", " ") }
