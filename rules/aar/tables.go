package aar

import (
	"strings"

	"github.com/watu-ledger/watu/rules"
)

// TablePrices is the name of the price list.
const TablePrices = "prices"

var (
	tables = rules.LoadTables(files)

	pricesTable = tables[TablePrices]
)

// title is a unit's name in a sentence and in the price list: "escort carrier".
func title(unit string) string { return strings.ReplaceAll(unit, "_", " ") }

// contractName is a unit's name in requests: "escort_carrier".
func contractName(unit string) string { return strings.ReplaceAll(unit, " ", "_") }

// housePrice is what the price list says of a unit, and false for one that it does not change
// (AAR-6-PRICES).
func housePrice(unit string) (int, bool) {
	if _, priced := pricesTable.Cell(title(unit), "cost"); !priced {
		return 0, false
	}
	return pricesTable.MustFigure(title(unit), "cost"), true
}
