package g40

import (
	"fmt"
	"strconv"

	"github.com/watu-ledger/watu/rules"
)

// Names of the printed tables.
const (
	TableUnits      = "units"      // units with and without technologies
	TableFacilities = "facilities" // the most damage, and which bombers raid
	TableConvoys    = "convoys"    // what raiders take
	TableFire       = "fire"       // what hits outside the rounds of combat
)

var (
	tables = rules.LoadTables(files)

	unitTable     = tables[TableUnits]
	facilityTable = tables[TableFacilities]
	convoyTable   = tables[TableConvoys]
)

// figure reads a cell that holds a number.
func figure(t *rules.Table, row, column string) int {
	n, err := strconv.Atoi(t.MustCell(row, column))
	if err != nil {
		panic(fmt.Errorf("%s, %s, %s: %w", t.Name, row, column, err))
	}
	return n
}
