// Package rules is how a ruling is reached.
//
// A system of rules (package rules/awaw and its like) is pure: no clock, no randomness, no
// file, no goroutine. It meets the world at one seam, [Game]:
//
//   - Evolve applies a fact. It cannot fail and cannot refuse: what happened, happened.
//   - Decide judges a command on the state. It asks a [Source] for what it needs, a roll, a draw
//     or a choice, one at a time; where that has no answer it ends, and is called again with the
//     answers so far. It ends in a verdict: allowed, refused (the rule is named) or referred (the
//     text is silent or contradicts itself, and the umpire must rule).
//
// Because the answers are inputs, live play, replay, audit and what-if are one thing: the
// same calls with dice rolled now, recorded once, or made up.
//
// Whoever judges without all openings of a record, as a trial of a public file does, does not know every figure: what
// is sealed is unknown ([Known]), and never 0.
//
// A [Hearing] carries one such judgement: the system's code records what happens in the order
// in which it happens, and the hearing keeps the place. [Findings] note the rules applied and
// broken. [Procedure] is the same judgement without a campaign: JSON in, ruling out.
//
// The package leaves storing, dice, secrets and time to others.
package rules
