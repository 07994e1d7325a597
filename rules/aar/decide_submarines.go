package aar

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// mostSubmarines bounds a power's submarines; no board has pieces for half as many.
const mostSubmarines = 100

// reportSubmarines reads, for each power, how many submarines lie in each sea zone, {SZ 8: 2},
// or where each lies that has a name, {U-47: SZ 9}. What is not named is not on the board.
func (d *decision) reportSubmarines(given rules.Mapping[*map[string]json.RawMessage]) {
	taken, before := map[string]bool{}, d.boats()
	for _, b := range before {
		if _, anew := given.Named(b.owner); !anew {
			taken[d.key(b.name)] = true
		}
	}
	for _, power := range powerNames() {
		m, anew := given.Named(power)
		if !anew {
			continue
		}
		boats, ok := d.fleet(m.At, *m.Value, taken)
		if !ok {
			return
		}
		d.checkRenamed(m.At, power, boats)
		d.warnOfTwins(boats)
		d.warnOfMore(power, len(boats))
		d.warnOfSailed(power, boats)
		d.warnOfHunted(power, boats)
		d.Record(power, &events.SubmarinesReported{Power: power, Submarines: boats})
		d.submarines = rules.Put(d.submarines, power, fleet{boats: boats}) // for what the entry says of them
	}
	d.warnOfSwapped(before)
}

// warnOfSwapped says that submarines which submerged in the TURN that is on are no longer reported, and that a report
// has new ones of a friend in their sea zone (AAR-4-SUBMERGED).
func (d *decision) warnOfSwapped(before []boat) {
	now := d.boats()
	in := func(list []boat, b boat) bool {
		return slices.ContainsFunc(list, func(o boat) bool { return o.owner == b.owner && o.name == b.name })
	}
	for _, s := range d.under {
		i := slices.IndexFunc(now, func(b boat) bool {
			friend := b.owner != s.owner && !enemies(Power(b.owner), Power(s.owner))
			return b.zone == s.zone && friend && !in(before, b)
		})
		if i >= 0 && s.turnOf == d.Player && !in(now, s.boat) && !slices.Contains(d.Collected, s.turnOf) {
			d.Warn("%s of %s submerged in %s in this TURN and is left out, and %s of %s is new there: if it is the "+
				"same one, correct the report (AAR-4-SUBMERGED)", s.name, s.owner, s.zone, now[i].name, now[i].owner)
			return
		}
	}
}

// warnOfSailed says that submarines which a power has placed in its TURN would lie elsewhere before that TURN is over:
// units are placed when all have moved. As many as the report has fewer may have been lost.
func (d *decision) warnOfSailed(power string, boats []events.Submarine) {
	if !d.firm() || power != d.Player {
		return
	}
	placed := map[string]int{}
	for _, m := range d.moored {
		if m.Power == power && m.round == d.Turn.Ordinal {
			placed[m.Space] += countOf(m.Units, submarine)
		}
	}
	if n, zone := elsewhere(placed, boats, len(d.submarines[power].boats)-len(boats)); n > 0 {
		d.Warn("by this report %s, placed in %s in this TURN of %s, would be elsewhere, and units are placed "+
			"when all have moved: correct the report, or where they were placed", words.Count(n, "submarine"), zone,
			power)
	}
}

// warnOfHunted says that submarines which were in a combat of the TURN that is on would lie elsewhere before it is
// over: who fights moves no more in it (AAR-7-ROLL).
func (d *decision) warnOfHunted(power string, boats []events.Submarine) {
	hunted, lost := map[string]int{}, len(d.submarines[power].boats)-len(boats)
	for _, c := range d.combats {
		g, fought := c.of(power)
		if !fought || c.attacker != d.Player || d.Over(d.Player) || slices.Contains(d.Collected, d.Player) {
			continue
		}
		hunted[c.zone] = len(g.Submarines)
		lost = max(lost, d.lostSince(c, power, boats))
		for _, b := range boats {
			if b.Zone != c.zone && slices.Contains(g.Submarines, b.Name) {
				d.Warn("%s was in the combat in %s in this TURN of %s, and lies in %s by this report: correct it, or "+
					"report that once the TURN is over (AAR-7-ROLL)", b.Name, c.zone, d.Player, b.Zone)
				return
			}
		}
	}
	if n, zone := elsewhere(hunted, boats, lost); n > 0 {
		d.Warn("by this report %s of %s from the combat in %s in this TURN of %s would be elsewhere: correct "+
			"it, or report that once the TURN is over (AAR-7-ROLL)", words.Count(n, "submarine"), power, zone, d.Player)
	}
}

