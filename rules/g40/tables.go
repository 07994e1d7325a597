package g40

import (
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
