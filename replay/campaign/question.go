package campaign

import (
	"fmt"
	"strings"
	"time"

	"github.com/watu-ledger/watu/events"
)

// Question is an open question: a choice of a side, a ruling of the umpire, or dice that are
// not known yet. One of the three is set.
type Question struct {
	Index  uint64 // of the ChoiceAsked, Referred or RollDeclared event
	Choice *events.ChoiceAsked
	Refer  *events.Referred
	Roll   *AwaitedRoll
	Asked  time.Time // when a choice was asked for
}

// Of names who must answer. What is put to nobody the umpire answers.
func (q *Question) Of() string {
	switch {
	case q.Choice != nil && q.Choice.Of == "":
	case q.Choice != nil:
		return q.Choice.Of
	case q.Roll != nil:
		return q.Roll.of()
	}
	return theUmpire
}

const theUmpire = "the umpire"

// Text is the question in words.
func (q *Question) Text() string {
	switch {
	case q.Choice != nil:
		return q.Choice.Question
	case q.Roll != nil:
		return q.Roll.text()
	}
	return q.Refer.Question
}

// Rule is the rule that asks.
func (q *Question) Rule() string {
	switch {
	case q.Choice != nil:
		return q.Choice.Rule
	case q.Roll != nil:
		return RuleDice
	}
	return q.Refer.Rule
}

// Options are the answers to choose from; those of a referral are "value: meaning". Dice have
// none until they are typed.
func (q *Question) Options() []string {
	switch {
	case q.Choice != nil:
		return q.Choice.Options
	case q.Roll != nil:
		return q.Roll.options()
	}
	return q.Refer.Readings
}

// Example is an entry that would answer the question; empty where the answer comes by itself.
func (q *Question) Example() string {
	switch {
	case q.Choice != nil:
		return fmt.Sprintf("{id: …, answer: {%s: %s}}", q.Of(), first(q.Options()))
	case q.Roll != nil:
		return q.Roll.example()
	}
	value, _, _ := strings.Cut(first(q.Options()), ":")
	return fmt.Sprintf("{id: …, rule: {option: %s, value: %s, reason: …}}", q.Refer.Option, value)
}

// AnsweredBy reports whether a verb answers the question, or part of it, and which event that
// answer is given to.
func (q *Question) AnsweredBy(verb string) (event uint64, ok bool) {
	switch {
	case q == nil:
		return 0, false
	case verb == VerbDice && q.Roll != nil:
		return q.Roll.Asked, true
	case (verb == VerbRound || verb == VerbLapse || verb == VerbUnwitnessed || verb == VerbLink) && q.Roll != nil:
		return q.Roll.Asked, true
	case verb == VerbConfirm && q.Roll != nil && q.Roll.Typed != nil:
		return q.Roll.TypedAt, true
	}
	return q.Index, verb == VerbAnswer || verb == VerbRule
}
