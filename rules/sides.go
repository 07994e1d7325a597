package rules

import (
	"strings"

	"github.com/watu-ledger/watu/events/words"
)

// Side finds which of a campaign's sides is meant by a name that people have for it: its own in any case, its
// initials, a part that only one side has, or another name that the rules know.
func (s System) Side(sides []string, name string) (string, bool) {
	side, ok := sideCalled(sides, name)
	if !ok && s.SideNamed != nil {
		side, ok = s.SideNamed(name)
	}
	return side, ok
}

// sideCalled finds a side by its name, by its initials, or by a part that only one side has.
func sideCalled(sides []string, name string) (string, bool) {
	key := words.Plain(name)
	var found []string
	for _, s := range sides {
		initials := ""
		for word := range strings.FieldsSeq(s) {
			initials += words.Plain(string([]rune(word)[:1]))
		}
		switch {
		case words.Plain(s) == key:
			return s, true
		case len(initials) > 1 && (key == initials || key == initials+"a" && initials == "us"):
			return s, true
		case key != "" && strings.Contains(words.Plain(s), key):
			found = append(found, s)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return "", false
}
