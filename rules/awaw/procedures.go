package awaw

import (
	"embed"

	"github.com/watu-ledger/watu/rules"
)

//go:embed editions/*.txt schema/*.json tables/*.txt
var files embed.FS

// Procedures gives the rulings of the pure surface, in the order of the contract.
func Procedures() []rules.Procedure {
	return []rules.Procedure{
		rules.NewProcedure(files, "awaw.codebreaking.draw", "Draw four Ultra or Magic cards (48.21)", Draw),
		rules.NewProcedure(files, "awaw.codebreaking.production",
			"Produce one codebreaking result (48.11, 48.15, 48.24)", Produce),
		rules.NewProcedure(files, "awaw.codebreaking.compare", "Compare codebreaking cards played (48.4, 48.5, 48.6)",
			Compare),
		rules.NewProcedure(files, "awaw.sw.table", "Read the Strategic Warfare Combat Table (24.62)", SWTable),
		rules.NewProcedure(files, "awaw.sw.submarine", "Submarine warfare in one SW box (24.62 and its modifiers)",
			SubmarineWarfare),
		rules.NewProcedure(files, "awaw.sw.bombing",
			"Strategic bombing: air combat, then the target (24.62, bombing modifiers)", Bombing),
		rules.NewProcedure(files, "awaw.pearl-harbor.surprise",
			"Where the American carriers are at Pearl Harbor (51.31, 48.71)", Surprise),
		rules.NewProcedure(files, "awaw.pearl-harbor.level",
			"Level of surprise in the first strike on Pearl Harbor (51.31)", SurpriseLevel),
		rules.NewProcedure(files, "awaw.harbor-attack", "Harbor attack by submarine or carrier (Harbor Attack Table)",
			HarborAttack),
	}
}
