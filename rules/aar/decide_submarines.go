package aar

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// fleet reads the submarines of one power: a number under a sea zone, or a sea zone under a name.
func (d *decision) fleet(field string, given map[string]json.RawMessage, taken map[string]bool) ([]events.Submarine, bool) {
	var boats []events.Submarine
	for _, key := range slices.Sorted(maps.Keys(given)) {
		at := field + "." + key
		var count int
		var zone string
		switch {
		case json.Unmarshal(given[key], &count) == nil:
			s, ok := d.space(at, key, d.board.SeaZone)
			if !ok || !d.inRange(at, count, 0) {
				return nil, false
			}
			for n := 1; count > 0; n++ { // derived names count on over all powers
				name := fmt.Sprintf("%s #%d", d.board.TableSpace(s.Name), n)
				if !taken[name] {
					taken[name] = true
					boats = append(boats, events.Submarine{Name: name, Zone: s.Name})
					count--
				}
			}
		case json.Unmarshal(given[key], &zone) == nil:
			s, ok := d.space(at, zone, d.board.SeaZone)
			if !ok {
				return nil, false
			}
			if taken[key] { // GEN-UNIQUE
				d.h.ViolateField(at, rules.Input, "two submarines are called %q: give each a name of its own", key)
				return nil, false
			}
			taken[key] = true
			boats = append(boats, events.Submarine{Name: key, Zone: s.Name})
		default:
			d.h.ViolateField(at, rules.Input, "write how many submarines lie in a sea zone, {SZ 8: 2}, or where one with a name lies, {U-47: SZ 9}")
			return nil, false
		}
	}
	return boats, true
}

// boatsNamed gives the submarines that a name stands for: one by its own, or those in a sea zone
// that are enemies of a power.
func (d *decision) boatsNamed(field, name, enemyOf string) ([]string, bool) {
	if _, b, ok := d.boat(name); ok {
		return []string{b.Name}, true
	}
	s, err := d.board.SeaZone(name)
	if err != nil {
		d.h.ViolateField(field, rules.Input, "%q is neither a submarine that was reported nor a sea zone: %v", name, err)
		return nil, false
	}
	var names []string
	for _, power := range powerNames() {
		for _, b := range d.submarines[power].boats {
			if b.Zone == s.Name && enemies(Power(power), Power(enemyOf)) {
				names = append(names, b.Name)
			}
		}
	}
	if len(names) == 0 {
		d.h.ViolateField(field, rules.Input, "no enemy submarine of %s was reported in %s", enemyOf, s.Name)
	}
	return names, len(names) > 0
}

// reportSubmerged: who submerged in a power's Conduct Combat does not raid in that TURN
// (AAR-4-SUBMERGED). Submarines are named, or a sea zone stands for the enemies in it.
func (d *decision) reportSubmerged(field string, raw json.RawMessage) {
	m := mapping[json.RawMessage](d, field, raw, `{UK: [SZ 8]}: whose TURN it is, and which submarines`)
	told := d.once(field)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		at := field + "." + name
		player, ok := d.power(at, name)
		if !ok || !told(at, player) {
			return
		}
		boats, ok := d.submergedIn(at, player, m[name])
		if !ok {
			return
		}
		slices.Sort(boats)
		d.h.Record(player, &events.FactReported{Fact: factSubmerged, Subject: player, Names: slices.Compact(boats)})
	}
}

// submergedIn reads a list of submarines and sea zones, or how many of those in a sea zone.
func (d *decision) submergedIn(field, player string, raw json.RawMessage) ([]string, bool) {
	var list []string
	var counts map[string]int
	boats := []string{}
	switch {
	case json.Unmarshal(raw, &list) == nil && list != nil:
		for i, name := range list {
			named, ok := d.boatsNamed(fmt.Sprintf("%s[%d]", field, i), name, player)
			if !ok {
				return nil, false
			}
			boats = append(boats, named...)
		}
	case json.Unmarshal(raw, &counts) == nil:
		for _, zone := range slices.Sorted(maps.Keys(counts)) {
			at := field + "." + zone
			named, ok := d.boatsNamed(at, zone, player)
			if !ok {
				return nil, false
			}
			if counts[zone] < 0 || counts[zone] > len(named) {
				d.h.ViolateField(at, rules.Input, "%s: %d of %d submarines cannot have submerged", zone, counts[zone], len(named))
				return nil, false
			}
			boats = append(boats, named[:counts[zone]]...)
		}
	default:
		d.h.ViolateField(field, rules.Input, "write which submarines submerged in the TURN of %s: [SZ 8, U-47], or {SZ 8: 1}", player)
		return nil, false
	}
	return boats, true
}

func (d *decision) reportTreasury(field string, raw json.RawMessage) {
	m := mapping[int](d, field, raw, "{UK: 30}")
	told := d.once(field)
	for _, name := range slices.Sorted(maps.Keys(m)) {
		at := field + "." + name
		power, ok := d.power(at, name)
		if !ok || !told(at, power) || !d.inRange(at, m[name], -limit) {
			return
		}
		d.h.Record(power, &events.FactReported{Fact: factTreasury, Subject: power, Number: m[name]})
	}
}

// once refuses a subject that is given twice under two of its names (GEN-UNIQUE).
func (d *decision) once(field string) func(at, name string) bool {
	told := map[string]bool{}
	return func(at, name string) bool {
		if told[name] {
			d.h.ViolateField(at, rules.Input, "%s is given twice in %s", name, field)
			return false
		}
		told[name] = true
		return true
	}
}
