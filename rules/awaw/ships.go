package awaw

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/watu-ledger/watu/events/words"
	"github.com/watu-ledger/watu/rules"
)

// Ships, missions, task forces and what a contest is about have names that nobody lists. A name means one thing
// however it is written, and a ship is one ship whoever sails it.

// same reports whether two names mean one thing: apart from case, spaces, dots, and in the exact editions from all
// that is no letter or digit, from accents, and from the article, navy or type in front. Of two types they are two.
func (g game) same(a, b string) bool {
	if !rules.Exact(g.options) {
		return words.Plain(a) == words.Plain(b)
	}
	a, b = g.read(a), g.read(b)
	of, kind := spelled(a)
	other, its := spelled(b)
	return of == other && (kind == its || kind == "" || its == "")
}

// read gives a name in the letters that it seems to be written in, in a firm edition: one that only looks like another
// is the other.
func (g game) read(name string) string {
	if rules.Firm(g.options) {
		return rules.InLatin(name)
	}
	return name
}

// sameShip reports whether two names mean one ship, whatever type they say. A cruiser squadron and a destroyer squadron
// have no other name than that.
func (g game) sameShip(a, b string) bool {
	if !rules.Exact(g.options) {
		return g.same(a, b)
	}
	of, _ := spelled(g.read(a))
	other, _ := spelled(g.read(b))
	return of == other && (!slices.Contains(forces, of) || g.same(a, b))
}

// mayBe reports whether two names may be one that are told apart by a number alone, which one of them is without:
// Enterprise (CV-6), Zuikaku-2; or that stands in brackets, also with a letter: Nevada (1), Nevada (2), Eagle (R05).
func (g game) mayBe(a, b string) bool {
	of, _ := spelled(g.read(a))
	other, _ := spelled(g.read(b))
	if of == other {
		return false
	}
	of, other = uncopied(g.read(a)), uncopied(g.read(b))
	return of == other || unnumbered(of) == other || of == unnumbered(other)
}

// uncopied is what a name is known by without a number or pennant in brackets behind it.
func uncopied(name string) string {
	core, _ := spelled(name)
	if short, _ := spelled(copied.ReplaceAllString(rules.Shown(name), "")); !blank(short) {
		return short
	}
	return core
}

// unnumbered is what a name is known by without the number behind it.
func unnumbered(core string) string {
	if short := trailing.ReplaceAllString(core, ""); !blank(short) {
		return short
	}
	return core
}

// blank reports whether a name says too little without a number to be one of its own: U, TF, destroyer, division.
func blank(core string) bool {
	return len(core) < 4 && !strings.ContainsFunc(core, unicode.IsDigit) || types[core] != "" ||
		slices.ContainsFunc(forces, func(f string) bool { return strings.HasSuffix(core, f) })
}

// sameRound reports whether two subjects mean one round. Where none is said it is the first (48.51-A, 48.62).
func (g game) sameRound(a, b string) bool {
	if !rules.Exact(g.options) {
		return g.same(a, b)
	}
	of, round := roundIn(g.read(a))
	other, its := roundIn(g.read(b))
	return round == its && g.same(of, other)
}

// within reports whether one subject's name is part of the other's, of the same round: Midway, Battle of Midway; or has
// the same words in another order: Hood against Bismarck, Bismarck against Hood.
func within(a, b string) bool {
	of, round := roundIn(a)
	other, its := roundIn(b)
	of, _ = spelled(of)
	other, _ = spelled(other)
	if of == other && slices.Contains(forces, of) { // of two types
		return false
	}
	return len(of) > 3 && len(other) > 3 && round == its && (strings.Contains(of, other) ||
		strings.Contains(other, of) || slices.Equal(sortedWords(a), sortedWords(b)))
}

// sortedWords are the words of a name, in the order of their letters.
func sortedWords(name string) []string {
	return slices.Sorted(slices.Values(rules.Each(strings.Fields(rules.Shown(name)), rules.Bare)))
}

// numbers are those of rounds and task forces in words.
var numbers = [][]string{{"1", "one", "first", "1st", "i"}, {"2", "two", "second", "2nd", "ii"},
	{"3", "three", "third", "3rd", "iii"}, {"4", "four", "fourth", "4th", "iv"}, {"5", "five", "fifth", "5th", "v"},
	{"6", "six", "sixth", "6th", "vi"}, {"7", "seven", "seventh", "7th", "vii"},
	{"8", "eight", "eighth", "8th", "viii"}, {"9", "nine", "ninth", "9th", "ix"},
	{"10", "ten", "tenth", "10th", "x"}, {"11", "eleven", "eleventh", "11th", "xi"},
	{"12", "twelve", "twelfth", "12th", "xii"}, {"13", "thirteen", "thirteenth", "13th", "xiii"},
	{"14", "fourteen", "fourteenth", "14th", "xiv"}, {"15", "fifteen", "fifteenth", "15th", "xv"},
	{"16", "sixteen", "sixteenth", "16th", "xvi"}, {"17", "seventeen", "seventeenth", "17th", "xvii"},
	{"18", "eighteen", "eighteenth", "18th", "xviii"}, {"19", "nineteen", "nineteenth", "19th", "xix"}}

// roundNumber reads the number of a round, as it is written in any way.
func roundNumber(word string) (n int, ok bool) {
	word = strings.TrimLeft(word, "0")
	n = slices.IndexFunc(numbers, func(ways []string) bool { return slices.Contains(ways, word) }) + 1
	return n, n > 0
}

