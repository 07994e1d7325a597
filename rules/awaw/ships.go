package awaw

import (
	"slices"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/rules"
)

// Ships, missions, task forces and what a contest is about have names that nobody lists. A name means one thing
// however it is written, and a ship is one ship whoever sails it.

// same reports whether two names mean one thing: apart from case, spaces, dots, and in the exact editions from all
// that is no letter or digit, from accents, and from the article or navy in front.
func (g game) same(a, b string) bool {
	if !rules.Exact(g.options) {
		return key(a) == key(b)
	}
	return bare(a) == bare(b)
}

// sameRound reports whether two subjects mean one round. Where none is said it is the first (48.51-A, 48.62).
func (g game) sameRound(a, b string) bool {
	if !rules.Exact(g.options) {
		return g.same(a, b)
	}
	first := func(subject string) string {
		subject = bare(subject)
		for _, round := range []string{"round1", "roundone", "firstround", "1stround"} {
			subject = strings.TrimSuffix(subject, round)
		}
		return subject
	}
	return first(a) == first(b)
}

// accents are the letters of ships' names that are also written without their marks.
var accents = strings.NewReplacer("à", "a", "á", "a", "â", "a", "ä", "a", "å", "a", "ç", "c", "è", "e",
	"é", "e", "ê", "e", "ë", "e", "ì", "i", "í", "i", "î", "i", "ï", "i", "ñ", "n", "ò", "o", "ó", "o",
	"ô", "o", "ö", "o", "ō", "o", "ù", "u", "ú", "u", "û", "u", "ü", "u", "ū", "u", "ß", "ss")

// navies stand before the name of a ship and are no part of it.
var navies = []string{"the", "hms", "hmas", "uss", "ijn", "kms"}

// bare is a name without what it may as well be written without: letters and digits, and a dash where two numbers would
// run together. A name of nothing else stays as it is.
func bare(name string) string {
	words := strings.Fields(accents.Replace(strings.ToLower(name)))
	for len(words) > 1 && slices.Contains(navies, key(words[0])) {
		words = words[1:]
	}
	var out strings.Builder
	last, parted := ' ', false
	for _, r := range strings.Join(words, " ") {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
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
		return key(name)
	}
	return out.String()
}

// sortie is a harbor attack of a fast carrier, which inverts it (HA-CV-INVERT).
type sortie struct {
	power, name string
	index       uint64 // of its result
	turn        uint64
	port        string
	lost        bool // it was eliminated by it (HA-CV-LOST)
}

// sortieOf finds the harbor attack in which a carrier was eliminated, else its last one. Before the exact editions each
// power had ships of its own by that name.
func (g game) sortieOf(power Power, name string) (s sortie, sailed bool) {
	for past := range g.sorties.Backward() {
		if !g.same(past.name, name) || past.power != power.Title() && !rules.Exact(g.options) {
			continue
		}
		if !sailed || past.lost {
			s, sailed = past, true
		}
	}
	return s, sailed
}
