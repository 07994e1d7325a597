package aar

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// decision is one command being judged on a state.
type decision struct {
	game
	axisallies.Case

	handed   map[string]string // territory to the power that this entry reports as its holder, empty for nobody
	recounts []string          // powers of which this entry reports all artillery
}

// forbid refuses what a text forbids in so many words, and warns of it in editions before edition 5 (GEN-CARRY).
func (d *decision) forbid(field, rule, format string, args ...any) {
	d.Forbid(d.firm(), field, rule, format, args...)
}

var verbs = rules.Declarations[*decision]{
	rules.Declare("turn", "begin the next ROUND, such as Round 2", (*decision).BeginRound).
		Described(rules.TurnForm("Round 2")),
	rules.Declare("phase", "begin a phase of a power's TURN", (*decision).BeginPhase),
	rules.Declare("facts",
		"report the board: control, complexes, submarines, treasury, prices, techs, artillery and more",
		(*decision).reportFacts).Described(axisallies.Form(facts)),
	rules.Declare("purchase", "a power buys units at the house prices (rule 6)", (*decision).purchase),
	rules.Declare("mobilize", "a power's new units appear on the board", (*decision).mobilize),
	rules.Declare("sbr", "bombers throw their damage (AAR-4-TOTAL)", (*decision).raidByAir).
		Called("strategic bombing raid"),
	rules.Declare("rockets", "rockets throw their damage (AAR-4-TOTAL)", (*decision).fireRockets),
	rules.Declare("aa fire", "an AA gun fires at aircraft, that of a battleship too (AAR-6-BB)", (*decision).fireFlak).
		Called("anti-aircraft fire"),
	rules.Declare("artillery fire",
		"artillery fires from an adjacent territory (AAR-6-ARTY-FIRE)", (*decision).fireArtillery),
	rules.Declare("artillery move", "artillery that has not fired moves (AAR-6-ARTY-MOVE)", (*decision).moveArtillery),
	rules.Declare("sub detection",
		"destroyers roll to detect submarines in a sea zone (rule 7)", (*decision).huntSubmarines).
		Called("submarine detection"),
	rules.Declare("call shots",
		"undetected submarines that attack alone call their shots (AAR-7-SHOTS)", (*decision).callShots),
	rules.Declare("submerge",
		"undetected submarines submerge after Opening Fire (AAR-7-SUBMERGE)", (*decision).submerge),
	rules.Declare("declare d-day",
		"the UK declares D-Day at the start of its TURN (rule 5)", (*decision).declareDDay).Of(string(UK)),
	rules.Declare("d-day", "the US carries D-Day out, with the UK (rule 5)", (*decision).carryOutDDay).Of(string(US)).
		Called("carry out D-Day"),
	rules.Declare("collect income", "a power collects income, less convoy raids (rule 4)", (*decision).collectIncome),
	rules.Declare(rules.VerbAliases, "more names for the powers and spaces of the board, as an alias file has them",
		(*decision).AddNames),
	rules.Declare(rules.VerbRoll,
		"throw dice for what these rules do not resolve, such as a battle", (*decision).freeRoll),
	rules.Declare(rules.VerbCompensate,
		"the umpire gives a treasury something, or takes it, for what cannot be corrected", (*decision).compensate),
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := &decision{game: g, Case: g.Case(c, h)}
	if d.InTime() {
		verbs.Decide(d, OptionList(), d.Options, "Axis & Allies Revised")
		d.holdToDDay()
	}
}

// Enter begins a phase, as that of a [axisallies.Case] does, and warns of a TURN that ends by it without an income: its
// raids are passed over too (AAR-4-TIME).
func (d *decision) Enter(player, phase, rule string) bool {
	left := d.Player
	if !d.Case.Enter(player, phase, rule) {
		return false
	}
	_, lost := d.CapitalLost(left)
	if left != "" && left != player && !lost && !slices.Contains(d.Collected, left) {
		d.Warn("the TURN of %s in %s ends by this, and %s has collected no income", left, d.Turn.Label, left)
	}
	return true
}

// Named implements rules.Judge.
func (d *decision) Named(kind, field, name string) (string, bool) {
	switch kind {
	case "unit", "aircraft", "ship":
		return d.unit(field, name)
	case "gun": // battleship Rodney
		if unit := d.firstUnit(name); unit == aaGun || slices.Contains(kinds(), unit) {
			return unit, true
		}
		return d.unit(field, name)
	case "type of unit":
		if one, ok := d.kind(name); ok && slices.Contains(unitTypes(), one) {
			return one, true
		}
		return d.Word(d.Command, field, kind, title(name), d.Names(kind))
	case "role":
		return d.Word(d.Command, field, kind, title(name), d.Names(kind))
	}
	return d.Case.Named(kind, field, name)
}

// Names implements rules.Lister.
func (g game) Names(kind string) []string {
	switch kind {
	case "unit":
		return kinds()
	case "gun":
		return []string{aaGun, battleship}
	case "aircraft":
		return []string{"fighter", "bomber"}
	case "ship":
		return slices.DeleteFunc(unitTypes(), func(name string) bool {
			t := UnitType(contractName(name))
			return t.land() || t.air()
		})
	case "type of unit":
		return unitTypes()
	case "role":
		return roles()
	case "boat":
		return g.boatNames()
	case "name":
		return g.namedUnits()
	case "technology":
		return techs()
	}
	return g.State.Names(kind)
}

// boatNames are what a submarine may be called by: its name, or its sea zone.
func (g game) boatNames() (list []string) {
	for _, power := range g.Powers {
		for _, b := range g.submarines[power].boats {
			if !strings.Contains(b.Name, "#") { // derived from a count
				list = append(list, b.Name)
			}
		}
	}
	return append(list, g.Names("sea zone")...)
}

// namedUnits are the units whose names the table has given so far.
func (g game) namedUnits() (list []string) {
	for _, power := range g.Powers {
		list = slices.Concat(list, g.used[power].Value, g.fresh[power].Value)
	}
	for _, p := range g.landed {
		list = append(list, p.Name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// compensate makes good in a power's treasury what cannot be corrected.
func (d *decision) compensate(e axisallies.Compensation) {
	d.Compensate(e, func(treasury string) string { return treasury })
}
