package g40

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/axisallies"
	"github.com/watu-ledger/watu/rules/board"
)

// The facts that a turn file may report, beside those of all games.
const (
	factWar          = "at war"       // power to powers
	factTechnologies = "technologies" // power to technologies
	factEconomies    = "economies"    // territory to one of the United Kingdom's
	factConvoys      = "convoys"      // sea zone to 0 or 1
	factFacilities   = "facilities"
	factUnits        = "units"
)

// facts are reported in this order.
var facts = []axisallies.Fact[*decision]{
	axisallies.Report(axisallies.FactControl, axisallies.TagControl,
		"{France: Germany}; nobody is written neutral", (*decision).reportControl),
	axisallies.Report(factEconomies, `of:"territory" offer:"economy"`, "{Java: Pacific}", (*decision).reportEconomy),
	axisallies.Report(factWar, `of:"power" is:"power"`,
		"{Japan: [China, UK]}: everybody that it is at war with", (*decision).reportWar),
	axisallies.Report(factTechnologies, `of:"power" is:"technology"`,
		"{Germany: [rockets]}: every technology that it has", (*decision).reportTechnologies),
	axisallies.Report(factFacilities, `of:"territory" each:"what stands there"`,
		"{Malta: [air base]}: everything that stands there", (*decision).reportFacilities),
	axisallies.Report(factConvoys, `of:"sea zone" least:"0" most:"1" each:"1 or 0"`,
		"{SZ 109: 1}: 1 where there is a convoy symbol, 0 where none is", reportSymbol(factConvoys)),
	axisallies.Report(factUnits, `of:"power,space,unit or damage" least:"0"`,
		"{US: {SZ 26: {carrier: 2, damaged carrier: 1}}}: one of the two has taken a hit", (*decision).reportUnits),
	axisallies.Report(factKamikaze, `of:"sea zone" least:"0" most:"1" each:"1 or 0"`,
		"{SZ 6: 1}: 1 where there is a kamikaze symbol, 0 where none is", reportSymbol(factKamikaze)),
	axisallies.Report(axisallies.FactTreasury, axisallies.TagTreasury, "{UK: 30}", (*decision).reportTreasury),
	axisallies.Report(factPrices, `of:"price" least:"0" each:"IPCs"`,
		"{infantry: 3, air base: 15, repair: 1}: what the text does not price, and the board not so",
		(*decision).reportPrice),
}

func (d *decision) reportFacts(given map[string]json.RawMessage) {
	axisallies.ReportFacts(d, d.Case, given, facts, d.takeIn)
	for _, x := range d.spared {
		if n := d.Treasury(x[0]); n > 0 { // no fact of the same report says that they are gone
			d.Warn("%s keeps its %d IPCs by this report%s (G40-UK-LOOT)", x[0], n, x[1])
		}
	}
}

// takeIn carries what the entry has recorded so far into the state that it is judged on: facts of one entry are held
// to the same as those of several. Older editions judge all on the state before.
func (d *decision) takeIn() {
	if !rules.Exact(d.Options) || d.Refused() {
		return
	}
	drafts := d.Outcome().Drafts
	for i := d.taken; i < len(drafts); i++ {
		d.game = d.game.with(d.Last()+1+uint64(i)-uint64(len(drafts)), drafts[i].Payload)
	}
	d.taken = len(drafts)
}

func (d *decision) reportEconomy(at, territory, name string) {
	e, ok := economyNamed(name)
	if !ok || d.united() == "" {
		d.Unknown(d.Command, at, "economy", name, d.Names("economy"))
		return
	}
	if rules.Strict(d.Options) {
		d.checkMoved(at, d.At(territory), e)
	}
	if rules.Exact(d.Options) {
		d.checkEconomy(at, d.At(territory), e)
	}
	d.warnOfEconomy(at, d.At(territory), e)
	d.Record(d.united(), &events.FactReported{Fact: factEconomies, Subject: territory, Names: []string{e.title()}})
}

