package g40

import (
	"embed"
	"slices"

	"github.com/watu-ledger/watu/rules"
)

//go:embed editions/*.txt schema/*.json tables/*.txt
var files embed.FS

// Procedures gives the rulings of the pure surface.
func Procedures() []rules.Procedure {
	return slices.Concat(combatProcedures(), economyProcedures())
}

// Editions gives the editions of the rules: this text, and the later Alpha texts' values.
func Editions() []rules.Edition {
	return rules.LoadEditions("g40", files, OptionList(), "11", "12", "9", "10", "7", "8", "5", "6", "3", "4", "1", "2")
}
