// Package course draws how a campaign went, turn by turn: what each side has lost so far, how the decks of cards are
// made up, and how far the dice of each side are from what was to be expected, in a plot and in plain words.
//
//	list := course.Of(course.Record{Turns: turns, On: 12, Income: r, Throws: throws, Lang: story.English})
//
// All of it is a sum of figures of the views, each of which names its event, or of throws as they fell. A [Panel] has
// a plot, and behind it the same figures as a table. What a viewer may not know is not in the views that are given.
//
// Luck is counted in hits where a throw said beforehand at which figure its dice hit, else in pips above the average.
// The band about it holds 19 wars of 20 with fair dice: 1.96 standard deviations. How many wars of a hundred would be
// luckier is counted exactly, by adding die to die, but for very many dice ([counted]).
package course
