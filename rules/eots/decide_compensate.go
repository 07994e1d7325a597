package eots

import (
	"maps"
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

// compensation is an entry `compensate`. Cards are given to sides, a base is put back on a hex.
type compensation struct {
	ASPs    *int             `json:"asps"`
	China   *int             `json:"china divisions"`
	SWM     *int             `json:"swm"`
	Cards   map[string]*int  `json:"cards"`
	Base    map[string]hexID `json:"base"`
	Reason  string           `json:"reason"`
	Dispute int              `json:"dispute"`
}

// compensate makes good what cannot be corrected: {compensate: {asps: 1, cards: {Japan: 1},
// reason: …}}. No rule speaks of it, so it cites none.
func (d *decision) compensate() {
	var entry struct {
		Compensate compensation `json:"compensate"`
	}
	if !d.Read(d.c, &entry) {
		return
	}
	c := entry.Compensate
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
	for _, name := range slices.Sorted(maps.Keys(c.Base)) {
		d.putBack(name, string(c.Base[name]), p)
	}
}

// moveReported moves a figure that was reported; it does not go below nothing.
func (d *decision) moveReported(member, fact, subject string, by *int, p events.Compensated) {
	field := "compensate." + member
	now, told := d.figures[fact]
	switch {
	case by == nil:
		return
	case !told:
		d.ViolateField(field, rules.Input, "nothing is reported of %s, so there is nothing to move; report it, facts: {%s: 8}", subject, fact)
	case d.moves(field, by) && now+*by < 0:
		d.ViolateField(field, rules.Input, "there are %d %s, so no more than that can be taken, not %d", now, subject, -*by)
	case !d.Refused():
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
	return d.inRange(field, *by, -limit)
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
		p.Of, p.Subject, p.By = allies, givenSWM, *by
		d.Record(allies, &p)
	}
}

// giveCards gives strategy cards to sides; who holds which is not kept here.
func (d *decision) giveCards(given map[string]*int, p events.Compensated) {
	told := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(given)) {
		field, side := "compensate.cards."+name, sideNamed(name)
		switch {
		case side == "":
			d.Unknown(d.c, field, "side", name, []string{allies, japan})
			return
		case told[side]: // GEN-UNIQUE
			d.ViolateField(field, rules.Input, "the cards of %s are given twice", side)
			return
		case !d.moves(field, given[name]):
			return
		}
		told[side] = true
		p := p
		p.Of, p.Subject, p.By = side, givenCards, *given[name]
		d.Record(side, &p)
	}
}

// putBack puts a Sub Base that left the map back on a hex.
func (d *decision) putBack(name, hex string, p events.Compensated) {
	field := "compensate.base." + name
	b, ok := d.inPlay(field, name)
	switch {
	case !ok:
		return
	case hex == "":
		d.ViolateField(field, rules.Input, "on which hex does %s stand again? Write base: {%s: 2813}, say", b.name, b.name)
		return
	case b.hex != "":
		d.ViolateField(field, rules.Input, "%s stands in %s; only a base off the map is put back", b.name, b.hex)
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
}

// compensated moves a figure by what was made good. Cards are in nobody's hand here.
func (p position) compensated(x *events.Compensated) position {
	switch x.Subject {
	case givenASPs:
		p.figures = with(p.figures, factASPs, max(0, p.figures[factASPs]+x.By))
	case givenChina:
		p.figures = with(p.figures, factChina, max(0, p.figures[factChina]+x.By))
	case givenSWM:
		marker := max(lowestSWM, p.swmNow()+x.By)
		p.swm.Marker = &marker
	}
	return p
}
