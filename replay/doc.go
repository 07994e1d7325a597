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
// with the dice that were recorded.
//
// The package reads turn files ([turnfile]) for no one and prints nothing; it stores through
// the ledger alone. A campaign's secret, from which its chains and salts grow, is kept by a
// [Vault], apart from the record.
package replay
