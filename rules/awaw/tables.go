package awaw

import (
	"fmt"
	"strconv"

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

// figureOf reads a cell that is a figure, and notes that it was read.
func figureOf(f *rules.Findings, table, row, column string) int {
	f.Consult(table, row, column)
	n, err := strconv.Atoi(tables[table].MustCell(row, column))
	if err != nil {
		panic(fmt.Errorf("%s, row %s: %w", table, row, err))
	}
	return n
}
