// Package words writes numbers, lists and guesses as a sentence has them: "2 entries", "Ultra, Magic and Enigma",
// "#3 to #5", and the known name that a mistyped one may have been meant for.
package words

import (
	"fmt"
	"strings"
)

// Count is a number of things: "1 event", "2 events", "2 entries".
func Count[N int | int64 | uint64](n N, noun string) string {
	if stem, ok := strings.CutSuffix(noun, "y"); ok {
		return CountOf(n, noun, stem+"ies")
	}
	return CountOf(n, noun, noun+"s")
}

// CountOf is [Count] of what has a plural of its own: "1 die", "2 dice".
func CountOf[N int | int64 | uint64](n N, one, more string) string {
	return fmt.Sprintf("%d %s", n, Number(n, one, more))
}

// Number is the form of a word that goes with a number: "stands" with 1, "stand" with any other.
func Number[N int | int64 | uint64](n N, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Signed writes a change: "+1", "-2", "0".
func Signed[N int | int64](n N) string {
	if n == 0 {
		return "0"
	}
	return fmt.Sprintf("%+d", n)
}

// Modifier writes a modifier as people do, with a minus and no hyphen: "+1", "−2", "0".
func Modifier[N int | int64](n N) string { return strings.Replace(Signed(n), "-", "−", 1) }
