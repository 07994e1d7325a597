// Package story tells a campaign turn by turn, in sentences for people who have half a minute: who is ahead, what
// mattered last, and what it cost.
//
// [Tell] looks at the views of a campaign at one moment and gives a [Story]: the score of every side, and for each turn
// a card of at most three sentences, the weightiest first. It computes nothing that a view does not hold: each figure
// of a sentence is one of a view, or the sum of some, and names the event that it comes from.
//
// A [Sentence] is in no language yet. It has a key and what is put into it, names and figures; a [Language] says it.
// The words of a language stand in one file, languages/en.txt:
//
//	name UK: Britain
//	count ipc/one: {n} IPC
//	count ipc/other: {n} IPCs
//	say collects: {side} collects {net}
//	word Sea zone = Sea zone
//
// A word is what a view says by itself, the head of a column; package spoken looks for it there.
// A further language is a further file with the same keys. The package knows nothing of pages.
package story
