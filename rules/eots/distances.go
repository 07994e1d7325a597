package eots

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// pair is two hexes, in the order of their numbers: hexes do not move.
type pair [2]string

func pairOf(a, b string) pair { return pair{min(a, b), max(a, b)} }

// between is how far two hexes are apart, by what was reported of an HQ that stood in one of them, or of what
// lies about a base in one of them.
func (p position) between(a, b string) (int, bool) {
	if n, known := p.apart[pairOf(a, b)]; known {
		return n, true
	}
	for _, two := range [][2]string{{a, b}, {b, a}} {
		space, known := rules.Find(p.targets[two[0]].Targets, func(t events.Target) bool {
			return t.Kind != string(JapaneseHQ) && t.Name == two[1] // an HQ goes by its name
		})
		if known {
			return space.Distance, true
		}
	}
	return 0, false
}

// about gives how far hexes are from one, as far as that is known.
func (p position) about(hex string) map[string]int {
	list := map[string]int{}
	for _, from := range slices.Sorted(maps.Keys(p.targets)) {
		for _, t := range p.targets[from].Targets {
			switch {
			case t.Kind == string(JapaneseHQ): // it goes by its name
			case from == hex:
				list[t.Name] = t.Distance
			case t.Name == hex:
				list[from] = t.Distance
			}
		}
	}
	for two, n := range p.apart {
		switch hex {
		case two[0]:
			list[two[1]] = n
		case two[1]:
			list[two[0]] = n
		}
	}
	return list
}

// checkWay: by way of a third hex, two hexes are no farther apart than both ways together, and no nearer than one way
// is longer than the other. It reports whether it has said so.
func (d *decision) checkWay(field, from, to string, hexes int, rule string) bool {
	if from == "" || from == to {
		return false
	}
	a, b := d.about(from), d.about(to)
	for _, by := range slices.Sorted(maps.Keys(a)) {
		other, known := b[by]
		if way := a[by]; known && (hexes > way+other || hexes < max(way-other, other-way)) {
			d.forbid(field, rule, "%s is not %d hexes from %s if %s is %d from the one and %d from the other, as was "+
				"reported: correct the report that is wrong", to, hexes, from, by, other, way)
			return true
		}
	}
	return false
}

// knownFrom adds how far hexes are from the one that an HQ stands in, as it was reported of this HQ or another.
func (d *decision) knownFrom(hex string, distances map[string]int) {
	for two, n := range d.apart {
		switch {
		case !d.strict():
		case two[0] == hex:
			distances[two[1]] = n
		case two[1] == hex:
			distances[two[0]] = n
		}
	}
}

// checkDistance holds a distance to what is known: hexes do not move (EOTS-11.21.C-HQ).
func (d *decision) checkDistance(p *events.HeadquartersReported, m rules.Member[int], distances map[string]int) {
	was, known := distances[m.Name]
	if !known && d.strict() {
		was, known = d.between(p.Hex, m.Name)
	}
	switch {
	case !d.carries():
	case p.Hex == "":
		if known && was != m.Value {
			d.Warn("%s was %d hexes from %s, and is %d now: with its hex the ledger knows whether it moved "+
				"(EOTS-11.21.C-HQ)", p.Name, was, m.Name, m.Value)
		}
	case m.Name == p.Hex && m.Value != 0:
		d.ViolateField(m.At, rules.Input, "%s stands in %s, which is no %d hexes away from it", p.Name, p.Hex, m.Value)
	case known && was != m.Value:
		d.ViolateField(m.At, "EOTS-11.21.C-HQ", "%s in %s was reported %d hexes from %s, not %d: report the "+
			"hex that it has moved to, or correct the report that is wrong", p.Name, p.Hex, was, m.Name, m.Value)
	case d.strict() && m.Name != p.Hex && m.Value == 0:
		d.ViolateField(m.At, "EOTS-11.21.C-HQ", "%s in %s is in another hex than %s, and so 1 hex away or more, not 0",
			p.Name, p.Hex, m.Name)
	}
}

// oneDistance: whatever a hex counts for, it is as far away as it is.
func (d *decision) oneDistance(field string, p *events.TargetsReported) {
	if !d.carries() || d.Refused() {
		return
	}
	far := map[string]int{}
	if d.strict() {
		far = d.about(p.Hex)
	}
	far[p.Hex] = 0
	for _, t := range p.Targets {
		was, known := far[t.Name]
		switch {
		case t.Kind == string(JapaneseHQ): // it goes by its name
			continue
		case known && was != t.Distance:
			d.ViolateField(field, rules.Input, "%s is %d hexes from %s, and not %d as well", t.Name, was, p.Hex,
				t.Distance)
			return
		case d.strict() && t.Distance == 0 && t.Name != p.Hex:
			d.ViolateField(field, rules.Input, "%s is another hex than %s, and so 1 hex away or more, not 0", t.Name,
				p.Hex)
			return
		}
		far[t.Name] = t.Distance
	}
}
