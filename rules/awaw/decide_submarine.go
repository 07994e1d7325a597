package awaw

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// submarineEntry is an entry `submarine warfare`. What it leaves out is taken from the facts
// reported; what it gives overrides them for this combat.
type submarineEntry struct {
	Box        Box     `json:"box" is:"SW box"`
	Side       Faction `json:"side,omitempty" is:"submarines" doc:"whose attack, where two may have some"`
	Submarines *int    `json:"submarines" least:"-9999" doc:"factors; by default what an eliminating combat there left"`
	ASW        *int    `json:"asw" least:"-9999" doc:"factors; by default what an eliminating combat there left"`
	Attacker   Power   `json:"attacker,omitempty" is:"power" doc:"whose DRM and research count"`
	Defender   Power   `json:"defender,omitempty" is:"power" doc:"whose DRM and research count"`
	NavalDRM   *pair   `json:"naval nationality" doc:"the facts of both by default"`
	AirRange   *pair   `json:"air range" doc:"the facts of both by default"`
	Torpedo    *int    `json:"torpedo" least:"0" doc:"the fact of the attacker by default"`
	ASWLevel   *int    `json:"asw research" least:"0" doc:"the fact of the defender by default"`
	CVEs       *int    `json:"cves" least:"0" doc:"the fact of the box by default"`
	Controls   []Port  `json:"controls" is:"port that the tables name" doc:"the ports reported by default"`
	WarTurn    *int    `json:"war turn" least:"0" doc:"of Germany and the U.S., the campaign's by default"`
	Ireland    *int    `json:"ireland" least:"-9999" doc:"the fact by default"`
	Again      bool    `json:"again" doc:"the box was resolved this turn, and is once more"`
}

type submarineCommand struct {
	Warfare submarineEntry       `json:"submarine warfare"`
	Cards   *[]map[string]string `json:"cards" of:"side" is:"card or pass" doc:"as put down; else the sides are asked"`
}

// procedureSubmarineWarfare names the result in an SW box.
const procedureSubmarineWarfare = "awaw.sw.submarine"

// pair is a figure of the attacker and one of the defender, counts is one of what they have.
type (
	pair struct {
		Attacker int `json:"attacker" least:"-9999"`
		Defender int `json:"defender" least:"-9999"`
	}
	counts struct {
		Attacker int `json:"attacker" least:"0"`
		Defender int `json:"defender" least:"0"`
	}
)

// submarineWarfare resolves an SW box: cards, declaration, dice, result.
func (d *decision) submarineWarfare(entry submarineCommand) {
	in, powers, ok := d.submarineInput(entry.Warfare)
	if !ok || !d.sidesNamed(entry.Cards) || !d.Add(CheckSubmarineWarfare(in)) || !d.ownPowers(powers, in.Submarines) ||
		!d.warKnown(entry.Warfare) || !d.holdsThem(entry.Warfare, in.Submarines) ||
		!d.onceATurn(in, entry.Warfare.Again) || !d.fightOn(in, powers) || !d.submarineSettled(in, powers[0]) {
		return
	}
	if !d.enterPhase(in.Submarines.player(), "combat", "AWAW-48.31-A") {
		return
	}
	contest, ok := d.submarineContest(&in, powers[0], entry.Cards)
	if !ok {
		return
	}
	modifiers, found := SubmarineModifiers(in)
	net := Net(modifiers)
	d.Cite("AWAW-SW-BOX", "submarines of %s attack in the %s box", in.Submarines.Name(), in.Box.Name())
	d.citeLosses(in)
	if e := entry.Warfare; in.Submarines == UnitedStates && e.CVEs == nil && in.CVEs > 0 { // AMB-AWAW-20
		d.Warn("the CVEs reported in the Pacific box, %d, count as Japan's here; if they are American, say cves: 0",
			in.CVEs)
	}
	d.Add(found)
	d.Cite("AWAW-24.62-B", "net %+d: added to the submarine roll, taken from the ASW roll", net)
	side, against := in.Submarines.Title(), powers[1].Title()
	dice, ok := d.Roll(side, &events.RollDeclared{
		Purpose: "submarine warfare", Subject: in.Box.Name(), Modifiers: eventModifiers(modifiers), Net: net,
		Throws: []events.Throw{
			{Name: "submarines", Side: side, Dice: 2, Sides: 6, Table: TableStrategicWarfare,
				Rows: SWRows(in.SubmarineFactors), Modifier: net},
			{Name: "asw", Side: against, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(in.ASWFactors),
				Modifier: -net},
		},
	})
	if !ok {
		return
	}
	in.SubmarineDice, in.ASWDice = dice[0], dice[1]
	out, f := SubmarineWarfare(in)
	if !d.Add(f) {
		return
	}
	d.Record(side, &events.ResultAdjudicated{
		Procedure: procedureSubmarineWarfare, Subject: in.Box.Name(), Attacker: powers[0].Title(), Defender: against,
		Contest:   contest,
		Modifiers: eventModifiers(out.Modifiers), Net: out.NetModifier, Declared: d.Declared(),
		Readings: []events.Reading{swReading("submarines", side, in.SubmarineDice, out.SubmarineRoll),
			swReading("asw", against, in.ASWDice, out.ASWRoll)},
	})
}

