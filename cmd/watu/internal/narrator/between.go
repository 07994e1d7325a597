package narrator

import (
	"slices"
	"strings"

	"github.com/watu-ledger/watu/events/diff"
)

// Between describes two sentences as one, with what differs before and behind an arrow: "UK collects 11 → 12 IPCs".
// Where words were put in or left out, or little is the same, the two stand one behind the other. So do two lists of
// words: "hex, 2220: port, enemy and zoi → airfield and enemy".
func Between(was, is string) string {
	a, b := pieces(was), pieces(is)
	whole := was + " → " + is
	kept := diff.Common(a, b)
	if 2*len(kept) < min(len(a), len(b)) {
		return whole
	}
	var out []string
	i, j := 0, 0
	for _, k := range append(kept, [2]int{len(a), len(b)}) {
		gone, come := a[i:k[0]], b[j:k[1]]
		switch {
		case Brackets(strings.Join(gone, " "), strings.Join(come, " ")):
			return whole
		case len(gone) > 0 && len(come) > 0 && max(len(gone), len(come)) <= min(len(gone), len(come))+2:
			out = append(out, unended(gone, come)...)
			if last, ends := ending(a, k[0]); ends && max(len(gone), len(come)) > 1 {
				out = append(out, last)
			}
			out = append(append(out, "→"), come...)
		case len(gone)+len(come) > 0:
			return whole
		}
		if k[0] < len(a) {
			out = append(out, a[k[0]])
		}
		i, j = k[0]+1, k[1]+1
	}
	return strings.Join(out, " ")
}

// Brackets reports whether one of two pieces of sentences opens brackets that the other does not have: put between the
// words around them, they cannot be read.
func Brackets(was, is string) bool { return strings.Count(was, "(") != strings.Count(is, "(") }

// pieces gives the words of a sentence; a list of single words behind a colon is one piece.
func pieces(text string) (list []string) {
	words := strings.Fields(text)
	for i := 0; i < len(words); i++ {
		list = append(list, words[i])
		if end := listed(words[i+1:]); strings.HasSuffix(words[i], ":") && end > 0 {
			list = append(list, strings.Join(words[i+1:i+1+end], " "))
			i += end
		}
	}
	return list
}

// listed is of how many words the list is that they begin with, such as "port, enemy and zoi"; 0 if they begin with
// none.
func listed(words []string) int {
	for i := range words {
		switch {
		case strings.HasSuffix(words[i], ","):
		case i+2 < len(words) && words[i+1] == "and":
			return i + 3
		default:
			return 0
		}
	}
	return 0
}

// unended leaves out the signs that end both of two pieces behind the first: "column 6 → 5:".
func unended(gone, come []string) []string {
	last, behind, signs := gone[len(gone)-1], come[len(come)-1], ",;:."
	if !slices.ContainsFunc(gone, func(word string) bool { return strings.Contains(word, "(") }) {
		signs += ")"
	}
	for n := len(last) - 1; n > 0 && strings.Contains(signs, last[n:]) && strings.HasSuffix(behind, last[n:]); n-- {
		last, behind = last[:n], behind[:len(behind)-1]
	}
	return append(slices.Clone(gone[:len(gone)-1]), last)
}

// ending gives the word at i without the sign that ends a clause behind it, if there is one. So a clause that is worded
// otherwise stands whole on both sides of its arrow: "23 less 1 lost → 23, none lost;".
func ending(words []string, i int) (word string, ends bool) {
	if i < len(words) {
		word = strings.TrimRight(words[i], ",;:.")
	}
	return word, i < len(words) && word != words[i] && word != ""
}
