package rules

import (
	"slices"
	"strings"
	"unicode"
)

// Two names that [Bare] tells apart may still be one at the table: H M S Rodney, HMSRodney and BB Rodney, 3 Army and
// III Army, LST and LSTs. Nobody can know it, so they stay two, and whoever enters the second is warned.

// numerals are numbers of armies in Roman figures.
var numerals = map[string]string{"i": "1", "ii": "2", "iii": "3", "iv": "4", "v": "5", "vi": "6", "vii": "7",
	"viii": "8", "ix": "9", "x": "10", "xi": "11", "xii": "12", "xiii": "13", "xiv": "14", "xv": "15"}

// Alike reports whether a table may take two names for one: without a navy in front, also spelt out or run together, or
// the kind of unit in front or behind, unless they are of two kinds, and with numbers and plurals written otherwise.
// Kind gives the kind that a word means, empty for none.
func Alike(a, b string, kind func(word string) string) bool {
	nameA, kindA := stem(a, kind)
	nameB, kindB := stem(b, kind)
	return nameA == nameB && (kindA == kindB || kindA == "" || kindB == "")
}

// stem is a name as [Alike] compares it, and the kind of unit that it names.
func stem(name string, kind func(string) string) (words, of string) {
	list := nameWords(name)
	for i, word := range list {
		if number, is := ordinals[word]; is && len(list) > 1 {
			word = number
		}
		if number, is := numerals[word]; is && len(list) > 1 {
			word = number
		}
		list[i] = word
		for _, end := range []string{"st", "nd", "rd", "th"} {
			if number, is := strings.CutSuffix(word, end); is && number != "" && digits(number) {
				list[i] = number
			}
		}
	}
	if list[0] == "no" && len(list) > 2 && digits(list[1]) { // No. 1 Squadron
		list = list[1:]
	}
	for _, at := range []int{0, len(list) - 1} {
		rest := slices.Delete(slices.Clone(list), at, at+1)
		if is := kind(list[at]); is != "" && (len(rest) > 1 && !digits(strings.Join(rest, "")) ||
			slices.ContainsFunc(rest, telling)) {
			list, of = rest, is
			break
		}
	}
	last := len(list) - 1
	if singular := strings.TrimSuffix(list[last], "s"); len(singular) > 2 && telling(list[last]) {
		list[last] = singular
	}
	return strings.Join(list, " "), of
}

// nameWords are the words of a name, in small letters without accents and without a navy in front.
func nameWords(name string) []string {
	list := strings.FieldsFunc(strings.ReplaceAll(accents.Replace(strings.ToLower(Shown(name))), ".", ""),
		func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '\'' })
	if len(list) == 0 {
		return []string{name}
	}
	for n := 2; n < len(list); n++ { // H M S Rodney
		if navy := strings.Join(list[:n], ""); len(navy) == n && slices.Contains(navies, navy) {
			return list[n:]
		}
	}
	for _, navy := range navies {
		rest, is := strings.CutPrefix(list[0], navy)
		switch {
		case !is:
		case rest == "" && len(list) > 1:
			return list[1:]
		case len(rest) > 2 && navy != "the": // HMSRodney
			return append([]string{rest}, list[1:]...)
		}
	}
	return list
}

// telling reports whether a word names something: three letters, and no digit.
func telling(word string) bool {
	return len(word) > 2 && !strings.ContainsFunc(word, unicode.IsDigit)
}

func digits(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsDigit(r) })
}