// submarineSettled asks the umpire, before any card or die falls, for what the combat may
// turn on.
func (d *decision) submarineSettled(in SubmarineWarfareInput, attacker Power) bool {
	if italianRaid(in, attacker) && d.drawn(Ultra) && !d.settled(optionItalian) {
		return false
	}
	if in.Box == Atlantic && (in.GermanyUSWarTurn == 1 || in.GermanyUSWarTurn == 2) && !d.settled("us_entry") {
		return false
	}
	return d.settled("low_roll") && (!d.drawn(in.Submarines.Deck()) || d.settled("campaign_scope", "play_order"))
}

// optionItalian says whether Ultra counts for Italian submarines in the Indian Ocean.
const optionItalian = "italian_submarines"

// italianRaid reports whether Italian submarines attack in the Indian Ocean (AMB-AWAW-24).
func italianRaid(in SubmarineWarfareInput, attacker Power) bool {
	return in.Box == IndianOcean && attacker == PowerItaly
}

// onceATurn catches an entry submitted twice under another id. The rules do not say that a
// box is resolved once a turn, so the umpire may insist.
func (d *decision) onceATurn(in SubmarineWarfareInput, again bool) bool {
	index, fought := d.fought[combat{in.Box.Name(), in.Submarines.Title()}]
	if fought && !again {
		d.ViolateField("submarine warfare", rules.Input,
			"submarines of %s have fought in the %s box in %s (event %d); if they do so once more, say again: true",
			in.Submarines.Name(), in.Box.Name(), d.turn.Label, index)
		return false
	}
	return true
}

// submarineInput puts together facts and entry.
func (d *decision) submarineInput(e submarineEntry) (in SubmarineWarfareInput, powers [2]Power, ok bool) {
	box := e.Box
	side, ok := d.submarineSide(e)
	if !ok {
		return in, powers, false
	}
	if d.italian && d.exact() {
		if e.Attacker = cmp.Or(e.Attacker, PowerItaly); e.Attacker != PowerItaly && box == IndianOcean {
			d.ViolateField("submarine warfare.attacker", "AWAW-SW-IND-3", "the submarines are said to be Italy's, for "+
				"which Ultra may not count: leave attacker out, or say side: Germany")
			return in, powers, false
		}
	}
	powers = submarinePowers(e, side)
	submarines, ok := d.strengthOf(e, side, "submarines", e.Submarines)
	if !ok {
		return in, powers, false
	}
	asw, ok := d.strengthOf(e, side, "asw", e.ASW)
	if !ok {
		return in, powers, false
	}
	in = SubmarineWarfareInput{
		Box: box, Submarines: side, SubmarineFactors: submarines, ASWFactors: asw, Options: d.rulesOptions(),
		TorpedoResearch:  d.figureOf(e.Torpedo, factTorpedo, powers[0].Title()),
		ASWResearch:      d.figureOf(e.ASWLevel, factASW, powers[1].Title()),
		CVEs:             d.cves(e, side),
		IrelandResult:    d.figureOf(e.Ireland, factIreland, ""),
		GermanyUSWarTurn: or(e.WarTurn, min(3, d.germanWar())),
	}
	naval, air := d.pairOf(e.NavalDRM, factNavalDRM, powers), d.pairOf(e.AirRange, factAirRange, powers)
	in.AttackerNavalDRM, in.DefenderNavalDRM = naval.Attacker, naval.Defender
	in.AttackerAirRange, in.DefenderAirRange = air.Attacker, air.Defender
	in.AttackerControls = d.ports(e, side)
	return in, powers, true
}

// submarineSide is whose submarines attack: given, or the only faction of the box.
func (d *decision) submarineSide(e submarineEntry) (Faction, bool) {
	switch {
	case e.Side == "" && e.Box == Atlantic:
		return EuropeanAxis, true
	case e.Side == "":
		d.ViolateField("submarine warfare.side", rules.Input,
			"two sides may have submarines in the %s box: say whose attack, side: …", e.Box.Name())
	}
	return e.Side, e.Side != ""
}

