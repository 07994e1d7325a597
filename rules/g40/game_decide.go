package g40

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// decision is one command being judged on a state.
type decision struct {
	game
	axisallies.Case
}

// Verbs says what a turn file of the system may say.
func Verbs() []rules.Verb {
	return append([]rules.Verb{
		{Key: "turn", Line: "begin the next ROUND, such as Round 2"},
		{Key: "phase", Line: "begin a phase of a power's TURN"},
		{Key: "facts", Line: "report the board: " + strings.Join(factKeys(), ", ")},
		{Key: "research", Line: "a power pays for research, the United Kingdom out of either treasury (G40-UK-RD)"},
		{Key: "purchase", Line: "a treasury buys units (G40-UK-SEPARATE)"},
		{Key: "repair", Line: "a treasury repairs facilities"},
		{Key: "build", Line: "a facility is built or upgraded (G40-IC-MAJOR)"},
		{Key: "capture", Line: "a territory falls, perhaps with a capital's money (G40-IC-REDUCE, G40-UK-LOOT)"},
		{Key: "rockets", Line: "an air base fires at a facility (G40-TECH-ROCKETS)"},
		{Key: "mobilize", Line: "units bought appear at complexes (G40-UK-MOBILIZE)"},
		{Key: "collect income", Line: "a treasury collects income, less convoy disruptions (G40-UK-COLLECT)"},
		{Key: rules.VerbCompensate, Line: "the umpire gives a treasury something, or takes it, for what cannot be corrected"},
	}, combatVerbs()...)
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := &decision{g, g.Case(c, h)}
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
	case "research":
		d.payResearch()
	case "purchase":
		d.purchase()
	case "repair":
		d.repair()
	case "build":
		d.build()
	case "capture":
		d.capture()
	case "rockets":
		d.fireRockets()
	case "mobilize":
		d.mobilize()
	case "collect income":
		d.collectIncome()
	case rules.VerbCompensate:
		d.compensate()
	case "rule":
		OptionList().Rule(h, c, g.Options)
	default:
		if !d.fight() {
			h.Violate(rules.Input, "%q is nothing that a campaign of Axis & Allies Global 1940 knows", c.Verb)
		}
	}
}

// enter begins a phase as [axisallies.Case.Enter] does. What was cited so far stays with what the
// command records after it.
func (d *decision) enter(power, phase, rule string) bool {
	reasons := d.Derivation
	d.Derivation = nil
	ok := d.Enter(power, phase, rule)
	d.Derivation = append(reasons, d.Derivation...)
	return ok
}

// power reads the name of a power; either economy's name is the United Kingdom's.
func (d *decision) power(field, name string) (string, bool) {
	if _, ok := economyNamed(name); ok && d.united() != "" {
		return d.united(), true
	}
	return d.Power(field, name)
}

// purse reads whose money is meant: a power's, or one of the two economies of the United Kingdom,
// which do not pay for each other (G40-UK-SEPARATE).
func (d *decision) purse(field, name string) (purse, bool) {
	uk := d.united()
	if e, ok := economyNamed(name); ok && uk != "" {
		return purse{e.title(), uk, e}, true
	}
	power, ok := d.Power(field, name)
	if ok && power == uk {
		d.ViolateField(field, rules.Input, "%s has two treasuries: name %s or %s", uk, Europe.title(), Pacific.title())
		return purse{}, false
	}
	return purse{power, power, ""}, ok
}

// territory reads the name of a territory.
func (d *decision) territory(field, name string) (board.Space, bool) {
	return d.Space(field, name, d.Board.Territory)
}

// unitNames are the units of the game, in the order of its price list.
func unitNames() []string {
	return []string{
		"infantry", "artillery", "mechanized infantry", "tank", "AA gun", "fighter", "tactical bomber", "strategic bomber",
		"transport", "submarine", "destroyer", "cruiser", "carrier", "battleship",
	}
}

// unit reads the name of a kind of unit: "tactical_bomber" and "Tactical bombers" too.
func (d *decision) unit(field, name string) (string, bool) {
	plain := plainName(name)
	for _, u := range unitNames() {
		if p := plainName(u); plain == p || plain == p+"s" || plain == "aircraft "+p || plain == "aircraft "+p+"s" {
			return u, true
		}
	}
	d.Unknown(d.Command, field, "unit", name, unitNames())
	return "", false
}

// contractName is a unit's name in requests: "tactical_bomber".
func contractName(unit string) string { return strings.ReplaceAll(unit, " ", "_") }

// facilityKind reads the name of a kind of facility.
func (d *decision) facilityKind(field, name string) (Facility, bool) {
	names := map[string]Facility{
		"major ic": MajorIC, "major industrial complex": MajorIC, "minor ic": MinorIC, "minor industrial complex": MinorIC,
		"air base": AirBase, "airbase": AirBase, "airfield": AirBase, "naval base": NavalBase, "harbour": NavalBase, "harbor": NavalBase,
	}
	f, ok := names[plainName(name)]
	if !ok {
		d.Unknown(d.Command, field, "facility", name, []string{"major ic", "minor ic", "air base", "naval base"})
	}
	return f, ok
}

// technology reads the name of a technology.
func (d *decision) technology(field, name string) (Technology, bool) {
	var names []string
	for _, t := range technologies() {
		names = append(names, plainName(string(t)))
	}
	i := slices.Index(names, plainName(name))
	if i < 0 {
		d.Unknown(d.Command, field, "technology", name, names)
		return "", false
	}
	return technologies()[i], true
}
