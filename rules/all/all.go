// Package all lists the systems of rules that watu knows. A program that judges campaigns links them by
// importing this package; a system that is missing here does not exist for any of them.
package all

import (
	"github.com/watu-ledger/watu/rules"
	"github.com/watu-ledger/watu/rules/aar"
	"github.com/watu-ledger/watu/rules/awaw"
	"github.com/watu-ledger/watu/rules/eots"
	"github.com/watu-ledger/watu/rules/g40"
)

// Systems gives every system, in the order of their names.
func Systems() []rules.System {
	return []rules.System{aar.System(), awaw.System(), eots.System(), g40.System()}
}
