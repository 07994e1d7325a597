package eots

import (
	"embed"

	"github.com/watu-ledger/watu/rules"
)

//go:embed editions/*.txt schema/*.json tables/*.txt
var files embed.FS

// Procedures gives the rulings of the pure surface, in the order of the contract.
func Procedures() []rules.Procedure {
	return []rules.Procedure{
		rules.NewProcedure(files, "eots.sub-warfare",
			"Submarine warfare in the Strategic Warfare Segment (11.22, 11.23)", SubWarfare),
		rules.NewProcedure(files, "eots.sloc-pv", "SLOC Proximity Value of one Sub Base (11.22.C)", SLOCPV),
		rules.NewProcedure(files, "eots.card-draw", "Japanese Strategy Card draw (11.23, 11.4)", CardDraw),
		rules.NewProcedure(files, "eots.sub-base.place",
			"Place, relocate or make an emergency move of a Sub Base (11.21.C, 11.21.E)", Place),
		rules.NewProcedure(files, "eots.sub-base.replace", "Scheduled replacement of Sub Bases (11.21.B)", Replace),
		rules.NewProcedure(files, "eots.sub-base.attack", "Japanese attack on a Sub Base (11.21.D)", AttackSubBase),
		rules.NewProcedure(files, "eots.troop-transports",
			"Cryptographic Intercepts: Submarines Target Troop Transports (11.24.A)", TroopTransports),
	}
}
