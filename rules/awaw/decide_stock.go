package awaw

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// harborResults are the results of harbor attack research.
var harborResults = []string{"6", "7", "8+"}

// reportResults reports the harbor attack results that powers hold, each with all of them.
func (d *decision) reportResults(field string, raw json.RawMessage) {
	var held rules.Mapping[heldResults]
	if json.Unmarshal(raw, &held) != nil || len(held) == 0 {
		d.ViolateField(field, rules.Input, `%s is a mapping of powers to results held, such as {Japan: ["8+", "6"]}, `+
			`or {Japan: []} for none`, factHarborResults)
		return
	}
	if !rules.Check(d, field, &held, `of:"power"`) {
		return
	}
	for _, m := range held {
		for _, result := range m.Value {
			if !slices.Contains(harborResults, result) {
				d.Unknown(d.c, m.At, "harbor attack result", result, harborResults)
				return
			}
		}
		if !d.mayHold(m.At, Power(m.Name), m.Value) {
			return
		}
		d.Record("", &events.FactReported{Fact: factHarborResults, Subject: Power(m.Name).Title(),
			Names: slices.Sorted(slices.Values(m.Value))})
	}
}

// heldResults are the results that a power holds, a list or one alone.
type heldResults []string

// UnmarshalJSON implements json.Unmarshaler.
func (h *heldResults) UnmarshalJSON(text []byte) error {
	var list []numeral
	var one numeral
	if json.Unmarshal(text, &one) == nil && one != "" {
		list = []numeral{one}
	} else if err := json.Unmarshal(text, &list); err != nil {
		return err
	}
	*h = texts(list)
	return nil
}

// mayHold refuses a report by which a power holds again what it has spent in this turn of what it reported in it:
// results of research come before harbor attacks (HA-ONE-HEX). One spent in an earlier turn may have been gained anew.
func (d *decision) mayHold(field string, p Power, held []string) bool {
	left, known := d.stock[p.Title()]
	if !d.exact() || !known {
		return true
	}
	for _, result := range harborResults {
		is := func(r string) bool { return r == result }
		s, spent := d.spent.Find(func(s spending) bool { return s.power == p.Title() && s.result == result })
		switch {
		case !spent || s.turn != d.turn.Ordinal || rules.Count(held, is) <= rules.Count(left, is):
		case d.stocked[p.Title()] == d.turn.Ordinal:
			d.ViolateField(field, "AWAW-HA-ONE-HEX", "%s reported in %s what it held, and has spent its %s since "+
				"(event %d): if it held more, correct that report", p.Name(), d.turn.Label, result, s.index)
		default:
			d.Warn("%s has spent its %s in %s (event %d): a result reported now is another one", p.Name(), result,
				s.label, s.index)
		}
	}
	return !d.Refused()
}

// inStock wants the result to be one that the attacker holds: each is spent on one hex (HA-ONE-HEX), and gone. Until
// what a power holds is reported, its first result is taken as stated. The initial German attack has none.
func (d *decision) inStock(e harborEntry) bool {
	held, known := d.stock[e.Attacker.Title()]
	if !d.carries() || e.Initial || !known || slices.Contains(held, string(e.Result)) {
		return true
	}
	left := "none is left"
	if len(held) > 0 {
		left = "left: " + words.And(held)
	}
	d.ViolateField("harbor attack.result", "AWAW-HA-ONE-HEX", "%s holds no harbor attack result of %s: each is spent "+
		`on one hex, and %s; a new one is reported, facts: {%s: {%s: ["%s"]}}`, e.Attacker.Name(), e.Result, left,
		factHarborResults, e.Attacker.Title(), e.Result)
	return false
}

// seaworthy wants a carrier that was not eliminated by a harbor attack (HA-CV-LOST), nor inverted by one in this game
// turn (HA-CV-INVERT). When an inverted carrier stands upright again is not in the text: in the game turn after it,
// unless the entry says otherwise (AMB-AWAW-23).
func (d *decision) seaworthy(e harborEntry) bool {
	const field = "harbor attack.carrier"
	if e.By != ByCarrier {
		if e.Carrier != "" {
			d.ViolateField(field, rules.Input, "an attack by submarine has no carrier")
		}
		return !d.Refused()
	}
	if !d.carries() {
		return true
	}
	s, sailed := d.sortieOf(e.Attacker, e.Carrier)
	switch {
	case e.Carrier == "":
		d.ViolateField(field, rules.Input, "name the fast carrier that attacks, carrier: Illustrious")
	case sailed && s.lost:
		d.ViolateField(field, "AWAW-HA-CV-LOST", "%s was eliminated in its attack on %s (event %d)", e.Carrier, s.port,
			s.index)
	case sailed && s.turn == d.turn.Ordinal:
		d.ViolateField(field, "AWAW-HA-CV-INVERT", "%s was inverted by its attack on %s in %s (event %d)", e.Carrier,
			s.port, d.turn.Label, s.index)
	}
	if _, kind := spelled(d.read(e.Carrier)); d.exact() && !slices.Contains([]string{"", "cv", "cvl"}, kind) {
		d.forbid(field, "AWAW-HA-CV-BASE", "%s is no fast carrier by its name, and one is needed: name one, or leave "+
			"out a type that it has not", e.Carrier)
	}
	other, may := d.sorties.Find(func(past sortie) bool {
		return (past.lost || past.turn == d.turn.Ordinal) && d.mayBe(past.name, e.Carrier)
	})
	if may && d.exact() && !d.Refused() {
		d.Warn("%s has attacked %s (event %d): if it is %s, it makes no other attack", other.name, other.port,
			other.index, e.Carrier)
	}
	return !d.Refused()
}

// afloat wants none of the ships that lie in the harbor to be a carrier that was eliminated by an attack of its own
// (HA-CV-LOST). What is in combat groups is secret; groupsFormed looks at it.
func (d *decision) afloat(e harborEntry) bool {
	if !d.carries() {
		return true
	}
	for j, ships := range [][]string{e.Targets, e.InHarbor, e.LightShips} {
		for i, ship := range ships {
			field := fmt.Sprintf("harbor attack.%s[%d]", []string{"targets", "in harbor", "light ships"}[j], i)
			if s, _ := d.sortieOf(e.Defender, ship); s.lost && (j < 2 || d.exact()) {
				d.ViolateField(field, "AWAW-HA-CV-LOST", "%s lies in no harbor: it was eliminated in its attack on %s "+
					"(event %d)", ship, s.port, s.index)
			}
			if d.exact() && e.Carrier != "" && d.sameShip(ship, e.Carrier) {
				d.ViolateField(field, "AWAW-HA-CV-BASE", "%s attacks, and lies in no harbor of the defender", ship)
			}
		}
	}
	return !d.Refused()
}

// noteSpent puts what the attack has used up into its result.
func (d *decision) noteSpent(e harborEntry, p *events.ResultAdjudicated) {
	if !d.carries() {
		return
	}
	if !e.Initial {
		if _, known := d.stock[e.Attacker.Title()]; !known {
			d.Cite("AWAW-HA-ONE-HEX", "the results that %s holds were not reported: the %s is taken as stated",
				e.Attacker.Name(), e.Result)
		}
		p.Figures = append(p.Figures, events.Figure{Name: figureSpent, Text: string(e.Result)})
	}
	if e.By == ByCarrier {
		p.Figures = append(p.Figures, events.Figure{Name: figureCarrier, Text: e.Carrier})
	}
}
