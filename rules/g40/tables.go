package g40

import "github.com/watu-ledger/watu/rules"

// Names of the printed tables.
const (
	TableUnits      = "units"
	TableFacilities = "facilities"
	TableConvoys    = "convoys"
)

var (
	tables = rules.LoadTables(files)

	facilityTable = tables[TableFacilities]
)
