package aar

import (
	"maps"
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// artilleryCap is how many artillery pieces a nation may have on the board (AAR-6-ARTY-CAP).
const artilleryCap = 10

const artillery = "artillery"

// PriceInput is what a power buys and what it has to pay with.
type PriceInput struct {
	Power      Power          `json:"power"`
	IPCs       int            `json:"ipcs"`
	Purchases  map[string]int `json:"purchases"` // by unit: "escort_carrier"
	Artillery  int            `json:"artillery_on_board"`
	BasePrices map[string]int `json:"base_prices"` // of units that the house rules do not change
}

// PriceOutcome is the price of the units.
type PriceOutcome struct {
	Cost       int            `json:"cost"`
	Left       int            `json:"ipcs_left"`
	UnitPrices map[string]int `json:"unit_prices"` // of every unit named
}

// Purchase prices what a power buys (rule 6): the house prices, and the book's for what they leave
// alone.
func Purchase(in PriceInput) (PriceOutcome, rules.Findings) {
	var f rules.Findings
	prices, cost, unknown := in.price(&f)
	for _, unit := range unknown {
		f.Violate("AAR-6-UNKNOWN", "%s has no price: the house rules do not change it, and its book price is not given",
			title(unit))
	}
	in.checkArtillery(&f)
	if cost > int64(in.IPCs) {
		f.Violate("AAR-6-FUNDS", "%s has %d IPCs and cannot spend %d", in.Power, in.IPCs, cost)
		return PriceOutcome{}, f
	}
	f.Cite("AAR-6-FUNDS", "%s pays %d of %d IPCs", in.Power, cost, in.IPCs)
	return PriceOutcome{int(cost), in.IPCs - int(cost), prices}, f
}

// price looks every unit up. It gives the prices, what the units come to (more than a treasury can
// hold, it may be), and those without a price.
func (in PriceInput) price(f *rules.Findings) (prices map[string]int, cost int64, unknown []string) {
	prices = map[string]int{}
	for _, unit := range slices.Sorted(maps.Keys(in.Purchases)) {
		n := in.Purchases[unit]
		price, ok := priceOf(f, unit, in.BasePrices)
		if ok {
			prices[unit] = price
			cost += int64(n) * int64(price)
		} else if n > 0 {
			unknown = append(unknown, unit)
		}
		if n > 0 {
			citeUnit(f, unit)
		}
	}
	return prices, cost, unknown
}

// priceOf finds a unit's price: the house rules' before the book's.
func priceOf(f *rules.Findings, unit string, base map[string]int) (int, bool) {
	if price, ok := housePrice(unit); ok {
		f.Consult(TablePrices, title(unit), "cost")
		f.Cite("AAR-6-PRICES", "%s costs %d by the house rules", title(unit), price)
		return price, true
	}
	price, ok := base[unit]
	if ok {
		f.Cite("AAR-6-PRICES", "%s keeps its book price of %d", title(unit), price)
	}
	return price, ok
}

// checkArtillery: an eleventh piece may not be bought. What the board holds too many of already is
// no fault of a purchase without artillery.
func (in PriceInput) checkArtillery(f *rules.Findings) {
	bought := in.Purchases[artillery]
	switch {
	case bought == 0:
	case bought > artilleryCap-in.Artillery:
		f.Violate("AAR-6-ARTY-CAP", "%s has %d artillery on the board and buys %d: a nation has at most %d", in.Power,
			in.Artillery, bought, artilleryCap)
	default:
		f.Cite("AAR-6-ARTY-CAP", "%s has %d artillery on the board and buys %d, of at most %d", in.Power, in.Artillery,
			bought, artilleryCap)
	}
}

// citeUnit says what the house rules make of a unit, beside its price.
func citeUnit(f *rules.Findings, unit string) {
	read := func(column string) string {
		f.Consult(TablePrices, title(unit), column)
		return pricesTable.MustCell(title(unit), column)
	}
	switch title(unit) {
	case "battlecruiser":
		f.Cite("AAR-6-BC",
			"a battlecruiser attacks at %s, defends at %s, bombards at %s, sinks at one hit and has no "+
				"anti-aircraft guns", read("attack"), read("defense"), read("bombard"))
	case "destroyer":
		f.Cite("AAR-6-DD", "a destroyer attacks at %s, defends at %s and detects submarines", read("attack"),
			read("defense"))
	case "carrier", "escort carrier":
		f.Cite("AAR-6-AC", "%s: attack %s, defense %s, fighters carried %s", title(unit), read("attack"),
			read("defense"), read("fighters"))
	case "battleship":
		f.Cite("AAR-6-BB", "a battleship carries an AA gun, to which Radar applies, and fires no rockets")
	case artillery:
		f.Cite("AAR-6-ARTY-FIRE", "artillery fires in opening fire from an adjacent territory and does not advance")
	}
}
