package aar

import (
	"embed"

	"github.com/watu-ledger/watu/rules"
)

//go:embed editions/*.txt schema/*.json
var files embed.FS

// Procedures gives the rulings of the pure surface, in the order of the contract.
func Procedures() []rules.Procedure {
	return []rules.Procedure{
		rules.NewProcedure(files, "aar.convoy-raid", "Income after Convoy Raids (rule 4)", func(in RaidInput) (RaidOutcome, rules.Findings) {
			ruling, f := Raid(in)
			return ruling.RaidOutcome, f
		}),
		rules.NewProcedure(files, "aar.economic-cap", "All economic attacks on one territory in one TURN (rule 4)", EconomicCap),
	}
}
