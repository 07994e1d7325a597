package eots

import (
	"github.com/watu-ledger/watu/rules"
)

// Names of the printed tables.
const (
	TableScenario         = "scenario"          // 11.21.B
	TableSubmarineWarfare = "submarine-warfare" // 11.21.B: who conducts it on which turn
	TableSWM              = "swm"               // 11.22.B
	TableTroopTransports  = "troop-transports"  // 11.24.A
)

var (
	tables = rules.LoadTables(files)

	scenarioTable         = tables[TableScenario]
	submarineWarfareTable = tables[TableSubmarineWarfare]
	swmTable              = tables[TableSWM]
	troopTransportsTable  = tables[TableTroopTransports]
)
