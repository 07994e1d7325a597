package g40

import (
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/board"
)

// The units that combat knows by name.
const (
	aaGun           = "AA gun"
	fighter         = "fighter"
	tacticalBomber  = "tactical bomber"
	strategicBomber = "strategic bomber"
	submarine       = "submarine"
	transport       = "transport"
	carrier         = "carrier"
)

// factKamikaze says which sea zones have the kamikaze symbol (AMB-G40-5).
const factKamikaze = "kamikaze"

// mostAircraft bounds what one entry may send; no game has half as many.
const mostAircraft = 100

// attackerNamed reads who attacks: whose TURN it is, unless the entry names another.
func (d *decision) attackerNamed(field, name string) (string, bool) {
	if name != "whose TURN it is" {
		return d.power(field, name)
	}
	if d.Player == "" {
		d.ViolateField(field, rules.Input, "%s is missing: no power's TURN has begun", field)
	}
	return d.Player, d.Player != ""
}

// enough refuses more aircraft than a hand could hold.
func (d *decision) enough(field string, n int) bool {
	if n > mostAircraft {
		d.ViolateField(field, rules.Input, "%s: %d are more than %d", field, n, mostAircraft)
	}
	return n <= mostAircraft
}

// zonesBeside are the sea zones next to a territory.
func (d *decision) zonesBeside(s board.Space) []string {
	return slices.DeleteFunc(slices.Clone(s.Neighbours), func(n string) bool {
		z, err := d.Board.Space(n)
		return err != nil || !z.Water
	})
}

// choose asks a side for some of its units (those that it loses) or of its targets, and gives them by
// kind; it does not ask where there is no choice. A kind may be qualified, as "fighter of UK".
func (d *decision) choose(of, question, rule string, units []events.Unit, n int) ([]events.Unit, bool) {
	var options []string
	total, kinds := 0, 0
	for _, u := range units {
		total += u.Count
		if u.Count > 0 {
			kinds++
		}
		options = append(options, slices.Repeat([]string{u.Name}, min(u.Count, n))...)
	}
	switch {
	case n <= 0:
		return nil, true
	case total <= n:
		return slices.DeleteFunc(slices.Clone(units), func(u events.Unit) bool { return u.Count == 0 }), true
	case kinds == 1:
		i := slices.IndexFunc(units, func(u events.Unit) bool { return u.Count > 0 })
		return []events.Unit{{Name: units[i].Name, Count: n}}, true
	}
	q := &events.ChoiceAsked{Question: question, Of: of, Options: options, Rule: rule}
	if n > 1 {
		q.Most = n
	}
	chosen, ok := d.Choose(q)
	if !ok {
		return nil, false
	}
	if len(chosen) != n {
		d.ViolateField("answer", rule,
			"%d must be chosen, one for each, and %d are: write a list, and what is meant twice twice", n, len(chosen))
		return nil, false
	}
	var lost []events.Unit
	for _, u := range units {
		count := 0
		for _, name := range chosen {
			if name == u.Name {
				count++
			}
		}
		if count > 0 {
			lost = append(lost, events.Unit{Name: u.Name, Count: count})
		}
	}
	return lost, true
}

// chooser is who picks some of some units, and what to say of it: nobody where all are meant, or all are of one kind.
// Older editions name him all the same.
func (d *decision) chooser(side string, units []events.Unit, n int) (by, verb string) {
	kinds := rules.Count(units, func(u events.Unit) bool { return u.Count > 0 })
	if rules.Carries(d.Options) && (kinds < 2 || n >= count(units)) {
		return "", "has no choice but to lose"
	}
	return side, "chooses to lose"
}

// lose takes units off the board; nothing happens to none.
func (d *decision) lose(power, space, cause, chosenBy string, units ...events.Unit) {
	units = slices.DeleteFunc(slices.Clone(units), func(u events.Unit) bool { return u.Count == 0 })
	if len(units) > 0 {
		d.Record(power, &events.UnitsLost{Power: power, Space: space, Units: units, Cause: cause, Chosen: chosenBy})
	}
}

// diceOf is a throw of six-sided dice.
func diceOf(name, side string, n int) events.Throw {
	return events.Throw{Name: name, Side: side, Dice: n, Sides: 6}
}
