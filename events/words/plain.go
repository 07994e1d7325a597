package words

import "strings"

// Plain makes names compare as people mean them: without case, spaces and signs.
func Plain(name string) string {
	return strings.Map(func(r rune) rune {
		switch r {
		case ' ', '_', '-', '.', '\'':
			return -1
		}
		return r
	}, strings.ToLower(name))
}