// warnOfEconomy forbids that the capital of an economy of the United Kingdom goes to the other one, and warns of
// another territory that does, where the board says to which it belongs.
func (d *decision) warnOfEconomy(at string, s board.Space, to Economy) {
	if d.economyOf(s) == to {
		return
	}
	for _, own := range []Economy{Europe, Pacific} {
		if c, ok := d.capitalOf(own); ok && own != to && c.Name == s.Name {
			d.forbid(at, "G40-UK-LOOT", "%s is the capital of %s, and falls under %s by this report: its income would "+
				"go there, and who takes it takes the treasury of %s", s.Name, own.title(), to.title(), own.title())
			return
		}
	}
	says := func(s board.Space) bool { return d.original(s) == d.united() || d.printedEconomy(s) == Pacific }
	knows := slices.ContainsFunc(d.Board.Spaces(), func(s board.Space) bool { return d.printedEconomy(s) == Pacific })
	if own := d.printedEconomy(s); knows && says(s) && own != to {
		d.Warn("%s falls under %s by the board, and under %s by this report (G40-UK-SEPARATE); if that is not meant, "+
			"undo this entry", s.Name, own.title(), to.title())
	}
}

// checkMoved refuses a report that moves a territory of the United Kingdom to the other economy where that would have
// what goes to a captured capital (G40-UK-NO-TRANSFER), or collect in one TURN what is collected (G40-UK-COLLECT). It
// warns of one by which neither would collect for it.
func (d *decision) checkMoved(at string, s board.Space, to Economy) {
	from := d.economyOf(s)
	collected := func(e Economy) bool { return slices.Contains(d.Collected, e.title()) }
	switch {
	case from == to:
	case d.heldByAxis(from) && (d.original(s) == d.united() || rules.Exact(d.Options) && d.saysEconomy(s)):
		d.ViolateField(at, "G40-UK-NO-TRANSFER",
			"%s falls under %s, whose capital the Axis holds: %s never collects what would go there", s.Name,
			from.title(), to.title())
	case d.holder(s) == d.united() && collected(from) && !collected(to):
		d.ViolateField(at, "G40-UK-COLLECT",
			"%s has collected for %s in %s: report its economy once %s has collected too, or correct that income",
			from.title(), s.Name, d.Turn.Label, to.title())
	case d.holder(s) == d.united() && collected(to) && !collected(from) && s.Production > 0 && !d.Over(d.united()):
		d.Warn("%s has collected in %s and %s has not: neither collects for %s in it; report its economy once both "+
			"have (G40-UK-COLLECT)", to.title(), d.Turn.Label, from.title(), s.Name)
	}
	if from != to && d.heldByAxis(from) && rules.Exact(d.Options) && !d.Refused() {
		d.Warn("the Axis holds the capital of %s, under which %s falls where nothing says otherwise: %s may collect "+
			"for it only if it never was to go there (G40-UK-NO-TRANSFER)", from.title(), s.Name, to.title())
	}
}

// saysEconomy reports whether the board, or a report, says which economy of the United Kingdom a territory falls under;
// where neither does it is Europe's for want of a word.
func (g game) saysEconomy(s board.Space) bool {
	_, reported := g.economies[s.Name]
	return reported || g.original(s) == g.united() || g.economyOf(s) == Pacific
}

func (d *decision) reportWar(at, power string, names []string) {
	for i, other := range names {
		if other == power || slices.Contains(names[:i], other) {
			d.ViolateField(at, rules.Input, "%s cannot be at war with itself, nor twice with one power", power)
			return
		}
	}
	before := d.game
	d.Record(power, &events.FactReported{Fact: factWar, Subject: power, Names: names})
	if d.takeIn(); rules.Exact(d.Options) {
		d.checkPeace(at, before)
		d.warnOfPeace(power, before)
	}
}

func (d *decision) reportTechnologies(at, power string, names []string) {
	p := &events.FactReported{Fact: factTechnologies, Subject: power}
	for _, t := range names {
		if !slices.Contains(p.Names, t) {
			p.Names = append(p.Names, t)
		}
	}
	d.checkForgotten(at, power, p.Names)
	d.Record(power, p)
}

