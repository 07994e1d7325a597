package awaw

import (
	"github.com/watu-ledger/watu/rules"
)

// Names of the printed tables.
const (
	TableStrategicWarfare = "strategic-warfare" // 24.62
	TablePearlHarbor      = "pearl-harbor"      // 51.31, its last line being the surprise DRM
	TableHarborAttack     = "harbor-attack"
	TableInitialPools     = "initial-pools" // 48.23
	TableCVEs             = "cves"          // the CVE lines of the 24.62 modifiers
	TableBombingModifiers = "bombing-modifiers"
	TableBombingRange     = "bombing-range"
	TableBombingTargets   = "bombing-targets"
)

var (
	tables = rules.LoadTables(files)

	strategicWarfareTable = tables[TableStrategicWarfare]
	pearlHarborTable      = tables[TablePearlHarbor]
	harborAttackTable     = tables[TableHarborAttack]
	initialPoolsTable     = tables[TableInitialPools]
	cvesTable             = tables[TableCVEs]
)
