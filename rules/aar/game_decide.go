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
		{Key: "facts", Line: "report the board: control, complexes, submarines, submerged, treasury"},
		{Key: "purchase", Line: "a power buys units"},
		{Key: "sbr", Line: "a strategic bombing raid does its damage (AAR-4-TOTAL)"},
		{Key: "rockets", Line: "rockets do their damage (AAR-4-TOTAL)"},
		{Key: "collect income", Line: "a power collects income, less convoy raids (rule 4)"},
	}
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := decision{g, g.Case(c, h)}
	if !d.InTime() {
		return
	}
	switch c.Verb {
	case "turn":
		d.BeginRound()
	case "phase":
		d.BeginPhase()
	case "facts":
		d.ReportFacts(factKeys(), d.reportFact)
	case "purchase":
		d.purchase()
	case "sbr":
		d.attackEconomy(SBR)
	case "rockets":
		d.attackEconomy(Rockets)
	case "collect income":
		d.collectIncome()
	case "rule":
		OptionList().Rule(h, c, g.Options)
	default:
		h.Violate(rules.Input, "%q is nothing that a campaign of Axis & Allies Revised knows", c.Verb)
	}
}
