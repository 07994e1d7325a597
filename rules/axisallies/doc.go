// Package axisallies is what games of the Axis & Allies family share: powers that hold the
// territories of a board, ROUNDS of a TURN for each power, TURNS of phases, treasuries.
//
// A game embeds [State] in its own state and hands every event to [State.Apply] first; a command is
// judged with the readers of a [Case]. What units do and cost, and how much
// income is collected, is each game's own, and so are the names of its powers and phases.
//
// A ROUND is written "Round 1". Powers go by the rulebook's names, spaces by the board's; money is
// in whole IPCs. A treasury is mostly a power's and then goes by its name, but a power may have
// more than one.
package axisallies