// submarinePowers are the powers whose DRMs and research levels count.
func submarinePowers(e submarineEntry, side Faction) [2]Power {
	powers := [2]Power{PowerGermany, PowerBritain}
	switch side {
	case Japan:
		powers = [2]Power{PowerJapan, PowerUnitedStates}
		if e.Box == IndianOcean {
			powers[1] = PowerBritain
		}
	case UnitedStates:
		powers = [2]Power{PowerUnitedStates, PowerJapan}
	}
	return [2]Power{cmp.Or(e.Attacker, powers[0]), cmp.Or(e.Defender, powers[1])}
}

// ownPowers wants the powers whose figures count to be of the two sides that fight in the box. The ASW of Russia is of
// neither, and codebreaking never affects it (48.13-C, 48.14-C).
func (d *decision) ownPowers(powers [2]Power, side Faction) bool {
	if !d.carries() {
		return true
	}
	for i, of := range []Faction{side, side.Opponent()} {
		if p := powers[i]; p.player() != of.player() {
			d.ViolateField("submarine warfare."+[]string{"attacker", "defender"}[i], "AWAW-SW-BOX",
				"submarines of %s fight the ASW of %s there; the figures of %s do not count", side.Name(),
				article(side.Opponent().player()), p.Name())
		}
	}
	if side == UnitedStates && powers[0] != PowerUnitedStates && !d.Refused() {
		d.forbid("submarine warfare.attacker", "AWAW-SW-BOX", "American submarines fight there, and the figures of %s "+
			"count: leave attacker out", powers[0].Name())
	}
	return !d.Refused()
}

// warKnown wants the turn of the German-American war that the entry states to be that of the record (SW-ATL-6). A war
// from before the campaign began is not in it, and is stated once.
func (d *decision) warKnown(e submarineEntry) bool {
	now, since := d.germanWar(), int(d.turn.Ordinal-d.peaceful)
	at := now > 0
	switch {
	case e.WarTurn == nil || e.Box != Atlantic || min(3, *e.WarTurn) == min(3, now):
	case at && d.strict():
		d.ViolateField("submarine warfare.war turn", "AWAW-SW-ATL-6", "%s is turn %d of the war of Germany and the "+
			"U.S., not %d: leave war turn out", d.turn.Label, now, *e.WarTurn)
	case at:
		d.Warn("%s is turn %d of the war of Germany and the U.S., and the entry says %d", d.turn.Label, now, *e.WarTurn)
	case d.exact() && d.peaceful == d.turn.Ordinal:
		d.ViolateField("submarine warfare.war turn", "AWAW-SW-ATL-5", "the Atlantic box was resolved in %s with "+
			"Germany and the U.S. at peace: correct that combat, or declare the war", d.turn.Label)
	case d.peaceful > 0 && min(3, *e.WarTurn) > since+1:
		d.forbid("submarine warfare.war turn", "AWAW-SW-ATL-6", "the Atlantic box was resolved %s ago with Germany "+
			"and the U.S. at peace: %s is turn %d of their war at most, and the entry says %d; correct that combat if "+
			"they were at war", words.Count(since, "turn"), d.turn.Label, since+1, *e.WarTurn)
	case *e.WarTurn < 3 && *e.WarTurn <= int(d.turn.Ordinal): // else it began before the campaign
		d.Warn("no declaration of war between Germany and the U.S. is recorded, and the entry says turn %d of it",
			*e.WarTurn)
	}
	return !d.Refused()
}

// holdsThem wants the ports that the entry gives the attacker not to be reported as held by another.
func (d *decision) holdsThem(e submarineEntry, side Faction) bool {
	for i, port := range e.Controls {
		for _, other := range players() {
			if d.exact() && other != side.player() && slices.Contains(d.holds[other], port.Title()) {
				d.ViolateField(fmt.Sprintf("submarine warfare.controls[%d]", i), rules.Input,
					"%s is reported as held by %s: report first that it has changed hands", port.Name(), article(other))
			}
		}
	}
	return !d.Refused()
}

// germanWar is the turn of the war of Germany and the U.S., as it was declared, or else as an earlier entry stated it.
func (d *decision) germanWar() int {
	if now := d.warTurn(PowerGermany, PowerUnitedStates); now > 0 || !d.strict() {
		return now
	}
	return d.statedTurn()
}

// figureOf is a figure of an entry, which overrides the fact reported; where they differ it warns.
func (d *decision) figureOf(given *int, name, subject string) int {
	reported, known := d.facts[fact{name, subject}]
	if given == nil {
		return reported
	}
	if known && *given != reported {
		d.Warn("%s was reported as %d, and the entry says %d for itself",
			strings.TrimSuffix(name+" of "+subject, " of "), reported, *given)
	}
	return *given
}

func (d *decision) pairOf(given *pair, name string, powers [2]Power) pair {
	if given == nil {
		given = &pair{d.fact(name, powers[0].Title()), d.fact(name, powers[1].Title())}
	}
	return pair{d.figureOf(&given.Attacker, name, powers[0].Title()),
		d.figureOf(&given.Defender, name, powers[1].Title())}
}

