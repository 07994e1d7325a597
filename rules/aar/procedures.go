package aar

import (
	"embed"

	"github.com/watu-ledger/watu/rules"
)

//go:embed editions/*.txt schema/*.json tables/*.txt
var files embed.FS

// Procedures gives the rulings of the pure surface, in the order of the contract.
func Procedures() []rules.Procedure {
	return []rules.Procedure{
		rules.NewProcedure(files, "aar.convoy-raid", "Income after Convoy Raids (rule 4)",
			func(in RaidInput) (RaidOutcome, rules.Findings) {
				ruling, f := Raid(in)
				return ruling.RaidOutcome, f
			}),
		rules.NewProcedure(files, "aar.economic-cap", "All economic attacks on one territory in one TURN (rule 4)",
			EconomicCap),
		rules.NewProcedure(files, "aar.sub-detection", "SUB Detection by one side's DDs (rule 7)", Detect),
		rules.NewProcedure(files, "aar.d-day", "D-Day Invasion: declaration and attack (rule 5)", DDay),
		rules.NewProcedure(files, "aar.prices", "Purchases at the house prices (rule 6)", Purchase),
	}
}
