package replay

import (
	"slices"

	"github.com/watu-ledger/watu/rules"
)

// Verbs says what a turn file may say in a campaign of that system: the system's own verbs, and
// those that the umpire hears in every one. The option that "rule" settles is the system's.
func Verbs(s rules.System) []rules.Verb {
	return append(slices.Clone(s.Verbs),
		rules.Verb{Key: verbRule, Line: "the umpire settles an option that the text leaves open"},
		rules.Verb{Key: verbAnswer, Line: "answer the open question"},
		rules.Verb{Key: verbDice, Line: "say how dice fell at the table"},
		rules.Verb{Key: verbConfirm, Line: "confirm the dice that another seat typed, or deny them"},
		rules.Verb{Key: verbReveal, Line: "disclose a committed fact"},
		rules.Verb{Key: verbDispute, Line: "contest an event, or a command that was refused"},
		rules.Verb{Key: verbStatement, Line: "say something on a dispute"},
		rules.Verb{Key: verbEvidence, Line: "point at events that bear on a dispute"},
		rules.Verb{Key: verbRuling, Line: "the umpire rules on a dispute"},
	)
}
