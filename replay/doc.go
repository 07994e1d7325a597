// Package replay takes a campaign from its events to its state, and from a command to its
// events.
//
// Live play is replay: the [Umpire] folds a campaign to its head and decides one command
// more. A command is judged by the campaign's system of rules; what the judgement needs is
// given to it (dice and draws by the host's chains, choices by the sides, rulings by the
// umpire), and what it says happened is appended to the ledger as one step. A step ends where
// an answer from outside is needed; the question is then part of the state, and the campaign
// accepts its answer or a correction, nothing else.
//
// Dice are thrown by the host's chain, or at a table: then the roll is declared and the step
// ends, one seat types how the dice fell, and another has to confirm it before they count.
//
// A correction judges an earlier command again, on the state before it, with other inputs and
// with the dice that were recorded, unless it says what becomes of them. What it leads to counts in the
// place of what it corrects; a command may be voided as a whole. Nothing is deleted: a campaign is a
// fold of the events that count, each as and where it does ([history.View.Effective]).
//
// A [Trial] hears every command of a record again and says what comes out otherwise: audit, the
// verification of a file and the warnings after a correction are trials. [Umpire.WhatIf] plays on
// from any event with something changed, on a ledger of its own in memory. A dispute is a few events
// that move nothing; the ruling on it may correct or void.
//
// The package reads turn files ([turnfile]) for no one and prints nothing; it stores through
// the ledger alone. A campaign's secret, from which its chains and salts grow, is kept by a
// [Keys], apart from the record. Before a step it is held to the anchors that the record states.
package replay
