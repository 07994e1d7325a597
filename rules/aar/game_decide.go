package aar

import (
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// decision is one command being judged on a state.
type decision struct {
	game
	axisallies.Case
}

// Verbs says what a turn file of the system may say.
func Verbs() []rules.Verb {
	return []rules.Verb{
		{Key: "turn", Line: "begin the next ROUND, such as Round 2"},
		{Key: "phase", Line: "begin a phase of a power's TURN"},
		{Key: "facts", Line: "report the board: control, complexes, submarines, treasury, prices, techs, artillery and more"},
		{Key: "purchase", Line: "a power buys units at the house prices (rule 6)"},
		{Key: "sbr", Line: "a strategic bombing raid does its damage (AAR-4-TOTAL)"},
		{Key: "rockets", Line: "rockets do their damage (AAR-4-TOTAL)"},
		{Key: "artillery fire", Line: "artillery fires from an adjacent territory (AAR-6-ARTY-FIRE)"},
		{Key: "artillery move", Line: "artillery that has not fired moves (AAR-6-ARTY-MOVE)"},
		{Key: "sub detection", Line: "destroyers roll to detect submarines in a sea zone (rule 7)"},
		{Key: "call shots", Line: "undetected submarines that attack alone call their shots (AAR-7-SHOTS)"},
		{Key: "submerge", Line: "undetected submarines submerge after Opening Fire (AAR-7-SUBMERGE)"},
		{Key: "declare d-day", Line: "the UK declares D-Day at the start of its TURN (rule 5)"},
		{Key: "d-day", Line: "the US carries D-Day out, with the UK (rule 5)"},
		{Key: "collect income", Line: "a power collects income, less convoy raids (rule 4)"},
		{Key: rules.VerbCompensate, Line: "the umpire gives a treasury something, or takes it, for what cannot be corrected"},
	}
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := decision{g, g.Case(c, h)}
	if !d.InTime() {
		return
	}
	if decide, ok := d.verbs()[c.Verb]; ok {
		decide()
		d.holdToDDay()
		return
	}
	h.Violate(rules.Input, "%q is nothing that a campaign of Axis & Allies Revised knows", c.Verb)
}

func (d *decision) verbs() map[string]func() {
	return map[string]func(){
		"turn":               d.BeginRound,
		"phase":              d.BeginPhase,
		"facts":              func() { d.ReportFacts(factKeys(), d.reportFact) },
		"purchase":           d.purchase,
		"sbr":                func() { d.attackEconomy(SBR) },
		"rockets":            func() { d.attackEconomy(Rockets) },
		"artillery fire":     d.fireArtillery,
		"artillery move":     d.moveArtillery,
		"sub detection":      d.huntSubmarines,
		"call shots":         d.callShots,
		"submerge":           d.submerge,
		"declare d-day":      d.declareDDay,
		"d-day":              d.carryOutDDay,
		"collect income":     d.collectIncome,
		rules.VerbCompensate: d.compensate,
		"rule":               func() { OptionList().Rule(d.Hearing, d.Command, d.Options) },
	}
}