// lostSince counts the submarines of a power that by a report have been lost since a combat of the TURN that is on, in
// which the power whose it is has placed new ones since.
func (d *decision) lostSince(c combat, power string, boats []events.Submarine) int {
	n := rules.Count(c.afloat, func(b boat) bool { return b.owner == power }) - len(boats)
	if power == d.Player {
		n += d.launchedBy(power)
	}
	return n
}

// elsewhere counts the submarines of a report that have left one of the sea zones in which so many are to be, and gives
// that sea zone. So many may have been lost.
func elsewhere(there map[string]int, boats []events.Submarine, lost int) (n int, zone string) {
	for _, zone := range slices.Sorted(maps.Keys(there)) {
		left := there[zone]
		for _, b := range boats {
			if b.Zone == zone {
				left--
			}
		}
		if lost -= max(0, left); lost < 0 {
			return min(left, -lost), zone
		}
	}
	return 0, ""
}

// warnOfMore says that a power has more submarines than it had and bought, where the ledger knows what it bought in
// this ROUND (AAR-6-FUNDS).
func (d *decision) warnOfMore(power string, n int) {
	bought, buys := d.bought[power]
	there := len(d.submarines[power].boats)
	had := there
	if before, known := d.boatsHad[power]; known { // a report since may have what was bought
		had = min(there, before+d.launchedBy(power))
	}
	had = max(there, had+bought[submarine])
	if buys && d.submarines[power].from > 0 && n > had {
		d.Warn("by this report %s has %s more than it had and has bought: if none was forgotten before, correct this "+
			"report, or enter the purchase (AAR-6-FUNDS)", power, words.Count(n-had, "submarine"))
	}
}

// warnOfFleet says that with so many more, in D-Day or in a combat elsewhere, more submarines of the US fight in this
// TURN than it had: each does in one sea zone alone (AAR-7-ROLL).
func (d *decision) warnOfFleet(n int) {
	had := len(d.submarines[string(US)].boats)
	if d.Player == string(US) { // those that were lost since have fought too
		had = max(had, len(d.seaAtUS[string(US)].boats))
	}
	before := rules.Count(d.landed, func(u events.Participant) bool {
		return u.Power == string(US) && u.Kind == "submarine" && u.Role != title(string(NoRole))
	})
	for _, c := range d.combats {
		if g, fought := c.of(string(US)); fought && c.attacker == string(US) && !isSZ7(d.called(c.zone)) {
			before += len(g.Submarines)
		}
	}
	if d.submarines[string(US)].from > 0 && n > 0 && before+had > 0 && n+before > had {
		d.Warn("%s of the US in this TURN's combats and D-Day, and %d reported: if one fights twice, undo this entry "+
			"(AAR-7-ROLL)", words.Count(n+before, "submarine"), had)
	}
}

// checkRenamed: a submarine that submerged in this TURN keeps its name, under which it does no damage
// (AAR-4-SUBMERGED).
func (d *decision) checkRenamed(at, power string, boats []events.Submarine) {
	if d.exact() {
		d.checkUnder(at, power, boats)
		d.warnOfKept(d.submarines[power].boats, boats)
		return
	}
	if !d.carries() {
		return
	}
	before := slices.Concat(d.submarines[power].boats, d.gone(power))
	for _, b := range before {
		i := slices.IndexFunc(boats, func(n events.Submarine) bool {
			return n.Zone == b.Zone && !slices.ContainsFunc(before,
				func(o events.Submarine) bool { return o.Name == n.Name })
		})
		known := slices.ContainsFunc(boats, func(n events.Submarine) bool { return n.Name == b.Name })
		if i >= 0 && !known && d.stayedDown(d.Player, b.Name) {
			d.ViolateField(at, "AAR-4-SUBMERGED", "%s submerged in %s in this TURN, and %s takes its place there: "+
				"keep its name",
				b.Name, b.Zone, boats[i].Name)
		}
	}
	d.checkMovedUnderWater(at, before, boats)
	d.warnOfKept(before, boats)
}

