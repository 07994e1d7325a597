package g40

import "github.com/watu-ledger/watu/rules"

// economyProcedures are the rulings on economies and technologies, in the order of the contract.
func economyProcedures() []rules.Procedure {
	return []rules.Procedure{
		rules.NewProcedure(files, "g40.convoy-disruption", "Income lost to convoy disruptions",
			func(in ConvoyInput) (ConvoyOutcome, rules.Findings) {
				ruling, f := DisruptConvoys(in)
				return ruling.ConvoyOutcome, f
			}),
		rules.NewProcedure(files, "g40.income", "Collect Income for the two United Kingdom economies", Income),
		rules.NewProcedure(files, "g40.research-payment",
			"Research & Development paid by the two United Kingdom economies", PayResearch),
		rules.NewProcedure(files, "g40.capital-capture", "Capitals captured: where the IPCs go", CaptureCapital),
		rules.NewProcedure(files, "g40.rockets", "Rocket attacks from air bases", Rockets),
		rules.NewProcedure(files, "g40.tech", "What a technology does to a unit", Tech),
		rules.NewProcedure(files, "g40.industrial-complex", "Building, upgrading and capturing industrial complexes",
			IndustrialComplex),
	}
}
