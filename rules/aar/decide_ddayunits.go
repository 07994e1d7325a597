package aar

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// noAgreement is the answer by which UK and US leave their casualties to the defender.
const noAgreement = "no agreement"

func at(field string, i int) string { return fmt.Sprintf("%s[%d]", field, i) }

func unitTypes() []string {
	return []string{
		"infantry", artillery, "armor", "fighter", "bomber", "transport", "destroyer", "submarine", "cruiser",
		"battlecruiser",
		"battleship", "carrier", "escort carrier",
	}
}

func roles() []string {
	return []string{"amphibious", "overland", "air", "sea combat", "bombard", "none"}
}

// landingUnit reads one unit. Its role follows from its type unless it is given: aircraft fly,
// the guns of the fleet bombard, all others land.
func (d *decision) landingUnit(field string, u landingUnit) (DDayUnit, bool) {
	read := DDayUnit{
		ID: strings.TrimSpace(d.spelt(u.Unit)), Power: u.Power, Type: UnitType(contractName(u.Type)),
		Role: Role(contractName(u.Role)),
		From: d.called(u.From), Battle: d.called(u.Battle), Loaded: u.Loaded || len(u.Carries) > 0,
		InReach: u.InReach == nil || *u.InReach,
	}
	if d.carries() && len(u.Carries) == 0 {
		read.Loaded = false
	}
	switch {
	case u.Role != "":
	case read.Type.air():
		read.Role = ByAir
	case read.Type.guns():
		read.Role = Bombard
	default:
		read.Role = Amphibious
	}
	switch {
	case read.ID == "" || strings.EqualFold(read.ID, noAgreement),
		d.exact() && d.sameUnit(read.ID, noAgreement):
		d.ViolateField(field+".unit", rules.Input, "a unit cannot be called %q", u.Unit)
	case read.Role == Overland && u.From == "":
		d.ViolateField(field+".from", rules.Input, "say where %s attacks from, for it comes overland", read.ID)
	default:
		return read, true
	}
	return read, false
}

// fireAA rolls for the AA gun against each nation apart (AAR-5-AA), and takes what it hits.
func (d *decision) fireAA(in DDayInput, out DDayOutcome, target, defender string, hitsOn int) {
	roll := &events.RollDeclared{Purpose: fmt.Sprintf("AA fire on D-Day, which hits at %d", hitsOn), Subject: target}
	var nations []Power
	for _, p := range []Power{UK, US} {
		if n := out.AADice[p]; n > 0 {
			nations = append(nations, p)
			roll.Throws = append(roll.Throws,
				events.Throw{Name: "AA fire at aircraft of " + string(p), Side: defender, Dice: n, Sides: 6})
		}
	}
	if len(nations) == 0 {
		return
	}
	dice, ok := d.Roll(defender, roll)
	if !ok {
		return
	}
	p := &events.ResultAdjudicated{Procedure: ddayProcedure, Subject: target, Attacker: string(US), Defender: defender,
		Declared: d.Declared()}
	hits := map[Power]int{}
	for i, nation := range nations {
		for _, die := range dice[i] {
			if die <= hitsOn {
				hits[nation]++
			}
		}
		d.Cite("AAR-5-AA", "of %d dice against aircraft of %s %d show %d or less", len(dice[i]), nation, hits[nation],
			hitsOn)
		p.Figures = append(p.Figures, events.Figure{Name: "aircraft hit of " + string(nation), Value: hits[nation]})
	}
	d.Record(defender, p)
	for _, nation := range nations {
		if hits[nation] > 0 && !d.loseAircraft(in, nation, target, defender, hits[nation]) {
			return
		}
	}
}

// loseAircraft takes aircraft of a nation off the board: all, or those that UK and US agree on, or
// else those that the defender picks (AAR-5-CASUALTIES). It reports false while an answer is missing.
func (d *decision) loseAircraft(in DDayInput, nation Power, target, defender string, hits int) bool {
	var names []string
	kinds := map[string]string{}
	for _, u := range in.Units {
		if u.Power == nation && in.firedAt(u) {
			names = append(names, u.ID)
			kinds[u.ID] = title(string(u.Type))
		}
	}
	lost, by := names, ""
	if hits < len(names) {
		var ok bool
		if d.carries() && nation == UK {
			d.Cite("AAR-5-COMMAND", "the US player commands the units of the UK, and answers for them")
		}
		if lost, by, ok = d.agree(&in, nation, names, defender, hits); !ok {
			return false
		}
		in.casualties(&d.Findings)
	} else if d.carries() {
		d.Cite("AAR-5-AA", "AA fire hits all aircraft of %s", nation)
	}
	p := &events.UnitsLost{Power: string(nation), Space: target, Cause: "AA fire", Chosen: by}
	for _, name := range lost {
		p.Units = append(p.Units, events.Unit{Name: fmt.Sprintf("%s (%s)", kinds[name], name), Count: 1})
	}
	d.Record(string(nation), p)
	return true
}

// agree asks UK and US for casualties; the US player answers, who commands both. Without an
// agreement it asks the defender.
func (d *decision) agree(in *DDayInput, nation Power, names []string, defender string,
	hits int) (lost []string, by string, ok bool) {
	rule := "AAR-5-CASUALTIES"
	if d.strict() && nation == UK {
		rule = "AAR-5-COMMAND" // it is for nobody else to answer for the units of the UK
	}
	question := fmt.Sprintf("AA fire hits %d of these: which, by agreement of UK and US?", hits)
	lost, ok = d.chosen(&events.ChoiceAsked{Question: question, Of: string(US),
		Options: append(slices.Clone(names), noAgreement), Rule: rule}, hits)
	if !ok {
		return nil, "", false
	}
	if len(lost) != 1 || lost[0] != noAgreement {
		return lost, "UK and US", true
	}
	in.Agreed = false
	question = fmt.Sprintf("UK and US do not agree: which %d of these does AA fire hit?", hits)
	lost, ok = d.chosen(&events.ChoiceAsked{Question: question, Of: defender, Options: names, Rule: "AAR-5-CASUALTIES"},
		hits)
	return lost, defender, ok
}

// chosen asks for so many units, each once.
func (d *decision) chosen(q *events.ChoiceAsked, hits int) ([]string, bool) {
	if hits > 1 {
		q.Most = hits
	}
	lost, ok := d.Choose(q)
	if !ok {
		return nil, false
	}
	if len(lost) == 1 && lost[0] == noAgreement && slices.Contains(q.Options, noAgreement) {
		return lost, true
	}
	different := len(slices.Compact(slices.Sorted(slices.Values(lost))))
	known := !slices.ContainsFunc(lost,
		func(name string) bool { return name == noAgreement || !slices.Contains(q.Options, name) })
	if len(lost) != hits || different != hits || !known {
		d.Violate(rules.Input, "%d different units are lost, of %s", hits, q.Offered())
		return nil, false
	}
	return lost, true
}
