package aar

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
)

// facts are reported in this order: submarines before what refers to them. Each stands until
// reported anew; what submerged stands for the TURN it is reported of.
var facts = []axisallies.Fact[*decision]{
	axisallies.Report(axisallies.FactControl, axisallies.TagControl,
		"{France: Germany}; nobody is written neutral", (*decision).reportControl),
	axisallies.Report(factComplexes, `of:"territory" least:"0" most:"1" each:"1 or 0"`,
		"{Eastern Canada: 1}: 1 where an industrial complex stands, 0 where none does", (*decision).reportComplex),
	axisallies.ReportAll(factSubmarines, `of:"power" offer:"boat" each:"how many, or where"`,
		"{Germany: {SZ 8: 2, U-47: SZ 9}}, {} for none", (*decision).reportSubmarines),
	axisallies.Report(factSubmerged, `of:"power" each:"which"`,
		"{UK: [SZ 8]}: whose TURN it is, and which submarines", (*decision).reportSubmerged),
	axisallies.Report(axisallies.FactTreasury, axisallies.TagTreasury, "{UK: 30}", (*decision).reportTreasury),
	axisallies.Report(factPrices, `of:"unit" least:"1" each:"IPCs"`,
		"{infantry: 3}: the book's price of a unit that the house rules do not change", (*decision).reportPrice),
	axisallies.Report(factTechs, `of:"power" offer:"technology"`,
		"{US: [long range aircraft]}; [] for none", (*decision).reportTechs),
	axisallies.Report(factArtillery, `of:"power,territory" least:"0"`,
		"{UK: {NW Europe: 2}}: all artillery of a power, {} for none", (*decision).reportArtillery),
	axisallies.Report(factUsed, `of:"power" offer:"name"`,
		"{UK: [Rodney, 2nd Army]}: units of a power, by the names that the table gives them", reportUnits(factUsed)),
	axisallies.Report(factNew, `of:"power" offer:"name"`,
		"{UK: [Rodney, 2nd Army]}: units of a power, by the names that the table gives them", reportUnits(factNew)),
}

func (d *decision) reportFacts(given map[string]json.RawMessage) {
	axisallies.ReportFacts(d, d.Case, given, facts)
	d.checkRegained()
}

// reportControl reports who holds a territory, and warns where D-Day is due and can no longer be carried out by that
// (AAR-5-FRANCE).
func (d *decision) reportControl(at, territory, holder string) {
	d.ReportControl(at, territory, holder)
	before, power := d.Controller(d.At(territory)), holder
	if file, err := d.Board.Power(holder); err == nil {
		power = d.Board.TablePower(file)
		d.handed = rules.Put(d.handed, territory, power)
	} else {
		d.handed = rules.Put(d.handed, territory, "")
	}
	france, err := d.Board.Territory("France")
	if err == nil && territory == france.Name && d.allied(power) && d.declaredAt != 0 && d.carriedAt == 0 &&
		!d.wasAllied(france) {
		d.Warn("D-Day was declared, event %d, and once %s was in Allied hands there is none: if it was not, correct "+
			"this report", d.declaredAt, territory)
	}
	d.warnOfPaidTwice(territory, before, power)
}

// warnOfPaidTwice says that a territory for which a power has collected in this ROUND goes straight to a friend, who
// collects for it once more. What goes back to its first owner, whose capital was freed in this ROUND, may.
func (d *decision) warnOfPaidTwice(territory, from, to string) {
	t := d.At(territory)
	freed := d.Board.TablePower(t.Owner) == to && slices.ContainsFunc(d.captured, func(name string) bool {
		return d.Board.TablePower(d.At(name).Capital) == to
	})
	if from == to || t.Production == 0 || freed || !slices.Contains(d.Powers, to) ||
		enemies(Power(from), Power(to)) || !slices.Contains(d.Collected, from) || slices.Contains(d.Collected, to) ||
		d.Over(to) {
		return
	}
	d.Warn("%s has collected for %s in this ROUND, and %s, its friend, collects for it again: if it was not handed "+
		"over, correct this report; else give base without it (GEN-CARRY)", from, territory, to)
}

func (d *decision) reportComplex(at, territory string, n int) {
	switch placed := d.placedAt[territory]; {
	case n == 0 && d.strict() && placed != 0:
		d.ViolateField(at, "GEN-CARRY", "the complex in %s was bought and placed, event %d, and nothing takes it "+
			"off the board: if it was not, correct that entry", territory, placed)
		return
	case n == 0 && d.exact() && d.bombed(territory):
		d.ViolateField(at, "GEN-CARRY", "the complex in %s was bombed in this ROUND, and no rule takes it off the "+
			"board: if none stands there, dispute that attack and have it ruled void", territory)
		return
	case n == 0 && d.Player != "" && d.hasComplex(d.At(territory)):
		d.Warn("an industrial complex stands in %s, and no rule takes it off the board", territory)
	case n == 1 && d.Player != "" && !d.hasComplex(d.At(territory)):
		d.Warn("no complex was bought for %s: mobilize places one that is paid for", territory)
	}
	d.Record(d.Controller(d.At(territory)), &events.FactReported{Fact: factComplexes, Subject: territory, Number: n})
}

