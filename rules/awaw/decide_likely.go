package awaw

import "slices"

// Nobody lists the ships of the game and who has which port, so the record can only say what an entry may have meant.

// likely finds a name among others that may be the same (see mayBe).
func (d *decision) likely(list []string, name string) int {
	return slices.IndexFunc(list, func(s string) bool { return d.mayBe(s, name) })
}

// warnOfShips warns of ships in the harbor that may be one under two names, or gone, or elsewhere, or another power's.
// What is in combat groups is secret.
func (d *decision) warnOfShips(e harborEntry) {
	if !d.exact() {
		return
	}
	ships := slices.Concat(e.Targets, e.InHarbor, e.LightShips)
	for i, ship := range ships {
		if d.shipIn(ships[:i], ship) >= 0 {
			continue
		}
		if at := d.likely(ships[:i], ship); at >= 0 {
			d.Warn("%s may be %s: if it is, it lies there once, and is one target (AWAW-HA-DUPLICATE)", ship, ships[at])
		}
		gone, may := d.sorties.Find(func(s sortie) bool { return s.lost && d.mayBe(s.name, ship) })
		if may {
			d.Warn("%s was eliminated in its attack on %s (event %d): if it is %s, it lies in no harbor "+
				"(AWAW-HA-CV-LOST)", gone.name, gone.port, gone.index, ship)
		}
		d.warnOfBerth(e, ship, i < len(e.Targets))
		other, known := d.places.Find(func(p place) bool { return p.harbor && d.shipIn(p.ships, ship) >= 0 })
		if known && other.of != e.Defender.Title() && !slices.Contains(e.LightShips, ship) {
			d.Warn("%s was attacked in %s as a ship of %s (event %d), and is one of %s here: if it is another, give "+
				"it a name of its own", ship, other.name, other.of, other.index, e.Defender.Name())
		}
	}
}

// warnOfBerth warns of a ship that may have been attacked in another port in the same movement phase under another
// name, and of a target that was shown there as far as the record has it (HA-TIME).
func (d *decision) warnOfBerth(e harborEntry, ship string, target bool) {
	before, elsewhere := d.places.Find(func(p place) bool {
		by, _ := powerNamed(p.by)
		seen := d.likely(p.ships, ship) >= 0 || target && d.shipIn(p.ships, ship) < 0 && d.shipIn(p.shown, ship) >= 0
		return p.harbor && p.turn == d.turn.Ordinal && by.player() == e.Attacker.player() && seen &&
			!d.same(p.name, e.Port)
	})
	if elsewhere {
		d.Warn("%s, or a ship that may be it, lay in %s in this movement phase (event %d), and a ship lies in one "+
			"port (AWAW-HA-TIME)", ship, before.name, before.index)
	}
}

// warnOfOwner warns of a port that was another side's when it was attacked last, and that no report gives to this one.
func (d *decision) warnOfOwner(e harborEntry) {
	before, known := d.places.Find(func(p place) bool { return p.harbor && d.same(p.name, e.Port) })
	of, _ := powerNamed(before.of)
	port, _ := portNamed(d.read(e.Port))
	if known && d.exact() && of.player() != e.Defender.player() &&
		!slices.Contains(d.holds[e.Defender.player()], port.Title()) {
		d.Warn("%s was attacked as a port of %s (event %d), and is one of %s here: if it has not changed hands, "+
			"correct the defender", e.Port, before.of, before.index, e.Defender.Name())
	}
}
