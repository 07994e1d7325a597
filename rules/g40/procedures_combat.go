package g40

import "github.com/watu-ledger/watu/rules"

// combatProcedures are the rulings on combat, in the order of the contract.
func combatProcedures() []rules.Procedure {
	return []rules.Procedure{
		rules.NewProcedure(files, "g40.aa-fire", "AA gun fire (AA Guns)", AAFire),
		rules.NewProcedure(files, "g40.sbr", "Strategic and tactical bombing raid", Raid),
		rules.NewProcedure(files, "g40.kamikaze", "Kamikaze strikes", Kamikaze),
		rules.NewProcedure(files, "g40.scramble", "Scramble legality", Scramble),
		rules.NewProcedure(files, "g40.scramble-landing", "Landing of surviving scrambled air units", ScrambleLanding),
		rules.NewProcedure(files, "g40.amphibious-unload", "May transports unload past enemy submarines", Unload),
	}
}
