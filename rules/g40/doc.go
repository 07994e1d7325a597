// Package g40 rules on Axis & Allies Global 1940 as its Alpha text changes it: the two economies
// of the United Kingdom, convoy disruptions, complexes, rockets and the other technologies on the
// one hand, AA guns, scrambles, kamikaze strikes, bombing raids and assaults past submarines on
// the other.
//
// Each ruling is a function from an input to an outcome; [Procedures] offers them as requests in
// JSON. Money is in IPCs, distances are in spaces. What the text leaves open is an option
// ([OptionList]); edition 2 answers three of them as later Alpha texts do. The price list, the
// values of units and the map are those of the boxed game, and left to the table and the board.
package g40
