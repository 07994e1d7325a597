package g40

import "github.com/watu-ledger/watu/rules"

// combatProcedures are the rulings on combat, in the order of the contract.
func combatProcedures() []rules.Procedure { return nil }
