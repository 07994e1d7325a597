package eots

import (
	"encoding/json"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// The cards that the variant speaks of, beside card 5.
const (
	cardFirstConvoyEscort  = 37
	cardGrandEscortCommand = 38
	cardSubmarineDoctrine  = 80
)

const (
	procedureTroopTransports = "eots.troop-transports"
	figureRemoved            = "divisions that leave China"

	eventMatador    = "Operation Matador"
	eventIntercepts = "Cryptographic Intercepts: Submarines Target Troop Transports"
)

// drawEntry is an entry {card draw: 7} or {card draw: {base: 7, b29s: 1}}.
type drawEntry struct {
	Base *int `json:"base" least:"0" alone:"true" need:"how many cards would Japan draw? Write card draw: 7, say"`
	B29s int  `json:"b29s" least:"0" doc:"cards that B-29s cut"`
}

// drawCards draws the Strategy Cards of Japan.
func (d *decision) drawCards(e drawEntry) {
	if d.drew {
		d.ViolateField("card draw", rules.Input, "Japan has drawn its Strategy Cards of %s", d.turn.Label)
		return
	}
	if !d.drawGiven() || !d.enter(phaseDraw, "", "EOTS-11.23-1") {
		return
	}
	in := CardDrawInput{BaseDraw: *e.Base, Successful: d.successes, B29Reduction: e.B29s}
	out, f := CardDraw(in)
	d.Add(f)
	d.Record(japan, &events.StrategyCardsDrawn{Base: in.BaseDraw, Submarines: in.Successful, Bombers: in.B29Reduction,
		Draw: out.Draw})
}

// drawGiven reports whether the entry says how many cards Japan would draw: what cuts the draw does not say it, and
// where nothing does it reads as 0.
func (d *decision) drawGiven() bool {
	var given struct {
		Draw map[string]json.RawMessage `json:"card draw"`
	}
	if !d.exact() || json.Unmarshal(d.c.Body, &given) != nil || given.Draw["base"] != nil {
		return true
	}
	d.ViolateField("card draw.base", rules.Input,
		"how many cards would Japan draw? Write card draw: {base: 7, b29s: 1}, say")
	return false
}

// cardEntry is an entry {card: 37} or {card: {number: 5, as, base, when}}. The last three are of card 5.
type cardEntry struct {
	Number int    `json:"number" alone:"true"`
	As     string `json:"as" offer:"event of card 5" doc:"operation matador or cryptographic intercepts"`
	Base   string `json:"base" offer:"base" doc:"the base of cryptographic intercepts"`
	When   string `json:"when" offer:"moment" doc:"before combat or end of offensive"`
}

// playCard plays a card.
func (d *decision) playCard(e cardEntry) {
	if e.Number == interceptsCard {
		d.playCard5(e)
		return
	}
	if e.As != "" || e.Base != "" || e.When != "" {
		d.ViolateField("card", "EOTS-11.24.A-1", "card %d has one event; as, base and when are of card %d", e.Number,
			interceptsCard)
		return
	}
	switch e.Number {
	case cardFirstConvoyEscort:
		d.escortPlayed(japan, e.Number, "First Convoy Escort Fleet", d.swm.FirstConvoyEscort)
	case cardGrandEscortCommand:
		d.escortPlayed(japan, e.Number, "Grand Escort Command", d.swm.GrandEscortCommand)
	case cardSubmarineDoctrine:
		if d.again(e.Number, "New Submarine Doctrine") {
			d.warnOfTime("EOTS-11.22.B-3")
			d.warnOfSegment()
			d.Cite("EOTS-11.22.B-3", "each play of New Submarine Doctrine lowers the SWM by 2")
			d.Record(allies, &events.StrategyCardPlayed{Card: e.Number, Event: "New Submarine Doctrine"})
		}
	default:
		d.ViolateField("card.number", rules.Input,
			"card %d does nothing to submarine warfare; cards %d, %d, %d and %d do", e.Number, interceptsCard,
			cardFirstConvoyEscort, cardGrandEscortCommand, cardSubmarineDoctrine)
	}
}

// escortPlayed: whether such a card was played counts, not how often.
func (d *decision) escortPlayed(side string, number int, event string, before bool) {
	if !d.again(number, event) {
		return
	}
	d.warnOfTime("EOTS-11.22.B-2")
	if most := highestSWM(d.year); d.strict() && !before && d.swmNow()+escortSWM > most {
		d.Warn("the marker showed %+d, and goes beyond the %+d that %d and both cards come to: if %s was played "+
			"before the campaign was taken up, it counts already (EOTS-11.22.B-2)", d.swmNow(), most, d.year, event)
	}
	if !before {
		d.warnOfSegment()
		d.warnOfSum(number)
	}
	if before {
		d.Cite("EOTS-11.22.B-2", "%s was played before, and raises the SWM by 2 once", event)
	} else {
		d.Cite("EOTS-11.22.B-2", "%s raises the SWM by 2", event)
	}
	d.Record(side, &events.StrategyCardPlayed{Card: number, Event: event})
}

// warnOfTime: cards 37, 38 and 80 are Strategy Cards like others, which are played in the strategy card phase; of these
// the text does not say so.
func (d *decision) warnOfTime(rule string) {
	switch {
	case d.exact() && (d.over || d.atEnd):
		d.Warn("this offensive is concluded: the text does not say that a Strategy Card is played now (%s)", rule)
	case d.carries() && d.phase != phaseOffensive:
		d.Warn("no offensive is on: the text does not say that a Strategy Card is played now (%s)", rule)
	}
}

// warnOfSegment: between two dice of one segment a card does not move the SWM of the second (swm_timing).
func (d *decision) warnOfSegment() {
	o := d.rulesOptions()
	if d.exact() && d.phase == phaseWarfare && len(d.rolled) > 0 && len(d.rolled) < len(d.bases) &&
		d.options["swm_timing"] != rules.Ask && !o.immediate() {
		d.Warn("the SWM of this segment stands as at its first die: the card counts from the next on (AMB-EOTS-4)")
	}
}

// again reports whether a card may be played, as far as it was played before (AMB-EOTS-13).
func (d *decision) again(number int, event string) bool {
	const option = "card_again"
	last, before := d.played[number]
	if !before || d.Refused() && d.options[option] == rules.Ask {
		return !d.Refused()
	}
	if !OptionList().Settled(d.Hearing, d.c, d.options, option) {
		if last == d.turn.Ordinal && number != cardSubmarineDoctrine {
			d.Warn("card %d was played on Turn %d: by no reading of %s is it played twice in a turn, and whatever is "+
				"ruled this entry is refused then (AMB-EOTS-13)", number, last, option)
		}
		return false
	}
	var o struct {
		Again string `json:"card_again"`
	}
	OptionList().Fill(&o, d.options)
	switch when := "it is played once"; {
	case o.Again == "stated" && number == cardSubmarineDoctrine:
	case o.Again == "next_turn" && last < d.turn.Ordinal:
		d.Cite("AMB-EOTS-13", "card %d was last played on Turn %d, and may have been drawn again", number, last)
	default:
		if o.Again == "next_turn" {
			when = "it may be drawn again on a later turn"
		}
		d.ViolateField("card.number", "AMB-EOTS-13", "card %d was played on Turn %d; %s", number, last, when)
		if number == interceptsCard && d.card5 != event {
			d.ViolateField("card.as", "EOTS-11.24.A-1", "card %d was played as %s; it is one or the other", number,
				d.card5)
		}
	}
	return !d.Refused()
}

const operationMatador = "operation matador"

// cardEvents are what card 5 may be played as.
func cardEvents() []string { return []string{operationMatador, "cryptographic intercepts"} }

// moments are when Cryptographic Intercepts may be played.
func moments() []string { return []string{"before combat", "end of offensive"} }

// playCard5 plays card 5 in one of its two forms (11.24.A).
func (d *decision) playCard5(e cardEntry) {
	as, ok := d.Word(d.c, "card.as", "event of card 5", e.As, cardEvents())
	if !ok {
		return
	}
	if as != operationMatador {
		d.intercept(e)
		return
	}
	if d.exact() && (e.Base != "" || e.When != "") {
		d.ViolateField("card.as", "EOTS-11.24.A-1", "base and when are of Cryptographic Intercepts: card %d is played "+
			"as that or as Operation Matador", interceptsCard)
		return
	}
	if d.phase != phaseOffensive {
		d.ViolateField("card", "EOTS-11.24.A-0", "Operation Matador is a Reaction Event, played during an offensive")
	}
	d.checkReaction()
	if !d.again(interceptsCard, eventMatador) {
		return
	}
	if d.carries() && (d.over || d.atEnd) {
		d.Warn("this offensive is concluded: the text does not say what is left of it to react to (EOTS-11.24.A-0)")
	}
	d.Cite("EOTS-11.24.A-0", "it is a Reaction Event")
	d.Cite("EOTS-11.24.A-1", "card %d is played as Operation Matador, and no more as Cryptographic Intercepts",
		interceptsCard)
	d.Record(allies, &events.StrategyCardPlayed{Card: interceptsCard, Event: eventMatador})
}

// checkReaction: the Allies react to an offensive of Japan, not to one of their own.
func (d *decision) checkReaction() {
	if !d.ours(japan) {
		d.ViolateField("card", "EOTS-11.24.A-0", "card %d is a Reaction Event, and the Allies do not react to their "+
			"own offensive", interceptsCard)
	}
}

// intercept plays Cryptographic Intercepts: declaration, die, divisions.
func (d *decision) intercept(e cardEntry) {
	in, ok := d.interceptInput(e)
	if !ok {
		return
	}
	d.checkReaction()
	d.Check(CheckTroopTransports(in))
	if !d.again(interceptsCard, eventIntercepts) || !OptionList().Settled(d.Hearing, d.c, d.options, "die") {
		return
	}
	d.Cite("EOTS-11.24.A-1", "card %d is played as Cryptographic Intercepts, and no more as Operation Matador",
		interceptsCard)
	d.Record(allies, &events.StrategyCardPlayed{Card: interceptsCard, Event: eventIntercepts,
		AtEnd: d.carries() && in.Timing == timingEnd})
	low, _ := in.Options.faces()
	citeDie(&d.Findings, in.Options)
	dice, ok := d.Roll(allies, &events.RollDeclared{
		Purpose: "troop transports", Subject: in.SubBase.Name,
		Throws: []events.Throw{{Name: "die", Side: allies, Dice: 1, Sides: 10, FromZero: low == 0,
			Table: TableTroopTransports}},
	})
	if !ok {
		return
	}
	in.Die = dice[0][0]
	out, f := TroopTransports(in)
	if !d.Add(f) {
		return
	}
	d.Record(allies, d.intercepted(in, out))
}

// intercepted is the result as the log has it.
func (d *decision) intercepted(in InterceptInput, out InterceptOutcome) *events.ResultAdjudicated {
	column, cell := readTroopTransports(in.Die)
	return &events.ResultAdjudicated{
		Procedure: procedureTroopTransports, Subject: in.SubBase.Name, Attacker: allies, Defender: japan,
		Declared: d.Declared(),
		Readings: []events.Reading{{Name: "die", Side: allies, Table: TableTroopTransports, Dice: []int{in.Die},
			Total: in.Die, Modified: in.Die, Column: column, Result: cell}},
		Figures: []events.Figure{{Name: figureRemoved, Value: out.Removed},
			{Name: "divisions in China", Value: out.Divisions}},
	}
}

// interceptInput puts together what the ruling asks, all but the die.
func (d *decision) interceptInput(e cardEntry) (InterceptInput, bool) {
	in := InterceptInput{Card: interceptsCard, PlayedAs: intercepts, Options: d.rulesOptions()}
	b, ok := d.inPlay("card.base", e.Base)
	if !ok {
		return in, false
	}
	china, known := d.figures[factChina]
	if !known {
		d.Unreported("card", rules.Input,
			"how many Japanese divisions are in China? Report it, facts: {china divisions: 8}")
		return in, false
	}
	d.warnOfUntold(factChina)
	in.SubBase.Name, in.Divisions = b.name, china
	in.SubBase.Relocated = b.relocated == d.turn.Ordinal // AMB-EOTS-14: in any of the turn's offensives
	sloc, known := d.sloc(b.hex)
	switch {
	case b.hex == "":
		d.ViolateField("card.base", "EOTS-11.24.A-3", "%s is on the Turn Record Track", b.name)
		in.SubBase.HQs = 1 // one reason is enough
	case !known:
		d.Unreported("card.base", rules.Input,
			"nothing is reported of what %s reaches from %s; report it, facts: {sloc: {%s: {range: 12, japanese hqs: "+
				"{…}}}}", b.name, b.hex, b.hex)
		return in, false
	default:
		d.warnOfRange(b, sloc.Range)
		if d.exact() && d.is(b.hex, wordEnemy) {
			d.Warn("Japan holds %s, where %s stands: the text does not say whether it serves card %d before its "+
				"emergency move (EOTS-11.21.E-1)", b.hex, b.name, interceptsCard)
		}
		if b.flew == d.turn.Ordinal {
			d.Warn("%s made an emergency move this turn: the text does not say whether it counts as relocated "+
				"(EOTS-11.24.A-3)", b.name)
		}
		in.SubBase.HQs = sloc.within(JapaneseHQ)
	}
	in.Timing, ok = d.timing(e.When)
	return in, ok
}

// timing reads when the event is played, and holds it to the offensive as far as it is known.
func (d *decision) timing(when string) (string, bool) {
	when, ok := d.Word(d.c, "card.when", "time", when, moments())
	timing := map[string]string{"before combat": "offensive_before_combat_phase",
		"end of offensive": timingEnd}[when]
	switch {
	case !ok:
		return "", false
	case d.phase != phaseOffensive:
		timing = "other"
	case d.carries() && d.over && timing == "offensive_before_combat_phase":
		d.ViolateField("card.when", "EOTS-11.24.A-2",
			"this offensive is concluded, as a Sub Base has made its emergency move: its combat phase is over")
	case d.fought:
		d.ViolateField("card.when", "EOTS-11.24.A-2",
			"a Sub Base was attacked or occupied in this offensive: its combat phase has begun, and it has "+
				"a battle hex")
	}
	return timing, true
}
