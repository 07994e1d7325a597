package aar

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// reportSubmerged: who submerged in a power's Conduct Combat does not raid in that TURN
// (AAR-4-SUBMERGED), so this is entered before the power collects.
func (d *decision) reportSubmerged(at, player string, raw json.RawMessage) {
	if slices.Contains(d.Collected, player) || d.Over(player) {
		d.ViolateField(at, rules.Input, "the TURN of %s in %s is over, and its raids with it", player, d.Turn.Label)
		return
	}
	boats, ok := d.submergedIn(at, player, raw)
	if !ok {
		return
	}
	slices.Sort(boats)
	d.warnOfSubmerged(player, boats)
	d.warnOfEarly(player, len(boats))
	d.Record(player, &events.FactReported{Fact: factSubmerged, Subject: player, Names: slices.Compact(boats)})
}

// warnOfEarly says that so many submarines are reported as submerged before the TURN in which they do so. The next TURN
// begins when the one that is on has its income, and with the head of a ROUND any may be reported (AAR-4-SUBMERGED).
func (d *decision) warnOfEarly(player string, n int) {
	passed := d.Passed(player)
	if d.Player == "" || d.Player == player || n == 0 || d.Phase == phaseCollect && len(passed) == 0 {
		return
	}
	now := d.Player + " " + d.Phase + " still"
	if d.Phase == phaseCollect {
		now = "not the TURN of " + player + " yet, for that of " + passed[0] + " comes before"
	}
	d.Warn("it is %s, and what submerges in the TURN of %s does so in its Conduct Combat: report it when that has "+
		"come, and undo this entry (AAR-4-SUBMERGED)", now, player)
}

// warnOfSubmerged says which submarines of a report an enemy's destroyers had detected, or had stayed up
// (AAR-7-SUBMERGE).
func (d *decision) warnOfSubmerged(player string, boats []string) {
	for _, name := range slices.Compact(slices.Clone(boats)) {
		for _, c := range d.combats {
			g, hunted := c.group(name)
			if hunted && c.attacker == player && c.heldUp(g) && !d.stayedDown(player, name) {
				d.Warn("%s counts as detected in %s in this TURN: as long as enemy destroyers fight there it does not "+
					"submerge", name, c.zone)
			} else if before := d.detectedAs(name, player, c); before != "" {
				d.Warn("%s counts as detected in %s in this TURN, and %s has come since in its place: as long as "+
					"enemy destroyers fight there it does not submerge", before, c.zone, name)
			}
		}
	}
}

// detectedAs gives the submarine that another could be by the reports since a combat in its sea zone: of the same
// owner, detected in it and on the board no more, empty where the other was on the board by then.
func (d *decision) detectedAs(name, player string, c combat) string {
	called := func(list []boat, name string) (boat, bool) {
		return rules.Find(list, func(b boat) bool { return b.name == name })
	}
	now := d.boats()
	b, _ := called(now, name)
	g, fought := c.of(b.owner)
	if _, there := called(c.afloat, name); there || !fought || c.attacker != player || c.zone != b.zone ||
		!c.heldUp(g) {
		return ""
	}
	before, _ := rules.Find(g.Submarines, func(before string) bool {
		_, there := called(now, before)
		return !there && !d.stayedDown(player, before)
	})
	return before
}

// namesFirst puts the names of submarines before those of sea zones, of which others are counted.
func (d *decision) namesFirst(keys []string) []string {
	if d.exact() {
		zone := func(key string) int {
			_, err := d.Board.SeaZone(key)
			return map[bool]int{true: 1}[err == nil]
		}
		slices.SortStableFunc(keys, func(a, b string) int { return cmp.Compare(zone(a), zone(b)) })
	}
	return keys
}

// stillUp leaves out those that submerged before in that TURN, or by the same entry: what is counted of them adds up
// (AAR-4-SUBMERGED).
func (d *decision) stillUp(named, here []string, player string) []string {
	if !d.exact() {
		return named
	}
	return slices.DeleteFunc(named, func(name string) bool {
		return d.stayedDown(player, name) || slices.Contains(here, name)
	})
}

// submergedIn reads a list of submarines and sea zones, or how many of those in a sea zone.
func (d *decision) submergedIn(field, player string, raw json.RawMessage) ([]string, bool) {
	var list []string
	var counts map[string]*int
	boats := []string{}
	switch {
	case json.Unmarshal(raw, &list) == nil:
		for i, name := range list {
			named, ok := d.boatsNamed(fmt.Sprintf("%s[%d]", field, i), name, player)
			if !ok {
				return nil, false
			}
			boats = append(boats, named...)
		}
	case json.Unmarshal(raw, &counts) == nil:
		for _, zone := range d.namesFirst(slices.Sorted(maps.Keys(counts))) {
			at := field + "." + zone
			named, ok := d.boatsNamed(at, zone, player)
			if named = d.stillUp(named, boats, player); !ok {
				return nil, false
			}
			if n := counts[zone]; n == nil || *n < 0 || *n > len(named) {
				up := map[bool]string{true: " that had not submerged"}[d.exact()]
				d.ViolateField(at, rules.Input, "enemy submarines of %s in %s%s: %d; say how many of them submerged",
					player, zone, up, len(named))
				return nil, false
			}
			boats = append(boats, named[:*counts[zone]]...)
		}
	default:
		d.ViolateField(field, rules.Input,
			"write which submarines submerged in the TURN of %s: [SZ 8, U-47], or {SZ 8: 1}", player)
		return nil, false
	}
	return boats, true
}
