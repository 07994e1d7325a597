package aar

import (
	"embed"

	"github.com/watu-ledger/watu/rules"
)

//go:embed schema/*.json
var schemaFiles embed.FS

// Procedures gives the rulings of the pure surface, in the order of the contract.
func Procedures() []rules.Procedure {
	return []rules.Procedure{
		procedure("aar.convoy-raid", "Income after Convoy Raids (rule 4)", func(in RaidInput) (RaidOutcome, rules.Findings) {
			ruling, f := Raid(in)
			return ruling.RaidOutcome, f
		}),
		procedure("aar.economic-cap", "All economic attacks on one territory in one TURN (rule 4)", EconomicCap),
	}
}

func procedure[In, Out any](name, title string, rule func(In) (Out, rules.Findings)) rules.Procedure {
	return rules.NewProcedure(name, title, mustSchema(name+".input"), mustSchema(name+".output"), rule)
}

func mustSchema(name string) []byte {
	b, err := schemaFiles.ReadFile("schema/" + name + ".schema.json")
	if err != nil {
		panic(err)
	}
	return b
}
