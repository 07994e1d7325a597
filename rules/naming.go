package rules

import (
	"slices"
	"strings"
	"unicode"
)

// Ships, submarines, armies and missions have names that nobody lists. Two ways of writing one are one thing
// (GEN-CARRY): [Shown] is a name as it is seen, [Bare] what it is known by.

// Shown is a name as it is seen: without letters that are not shown, and with one blank between its words.
func Shown(name string) string {
	const blank = '\u2800' // of Braille, which is no space to Unicode
	shown := strings.Map(func(r rune) rune {
		switch {
		case unicode.In(r, unicode.Cf, unicode.Variation_Selector, unicode.Other_Default_Ignorable_Code_Point):
			return -1
		case r == blank:
			return ' '
		}
		return r
	}, name)
	return strings.Join(strings.Fields(shown), " ")
}

// accents are the letters of names that are also written without their marks.
var accents = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ä", "a", "å", "a", "ç", "c", "è", "e",
	"é", "e", "ê", "e", "ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o",
	"ô", "o", "ö", "o", "ō", "o", "ù", "u", "ú", "u", "û", "u", "ü", "u", "ū", "u", "ß", "ss")

// navies stand before the name of a ship and are no part of it.
var navies = []string{"the", "hms", "hmas", "hmcs", "uss", "ijn", "kms"}

// ordinals are numbers of armies and fleets in words.
var ordinals = map[string]string{"first": "1st", "second": "2nd", "2d": "2nd", "third": "3rd", "3d": "3rd",
	"fourth": "4th", "fifth": "5th", "sixth": "6th", "seventh": "7th", "eighth": "8th", "ninth": "9th", "tenth": "10th"}

// Bare is a name without what it may as well be written without: letters and digits, and a dash where two numbers would
// run together; no case, no accents, no article or navy in front, and the numbers of armies as 1st, 2nd. A name of
// nothing else stays as it is.
func Bare(name string) string {
	words := strings.Fields(accents.Replace(strings.ToLower(Shown(name))))
	letters := func(word string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return r
			}
			return -1
		}, word)
	}
	for len(words) > 1 && slices.Contains(navies, letters(words[0])) {
		words = words[1:]
	}
	for i, word := range words {
		if number, ok := ordinals[word]; ok && len(words) > 1 {
			words[i] = number
		}
	}
	var out strings.Builder
	last, parted := ' ', false
	for _, r := range strings.Join(words, " ") {
		if letters(string(r)) == "" {
			parted = true
			continue
		}
		if parted && unicode.IsDigit(r) && unicode.IsDigit(last) {
			out.WriteByte('-')
		}
		out.WriteRune(r)
		last, parted = r, false
	}
	if out.Len() == 0 {
		return strings.ToLower(Shown(name))
	}
	return out.String()
}
