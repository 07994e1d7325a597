package g40

import (
	"testing"

	"github.com/watu-ledger/watu/rules/internal/rulestest"
)

func TestAliases(t *testing.T) { rulestest.Aliases(t, System(), rulestest.Board(t, "two-oceans")) }
