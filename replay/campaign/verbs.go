package campaign

import (
	"reflect"
	"slices"

	"github.com/watu-ledger/watu/events/envelope"
	"github.com/watu-ledger/watu/rules"
)

// Verbs that the umpire hears himself, in every system.
const (
	VerbAnswer  = "answer"
	VerbRule    = "rule"
	VerbReveal  = "reveal"
	VerbDice    = "dice"
	VerbConfirm = "confirm"
	VerbRound   = "round"
	VerbLapse   = "lapse"
	VerbLink    = envelope.VerbLink

	VerbUnwitnessed = "unwitnessed"

	VerbCorrect = "correct"
	VerbKeep    = "keep"
	VerbEpoch   = "epoch"
	VerbUndo    = "undo"
	VerbEdition = "edition"
	VerbRules   = "rules"
	VerbKey     = envelope.VerbKey

	VerbDeclassify = envelope.VerbDeclassify
	VerbRead       = "read"
	VerbHand       = "hand" // commits to the cards that a player drew by himself

	VerbDispute   = "dispute"
	VerbStatement = "statement"
	VerbEvidence  = "evidence"
	VerbRuling    = "ruling"
)

// Entries of a dispute are heard at any time, also while a question is open: they are part of no hearing and change no
// state. Words typed here are public, whoever types them.

// HeardDuringQuestion reports whether an entry of that verb is allowed while a question is open.
func HeardDuringQuestion(verb string) bool {
	return verb == VerbReveal || verb == VerbDeclassify || verb == VerbHand || IsDisputeVerb(verb)
}

// IsDisputeVerb reports whether a verb belongs to disputes.
func IsDisputeVerb(verb string) bool {
	return verb == VerbDispute || verb == VerbStatement || verb == VerbEvidence || verb == VerbRuling
}

// IsPlayVerb reports whether a verb is that of an entry of play, which may have figures.
func IsPlayVerb(verb string) bool {
	switch verb {
	case VerbAnswer, VerbRule, VerbReveal, VerbDice, VerbConfirm, VerbRound, VerbLapse, VerbLink, VerbUnwitnessed,
		VerbKeep, VerbEpoch, VerbRules, VerbKey, VerbDeclassify, VerbRead, CommandOpen:
		return false
	}
	return !IsDisputeVerb(verb)
}

// Verbs says what a turn file may say in a campaign of that system: the system's own verbs, and
// those that the umpire hears in every one. The option that "rule" settles is the system's.
func Verbs(s rules.System) []rules.Verb {
	return append(slices.Clone(s.Verbs),
		rules.Verb{Key: VerbRule, Line: "the umpire settles an option that the text leaves open",
			Form: rules.RulingForm()},
		rules.Verb{Key: VerbAnswer, Line: "answer the open question", Form: reflect.TypeFor[answer]()},
		rules.Verb{Key: VerbDice, Line: "say how dice fell at the table", Form: reflect.TypeFor[DiceEntry]()},
		rules.Verb{Key: VerbConfirm, Line: "confirm the dice that another seat typed, or deny them",
			Form: reflect.TypeFor[confirmation]()},
		rules.Verb{Key: VerbReveal, Line: "disclose a committed fact", Form: reflect.TypeFor[RevealEntry]()},
		rules.Verb{Key: VerbDispute, Line: "contest an event, or a command that was refused"},
		rules.Verb{Key: VerbStatement, Line: "say something on a dispute"},
		rules.Verb{Key: VerbEvidence, Line: "point at events that bear on a dispute"},
		rules.Verb{Key: VerbRuling, Line: "the umpire rules on a dispute"},
	)
}
