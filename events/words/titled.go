package words

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// smallWords stay small within a title.
var smallWords = []string{"a", "an", "and", "at", "by", "for", "in", "of", "on", "or", "the", "to", "with"}

// Titled is a campaign's name as a title: atlantic-and-pacific is Atlantic and Pacific. A name with a capital or a
// space in it is a title already.
func Titled(name string) string {
	if strings.ContainsFunc(name, func(r rune) bool { return unicode.IsUpper(r) || unicode.IsSpace(r) }) {
		return name
	}
	list := strings.FieldsFunc(name, func(r rune) bool { return r == '-' || r == '_' })
	if len(list) == 0 {
		return name
	}
	for i, word := range list {
		if i == 0 || !slices.Contains(smallWords, word) {
			r, size := utf8.DecodeRuneInString(word)
			list[i] = string(unicode.ToUpper(r)) + word[size:]
		}
	}
	return strings.Join(list, " ")
}
