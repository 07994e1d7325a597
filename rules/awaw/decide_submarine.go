package awaw

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// submarineEntry is an entry `submarine warfare`. What it leaves out is taken from the facts
// reported; what it gives overrides them for this combat.
type submarineEntry struct {
	Box        string   `json:"box"`
	Side       string   `json:"side"` // needed in the Indian Ocean and the Pacific, where two may have submarines
	Submarines *int     `json:"submarines"`
	ASW        *int     `json:"asw"`
	Attacker   string   `json:"attacker"` // power whose DRM and research count
	Defender   string   `json:"defender"`
	NavalDRM   *pair    `json:"naval nationality"`
	AirRange   *pair    `json:"air range"`
	Torpedo    *int     `json:"torpedo"`
	ASWLevel   *int     `json:"asw research"`
	CVEs       *int     `json:"cves"`
	Controls   []string `json:"controls"`
	WarTurn    *int     `json:"war turn"`
	Ireland    *int     `json:"ireland"`
	Again      bool     `json:"again"` // the box was resolved this turn, and is once more
}

// procedureSubmarineWarfare names the result in an SW box.
const procedureSubmarineWarfare = "awaw.sw.submarine"

// pair is a figure of the attacker and one of the defender.
type pair struct {
	Attacker int `json:"attacker"`
	Defender int `json:"defender"`
}

// submarineWarfare resolves an SW box: cards, declaration, dice, result.
func (d *decision) submarineWarfare() {
	var entry struct {
		Warfare submarineEntry       `json:"submarine warfare"`
		Cards   *[]map[string]string `json:"cards"`
	}
	if !d.read(&entry) {
		return
	}
	in, powers, ok := d.submarineInput(entry.Warfare)
	if !ok || !d.add(CheckSubmarineWarfare(in)) || !d.onceATurn(in, entry.Warfare.Again) || !d.submarineSettled(in) {
		return
	}
	if !d.enterPhase(in.Submarines.player(), "combat", "AWAW-48.31-A") {
		return
	}
	contest, ok := d.submarineContest(&in, entry.Cards)
	if !ok {
		return
	}
	modifiers, found := SubmarineModifiers(in)
	net := Net(modifiers)
	d.cite("AWAW-SW-BOX", "submarines of %s attack in the %s box", in.Submarines.Name(), in.Box.Name())
	d.h.Add(found)
	d.cite("AWAW-24.62-B", "net %+d: added to the submarine roll, taken from the ASW roll", net)
	side, against := in.Submarines.Title(), powers[1].Title()
	dice, ok := d.h.Roll(side, &events.RollDeclared{
		Purpose: "submarine warfare", Subject: in.Box.Name(), Modifiers: eventModifiers(modifiers), Net: net,
		Throws: []events.Throw{
			{Name: "submarines", Side: side, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(in.SubmarineFactors), Modifier: net},
			{Name: "asw", Side: against, Dice: 2, Sides: 6, Table: TableStrategicWarfare, Rows: SWRows(in.ASWFactors), Modifier: -net},
		},
	})
	if !ok {
		return
	}
	in.SubmarineDice, in.ASWDice = dice[0], dice[1]
	out, f := SubmarineWarfare(in)
	if !d.add(f) {
		return
	}
	d.h.Record(side, &events.ResultAdjudicated{
		Procedure: procedureSubmarineWarfare, Subject: in.Box.Name(), Attacker: powers[0].Title(), Defender: against, Contest: contest,
		Modifiers: eventModifiers(out.Modifiers), Net: out.NetModifier, Declared: d.h.Declared(),
		Readings: []events.Reading{swReading("submarines", side, in.SubmarineDice, out.SubmarineRoll), swReading("asw", against, in.ASWDice, out.ASWRoll)},
	})
}

// submarineSettled asks the umpire, before any card or die falls, for what the combat may
// turn on.
func (d *decision) submarineSettled(in SubmarineWarfareInput) bool {
	if in.Box == Atlantic && (in.GermanyUSWarTurn == 1 || in.GermanyUSWarTurn == 2) && !d.settled("us_entry") {
		return false
	}
	return d.settled("low_roll") && (!d.drawn(in.Submarines.Deck()) || d.settled("campaign_scope", "play_order"))
}

// onceATurn catches an entry submitted twice under another id. The rules do not say that a
// box is resolved once a turn, so the umpire may insist.
func (d *decision) onceATurn(in SubmarineWarfareInput, again bool) bool {
	index, fought := d.fought[combat{in.Box.Name(), in.Submarines.Title()}]
	if fought && !again {
		d.h.ViolateField("submarine warfare", rules.Input, "submarines of %s have fought in the %s box in %s (event %d); if they do so once more, say again: true", in.Submarines.Name(), in.Box.Name(), d.turn.Label, index)
		return false
	}
	return true
}

