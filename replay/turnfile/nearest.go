package turnfile

import (
	"strings"

	"github.com/watu-ledger/watu/events/words"
)

// meant is "; did you mean "x"?" for the nearest known words, or nothing.
func meant(s string, known []string) string {
	near := words.Nearest(s, known)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + listed(near, " or ") + "?"
}

// listed quotes words and joins them with commas, the last with the given word.
func listed(words []string, last string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = shown(w)
	}
	if n := len(quoted); n > 1 {
		return strings.Join(quoted[:n-1], ", ") + last + quoted[n-1]
	}
	return strings.Join(quoted, "")
}
