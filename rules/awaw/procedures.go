package awaw

import (
	"embed"

	"github.com/watu-ledger/watu/rules"
)

//go:embed schema/*.json
var schemaFiles embed.FS

// Procedures gives the rulings of the pure surface, in the order of the contract.
func Procedures() []rules.Procedure {
	return []rules.Procedure{
		procedure("awaw.codebreaking.draw", "Draw four Ultra or Magic cards (48.21)", Draw),
		procedure("awaw.codebreaking.production", "Produce one codebreaking result (48.11, 48.15, 48.24)", Produce),
		procedure("awaw.codebreaking.compare", "Compare codebreaking cards played (48.4, 48.5, 48.6)", Compare),
		procedure("awaw.sw.table", "Read the Strategic Warfare Combat Table (24.62)", SWTable),
		procedure("awaw.sw.submarine", "Submarine warfare in one SW box (24.62 and its modifiers)", SubmarineWarfare),
		procedure("awaw.pearl-harbor.surprise", "Where the American carriers are at Pearl Harbor (51.31, 48.71)", Surprise),
		procedure("awaw.pearl-harbor.level", "Level of surprise in the first strike on Pearl Harbor (51.31)", SurpriseLevel),
		procedure("awaw.harbor-attack", "Harbor attack by submarine or carrier (Harbor Attack Table)", HarborAttack),
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