// bombed reports whether a complex was attacked in this ROUND, where nothing else may be (AMB-AAR-14).
func (d *decision) bombed(territory string) bool {
	return d.reading(optionTarget) == "complex" &&
		slices.ContainsFunc(d.attacks, func(a attack) bool { return a.territory == territory })
}

func (d *decision) reportPrice(at, unit string, ipcs int) {
	if house, ok := housePrice(unit); ok && house != ipcs {
		d.ViolateField(at, "AAR-6-PRICES", "%s costs %d by the house rules, whatever the book says", unit, house)
		return
	}
	switch before, ok := d.priceNow(unit); {
	case ok && before != ipcs && d.exact() && slices.Contains(d.sold, unit):
		d.ViolateField(at, "GEN-CARRY", "%s was bought at %d in this ROUND, and costs no other price in it: undo the "+
			"purchase, report the price, and enter it again", unit, before)
		return
	case ok && before != ipcs:
		d.Warn("%s costs %d so far, and %d from here on", unit, before, ipcs)
	case !ok && !slices.Contains(kinds(), unit) && unit != aaGun:
		d.Warn("neither the house rules nor the board know a unit %q: a unit of theirs keeps its own price", unit)
	}
	d.Record("", &events.FactReported{Fact: factPrices, Subject: unit, Number: ipcs})
}

// reportTreasury reports what is in hand. In an exact edition no report brings back what a treasury had before the
// ledger paid out of it in this ROUND, or adds to it once its power has collected: then its TURN is over. In a firm one
// neither does a second report.
func (d *decision) reportTreasury(at, power string, ipcs int) {
	there := d.Treasury(power)
	moved, known := d.purse[power]
	counted := moved.counted
	restated := slices.Contains(moved.before, ipcs) && (ipcs > there || !moved.stated) ||
		ipcs > counted && ipcs > there && slices.Contains(d.Collected, power)
	switch {
	case !known && d.firm() && d.earned[power] && ipcs > there:
		d.Warn("%s has %d IPCs by what it was paid and has paid before this ROUND, and %d from here on: if the "+
			"rulebook gives it nothing, correct this report (GEN-CARRY)", power, there, ipcs)
	case !known && ipcs > there && d.bombedFor(power) > 0:
		d.Warn("%s was bombed for %d in this ROUND and had nothing to pay with, and has %d IPCs from here on: if it "+
			"had more then, have the attack ruled void, report the treasury, and enter the attack again (AAR-4-TOTAL)",
			power, d.bombedFor(power), ipcs)
	case !known || ipcs == there || ipcs == counted:
	case d.exact() && restated:
		d.ViolateField(at, "GEN-CARRY", "%s has %d IPCs by what it was paid and has paid in this ROUND, not %d: undo "+
			"or correct the entry that is wrong, or give what is beside the rules, {compensate: {treasury: {%s: %d}, "+
			"reason: …}}", power, counted, ipcs, power, ipcs-there)
		return
	default:
		d.Warn("%s has %d IPCs by what it was paid and has paid in this ROUND, and %d from here on", power, counted,
			ipcs)
	}
	d.ReportTreasury(at, power, ipcs)
}

// bombedFor is the damage of bombers and rockets on a power's territories in this ROUND.
func (g game) bombedFor(power string) int {
	return rules.Sum(g.attacks, func(a attack) int { return map[bool]int{true: a.damage}[a.victim == power] })
}

// Technologies that matter in campaigns alone: to their owner's Super Destroyers, and to AA guns.
const (
	superSubmarines Tech = "super_submarines"
	rocketry        Tech = "rockets"
)

// techNames are what the text calls technologies besides.
var techNames = map[string]string{"lra": "long range aircraft", "long-range aircraft": "long range aircraft",
	"radar": "radar sonar", "sonar": "radar sonar", "super sub": "super submarines", "super subs": "super submarines",
	"super submarine": "super submarines"}

func techs() []string {
	return rules.Each([]Tech{LongRangeAircraft, RadarSonar, SuperDestroyers, superSubmarines, ImprovedShipyards,
		rocketry},
		func(t Tech) string { return title(string(t)) })
}

