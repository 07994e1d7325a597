package awaw

import (
	"regexp"
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
	of, round := roundIn(a)
	other, its := roundIn(b)
	return of == other && round == its
}

// within reports whether one subject's name is part of the other's, of the same round: Midway, Battle of Midway.
func within(a, b string) bool {
	of, round := roundIn(a)
	other, its := roundIn(b)
	return len(of) > 3 && len(other) > 3 && round == its && (strings.Contains(of, other) || strings.Contains(other, of))
}

// numbers are the rounds in words.
var numbers = [][]string{{"1", "one", "first", "1st", "i"}, {"2", "two", "second", "2nd", "ii"},
	{"3", "three", "third", "3rd", "iii"}, {"4", "four", "fourth", "4th", "iv"}, {"5", "five", "fifth", "5th", "v"},
	{"6", "six", "sixth", "6th", "vi"}, {"7", "seven", "seventh", "7th", "vii"},
	{"8", "eight", "eighth", "8th", "viii"}}

// roundNumber reads the number of a round, as it is written in any way.
func roundNumber(word string) (n int, ok bool) {
	word = strings.TrimLeft(word, "0")
	n = slices.IndexFunc(numbers, func(ways []string) bool { return slices.Contains(ways, word) }) + 1
	return n, n > 0
}

// roundIn divides a subject into its name, bare, and the round that it says: Midway, round 2; second round of Midway;
// Midway R2.
func roundIn(subject string) (name string, round int) {
	all := rules.Each(strings.FieldsFunc(strings.ToLower(rules.Shown(subject)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' && r != '\''
	}), letters)
	round = 1
	for i, w := range all {
		from, to := i, i+1
		n, ok := 0, false
		switch short := strings.TrimLeft(w, "round"); {
		case w == "round" || w == "rd" || w == "rnd" || w == "r":
			if i+1 < len(all) {
				n, ok = roundNumber(all[i+1])
				to = i + 2
			}
			if !ok && i > 0 && w != "r" {
				n, ok = roundNumber(all[i-1])
				from, to = i-1, i+1
			}
		case slices.Contains([]string{"r", "rd", "rnd", "round"}, strings.TrimSuffix(w, short)) && short != "":
			n, ok = roundNumber(short)
		}
		if ok {
			rest := slices.DeleteFunc(slices.Concat(all[:from], all[to:]),
				func(w string) bool { return w == "the" || w == "of" || w == "in" })
			return bare(strings.Join(rest, " ")), n
		}
	}
	return bare(subject), round
}

// titles stand before the name of a ship, its navy or the type of a capital ship, or in brackets behind it, and are no
// part of it.
var titles = []string{"the", "hms", "hmas", "hmcs", "hmnzs", "uss", "ijn", "ijns", "hijms", "kms", "dkm", "rn", "rm",
	"fs", "cv", "cvl", "cve", "bb", "bc"}

// zeros stand before a number and are no part of it.
var zeros = regexp.MustCompile(`(^|[^0-9])0+([0-9])`)

// formations are words that are also written short.
var formations = strings.NewReplacer("task force", "tf", "task group", "tg")

// bare is what a name is known by ([rules.Bare]), without its title, formations short, and numbers without zeros.
func bare(name string) string {
	words := strings.FieldsFunc(strings.ToLower(rules.Shown(name)),
		func(r rune) bool { return unicode.IsSpace(r) || r == '-' })
	words = strings.Fields(formations.Replace(strings.Join(words, " ")))
	for len(words) > 1 && slices.Contains(titles, letters(words[0])) &&
		strings.ContainsFunc(words[1], unicode.IsLetter) {
		words = words[1:]
	}
	if n := len(words); n > 1 && strings.HasPrefix(words[n-1], "(") && slices.Contains(titles, letters(words[n-1])) {
		words = words[:n-1]
	}
	return rules.Bare(zeros.ReplaceAllString(strings.Join(words, " "), "$1$2"))
}

// letters are the letters and digits of a word.
func letters(word string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, word)
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
