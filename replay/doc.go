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
// Recorded commands are judged again by package [review]: trials, corrections with what follows from them, voids.
// A [Simulator] hears commands for a journal in memory, with dice and cards of its maker: package [whatif] plays a
// campaign again with it. A dispute is a few events that change no state; the ruling on it may correct or void.
//
// The package reads no turn files and prints nothing; it stores through the journal alone. The state is folded by
// package [campaign]. A campaign's secrets are stored by package [keys], apart from the record. Before a step they are
// compared with the anchors that the record states.
package replay