// roundIn divides a subject into its name and the round that it says: Midway, round 2; second round of Midway;
// Midway R2.
func roundIn(subject string) (name string, round int) {
	written := strings.FieldsFunc(strings.ToLower(rules.Shown(subject)), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune(".'()", r)
	})
	all := rules.Each(written, letters)
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
			rest := slices.DeleteFunc(slices.Concat(written[:from], written[to:]),
				func(w string) bool { return w == "the" || w == "of" || w == "in" })
			return strings.Join(rest, " "), n
		}
	}
	return subject, round
}

// titles stand before the name of a ship, or in brackets behind it, and are no part of it.
var titles = []string{"the", "hms", "hmas", "hmcs", "hmnzs", "uss", "ijn", "ijns", "hijms", "kms", "dkm", "rn", "rm",
	"fs", "mn"}

// types of ships stand where titles do, and are written in several ways.
var types = map[string]string{"cv": "cv", "carrier": "cv", "fast carrier": "cv", "fleet carrier": "cv",
	"aircraft carrier": "cv", "cvl": "cvl", "light carrier": "cvl", "cve": "cve", "escort carrier": "cve",
	"bb": "bb", "battleship": "bb", "bc": "bc", "battlecruiser": "bc", "battle cruiser": "bc", "ca": "ca",
	"heavy cruiser": "ca", "cl": "cl", "light cruiser": "cl", "cruiser": "cruiser", "dd": "dd", "destroyer": "dd"}

// forces are names of nothing but a type: cruiser squadron, carrier force.
var forces = []string{"force", "group", "fleet", "squadron", "flotilla", "division", "mission", "strike", "convoy"}

// zeros stand before a number and are no part of it.
var zeros = regexp.MustCompile(`(^|[^0-9])0+([0-9])`)

// hull is the number of a hull behind a name.
var hull = regexp.MustCompile(`(cv|cvl|cve|bb|bc|ca|cl|dd)[0-9]+$`)

// copied is a number or pennant in brackets behind a name, of which no ship has one: (1), (R07), (CVX).
var copied = regexp.MustCompile(`(?i)\s*[(\[]\s*([a-z]?[- ]?[0-9]+|cv[a-z])\s*[)\]]\s*$`)

// trailing is a number behind a name, also that of a hull.
var trailing = regexp.MustCompile(`((cv|cvl|cve|bb|bc|ca|cl|dd)?[0-9]+|ii+)$`)

// formations are words that are also written short.
var formations = strings.NewReplacer("task force", "tf", "taskforce", "tf", "task group", "tg", "taskgroup", "tg")

// spelled is what a name is known by ([rules.Bare]), without its title, the number of a hull behind it, formations
// short with their number behind, and numbers without zeros; and the type of ship that stands with it.
func spelled(name string) (core, kind string) {
	words := strings.FieldsFunc(strings.ToLower(rules.Shown(name)),
		func(r rune) bool { return unicode.IsSpace(r) || r == '-' })
	words = strings.Fields(formations.Replace(strings.Join(words, " ")))
	for len(words) > 1 {
		if hull.FindString(words[0]) == words[0] { // CV6 Enterprise
			words = append(slices.Clone(words[1:]), words[0])
			break
		}
		n, its := titled(words)
		if n == 0 || n == len(words) {
			break
		}
		if its != "" {
			kind = its
		}
		if digits(words[n]) && n+1 < len(words) && its != "" { // CV-6 Enterprise
			words = append(slices.Clone(words[n+1:]), its+words[n])
			break
		}
		if !strings.ContainsFunc(words[n], unicode.IsLetter) {
			break
		}
		words = words[n:]
	}
	for i, w := range words {
		if i > 0 && strings.HasPrefix(w, "(") {
			if n, its := titled(words[i:]); n > 0 && n == len(words[i:]) {
				if words = words[:i]; its != "" {
					kind = its
				}
			}
			break
		}
	}
	if n := len(words) - 1; n > 0 && strings.ContainsFunc(words[n-1], unicode.IsLetter) {
		if its := types[words[n]]; its == words[n] && its != "cruiser" { // Enterprise CV
			words, kind = words[:n], its
		}
	}
	return rules.Bare(zeros.ReplaceAllString(strings.Join(numbered(words), " "), "$1$2")), kind
}

// titled counts the words of a title in front, and gives the type that it is.
func titled(words []string) (n int, kind string) {
	for n = min(2, len(words)); n > 0; n-- {
		title := strings.Join(rules.Each(words[:n], letters), " ")
		if kind = types[title]; kind != "" || slices.Contains(titles, title) {
			return n, kind
		}
	}
	return 0, ""
}

// numbered has the number of a formation behind it, in digits: Eighth Task Force is tf 8.
func numbered(words []string) []string {
	at := slices.IndexFunc(words, func(w string) bool { return w == "tf" || w == "tg" })
	if at < 0 {
		return words
	}
	if at+1 < len(words) {
		if n, ok := roundNumber(letters(words[at+1])); ok && !digits(words[at+1]) {
			words = slices.Concat(words[:at+1], []string{strconv.Itoa(n)}, words[at+2:])
		}
		return words
	}
	if n, ok := roundNumber(letters(words[max(0, at-1)])); ok && at > 0 {
		return slices.Concat(words[:at-1], []string{words[at], strconv.Itoa(n)})
	}
	return words
}

// digits reports whether a word is a number in digits.
func digits(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool { return r < '0' || r > '9' })
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
		if !g.sameShip(past.name, name) || past.power != power.Title() && !rules.Exact(g.options) {
			continue
		}
		if !sailed || past.lost {
			s, sailed = past, true
		}
	}
	return s, sailed
}