func (d *decision) reportTechs(at, power string, names []string) {
	var lines []string
	for _, name := range names {
		tech := strings.ToLower(strings.ReplaceAll(title(d.spelt(name)), "/", " "))
		if long, ok := techNames[tech]; ok {
			tech = long
		}
		if !slices.Contains(techs(), tech) {
			d.Unknown(d.Command, at, "technology that these rules name", name, techs())
			return
		}
		lines = append(lines, tech)
	}
	for _, had := range d.techs[power].Value {
		switch {
		case slices.Contains(lines, had):
		case d.exact() && d.served(power, had):
			d.ViolateField(at, "GEN-CARRY", "%s of %s counted in this ROUND, and no rule takes a technology away: "+
				"correct the report that gave it", had, power)
		default:
			d.Warn("%s had %s by an earlier report, and no rule takes a technology away", power, had)
		}
	}
	for _, line := range lines {
		tech := Tech(contractName(line))
		if power != d.Player && !d.hasTech(power, tech) && d.missed(power, tech) {
			d.forbid(at, "AAR-5-TECH", "%s fired or hunted in this TURN without %s, or was hunted: if it had it "+
				"then, undo or dispute that, and enter it again; if not, report this once the TURN of %s is over",
				power, line, d.Player)
		}
	}
	slices.Sort(lines)
	d.Record(power, &events.FactReported{Fact: factTechs, Subject: power, Names: slices.Compact(lines)})
}

// missed reports whether a technology that a power did not have would have counted in dice of this TURN of another's.
func (d *decision) missed(power string, tech Tech) bool {
	radar := tech == RadarSonar && d.reading(optionRadar) == "2"
	if slices.ContainsFunc(d.flaks, func(f flak) bool { return radar && f.power == power && f.attacker == d.Player }) {
		return true
	}
	for _, c := range d.combats {
		for _, g := range c.groups {
			if c.attacker == d.Player && slices.ContainsFunc(g.Values, func(f events.Figure) bool {
				return d.wouldDiffer(g.Power, f, power, tech)
			}) {
				return true
			}
		}
	}
	return false
}

// wouldDiffer reports whether a DD-to-detect value would have been another with a technology of a power. What it is
// beside its other modifiers is for aircraft.
func (d *decision) wouldDiffer(boats string, value events.Figure, power string, tech Tech) bool {
	destroyers, with := Power(value.Name), d.allTechs()
	in := DetectionInput{Techs: d.allTechs(), Options: rulesOptions(d.Options)}
	of := func(in DetectionInput) int {
		s := SubmarineGroup{Power: Power(boats), Super: slices.Contains(in.Techs[Power(boats)], superSubmarines)}
		return DetectionValue(&rules.Findings{}, in, destroyers, s)
	}
	if of(in) != value.Value {
		in.Air = []Power{destroyers}
	}
	before := of(in)
	with[Power(power)] = append(with[Power(power)], tech)
	in.Techs = with
	return of(in) != before
}

// served reports whether a technology of a power counted in what was thrown in this ROUND.
func (d *decision) served(power, tech string) bool {
	destroyers, boats := false, false
	for _, c := range d.combats {
		for _, g := range c.groups {
			boats = boats || g.Power == power && len(g.Values) > 0
			destroyers = destroyers ||
				slices.ContainsFunc(g.Values, func(f events.Figure) bool { return f.Name == power })
		}
	}
	switch Tech(contractName(tech)) {
	case rocketry:
		return slices.ContainsFunc(d.attacks, func(a attack) bool {
			return a.attacker == power && a.kind == string(Rockets)
		})
	case superSubmarines, ImprovedShipyards:
		return boats
	case SuperDestroyers:
		return destroyers || d.firm() && boats && d.reading("super_destroyers") == "own_super_subs"
	case RadarSonar:
		return destroyers || slices.ContainsFunc(d.flaks, func(f flak) bool { return f.power == power })
	}
	return destroyers
}

// reportUnits reports units by the names that the table gives them.
func reportUnits(fact string) func(d *decision, at, power string, units []string) {
	return func(d *decision, at, power string, units []string) {
		names := d.unitNames(at, power, units)
		rule := map[string]string{factUsed: "AAR-5-UK-USED", factNew: "AAR-5-UK-NEW"}[fact]
		d.checkLate(at, power, rule, names)
		d.warnOfLate(power, rule, names)
		if d.carries() && slices.Index(d.Powers, d.Player) < slices.Index(d.Powers, power) && !d.ddayRound() {
			d.ViolateField(at, rule, "the TURN of %s in %s has not begun: report what it used and placed when it "+
				"has", power,
				d.Turn.Label)
			return
		}
		d.Record(power, &events.FactReported{Fact: fact, Subject: power, Names: names})
	}
}

// checkLate wants no report, once D-Day has been carried out, by which a unit should have stayed out of it.
func (d *decision) checkLate(at, power, rule string, names []string) {
	for _, u := range d.landed {
		took := func(name string) bool { return u.Power == power && d.sameUnit(name, u.Name) }
		if d.strict() && power == string(UK) && u.Role != title(string(NoRole)) && slices.ContainsFunc(names, took) {
			d.ViolateField(at, rule, "%s took part in D-Day, event %d: correct that entry first", u.Name, d.carriedAt)
		}
	}
}

// unitNames reads names of units.
func (d *decision) unitNames(at, power string, units []string) []string {
	names := slices.Clone(units)
	for i, name := range names {
		if names[i] = strings.TrimSpace(d.spelt(name)); names[i] == "" {
			d.ViolateField(at, rules.Input, "a unit of %s has no name", power)
		}
	}
	return names
}
