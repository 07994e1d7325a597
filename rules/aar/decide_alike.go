package aar

import (
	"regexp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// bracketed is what is in brackets behind a name and has a letter: a number alone tells two units apart.
var bracketed = regexp.MustCompile(`\s*\([^()]*\pL[^()]*\)$`)

// alike reports whether a table may take two names for one unit, though they are two by the campaign's edition.
// Nor does it matter whose power stands in front of a name, or which of two words comes first: UK Rodney, Corps III;
// nor what is in brackets behind one of the two: Rodney (BB 29).
func (d *decision) alike(a, b string) bool {
	kind := func(word string) string {
		unit, known := d.kind(word)
		return map[bool]string{true: unit}[known]
	}
	own, other := d.ofPower(a), d.ofPower(b)
	if bracketed.MatchString(own) != bracketed.MatchString(other) {
		own, other = bracketed.ReplaceAllString(own, ""), bracketed.ReplaceAllString(other, "")
	}
	return !d.sameUnit(a, b) && (d.sameUnit(own, other) || rules.Alike(own, other, kind) ||
		rules.Alike(turned(own), other, kind))
}

// ofPower is a unit's name without its power's in front.
func (d *decision) ofPower(name string) string {
	first, rest, more := strings.Cut(strings.TrimSpace(name), " ")
	if more && (slices.Contains(nations, strings.ToLower(first)) || d.isPower(first)) {
		return strings.TrimSpace(rest)
	}
	return name
}

// turned gives a name of two words the other way round.
func turned(name string) string {
	if list := strings.Fields(name); len(list) == 2 {
		return list[1] + " " + list[0]
	}
	return name
}

// warnOfAlike says of units of D-Day that their name may be that of one that stays out of it, or that takes part
// already (GEN-UNIQUE).
func (d *decision) warnOfAlike(in DDayInput) {
	for i, u := range in.Units {
		if !u.partOf() {
			continue
		}
		for _, o := range in.Units[:i] {
			if o.partOf() && o.Power == u.Power && o.Type == u.Type && d.alike(o.ID, u.ID) {
				d.Warn("%s and %s take part: if they are one, undo this entry, and name it once (GEN-UNIQUE)", o.name(),
					u.ID)
			}
		}
		if u.Type == "submarine" {
			d.warnOfFought(u)
		}
		if u.Power != UK || u.Used || u.New {
			continue
		}
		d.warnOfName(u, d.used[string(UK)].Value, "was used on the UK's TURN (AAR-5-UK-USED)")
		d.warnOfName(u, d.fresh[string(UK)].Value, "was placed on the UK's TURN (AAR-5-UK-NEW)")
	}
}

// warnOfName says that a unit's name may be one of a list.
func (d *decision) warnOfName(u DDayUnit, names []string, what string) {
	for _, name := range names {
		if d.alike(name, u.ID) {
			d.Warn("%s takes part, and %s %s: if they are one, undo this entry, and leave it out", u.name(), name,
				what)
		}
	}
}

// warnOfFought says that a submarine's name may be that of one that was in a combat elsewhere in this TURN
// (AAR-7-ROLL).
func (d *decision) warnOfFought(u DDayUnit) {
	for _, c := range d.combats {
		if g, fought := c.of(string(u.Power)); fought && c.attacker == string(US) && !isSZ7(d.called(c.zone)) {
			d.warnOfName(u, g.Submarines, "was in a combat in "+c.zone+" in this TURN (AAR-7-ROLL)")
		}
	}
}

// warnOfLate says of units that are reported once D-Day has been carried out that one of a name like theirs took part.
func (d *decision) warnOfLate(power, rule string, names []string) {
	for _, u := range d.landed {
		i := slices.IndexFunc(names, func(name string) bool { return d.alike(name, u.Name) })
		if power == string(UK) && u.Power == power && u.Role != title(string(NoRole)) && i >= 0 {
			d.Warn("%s of the UK took part in D-Day, event %d: if it is %s, undo or correct that entry first (%s)",
				u.Name, d.carriedAt, names[i], rule)
		}
	}
}

// warnOfTwins says of two submarines of a report that they may be one (GEN-UNIQUE).
func (d *decision) warnOfTwins(boats []events.Submarine) {
	for i, b := range boats {
		for _, o := range boats[:i] {
			if derived := strings.Contains(b.Name, " #"); !derived && d.alike(o.Name, b.Name) {
				d.Warn("%s and %s are two submarines by this report: if they are one, correct it, and name it once "+
					"(GEN-UNIQUE)", o.Name, b.Name)
			}
		}
	}
}
