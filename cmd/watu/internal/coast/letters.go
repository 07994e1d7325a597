package coast

import "strings"

// ZoneNumber is the number in a zone's name, or the name: there is no room for more.
func ZoneNumber(name string) string {
	for _, word := range strings.Fields(name) {
		if strings.Trim(word, "0123456789") == "" {
			return word
		}
	}
	return name
}

// Halves breaks a name in two, as evenly as its words allow; nil for one word.
func Halves(text string) []string {
	best, at := len(text), 0
	for i := range text {
		if off := max(i-(len(text)-i), len(text)-i-i); text[i] == ' ' && off < best {
			best, at = off, i
		}
	}
	if at == 0 {
		return nil
	}
	return []string{text[:at], text[at+1:]}
}

// InLetters is how wide a text is, in parts of its size, in the faces that pages have.
func InLetters(text string) float64 {
	sum := 0.0
	for _, c := range text {
		switch {
		case strings.ContainsRune("ijltfI.,:;'’ ", c):
			sum += .3
		case strings.ContainsRune("mwMW−", c):
			sum += .85
		case strings.ContainsRune("cksvxyzJ", c):
			sum += .5
		case c >= 'A' && c <= 'Z':
			sum += .7
		default:
			sum += .57
		}
	}
	return sum
}
