package aar

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/events"
	"github.com/watu-ledger/watu/rules"
)

// buying is an entry of a purchase.
type buying struct {
	Power string             `json:"power" is:"power"`
	Cost  *int               `json:"cost" least:"0" doc:"of all, where the units are not named or have no price"`
	Units rules.Mapping[int] `json:"units" of:"unit" least:"1"`
}

// purchase takes the cost of units out of a power's treasury (rule 6).
func (d *decision) purchase(b buying) {
	if d.carries() && len(b.Units) == 0 {
		d.ViolateField("purchase.units", "AAR-6-UNKNOWN",
			"name what is bought, units: {destroyer: 2}: each unit has its price, whatever is paid for all")
		return
	}
	if b.Cost == nil && len(b.Units) == 0 {
		d.ViolateField("purchase", rules.Input,
			"name what is bought, units: {destroyer: 2}, or give its cost in IPCs, cost: 24")
		return
	}
	power := b.Power
	p := &events.UnitsPurchased{Power: power, Units: unitsOf(b.Units)}
	var f rules.Findings
	p.Cost = d.cost(&f, power, b.Cost, p.Units)
	inHand := d.Treasury(power)
	if p.Treasury = inHand - p.Cost; p.Treasury < 0 && p.Cost >= 0 {
		f.Unreported("purchase.cost", "AAR-6-FUNDS",
			"%s has %d IPCs and cannot spend %d; if that is wrong, report facts: {treasury: {%s: …}}", power, inHand,
			p.Cost, power)
	}
	if f.Refused() {
		d.Check(f)
		return
	}
	if d.Enter(power, phasePurchase, rules.Input) {
		d.Add(f)
		d.Cite("AAR-6-FUNDS", "%s pays %d of %d IPCs", power, p.Cost, inHand)
		d.Record(power, p)
	}
}

// cost prices the units by the list and by the book's prices that were reported. A cost may be given
// in the entry where one has no price; otherwise it has to agree.
func (d *decision) cost(f *rules.Findings, power string, given *int, units []events.Unit) int {
	in := d.priceInput(power, units)
	_, cost, unknown := in.price(f)
	in.checkArtillery(f)
	switch {
	case given == nil || d.carries() && len(unknown) > 0:
		otherwise := map[bool]string{false: ", or give the cost of all yourself"}[d.carries()]
		for _, unit := range unknown {
			f.Unreported("purchase.units."+unit, "AAR-6-UNKNOWN",
				"%s has no price: write a unit of the list out, such as escort carrier, or report the book price of "+
					"another, facts: {prices: {%s: …}}%s", unit, unit, otherwise)
		}
		return int(min(cost, 1<<30))
	case len(units) > 0 && len(unknown) == 0 && cost != int64(*given):
		f.ViolateField("purchase.cost", "AAR-6-PRICES", "these units come to %d, not to %d: leave cost out", cost,
			*given)
	case cost > int64(*given):
		f.ViolateField("purchase.cost", "AAR-6-PRICES",
			"what has a price among these units comes to %d, and %d is given for all", cost, *given)
	case len(unknown) > 0:
		f.Cite("AAR-6-PRICES", "not every unit has a price here: a cost of %d is given for all", *given)
	}
	return *given
}

// priceInput is what a power buys, with the book's prices as they were reported, or else as the board has them.
func (d *decision) priceInput(power string, units []events.Unit) PriceInput {
	in := PriceInput{Power: Power(power), Purchases: map[string]int{}, Artillery: d.artilleryOf(power),
		BasePrices: map[string]int{}}
	for _, u := range units {
		in.Purchases[u.Name] = u.Count
	}
	for unit, price := range d.prices {
		in.BasePrices[unit] = price.Value
	}
	d.askBoard(in)
	return in
}

// artilleryOf counts the artillery of a power towards ten: what was reported and bought since, or in an exact edition
// what stands on the board by reports, moves and placements, and of what was bought since what may still be placed.
func (d *decision) artilleryOf(power string) int {
	if !d.exact() {
		return d.guns[power].total()
	}
	return d.standing(power) + d.notPlaced(power)
}

// notPlaced counts the artillery that a power bought since the last report, from edition 4 on without what was placed
// or can no longer be.
func (d *decision) notPlaced(power string) int {
	if !d.exact() {
		return d.guns[power].bought
	}
	return min(d.guns[power].bought, d.bought[power][artillery])
}

// soldAs are the names that boards have for a unit.
var soldAs = map[string][]string{"armor": {"armour", "tank"}, aaGun: {"aaGun"}}

// askBoard fills in the book's prices that nobody reported, as the board has them.
func (d *decision) askBoard(in PriceInput) {
	power, err := d.Board.Power(string(in.Power))
	if err != nil || !d.carries() {
		return
	}
	for _, unit := range slices.Sorted(maps.Keys(in.Purchases)) {
		if _, reported := in.BasePrices[unit]; reported {
			continue
		}
		for _, name := range append(soldAs[unit], unit, contractName(unit)) {
			if ipcs, ok := d.Board.Price(power, name); ok {
				in.BasePrices[unit] = ipcs
			}
		}
	}
}

// priceNow is what a unit costs by the last report or else by the board, false where neither says it.
func (d *decision) priceNow(unit string) (int, bool) {
	if f, ok := d.prices[unit]; ok {
		return f.Value, true
	}
	for _, power := range d.Powers {
		in := PriceInput{Power: Power(power), Purchases: map[string]int{unit: 1}, BasePrices: map[string]int{}}
		if d.askBoard(in); len(in.BasePrices) > 0 {
			return in.BasePrices[unit], true
		}
	}
	return 0, false
}
