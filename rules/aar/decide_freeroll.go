package aar

import (
	"regexp"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// houseGroup is a group of dice that names its units and what they hit on: 2d6 destroyers at 3.
var houseGroup = regexp.MustCompile(`^[0-9]+ ?[dD]6 (.+) at ([0-9]+)$`)

// stance is a word by which a group of dice says for which of a unit's figures they are thrown.
var stance = regexp.MustCompile(`(?i)\b(attack|defen[cds]e?|bombard)(ers?|ing|s|ment)?\b`)

// houseRules are the ids under which the list has a unit's figures.
var houseRules = map[string]string{"battlecruiser": "AAR-6-BC", "destroyer": "AAR-6-DD", "carrier": "AAR-6-AC",
	"escort carrier": "AAR-6-AC"}

// freeRoll throws dice for what these rules do not resolve, such as a battle. Where it names a unit of the list, the
// dice hit on a figure of the list.
func (d *decision) freeRoll(e rules.FreeRoll) {
	for group := range strings.SplitSeq(e.Dice, ",") {
		m := houseGroup.FindStringSubmatch(strings.Join(strings.Fields(d.spelt(group)), " "))
		if m == nil {
			d.warnOfSum(group)
		}
		if m == nil || !d.carries() {
			continue
		}
		unit := singular(m[1])
		columns := []string{"attack", "defense", "bombard"}
		if d.exact() {
			unit, _ = d.kind(m[1]) // {dice: 2d6 UK destroyers at 2}
			if named := stance.FindStringSubmatch(m[1]); named != nil && houseRules[unit] == "" {
				unit, _ = d.kind(stance.ReplaceAllString(m[1], "")) // {dice: 2d6 carriers defending at 3}
				columns = slices.DeleteFunc(columns, func(column string) bool {
					return !strings.EqualFold(column[:4], named[1][:4])
				})
			}
		}
		rule, listed := houseRules[unit]
		if !listed {
			d.warnOfDice(m[1], m[2], e.Side)
		}
		if !listed || unit == "destroyer" && d.hasTech(e.Side, SuperDestroyers) { // of which the text gives no figure
			continue
		}
		var figures []string
		for _, column := range columns {
			if figure := pricesTable.MustCell(unit, column); figure != "-" {
				d.Consult(TablePrices, unit, column)
				figures = append(figures, column+" "+figure)
			}
		}
		if len(figures) == 0 { // a destroyer bombards by the book alone
			continue
		}
		fits := strings.Contains(strings.Join(figures, ",")+",", " "+m[2]+",")
		if list := strings.Join(figures, ", "); !fits {
			d.ViolateField("roll.dice", rule, "%s: no hit at %s, it has %s", unit, m[2], list)
		} else {
			d.Cite(rule, "%s: hits at %s, it has %s", unit, m[2], list)
		}
	}
	if !d.Refused() {
		e.Throw(d.Hearing, e.Side)
	}
}

// beside is what a group of dice names besides its first units: 1d6 destroyers with air at 3.
var beside = regexp.MustCompile(`(?i) (with|in|from|off|and|against|under|near|of|on|by|plus|&|\+) .*$`)

// number is how many there are of a group's first units: two destroyers and Hood.
var number = regexp.MustCompile(`(?i)^(a|an|one|two|three|four|five|six|seven|eight|nine|ten) `)

// manned are words that make of a unit before them another one: a carrier air group.
var manned = []string{"air", "aircraft", "escort", "escorts", "group", "groups", "plane", "planes", "wing", "wings"}

// navy is whose a group's first units are where no table has the word: Royal Navy destroyers.
var navy = regexp.MustCompile(`(?i)^((u\.?[sk]\.?|royal) navy|u\.[sk]\.|usn|rn|ijn|kriegsmarine) `)

// firstUnit gives the unit that a group of dice first names, without its number, its navy, what is beside it and its
// own name, in capitals: two destroyers and Hood, carrier Formidable.
func (d *decision) firstUnit(group string) string {
	group = number.ReplaceAllString(stance.ReplaceAllString(beside.ReplaceAllString(group, ""), ""), "")
	group = navy.ReplaceAllString(group, "")
	words := strings.Fields(group)
	for i := 1; i < len(words); i++ {
		_, other := d.kind(strings.Join(words[i:], " "))
		named := words[i] != strings.ToLower(words[i]) && !slices.Contains(manned, strings.ToLower(words[i]))
		if unit, known := d.kind(strings.Join(words[:i], " ")); known && named && !other {
			return unit
		}
	}
	unit, _ := d.kind(group)
	return unit
}

// warnOfDice says of dice that first name a unit of the list, and something besides, that they hit on no figure of it.
func (d *decision) warnOfDice(group, at, side string) {
	unit := d.firstUnit(group)
	rule, listed := houseRules[unit]
	if !listed || unit == "destroyer" && d.hasTech(side, SuperDestroyers) {
		return
	}
	figures, fits := []string{}, false
	for _, column := range []string{"attack", "defense", "bombard"} {
		if figure := pricesTable.MustCell(unit, column); figure != "-" {
			figures, fits = append(figures, column+" "+figure), fits || figure == at
		}
	}
	if !fits {
		d.Warn("%q hit at %s here, and the list gives %s %s (%s): if these are its dice, undo this entry, and throw "+
			"them at its figure", group, at, unit, strings.Join(figures, ", "), rule)
	}
}

// summed is a group of dice that are added up, 2d6 destroyers attacking, or of other than six faces: 2d4 carriers at 3.
var summed = regexp.MustCompile(`^[0-9]+ ?[dD]([0-9]+) (.+?)( at [0-9]+)?$`)

// warnOfSum says of dice of an attack or defense by a unit of the list that they are added up, for want of a figure,
// and of dice of other than six faces that the list has no figure for them.
func (d *decision) warnOfSum(group string) {
	m := summed.FindStringSubmatch(strings.Join(strings.Fields(d.spelt(group)), " "))
	if m == nil {
		return
	}
	unit, _ := d.kind(stance.ReplaceAllString(m[2], ""))
	rule, listed := houseRules[unit]
	switch {
	case listed && m[1] != "6" && m[3] != "":
		d.Warn("%q are of %s faces here, and the list's figures are of dice of six: if these are its dice, undo this "+
			"entry, and throw d6 (%s)", m[2], m[1], rule)
	case listed && m[1] == "6" && stance.MatchString(m[2]):
		d.Warn("%q are added up here: to count hits, say on what, {dice: %s at …} (%s)", m[2],
			strings.TrimSpace(group), rule)
	}
}