// reportFacilities reads what stands in a territory: a list is all of it, undamaged; a mapping to
// damage changes those that it names and leaves the others.
func (d *decision) reportFacilities(at, territory string, raw json.RawMessage) {
	s := d.At(territory)
	p := &events.FacilitiesReported{Territory: territory}
	var list []string
	given := map[string]json.RawMessage{}
	if json.Unmarshal(raw, &list) == nil {
		for _, name := range list {
			given[name] = json.RawMessage("0")
		}
	} else if json.Unmarshal(raw, &given) == nil && len(given) > 0 {
		p.Facilities = d.standing(s)
	} else {
		d.ViolateField(at, rules.Input,
			"write all that stands in %s: [minor ic, air base], or the damage of some of it: {air base: 3}", territory)
		return
	}
	var reported []Facility
	for _, name := range slices.Sorted(maps.Keys(given)) {
		f, ok := d.facilityGiven(at+"."+name, name, given[name])
		if !ok {
			return
		}
		kind := Facility(f.Kind)
		if len(given) < len(list) ||
			slices.ContainsFunc(reported, func(o Facility) bool { return o.kind() == kind.kind() }) {
			d.ViolateField(at, "G40-SBR-ONE", "%s has one %s at most", territory, kind.kind())
			return
		}
		reported = append(reported, kind)
		p.Facilities = slices.DeleteFunc(p.Facilities,
			func(o events.Facility) bool { return Facility(o.Kind).kind() == kind.kind() })
		p.Facilities = append(p.Facilities, f)
	}
	if d.checkKnown(at, s, p.Facilities) {
		d.checkStanding(at, s, p.Facilities)
		d.Record(d.holder(s), p)
	}
}

// facilityGiven reads a facility's damage, or {damage: 3, operative: false}.
func (d *decision) facilityGiven(at, name string, raw json.RawMessage) (events.Facility, bool) {
	named, ok := d.facilityKind(at, name)
	if !ok {
		return events.Facility{}, false
	}
	kind := Facility(named)
	var state struct {
		Damage    int   `json:"damage"`
		Operative *bool `json:"operative"`
	}
	if json.Unmarshal(raw, &state.Damage) != nil && strictly(raw, &state) != nil {
		d.ViolateField(at, rules.Input, "write the damage of the %s, {%s: 3}, or {%s: {damage: 3, operative: false}}",
			kind.title(), name, name)
		return events.Facility{}, false
	}
	if state.Damage < 0 || state.Damage > kind.Limit() {
		d.ViolateField(at, rules.Input, "%s has from 0 to %d damage, not %d", one(kind.title()), kind.Limit(),
			state.Damage)
		return events.Facility{}, false
	}
	f := events.Facility{Kind: string(kind), Damage: state.Damage, Inoperative: state.Operative != nil &&
		!*state.Operative}
	return f, d.checkStated(at, f, state.Operative)
}

// strictly reads a mapping that has no keys but those of a struct.
func strictly(raw json.RawMessage, into any) error {
	r := json.NewDecoder(bytes.NewReader(raw))
	r.DisallowUnknownFields()
	return r.Decode(into)
}

// reportUnits reads what a power has, space by space. What is not named stands as it was.
func (d *decision) reportUnits(at, power string, given bySpace) {
	if len(given) == 0 {
		d.ViolateField(at, rules.Input,
			"name spaces: {Germany: {SZ 109: {submarine: 2}}}; where nothing is left write {SZ 109: {}}")
		return
	}
	var list []*events.UnitsReported
	for _, m := range given {
		p := &events.UnitsReported{Power: power, Space: m.Name, Units: unitsOf(m.Value)}
		if rules.Strict(d.Options) && hitsAlone(m.Value) {
			p.Units = d.afterHits(power, m.Name, m.Value)
		}
		d.damagedIn(p, m.At, m.Value)
		d.checkUnits(m.At, p)
		list = append(list, p)
	}
	d.checkWounds(at, power, given, list)
	d.checkRegained(at, power, list)
	for _, p := range list {
		d.Record(power, p)
	}
}

// units are counts by kind, and bySpace those of several spaces, of an entry.
type (
	units   = rules.Mapping[int]
	bySpace = rules.Mapping[units]
)

// unitsOf are the units of an entry, in the order of the game's price list.
func unitsOf(given rules.Mapping[int]) []events.Unit {
	var list []events.Unit
	for _, unit := range unitNames() {
		for _, m := range given { // a zero stands beside the number that counts
			if m.Name == unit && m.Value > 0 {
				list = append(list, events.Unit{Name: unit, Count: m.Value})
			}
		}
	}
	return list
}
