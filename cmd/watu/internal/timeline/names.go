package timeline

import (
	"strings"
)

// plain makes names compare as people mean them: without case, spaces and signs.
func plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '.', '\'':
			return -1
		}
		return r
	}, strings.ToLower(name))
}

// sideCalled finds a side by its name, by its initials, or by a part that only one side has.
func sideCalled(sides []string, name string) (string, bool) {
	key := plain(name)
	var found []string
	for _, s := range sides {
		initials := ""
		for word := range strings.FieldsSeq(s) {
			initials += plain(word[:1])
		}
		switch {
		case plain(s) == key:
			return s, true
		case len(initials) > 1 && (key == initials || key == initials+"a" && initials == "us"):
			return s, true
		case key != "" && strings.Contains(plain(s), key):
			found = append(found, s)
		}
	}
	if len(found) == 1 {
		return found[0], true
	}
	return "", false
}