// checkUnder: until the power in whose TURN a submarine submerged has collected it keeps its name, and in that TURN its
// sea zone (AAR-4-SUBMERGED). So where it is left out, no other has come since.
func (d *decision) checkUnder(at, power string, boats []events.Submarine) {
	lies := func(list []events.Submarine, name string) int {
		return slices.IndexFunc(list, func(b events.Submarine) bool { return b.Name == name })
	}
	for _, s := range d.under {
		if s.owner != power || slices.Contains(d.Collected, s.turnOf) || d.Over(s.turnOf) {
			continue
		}
		zone, i, k := s.zone, lies(boats, s.name), lies(d.submarines[power].boats, s.name)
		if k >= 0 {
			zone = d.submarines[power].boats[k].Zone
		}
		n := slices.IndexFunc(boats, func(b events.Submarine) bool { return !slices.Contains(s.afloat, b.Name) })
		switch {
		case i >= 0 && boats[i].Zone != zone && s.turnOf == d.Player:
			d.ViolateField(at, "AAR-4-SUBMERGED", "%s submerged in %s in this TURN, and does not lie in %s before %s "+
				"collects", s.name, zone, boats[i].Zone, s.turnOf)
		case i < 0 && n >= 0:
			d.ViolateField(at, "AAR-4-SUBMERGED", "%s submerged in %s in the TURN of %s and is left out, and %s is "+
				"new since: keep its name, {%q: %s}, or report what is new once %s has collected", s.name, zone,
				s.turnOf, boats[n].Name, s.name, d.Board.TableSpace(zone), s.turnOf)
		}
	}
}

// warnOfKept says that a report of fewer submarines in a sea zone has left out one that submerged in this TURN and kept
// one that did not.
func (d *decision) warnOfKept(before, boats []events.Submarine) {
	for _, left := range before {
		for _, kept := range boats {
			here := func(b events.Submarine) bool { return b == kept }
			if left.Zone == kept.Zone && slices.ContainsFunc(before, here) && d.Player != "" &&
				!slices.ContainsFunc(boats, func(b events.Submarine) bool { return b.Name == left.Name }) &&
				d.stayedDown(d.Player, left.Name) && !d.stayedDown(d.Player, kept.Name) {
				d.Warn("%s submerged in this TURN, %s did not, and the report keeps %s: name those that are left, "+
					"{%q: %s}", left.Name, kept.Name, kept.Name, left.Name, d.Board.TableSpace(left.Zone))
				return
			}
		}
	}
}

// checkMovedUnderWater: until its TURN's power collects, a submarine that submerged lies under no new name in another
// sea zone either (AAR-4-SUBMERGED).
func (d *decision) checkMovedUnderWater(at string, before, boats []events.Submarine) {
	if !d.strict() || slices.Contains(d.Collected, d.Player) {
		return
	}
	called := func(list []events.Submarine, name string) bool {
		return slices.ContainsFunc(list, func(b events.Submarine) bool { return b.Name == name })
	}
	for _, b := range before {
		i := slices.IndexFunc(boats, func(n events.Submarine) bool {
			return n.Zone != b.Zone && !called(before, n.Name)
		})
		if i >= 0 && !called(boats, b.Name) && d.stayedDown(d.Player, b.Name) {
			d.ViolateField(at, "AAR-4-SUBMERGED", "%s submerged in %s in this TURN and is left out, and %s is new: "+
				"keep its name, {%q: %s}", b.Name, b.Zone, boats[i].Name, b.Name, d.Board.TableSpace(b.Zone))
		}
	}
}

// gone are submarines of a power that submerged in this TURN and that a report since has left out.
func (d *decision) gone(power string) (boats []events.Submarine) {
	for _, c := range d.combats {
		for _, v := range c.dives {
			if c.attacker != d.Player || v.power != power {
				continue
			}
			for _, name := range v.boats {
				if !slices.ContainsFunc(d.submarines[power].boats,
					func(b events.Submarine) bool { return b.Name == name }) {
					boats = append(boats, events.Submarine{Name: name, Zone: c.zone})
				}
			}
		}
	}
	return boats
}

// station is a sea zone of a report: the submarines in it that have a name, and how many have none.
type station struct {
	named []events.Submarine
	count *int
}

// fleet reads the submarines of one power, zone after zone. Derived names count on over all powers,
// and pass over those that are taken.
func (d *decision) fleet(field string, given map[string]json.RawMessage,
	taken map[string]bool) ([]events.Submarine, bool) {
	stations := map[string]station{}
	for _, key := range slices.Sorted(maps.Keys(given)) {
		if !d.station(field+"."+key, key, given[key], stations, taken) {
			return nil, false
		}
	}
	boats := []events.Submarine{}
	for _, s := range d.Board.Spaces() {
		at := stations[s.Name]
		boats = append(boats, at.named...)
		for n, left := 1, at.count; left != nil && *left > 0 && len(boats) <= mostSubmarines; n++ {
			name := fmt.Sprintf("%s #%d", d.Board.TableSpace(s.Name), n)
			if !taken[d.key(name)] {
				taken[d.key(name)] = true
				boats = append(boats, events.Submarine{Name: name, Zone: s.Name})
				*left--
			}
		}
	}
	if len(boats) > mostSubmarines {
		d.ViolateField(field, rules.Input, "these are more than %d submarines", mostSubmarines)
		return nil, false
	}
	return boats, true
}