// cves are those in the box. Those of the other side may be said for American submarines without a warning
// (AMB-AWAW-20).
func (d *decision) cves(e submarineEntry, side Faction) int {
	if side == UnitedStates {
		return or(e.CVEs, d.fact(factCVEs, e.Box.Name()))
	}
	return d.figureOf(e.CVEs, factCVEs, e.Box.Name())
}

// ports are those that the attacker holds: given, or reported.
func (d *decision) ports(e submarineEntry, side Faction) []Port {
	ports := e.Controls
	if ports == nil {
		for _, n := range d.holds[side.player()] {
			if p, ok := portNamed(n); ok {
				ports = append(ports, p)
			}
		}
		return ports
	}
	held, reported := d.holds[side.player()]
	titles := slices.Compact(slices.Sorted(slices.Values(rules.Each(ports, Port.Title))))
	if reported && !slices.Equal(titles, held) {
		d.Warn("%s was reported to hold %s, and the entry says %s for itself", article(side.player()), portsText(held),
			portsText(titles))
	}
	return ports
}

func portsText(ports []string) string {
	if len(ports) == 0 {
		return "no port"
	}
	return words.And(ports)
}

// submarineContest plays the cards for the submarine campaign, once a turn, and puts the
// modifier into the input. Without cards drawn there is no contest, and no modifier.
func (d *decision) submarineContest(in *SubmarineWarfareInput, attacker Power,
	cards *[]map[string]string) (uint64, bool) {
	deck := in.Submarines.Deck()
	if italianRaid(*in, attacker) && d.options[optionItalian] == "no_ultra" && d.drawn(deck) {
		const rule = "AWAW-SW-IND-3"
		if cards != nil && slices.ContainsFunc(*cards, plays) {
			d.ViolateField("cards", rule, "in the Indian Ocean Ultra counts for German submarines only, and these are "+
				"Italian: play the cards where German ones fight")
		}
		d.Cite(rule, "Ultra counts for German submarines only, and these are Italian")
		return 0, !d.Refused()
	}
	if !d.drawn(deck) {
		if d.putDown(cards) {
			return 0, d.cardsDrawn("cards", deck)
		}
		return 0, true
	}
	compared, found := d.battle(func(b battle) bool {
		return b.kind == SubmarineWarfareContest.titleOf() && b.acting == in.Submarines &&
			slices.Contains(b.scope, in.Box.Name())
	})
	switch {
	case found && d.putDown(cards):
		d.ViolateField("cards", "AWAW-48.41-A",
			"the cards of this campaign were compared this turn (event %d); one comparison serves all its boxes",
			compared.index)
		return 0, false
	case found:
		in.CodebreakingResult = compared.modifier
		return compared.index, true
	}
	c := contestEntry{kind: SubmarineWarfareContest, acting: in.Submarines, opposing: in.Submarines.Opponent(),
		cards: cards}
	for _, b := range SubmarineBoxes(in.Submarines) {
		c.scope = append(c.scope, b.Name())
	}
	if d.options["campaign_scope"] == "per_box" {
		c.box, c.scope = in.Box, []string{in.Box.Name()}
	}
	out, index, ok := d.contest(c)
	if ok && out.Modifier != nil {
		in.CodebreakingResult = *out.Modifier
	}
	return index, ok
}

// putDown reports whether the entry lists cards where none can be put down. Passes are none in a firm edition: a side
// that says so has played nothing.
func (d *decision) putDown(cards *[]map[string]string) bool {
	return cards != nil && (slices.ContainsFunc(*cards, plays) || !d.firm() && len(*cards) > 0)
}

// sidesNamed wants the sides of cards that are listed to be sides, also where none can be put down.
func (d *decision) sidesNamed(cards *[]map[string]string) bool {
	if cards == nil || !d.firm() {
		return true
	}
	for i, item := range *cards {
		for _, name := range slices.Sorted(maps.Keys(item)) {
			if _, ok := d.Named("side", fmt.Sprintf("cards[%d]", i), name); !ok {
				return false
			}
		}
	}
	return true
}

func swReading(name, side string, dice []int, r SWReading) events.Reading {
	return events.Reading{
		Name: name, Side: side, Table: TableStrategicWarfare, Factors: r.Factors, Dice: dice, Total: r.DiceTotal,
		Modified: r.Modified, Column: r.Column, Rows: r.Rows, First: r.First, Second: r.Second, Result: r.Result,
	}
}

func eventModifiers(list []Modifier) []events.Modifier {
	var out []events.Modifier
	for _, m := range list {
		out = append(out, events.Modifier{Name: m.Name, Value: m.Value, Rule: m.Rule})
	}
	return out
}

func or(given *int, otherwise int) int {
	if given != nil {
		return *given
	}
	return otherwise
}
