package rules

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
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

// lookalikes are letters of other alphabets that look like Latin ones. A word of nothing else looks like another word.
const lookalikes = "АВЕЅІЈКМНОРСТУХасеѕіјорухΑΒΕΖΗΙΚΜΝΟΡΤΥΧο"

// alsoAlike are further letters that look like Latin ones among Latin ones, though not in words of their own alphabet.
const alsoAlike = "αικνρυχвкмнтѵһԁԛԝӏɑɡı"

// latins are the Latin letters that lookalikes and then those of alsoAlike look like, one for each.
const latins = "ABESIJKMHOPCTYXacesijopyxABEZHIKMNOPTYXo" + "aiknpuxbkmhtvhdqwlagi"

// InLatin is a name in Latin letters and digits where its own look like them.
func InLatin(name string) string {
	const wide, wideEnd = '０', 'ｚ'
	letters, list := []rune(latins), []rune(lookalikes+alsoAlike)
	return strings.Map(func(r rune) rune {
		if i := slices.Index(list, r); i >= 0 {
			return letters[i]
		} else if r >= wide && r <= wideEnd {
			return r - wide + '0'
		}
		return r
	}, name)
}

// Plain is what a name is known by in a firm edition ([Firm]): as [Bare] has it, in the letters that it seems to be
// written in, and with no navy in front that is run together or spelt out: HMSRodney, H M S Rodney.
func Plain(name string) string {
	words := strings.Fields(Shown(InLatin(name)))
	for n := 2; n < len(words); n++ {
		navy := strings.ToLower(strings.Join(words[:n], ""))
		if len(navy) == n && slices.Contains(navies, navy) {
			return Bare(strings.Join(words[n:], " "))
		}
	}
	for _, navy := range navies {
		n := len(navy)
		if navy == "the" || len(words) == 0 || len(words[0]) <= n+2 || !strings.EqualFold(words[0][:n], navy) {
			continue
		}
		if rest := words[0][n:]; navy != "uss" || words[0][:n] == "USS" && rest != strings.ToUpper(rest) { // but Ussuri
			words[0] = rest
		}
		break
	}
	return Bare(strings.Join(words, " "))
}

// styled are Latin letters and digits of another shape, and those of phonetic scripts: they are no letters of a name.
var styled = &unicode.RangeTable{
	R16: []unicode.Range16{{Lo: 0x017f, Hi: 0x017f, Stride: 1}, {Lo: 0x0250, Hi: 0x02af, Stride: 1},
		{Lo: 0x1d00, Hi: 0x1d7f, Stride: 1},
		{Lo: 0x2100, Hi: 0x214f, Stride: 1}, {Lo: 0xfb00, Hi: 0xfb06, Stride: 1}, {Lo: 0xff10, Hi: 0xff5a, Stride: 1}},
	R32: []unicode.Range32{{Lo: 0x1d400, Hi: 0x1d7ff, Stride: 1}},
}

// syllabic are scripts that stand beside Latin letters without looking like them: CV赤城.
var syllabic = []*unicode.RangeTable{unicode.Latin, unicode.Common, unicode.Inherited, unicode.Han, unicode.Hiragana,
	unicode.Katakana, unicode.Hangul}

// disguised finds a word that looks like another one: of letters of two alphabets, of letters that all look like those
// of another, or of letters in another shape. It is empty where no word does.
func disguised(name string) string {
	for _, word := range strings.FieldsFunc(Shown(name), func(r rune) bool { return unicode.IsSpace(r) || r == '-' }) {
		latin, other, alike, shaped := false, false, true, false
		for _, r := range word {
			shaped = shaped || unicode.Is(styled, r) && (unicode.IsLetter(r) || unicode.IsDigit(r))
			if !unicode.IsLetter(r) {
				continue
			}
			foreign := !unicode.In(r, syllabic...)
			latin, other = latin || unicode.Is(unicode.Latin, r), other || foreign
			alike = alike && foreign && strings.ContainsRune(lookalikes, r)
		}
		if shaped || other && (latin || alike) {
			return word
		}
	}
	return ""
}

// prose are the members of entries whose words name nothing.
var prose = []string{"reason", "note", "for"}

// warnOfDisguise warns of names that only look like others: to the ledger they are names of something else (GEN-CARRY).
func (h *Hearing) warnOfDisguise(c Command) {
	if bytes.IndexFunc(c.Body, func(r rune) bool { return r >= utf8.RuneSelf || r == '\\' }) < 0 {
		return
	}
	var body any
	if json.Unmarshal(c.Body, &body) == nil {
		h.warnOfWords(body)
	}
}

func (h *Hearing) warnOfWords(v any) {
	switch v := v.(type) {
	case string:
		if word := disguised(v); word != "" {
			h.Warn("%s has letters of another alphabet or shape that look like Latin ones, and may be no name that is "+
				"written without them: write it again (undo, or correct, if it stands)", word)
		}
	case []any:
		for _, part := range v {
			h.warnOfWords(part)
		}
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if h.warnOfWords(name); !slices.Contains(prose, name) {
				h.warnOfWords(v[name])
			}
		}
	}
}
