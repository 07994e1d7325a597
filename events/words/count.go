// Package words writes numbers, lists and guesses as a sentence has them: "2 entries", "Ultra, Magic and Enigma",
// and the known name that a mistyped one may have been meant for.
package words

import (
	"fmt"
	"strings"
)

// Count is a number of things: "1 event", "2 events", "2 entries".
func Count[N int | uint64](n N, noun string) string {
	switch {
	case n == 1:
	case strings.HasSuffix(noun, "y"):
		noun = strings.TrimSuffix(noun, "y") + "ies"
	default:
		noun += "s"
	}
	return fmt.Sprintf("%d %s", n, noun)
}
