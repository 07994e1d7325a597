package eots

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// What may be made good beside a base, as recorded.
const (
	givenASPs  = "Japanese ASPs"
	givenChina = "divisions in China"
	givenSWM   = "SWM"
	givenCards = "strategy cards"

	howCompensation = "compensation"
)

// compensation is an entry of what is made good: cards are given to sides, a base is put back on a hex.
type compensation struct {
	ASPs    *int                 `json:"asps" least:"-999" most:"999"`
	China   *int                 `json:"china divisions" least:"-999" most:"999"`
	SWM     *int                 `json:"swm" least:"-999" most:"999"`
	Cards   rules.Mapping[*int]  `json:"cards" of:"side" least:"-999" most:"999"`
	Base    rules.Mapping[hexID] `json:"base" of:"base" offer:"hex"`
	Reason  string               `json:"reason" doc:"for the players"`
	Dispute int                  `json:"dispute" doc:"the event that opened the dispute that it settles"`
}

// compensate makes good what cannot be corrected: {compensate: {asps: 1, cards: {Japan: 1},
// reason: …}}. No rule speaks of it, so it cites none.
func (d *decision) compensate(c compensation) {
	p, ok := d.Compensation(c.Reason, c.Dispute)
	if !ok {
		return
	}
	if c.ASPs == nil && c.China == nil && c.SWM == nil && len(c.Cards) == 0 && len(c.Base) == 0 {
		d.NothingGiven("asps: 1")
		return
	}
	p.What, p.Of = events.CompensatedFigure, japan
	d.moveReported("asps", factASPs, givenASPs, c.ASPs, p)
	d.moveReported("china divisions", factChina, givenChina, c.China, p)
	d.moveSWM(c.SWM, p)
	d.giveCards(c.Cards, p)
	for _, m := range c.Base {
		d.putBack(m, p)
	}
}

// moveReported moves a figure that was reported; it does not go below nothing.
func (d *decision) moveReported(member, fact, subject string, by *int, p events.Compensated) {
	field := "compensate." + member
	now, known := d.figures[fact]
	switch {
	case by == nil:
		return
	case !known:
		d.Unreported(field, rules.Input,
			"nothing is reported of %s, so there is nothing to move; report it, facts: {%s: 8}", subject, fact)
	case d.moves(field, by) && now+*by < 0:
		d.ViolateField(field, rules.Input, "there are %d %s, so no more than that can be taken, not %d", now, subject,
			-*by)
	case !d.Refused():
		d.warnOfUntold(fact)
		p.Subject, p.By = subject, *by
		d.Record(japan, &p)
	}
}

// moves reports whether an amount moves anything.
func (d *decision) moves(field string, by *int) bool {
	if by == nil || *by == 0 {
		d.ViolateField(field, rules.Input, "%s: by how much? Write a number, less than 0 for what is taken", field)
		return false
	}
	return true
}

// moveSWM moves the marker of the SWM. From then on the SWM is what the marker shows (AMB-EOTS-3).
func (d *decision) moveSWM(by *int, p events.Compensated) {
	const field = "compensate.swm"
	switch {
	case by == nil:
		return
	case d.turn.Ordinal == 0:
		d.ViolateField(field, rules.Input, "no turn has begun, so there is no SWM yet")
	case d.moves(field, by) && d.swmNow()+*by < lowestSWM:
		d.ViolateField(field, "EOTS-11.22.B-5", "the SWM is %+d and never goes below %+d", d.swmNow(), lowestSWM)
	case !d.Refused():
		if most := highestSWM(d.year); d.swmNow()+*by > most {
			d.Warn("the SWM goes beyond the %+d that %d and both cards come to (EOTS-11.22.B-2)", most, d.year)
		}
		p.Of, p.Subject, p.By = allies, givenSWM, *by
		d.Record(allies, &p)
	}
}

// giveCards gives strategy cards to sides; who holds which is not kept here.
func (d *decision) giveCards(given rules.Mapping[*int], p events.Compensated) {
	for _, m := range given {
		if !d.moves(m.At, m.Value) {
			return
		}
		p := p
		p.Of, p.Subject, p.By = m.Name, givenCards, *m.Value
		d.Record(m.Name, &p)
	}
}

// putBack puts a Sub Base that left the map back on a hex.
func (d *decision) putBack(m rules.Member[hexID], p events.Compensated) {
	field, hex := m.At, string(m.Value)
	b, _ := d.base(m.Name)
	switch {
	case hex == "":
		d.ViolateField(field, rules.Input, "on which hex does %s stand again? Write base: {%s: 2813}, say", b.name,
			b.name)
		return
	case b.hex != "":
		d.ViolateField(field, rules.Input, "%s stands in %s; only a base off the map is put back", b.name, b.hex)
		return
	case rules.Firm(d.options) && !d.reported(hex):
		d.Unreported(field, rules.Input, "nothing is reported of %s; report it, facts: {hexes: {%s: [port, "+
			"friendly, supply]}}, say, if it is on the map", hex, hex)
		return
	case d.is(hex, wordLost), d.exact() && d.is(hex, wordEnemy):
		d.Unreported(field, "EOTS-11.21.C-SPACE",
			"Japan holds %s; report its recapture first, or correct what took it", hex)
		return
	case slices.ContainsFunc(d.Outcome().Drafts, func(x rules.Draft) bool {
		placed, is := x.Payload.(*events.BasePlaced)
		return is && (placed.Base == b.name || placed.Hex == hex)
	}) || d.hex(hex, b.name).HoldsSubBase:
		d.ViolateField(field, rules.Input, "%s cannot be put on %s: a base stands there, or is put there", b.name, hex)
		return
	}
	p.What, p.Of, p.Subject, p.By = events.CompensatedBase, allies, b.name, 1
	d.Record(allies, &p)
	d.Record(allies, &events.BasePlaced{Base: b.name, Hex: hex, How: howCompensation})
	d.warnOfLanding(b.name, hex)
}

// reported reports whether the record says of a hex what stands or lies there: it is on the map then.
func (d *decision) reported(hex string) bool {
	_, words := d.hexes[hex]
	_, targets := d.targets[hex]
	return words || targets
}

// compensated moves a figure by what was made good. Cards are in nobody's hand here.
func (p position) compensated(x *events.Compensated) position {
	switch x.Subject {
	case givenASPs:
		return p.move(factASPs, x.By)
	case givenChina:
		return p.move(factChina, x.By)
	case givenSWM:
		marker := max(lowestSWM, p.swmNow()+x.By)
		p.swm.Marker, p.made = &marker, true
	}
	return p
}
