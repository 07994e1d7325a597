package g40

import (
	"fmt"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// decision is one command being judged on a state.
type decision struct {
	game
	axisallies.Case

	taken  int         // how many of its drafts the state has taken in
	asked  bool        // whether strikes come first
	spared [][2]string // treasuries whose capital falls by a fact, and what to enter instead
}

// forbid refuses what a text forbids in so many words, and warns of it in editions before 9 and 10 (GEN-CARRY).
func (d *decision) forbid(field, rule, format string, args ...any) {
	d.Forbid(rules.Firm(d.Options), field, rule, format, args...)
}

var verbs = rules.Declarations[*decision]{
	rules.Declare("turn", "begin the next ROUND, such as Round 2", (*decision).beginRound).
		Described(rules.TurnForm("Round 2")),
	rules.Declare("phase", "begin a phase of a power's TURN", (*decision).beginPhase),
	rules.Declare("facts",
		"report the board: control, economies, at war, technologies, facilities, convoys, units, kamikaze, treasury, "+
			"prices",
		(*decision).reportFacts).Described(axisallies.Form(facts)),
	rules.Declare("research",
		"a power pays for research, the United Kingdom out of either treasury (G40-UK-RD)", (*decision).payResearch),
	rules.Declare("purchase", "a treasury buys units and facilities (G40-UK-SEPARATE)", (*decision).purchase),
	rules.Declare("repair", "a treasury repairs facilities", (*decision).repair),
	rules.Declare("build", "a facility is built or upgraded (G40-IC-MAJOR)", (*decision).build),
	rules.Declare("capture",
		"a territory falls, perhaps with a capital's money (G40-IC-REDUCE, G40-UK-LOOT)", (*decision).capture),
	rules.Declare("rockets", "an air base fires at a facility (G40-TECH-ROCKETS)", (*decision).fireRockets),
	rules.Declare("mobilize", "units bought appear at complexes (G40-UK-MOBILIZE)", (*decision).mobilize),
	rules.Declare("collect income",
		"a treasury collects income, less convoy disruptions (G40-UK-COLLECT)", (*decision).collectIncome),
	rules.Declare(rules.VerbAliases, "more names for the powers and spaces of the board, as an alias file has them",
		(*decision).addNames),
	rules.Declare(rules.VerbRoll,
		"throw dice for what these rules do not resolve, such as a battle", (*decision).freeRoll),
	rules.Declare(rules.VerbCompensate,
		"the umpire gives a treasury something, or takes it, for what cannot be corrected", (*decision).compensate),
	rules.Declare("attack",
		"declare an attack on a space, or an amphibious assault from a sea zone", (*decision).attack),
	rules.Declare("scramble", "the defender's aircraft scramble to sea zones (G40-SCR-WHY)", (*decision).scramble),
	rules.Declare("kamikaze", "Japan declares its kamikaze strikes (G40-KAM-DECLARE)", (*decision).kamikaze),
	rules.Declare("bombing raid",
		"bombers raid the facilities of a territory (G40-SBR-STRAT)", (*decision).bombingRaid),
	rules.Declare("aa fire",
		"AA guns fire at the aircraft that attack their territory (G40-AA-TARGET)", (*decision).aaFire).
		Called("anti-aircraft fire"),
	rules.Declare("unload", "transports unload for an amphibious assault (G40-SUB-UNLOAD)", (*decision).unload),
	rules.Declare("land", "aircraft that scrambled or intercepted land (G40-SCR-LAND)", (*decision).land),
}

// Decide implements rules.Game.
func (g game) Decide(c rules.Command, h *rules.Hearing) {
	d := &decision{game: g, Case: g.Case(c, h)}
	// what is refused for strikes to come is so before anything is asked
	if d.InTime() && (!rules.Firm(d.Options) || !slices.Contains(endStrikes, c.Verb) || d.strikesFirst()) {
		verbs.Decide(d, OptionList(), d.Options, "Axis & Allies Global 1940")
	}
}

// Named implements rules.Judge.
func (d *decision) Named(kind, field, name string) (string, bool) {
	switch kind {
	case "power", "side":
		return d.power(field, name)
	case "attacker":
		return d.attackerNamed(field, name)
	case "treasury":
		return d.treasury(field, name)
	case "unit":
		return d.unit(field, name)
	case "ware":
		return d.ware(field, name)
	case "price":
		return d.priceNamed(field, name)
	case "unit or damage":
		return d.unitOrDamage(field, name)
	case "facility":
		return d.facilityKind(field, name)
	case "technology":
		return d.technology(field, name)
	}
	return d.Case.Named(kind, field, d.capitalNamed(d.cityNamed(name), otherCities))
}

// Names implements rules.Lister.
func (g game) Names(kind string) []string {
	wares := append(slices.Concat(unitNames(), facilityNames()), upgrade)
	switch kind {
	case "attacker":
		return g.Powers
	case "treasury":
		return g.purses()
	case "unit":
		return unitNames()
	case "unit or damage":
		damaged := rules.Each(capitalShips(), func(ship string) string { return damagedPrefix + ship })
		return append(unitNames(), damaged...)
	case "ware":
		return wares
	case "price":
		return append(wares, repairing)
	case "facility":
		return facilityNames()
	case "economy":
		return []string{Europe.title(), Pacific.title()}
	case "ship":
		return warships()
	case "technology":
		return rules.Each(technologies(), func(t Technology) string { return plainName(string(t)) })
	}
	return g.State.Names(kind)
}

// cityNamed gives the territory of a capital that the text names, London or Berlin, where the board has nothing by that
// name; else the name.
func (d *decision) cityNamed(name string) string {
	if _, err := d.Board.Space(name); err == nil || name == "" {
		return name
	}
	if e, ok := RegionalCapital(name); ok {
		if s, there := d.capitalOf(e); there {
			return s.Name
		}
	}
	return d.capitalNamed(name, cities)
}

// capitalNamed gives the territory whose capital a city of a list is, where the board has nothing by that name; else
// the name.
func (d *decision) capitalNamed(name string, cities map[Power]string) string {
	if _, err := d.Board.Space(name); err == nil || name == "" {
		return name
	}
	for _, s := range d.Board.Spaces() {
		if power, _ := PowerNamed(d.Board.TablePower(s.Capital)); s.Capital != "" && cities[power] == plainName(name) {
			return s.Name
		}
	}
	return name
}

// addNames hears of more names for the board. In an exact edition none stands for something else already, as do the
// capitals and powers that players call otherwise than the board.
func (d *decision) addNames(e axisallies.Aliases) {
	more, err := d.Board.With(e.Aliases)
	for i, line := range e.Aliases {
		word, rest, _ := strings.Cut(strings.TrimSpace(line), " ")
		alias, _, _ := strings.Cut(rest, "=")
		alias = strings.TrimSpace(alias)
		was, is := "", ""
		switch s, _ := more.Space(alias); word {
		case "space":
			was, is = d.cityNamed(alias), s.Name
		case "power":
			was = d.calledPower(alias)
			if _, ok := economyNamed(alias); ok && d.united() != "" {
				was = d.united()
			}
			is, _ = more.Power(alias)
			is = more.TablePower(is)
		}
		if err == nil && is != "" && was != alias && was != is && rules.Exact(d.Options) {
			d.ViolateField(fmt.Sprintf("aliases[%d]", i), rules.Input, "%q stands for %s already, and would be %s",
				alias, was, is)
		}
	}
	if !d.Refused() {
		d.AddNames(e)
	}
}

// cities are the capitals of the Axis that the text names (G40-UK-AXIS-CAPITAL).
var cities = map[Power]string{Germany: "berlin", Italy: "rome", Japan: "tokyo"}

// otherCities are the capitals that the text does not name. They are only other names of territories, and an alias may
// give one of them to another.
var otherCities = map[Power]string{SovietUnion: "moscow", UnitedStates: "washington", China: "chungking",
	ANZAC: "sydney", France: "paris"}

// compensate makes good in a treasury what cannot be corrected; the United Kingdom has two
// (G40-UK-SEPARATE).
func (d *decision) compensate(e axisallies.Compensation) {
	d.Compensate(e, func(treasury string) string { return d.purse(treasury).power })
}

// enter begins a phase as [axisallies.Case.Enter] does. What was cited so far stays with what the
// command records after it.
func (d *decision) enter(power, phase, rule string) bool {
	if !d.mayEnter(power, phase) {
		return false
	}
	reasons := d.Derivation
	d.Derivation = nil
	ok := d.Enter(power, phase, rule)
	d.Derivation = append(reasons, d.Derivation...)
	return ok
}

// fight begins Conduct Combat for an entry that resolves a part of it, after which no kamikaze strikes.
func (d *decision) fight(power, rule string) bool {
	return (power != d.Player || d.strikesFirst()) && d.enter(power, phaseCombat, rule)
}

// freshTurn looks at the TURN that an entry begins: nothing was done in it yet, and what fought in the TURN before may
// fight again (G40-SCR-FIGHT, G40-SBR-INTERCEPT). Older editions look at the TURN before.
func (d *decision) freshTurn(attacker string) bool {
	if attacker == d.Player || !rules.Strict(d.Options) {
		return true
	}
	if !d.landedAll() || !d.strikesFirst() {
		return false
	}
	d.leaveCombat()
	d.game = d.newTurn(attacker)
	return true
}

// newTurn gives the state as an entry begins a power's TURN.
func (g game) newTurn(attacker string) game {
	g.attacker, g.began, g.moved, g.deeds, g.rolled = attacker, ^uint64(0), 0, nil, false
	g.lost = g.lost.endTurn()
	return g
}

// mayEnter reports whether nothing is left to be done before a phase of a power's TURN.
func (d *decision) mayEnter(power, phase string) bool {
	at := slices.Index(phases(), phase)
	if power != d.Player || at >= slices.Index(phases(), phaseNoncombat) {
		if !d.strikesFirst() {
			return false
		}
		d.leaveCombat()
	}
	if power != d.Player {
		d.warnOfEconomies(power)
	}
	ends := power != d.Player || at > slices.Index(phases(), phaseNoncombat)
	return !ends || d.landedAll()
}

// beginPhase begins a phase by hand.
func (d *decision) beginPhase(e axisallies.Phase) {
	if d.mayEnter(e.Player, e.Phase) {
		d.BeginPhase(e)
	}
}

// beginRound begins the next ROUND.
func (d *decision) beginRound(label string) {
	if d.landedAll() && d.strikesFirst() {
		d.leaveCombat()
		d.warnOfEconomies("")
		d.BeginRound(label)
	}
}

// warnOfEconomies names the economies of the United Kingdom that have not collected, and cannot any more in this ROUND,
// as another power's TURN or the next ROUND begins: its TURN ends at its income, or is passed over while London is held
// and Calcutta is not (G40-UK-COLLECT).
func (d *decision) warnOfEconomies(next string) {
	uk := d.united()
	comes := next == "" || slices.Index(d.Powers, next) > slices.Index(d.Powers, uk)
	if uk == "" || d.Turn.Ordinal == 0 || !comes || d.Over(uk) ||
		d.Player == uk && d.Phase != phaseCollect || d.Player != uk && !d.heldByAxis(Europe) {
		return
	}
	for _, e := range []Economy{Europe, Pacific} {
		if _, ok := d.capitalOf(e); ok && !d.heldByAxis(e) && !slices.Contains(d.Collected, e.title()) {
			d.Warn("%s has not collected its income in %s, and cannot after this: each economy collects its own "+
				"(G40-UK-COLLECT)", e.title(), d.Turn.Label)
		}
	}
}

// power reads the name of a power; either economy's name is the United Kingdom's.
func (d *decision) power(field, name string) (string, bool) {
	if _, ok := d.economyCalled(name); ok {
		return d.united(), true
	}
	return d.Power(field, d.calledPower(name))
}

// economyCalled gives the economy of the United Kingdom that a name means, by itself or as an alias of the player that
// the board has for it.
func (d *decision) economyCalled(name string) (Economy, bool) {
	if d.united() == "" {
		return "", false
	}
	if file, err := d.Board.Power(name); err == nil && isPacific(d.Board.TablePower(file)) {
		return Pacific, true
	}
	return economyNamed(name)
}

// calledPower gives a power that plays for what players call it, "German" or "Soviets", where the board knows no
// such name; else the name.
func (d *decision) calledPower(name string) string {
	if _, err := d.Board.Power(name); err == nil || slices.Contains(d.Powers, name) {
		return name
	}
	if p, ok := rules.Find(d.Powers, func(p string) bool { return samePower(p, name) }); ok {
		return p
	}
	return name
}

// treasury reads whose money is meant: a power's, or one of the two economies of the United Kingdom,
// which do not pay for each other (G40-UK-SEPARATE).
func (d *decision) treasury(field, name string) (string, bool) {
	uk := d.united()
	if e, ok := d.economyCalled(name); ok {
		return e.title(), true
	}
	power, ok := d.Power(field, d.calledPower(name))
	if ok && power == uk {
		d.ViolateField(field, rules.Input, "%s has two treasuries: name %s or %s", uk, Europe.title(), Pacific.title())
		return "", false
	}
	return power, ok
}

// purse is a treasury with the power that it belongs to.
func (g game) purse(treasury string) purse {
	if e, ok := economyNamed(treasury); ok && g.united() != "" {
		return purse{e.title(), g.united(), e}
	}
	return purse{treasury, treasury, ""}
}

// unitNames are the units of the game, in the order of its price list.
func unitNames() []string {
	return []string{
		"infantry", "artillery", "mechanized infantry", "tank", "AA gun", "fighter", "tactical bomber",
		"strategic bomber",
		"transport", "submarine", "destroyer", "cruiser", "carrier", "battleship",
	}
}

// unitNamed gives the kind of unit that a name means: "tactical_bomber" and "Tactical bombers" too.
func unitNamed(name string) (string, bool) {
	plain := plainName(name)
	for _, u := range unitNames() {
		for _, called := range append([]string{u}, alsoCalled[u]...) {
			if p := plainName(called); plain == p || plain == p+"s" || plain == "aircraft "+p ||
				plain == "aircraft "+p+"s" {
				return u, true
			}
		}
	}
	return "", false
}

// alsoCalled are what boards and players call units; "bomber" is none, for it may be either.
var alsoCalled = map[string][]string{
	"mechanized infantry": {"mech infantry", "mechInfantry", "mech", "mechanised infantry"},
	"tank":                {"armour", "armor"},
	aaGun:                 {"aaGun", "anti aircraft gun", "antiaircraft gun", "antiaircraft artillery", "AAA"},
	tacticalBomber:        {"tac bomber", "tac"},
	strategicBomber:       {"strat bomber"},
	submarine:             {"sub", "SS"},
	"destroyer":           {"DD"},
	"cruiser":             {"CA"},
	carrier:               {"CV"},
	"battleship":          {"BB"},
}

// unit reads the name of a kind of unit.
func (d *decision) unit(field, name string) (string, bool) {
	u, ok := unitNamed(name)
	if !ok {
		d.unknownUnit(field, "unit", name, d.Names("unit"))
	}
	return u, ok
}

// unknownUnit refuses a name of no unit, and says what was meant where that is plain.
func (d *decision) unknownUnit(field, what, name string, there []string) {
	f, facility := facilityNamed(name)
	switch plain := plainName(name); {
	case plain == "bomber" || plain == "bombers":
		d.ViolateField(field, rules.Input, "%q may be either: write %s or %s", name, strategicBomber, tacticalBomber)
	case facility && d.Command.Verb == "mobilize":
		d.ViolateField(field, rules.Input, "%s is no unit: what was bought of it appears by an entry such as "+
			"{build: {power: …, territory: …, facility: %s}}", one(f.title()), f.ware())
	default:
		d.Unknown(d.Command, field, what, name, there)
	}
}

// contractName is a unit's name in requests: "tactical_bomber".
func contractName(unit string) string { return strings.ReplaceAll(unit, " ", "_") }

// facilityNamed gives the kind of facility that a name means.
func facilityNamed(name string) (Facility, bool) {
	names := map[string]Facility{
		"major ic": MajorIC, "major industrial complex": MajorIC, "minor ic": MinorIC,
		"minor industrial complex": MinorIC,
		"air base":                 AirBase, "airbase": AirBase, "airfield": AirBase, "naval base": NavalBase,
		"harbour": NavalBase,
		"harbor":  NavalBase,
	}
	f, ok := names[plainName(name)]
	return f, ok
}

// facilityKind reads the name of a kind of facility.
func (d *decision) facilityKind(field, name string) (string, bool) {
	f, ok := facilityNamed(name)
	if !ok {
		d.Unknown(d.Command, field, "facility", name, d.Names("facility"))
	}
	return string(f), ok
}

// technology reads the name of a technology.
func (d *decision) technology(field, name string) (string, bool) {
	names := d.Names("technology")
	i := slices.Index(names, plainName(name))
	if i < 0 {
		d.Unknown(d.Command, field, "technology", name, names)
		return "", false
	}
	return string(technologies()[i]), true
}

// freeRoll throws dice for what these rules do not resolve.
func (d *decision) freeRoll(e rules.FreeRoll) { e.Throw(d.Hearing, e.Side) }