// submarineInput puts together facts and entry.
func (d *decision) submarineInput(e submarineEntry) (in SubmarineWarfareInput, powers [2]Power, ok bool) {
	box, ok := d.box("submarine warfare.box", e.Box)
	if !ok {
		return in, powers, false
	}
	side, ok := d.submarineSide(e, box)
	if !ok {
		return in, powers, false
	}
	if e.Submarines == nil || e.ASW == nil {
		d.h.ViolateField("submarine warfare", rules.Input, "submarine warfare needs the factors of both sides: submarines: …, asw: …")
		return in, powers, false
	}
	if powers, ok = d.submarinePowers(e, box, side); !ok || !d.submarineFigures(e) {
		return in, powers, false
	}
	in = SubmarineWarfareInput{
		Box: box, Submarines: side, SubmarineFactors: *e.Submarines, ASWFactors: *e.ASW, Options: d.rulesOptions(),
		TorpedoResearch:  or(e.Torpedo, d.fact(factTorpedo, powers[0].Title())),
		ASWResearch:      or(e.ASWLevel, d.fact(factASW, powers[1].Title())),
		CVEs:             or(e.CVEs, d.fact(factCVEs, box.Name())),
		IrelandResult:    or(e.Ireland, d.fact(factIreland, "")),
		GermanyUSWarTurn: or(e.WarTurn, min(3, d.warTurn(PowerGermany, PowerUnitedStates))),
	}
	naval, air := d.pairOf(e.NavalDRM, factNavalDRM, powers), d.pairOf(e.AirRange, factAirRange, powers)
	in.AttackerNavalDRM, in.DefenderNavalDRM = naval.Attacker, naval.Defender
	in.AttackerAirRange, in.DefenderAirRange = air.Attacker, air.Defender
	in.AttackerControls, ok = d.ports(e, side)
	return in, powers, ok
}

// submarineSide is whose submarines attack: given, or the only faction of the box.
func (d *decision) submarineSide(e submarineEntry, box Box) (Faction, bool) {
	if e.Side == "" && box == Atlantic {
		return EuropeanAxis, true
	}
	if e.Side == "" {
		d.h.ViolateField("submarine warfare.side", rules.Input, "two sides may have submarines in the %s box: say whose attack, side: …", box.Name())
		return "", false
	}
	if p, ok := powerNamed(e.Side); ok && p == PowerGermany {
		return EuropeanAxis, true
	}
	return d.faction("submarine warfare.side", e.Side)
}

// submarinePowers are the powers whose DRMs and research levels count.
func (d *decision) submarinePowers(e submarineEntry, box Box, side Faction) ([2]Power, bool) {
	powers := [2]Power{PowerGermany, PowerBritain}
	switch side {
	case Japan:
		powers = [2]Power{PowerJapan, PowerUnitedStates}
		if box == IndianOcean {
			powers[1] = PowerBritain
		}
	case UnitedStates:
		powers = [2]Power{PowerUnitedStates, PowerJapan}
	}
	ok := true
	if e.Attacker != "" {
		powers[0], ok = d.power("submarine warfare.attacker", e.Attacker)
	}
	if ok && e.Defender != "" {
		powers[1], ok = d.power("submarine warfare.defender", e.Defender)
	}
	return powers, ok
}

// submarineFigures refuses figures that mean nothing.
func (d *decision) submarineFigures(e submarineEntry) bool {
	ok := true
	for _, n := range []struct {
		name  string
		value *int
		least int
	}{
		{"submarines", e.Submarines, -limit}, {"asw", e.ASW, -limit}, {"torpedo", e.Torpedo, 0}, {"asw research", e.ASWLevel, 0},
		{"cves", e.CVEs, 0}, {"war turn", e.WarTurn, 0}, {"ireland", e.Ireland, -limit},
	} {
		if n.value != nil && (*n.value < n.least || *n.value > limit) {
			d.h.ViolateField("submarine warfare."+n.name, rules.Input, "%s cannot be %d", n.name, *n.value)
			ok = false
		}
	}
	for _, p := range []*pair{e.NavalDRM, e.AirRange} {
		if p != nil {
			ok = ok && d.inRange("attacker", &p.Attacker) && d.inRange("defender", &p.Defender)
		}
	}
	return ok
}

func (d *decision) pairOf(given *pair, name string, powers [2]Power) pair {
	if given != nil {
		return *given
	}
	return pair{d.fact(name, powers[0].Title()), d.fact(name, powers[1].Title())}
}

func (d *decision) ports(e submarineEntry, side Faction) ([]Port, bool) {
	names := d.holds[side.player()]
	if e.Controls != nil {
		names = e.Controls
	}
	var ports []Port
	for _, n := range names {
		p, ok := portNamed(n)
		if !ok {
			d.unknown("submarine warfare.controls", "port that the tables name", n, portTitles())
			return nil, false
		}
		ports = append(ports, p)
	}
	return ports, true
}

// submarineContest plays the cards for the submarine campaign, once a turn, and puts the
// modifier into the input. Without cards drawn there is no contest, and no modifier.
func (d *decision) submarineContest(in *SubmarineWarfareInput, cards *[]map[string]string) (uint64, bool) {
	deck := in.Submarines.Deck()
	if !d.drawn(deck) {
		if cards != nil && len(*cards) > 0 {
			return 0, d.cardsDrawn("cards", deck)
		}
		return 0, true
	}
	compared, found := d.battle(func(b battle) bool {
		return b.kind == SubmarineWarfareContest.titleOf() && b.acting == in.Submarines && slices.Contains(b.scope, in.Box.Name())
	})
	switch {
	case found && cards != nil && len(*cards) > 0:
		d.h.ViolateField("cards", "AWAW-48.41-A", "the cards of this campaign were compared this turn (event %d); one comparison serves all its boxes", compared.index)
		return 0, false
	case found:
		in.CodebreakingResult = compared.modifier
		return compared.index, true
	}
	c := contestEntry{kind: SubmarineWarfareContest, acting: in.Submarines, opposing: in.Submarines.Opponent(), cards: cards}
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
