package awaw

import (
	"embed"
	"fmt"

	"github.com/watu-ledger/watu/rules"
)

// Names of the printed tables.
const (
	TableStrategicWarfare = "strategic-warfare" // 24.62
	TablePearlHarbor      = "pearl-harbor"      // 51.31, its last line being the surprise DRM
	TableHarborAttack     = "harbor-attack"
	TableInitialPools     = "initial-pools" // 48.23
	TableCVEs             = "cves"          // the CVE lines of the 24.62 modifiers
)

//go:embed tables/*.txt
var tableFiles embed.FS

var (
	strategicWarfareTable = mustTable(TableStrategicWarfare)
	pearlHarborTable      = mustTable(TablePearlHarbor)
	harborAttackTable     = mustTable(TableHarborAttack)
	initialPoolsTable     = mustTable(TableInitialPools)
	cvesTable             = mustTable(TableCVEs)
)

// Table gives a printed table by its name, and false if there is none.
func Table(name string) (*rules.Table, bool) {
	switch name {
	case TableStrategicWarfare:
		return strategicWarfareTable, true
	case TablePearlHarbor:
		return pearlHarborTable, true
	case TableHarborAttack:
		return harborAttackTable, true
	case TableInitialPools:
		return initialPoolsTable, true
	case TableCVEs:
		return cvesTable, true
	}
	return nil, false
}

func tableText(name string) ([]byte, error) { return tableFiles.ReadFile("tables/" + name + ".txt") }

func mustTable(name string) *rules.Table {
	text, err := tableText(name)
	if err != nil {
		panic(err)
	}
	t, err := rules.ParseTable(string(text))
	if err != nil {
		panic(fmt.Errorf("table %s: %w", name, err))
	}
	return t
}

// mustCell is for cells that the table's own columns and rows name.
func mustCell(t *rules.Table, row, column string) string {
	cell, ok := t.Cell(row, column)
	if !ok {
		panic(fmt.Sprintf("%s has no cell at %s, %s", t.Name, row, column))
	}
	return cell
}
