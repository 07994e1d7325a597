package envelope

import (
	"slices"

	"github.com/watu-ledger/watu/events"
)

// words are the verbs of what any seat may say, whichever sides it holds: it is the act of no side.
var words = []string{"dispute", "statement", "evidence", "dice", "confirm", VerbLink, VerbDeclassify}

// procedure are the verbs of what is no act of a side, whatever follows from it for one: the course of the game, and
// what the umpire alone may enter.
var procedure = []string{"open", "turn", "phase", "epoch", "rules", "edition", "rule", "reveal", "ruling", "compensate",
	"correct", "keep", "undo", "round", "lapse", "unwitnessed", "read",
	VerbKey}

// Acts reports whether an event of a command is an act of its side, so that the seat of that side signs the command: a
// choice is, the first event that names a side, and of facts each. What else follows for other sides is no act of
// theirs. Named says whether an event of the command before it named a side.
func Acts(verb string, e events.Type, side string, named bool) bool {
	switch {
	case side == "":
		return false
	case e == "choice_made":
		return true
	case slices.Contains(procedure, verb) || slices.Contains(words, verb):
		return false
	}
	return !named || verb == "facts"
}

// Signable reports whether a command with this verb is for a player to sign: it is an act of a side, anybody may say
// it, or its first event refers it to the umpire, and whose act it is will show when it is heard again. Any other is
// for the umpire to enter.
func Signable(verb string, first events.Type, acts bool) bool {
	return acts || first == "referred" || verb == VerbKey || slices.Contains(words, verb)
}
