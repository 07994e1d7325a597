package g40

import "github.com/watu-ledger/watu/rules"

// economyProcedures are the rulings on economies and technologies, in the order of the contract.
func economyProcedures() []rules.Procedure { return nil }