// station reads one entry of a fleet: a number under a sea zone, or a sea zone under a name.
func (d *decision) station(at, key string, raw json.RawMessage, stations map[string]station,
	taken map[string]bool) bool {
	var count *int
	var zone string
	switch {
	case json.Unmarshal(raw, &count) == nil && count != nil:
		s, ok := d.Space(at, key, d.Board.SeaZone)
		if !ok || !d.InRange(at, *count, 0, rules.Limit) {
			return false
		}
		if stations[s.Name].count != nil { // GEN-UNIQUE
			d.ViolateField(at, rules.Input, "the submarines in %s are given twice", s.Name)
			return false
		}
		stations[s.Name] = station{stations[s.Name].named, count}
		return true
	case json.Unmarshal(raw, &zone) == nil && zone != "":
		if _, err := d.Board.SeaZone(key); err == nil {
			d.ViolateField(at, rules.Input, "%s: a whole number is expected, not %q", at, zone)
			return false
		}
		s, ok := d.Space(at, zone, d.Board.SeaZone)
		key = d.boatName(key)
		if !ok || !d.christen(at, key, taken) {
			return false
		}
		here := stations[s.Name]
		stations[s.Name] = station{append(here.named, events.Submarine{Name: key, Zone: s.Name}), here.count}
		return true
	}
	d.ViolateField(at, rules.Input,
		"write how many submarines lie in a sea zone, {SZ 8: 2}, or where one with a name lies, {U-47: SZ 9}")
	return false
}

// boatName is a name of a report as the campaign writes it: that of a submarine that is on the board, or was in this
// ROUND, in another spelling is its name (GEN-CARRY).
func (d *decision) boatName(name string) string {
	if _, err := d.Board.SeaZone(d.spelt(name)); err == nil {
		return d.spelt(name)
	}
	known := d.boats()
	for _, s := range d.under {
		known = append(known, s.boat)
	}
	for _, c := range d.combats {
		known = append(known, c.afloat...)
	}
	for _, b := range known {
		if d.exact() && d.sameBoat(b.name, name) {
			return b.name
		}
	}
	return d.spelt(name)
}

// christen takes a name for one submarine. No other has it, and it is not a space's, for that stands
// for the submarines in it.
func (d *decision) christen(field, name string, taken map[string]bool) bool {
	_, err := d.Board.Space(name)
	switch {
	case err == nil || strings.TrimSpace(name) != name || name == "":
		d.ViolateField(field, rules.Input, "a submarine cannot be called %q", name)
	case taken[d.key(name)]: // GEN-UNIQUE
		d.ViolateField(field, rules.Input, "two submarines are called %q: give each a name of its own", name)
	default:
		taken[d.key(name)] = true
		return true
	}
	return false
}

// boatsNamed gives the submarines that a name stands for: one by its own, or those in a sea zone
// that are enemies of a power.
func (d *decision) boatsNamed(field, name, enemyOf string) ([]string, bool) {
	all := d.boats()
	name = d.boatName(name)
	if i := slices.IndexFunc(all, func(b boat) bool { return strings.EqualFold(b.name, name) }); i >= 0 {
		return []string{all[i].name}, true
	}
	s, err := d.Board.SeaZone(name)
	if err != nil {
		d.ViolateField(field, rules.Input, "%q is no submarine that was reported (%s), and %v", name, some(all), err)
		return nil, false
	}
	var names []string
	for _, b := range all {
		if b.zone == s.Name && enemies(Power(b.owner), Power(enemyOf)) {
			names = append(names, b.name)
		}
	}
	if len(names) == 0 {
		d.ViolateField(field, rules.Input, "no enemy submarine of %s was reported in %s", enemyOf, s.Name)
	}
	return names, len(names) > 0
}

// some names submarines, a dozen at most.
func some(boats []boat) string {
	const most = 12
	names := rules.Each(boats[:min(len(boats), most)], func(b boat) string { return b.name })
	if len(boats) > most {
		names = append(names, "…")
	}
	return cmp.Or(strings.Join(names, ", "), "none was")
}
