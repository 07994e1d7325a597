package turnfile

import (
	"github.com/watu-ledger/watu/events/words"
)

// meant is "; did you mean "x"?" for the nearest known words, or nothing.
func meant(s string, known []string) string {
	near := words.Nearest(s, known)
	if len(near) == 0 {
		return ""
	}
	return "; did you mean " + words.Or(listed(near)) + "?"
}

// listed quotes words, to be joined.
func listed(list []string) []string {
	quoted := make([]string, len(list))
	for i, w := range list {
		quoted[i] = shown(w)
	}
	return quoted
}
